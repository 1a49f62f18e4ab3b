import GIFDecodingTestSupport
import GIFTestSupport
import Testing

@testable import GIFDecoding

/// The decoder of frames larger than the canvas against the one that keeps all indices.
@Suite struct CroppingLZWTests {
  /// On random streams, whole and broken, both end in the same way with the same visible indices.
  @Test(arguments: 0..<4) func agreesWithWholeDecoding(batch: Int) throws {
    var endings: [LZWOutcome: Int] = [:]
    for seed in UInt64(batch * 60)..<UInt64(batch * 60 + 60) {
      var generator = SeededGenerator(seed: seed)
      let image = try GIFImage(bytes: RandomGIF.make(seed: 12_000 + seed).bytes)
      for frame in image.frames where !frame.rect.isEmpty {
        var stream = CodeStream()
        let cut = Int.random(in: 0...2, using: &generator) == 0
        let end = cut ? Int.random(in: frame.data, using: &generator) : frame.data.upperBound
        try stream.gather(frame.data.lowerBound..<end, of: image.storage.bytes)
        // Now and then another code size than the writer's makes invalid codes.
        let codeSize = Int(
          Bool.random(using: &generator) ? .random(in: 0...8, using: &generator) : frame.codeSize ?? 2)
        let canvas = PixelRect(
          x: 0, y: 0, width: frame.rect.x + .random(in: 0...frame.rect.width, using: &generator),
          height: frame.rect.y + .random(in: 0...frame.rect.height, using: &generator))
        let outcome = try compare(stream, codeSize: codeSize, frame: frame, canvas: canvas)
        endings[outcome, default: 0] += 1
      }
    }
    for outcome in [LZWOutcome.complete, .outOfData, .invalidCode] {
      #expect(endings[outcome, default: 0] > 5, "too few streams end with \(outcome)")
    }
  }

  private func compare(
    _ stream: CodeStream, codeSize: Int, frame: FrameInfo, canvas: PixelRect
  ) throws -> LZWOutcome {
    var whole = IndexPlane()
    let area = Int(frame.rect.area)
    try whole.makeRoom(for: area)
    var reference = LZWDecoder()
    let (expected, count) = reference.decode(stream, codeSize: codeSize, wanted: area, into: &whole)
    whole.filled = count

    var window = CropWindow(frame.rect, on: canvas, isInterlaced: frame.isInterlaced)
    var cropped = IndexPlane()
    try cropped.makeRoom(for: window.visibleCount)
    var decoder = CroppingLZWDecoder()
    let outcome = decoder.decode(stream, codeSize: codeSize, window: &window, into: &cropped)
    cropped.filled = window.taken
    #expect(outcome == expected)
    #expect(window.isFull == (count == area))

    let visible = frame.rect.intersection(canvas)
    let rows =
      frame.isInterlaced ? InterlacedRows.order(height: frame.rect.height) : Array(0..<frame.rect.height)
    let kept = (0..<count).filter {
      rows[$0 / frame.rect.width] < visible.height && $0 % frame.rect.width < visible.width
    }
    #expect(copied(cropped.indices) == kept.map { whole.indices[$0] })
    return outcome
  }

  /// A frame that claims 65,535 x 65,535 pixels on a small canvas shows what its data has, in memory of the
  /// canvas.
  @Test(arguments: [false, true]) func showsFramesFarLargerThanTheCanvas(interlaced: Bool) throws {
    var gif = GIFWriter(width: 3, height: 2, palette: Letters.palette)
    gif.frame("RRR/RRR")
    gif.image(
      width: 65_535, height: 65_535, codes: .exactly([2, 3, 2] + [UInt8](repeating: 1, count: 40)),
      flags: interlaced ? 0x40 : 0)
    gif.frame("G", x: 1)
    gif.trailer()
    let image = try GIFImage(bytes: gif.bytes)
    #expect(image.oddities == [.frameOutsideCanvas])
    let rendering = try image.rendering()
    #expect(rendering.statuses == [.complete, .failed, .blank])
    #expect(rendering.damage.map(\.code) == [.notEnoughPixels, .requiredFrameFailed])
    #expect(rendering.pictures.map { Letters.text($0, width: 3) } == ["RRR/RRR", "BWB/...", ".../..."])
    #expect(image.rendererBytes(size: nil) < 1 << 20)
  }

  /// Such a frame is whole when all its rows have come, seen or not.
  @Test(arguments: [false, true]) func wholeLargeFrames(interlaced: Bool) throws {
    let (width, height) = (700, 120)
    let indices = (0..<width * height).map { UInt8(($0 / width + $0 % width) & 3) }
    var gif = GIFWriter(width: 4, height: 9, palette: Letters.palette)
    gif.frame("RRRR/RRRR/RRRR/RRRR/RRRR/RRRR/RRRR/RRRR/RRRR")
    gif.image(x: 1, y: 1, width: width, height: height, indices: indices, interlaced: interlaced)
    gif.trailer()
    let image = try GIFImage(bytes: gif.bytes)
    let rendering = try image.rendering()
    #expect(rendering.statuses == [.complete, .complete])
    for row in 1..<9 {
      for column in 1..<4 {
        let colour = Letters.palette[Int(indices[(row - 1) * width + column - 1])]
        #expect(rendering.pictures[1][row * 4 + column] == colour.opaquePixel)
      }
    }
  }

  /// A frame far larger than the canvas with any code size, whole or cut, opens and renders.
  @Test func everyCodeSize() throws {
    for size in UInt8.min...UInt8.max {
      var gif = GIFWriter(width: 2, height: 1, palette: Letters.palette)
      gif.frame("RR")
      gif.imageDescriptor(width: 65_535, height: 65_535)
      gif.raw([size, 1, 0xFF])
      let image = try GIFImage(bytes: gif.bytes)
      #expect(image.frameCount == 2)
      #expect(try image.rendering().statuses[1] != .complete)
    }
  }
}
