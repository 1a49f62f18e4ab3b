import GIFDecodingTestSupport
import GIFTestSupport
import Testing

@testable import GIFDecoding

@Suite("Memory of canvases")
struct CanvasMemoryTests {
  private static let rubbish: UInt32 = 0xFFAB_CDEF

  /// Memory as a canvas may get it: with something else in it.
  private static func used(_ count: Int) throws -> PixelMemory {
    try PixelMemory(copying: [UInt32](repeating: rubbish, count: count).span)
  }

  @Test("A canvas has memory once something is drawn, and none again after its release")
  func memory() throws {
    var canvas = Canvas(width: 4, height: 3)
    #expect(canvas.pixelCount == 0)
    try canvas.takeMemory()
    #expect(try canvas.publish().words == [UInt32](repeating: 0, count: 12))
    canvas.release()
    #expect(canvas.pixelCount == 0)
    try canvas.clear(PixelRect(x: 1, y: 1, width: 1, height: 1))
    #expect(try canvas.publish().words == [UInt32](repeating: 0, count: 12))
  }

  @Test("A renderer has pixels once a frame has been rendered, even one that shows nothing")
  func pixels() throws {
    var gif = GIFWriter(width: 3, height: 2, palette: [0, 0xFF0000])
    gif.imageDescriptor(width: 3, height: 2)
    gif.imageData(minimumCodeSize: 2, compressed: [], hasTerminator: true)
    gif.trailer()
    var renderer = try FrameRenderer(try GIFImage(bytes: gif.bytes))
    #expect(renderer.canvasPixels.count == 0)
    #expect(try renderer.render(0) == .failed)
    #expect((0..<6).map { renderer.canvasPixels[$0] } == [UInt32](repeating: 0, count: 6))
  }

  /// The frames in the order given, each canvas in memory that held something else.
  private func pictures(
    of image: GIFImage, order: [Int], rests: (Int) -> Bool = { _ in false }
  ) throws -> [[UInt32]] {
    var renderer = try FrameRenderer(image)
    var found: [[UInt32]] = []
    for (step, index) in order.enumerated() {
      renderer.supply { try? Self.used(Int(image.pixelCount)) }
      found.append(try renderer.frame(at: index).pixels.words)
      guard rests(step) else { continue }
      let next = step + 1 < order.count ? order[step + 1] : nil
      renderer = try PackedRenderer(renderer, before: next).unpacked()
    }
    return found
  }

  @Test("What was in the memory before never shows", arguments: (0..<10).map { UInt64($0) * 20 })
  func soundFrames(from first: UInt64) throws {
    for seed in first..<first + 20 {
      let gif = RandomGIF.make(seed: seed)
      let image = try GIFImage(bytes: gif.bytes)
      let expected = PlainCompositor.canvases(of: gif.animation)
      let once = Array(0..<image.frameCount)
      #expect(try pictures(of: image, order: once) == expected, "seed \(seed)")
      // Each frame rests, and the first one of the second round begins without memory.
      let twice = try pictures(of: image, order: once + once) { _ in true }
      #expect(twice == expected + expected, "seed \(seed)")
    }
  }

  @Test("Nor does it in damaged frames", arguments: (0..<6).map { UInt64($0) * 50 })
  func damagedFrames(from first: UInt64) throws {
    for seed in first..<first + 50 {
      let damaged = DamagedAnimation.make(seed: seed)
      let image = try GIFImage(bytes: damaged.bytes)
      var generator = SeededGenerator(seed: seed)
      let model = BrowserModel(damaged).pictures
      let order = (0..<2 * image.frameCount).map { _ in
        Int.random(in: 0..<image.frameCount, using: &generator)
      }
      let found = try pictures(of: image, order: order) { $0 % 2 == 0 }
      #expect(found == order.map { model[$0] }, "seed \(seed)")
    }
  }

  @Test(
    "One frame on memory that held something else: whole or a part, with every kind of row order",
    arguments: [false, true], [false, true])
  func firstFrame(isInterlaced: Bool, isTransparent: Bool) throws {
    // Wide enough for the kernel of vectors.
    let (width, height) = (90, 40)
    for (rect, limit) in [
      (PixelRect(x: 0, y: 0, width: width, height: height), nil),
      (PixelRect(x: 3, y: 2, width: 80, height: 30), nil),
      (PixelRect(x: 0, y: 0, width: width, height: height), 1700),
    ] as [(PixelRect, Int?)] {
      var gif = GIFWriter(width: width, height: height, palette: [0x112233, 0xFF0000, 0x00FF00, 0x0000FF])
      gif.graphicsControl(transparent: isTransparent ? 0 : nil)
      gif.image(
        x: rect.x, y: rect.y, width: rect.width, height: rect.height,
        indices: (0..<rect.width * rect.height).map { UInt8($0 / 3 % 4) }, interlaced: isInterlaced,
        coding: GIFWriter.ImageCoding(pixelLimit: limit))
      gif.trailer()
      let image = try GIFImage(bytes: gif.bytes)
      let words = try pictures(of: image, order: [0])[0]
      #expect(!words.contains(Self.rubbish))
      var plain = try FrameRenderer(image)
      #expect(try plain.frame(at: 0).pixels.words == words)
    }
  }
}
