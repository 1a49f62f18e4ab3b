import GIFDecodingTestSupport
import GIFTestSupport
import Testing

@testable import GIFDecoding

/// Our records and indices against those of giflib's own decoder, an independent implementation.
@Suite struct GiflibAgreementTests {
  @Test(arguments: (0..<8).map { 9000 + UInt64($0) * 20 }) func sameRecordsAndIndices(from first: UInt64)
    throws
  {
    for seed in first..<first + 20 {
      let bytes = RandomGIF.make(seed: seed).bytes
      let giflib = try #require(GiflibReader(bytes), "giflib must read seed \(seed)")
      let image = try GIFImage(bytes: bytes)
      #expect(image.frameCount == giflib.images.count, "seed \(seed)")
      #expect(image.index.globalPalette.map { Self.bytes(of: $0, in: bytes) } ?? [] == giflib.globalPalette)
      #expect(image.metadata.comments == giflib.comments.map { String(decoding: $0, as: UTF8.self) })
      var decoder = FrameDecoder()
      for (frame, reference) in zip(image.frames, giflib.images) {
        let (status, indices) = decoder.indices(of: frame, in: image)
        #expect(status == .complete)
        let found = GiflibReader.Image(
          x: frame.rect.x, y: frame.rect.y, width: frame.rect.width, height: frame.rect.height,
          isInterlaced: frame.isInterlaced,
          localPalette: frame.localPalette.map { Self.bytes(of: $0, in: bytes) } ?? [],
          indices: indices, control: reference.control)
        #expect(found == reference, "seed \(seed), frame \(frame.index)")
        Self.compare(frame, control: reference.control)
      }
      // The canvas is the screen, grown by the first frame.
      #expect(image.width == max(giflib.width, giflib.images[0].x + giflib.images[0].width))
      #expect(image.height == max(giflib.height, giflib.images[0].y + giflib.images[0].height))
    }
  }

  // The forms of code streams that writers really differ in, each on the same picture.
  @Test func everyCoding() throws {
    var generator = SeededGenerator(seed: 5)
    let indices = (0..<60 * 60).map { _ in UInt8.random(in: 0...40, using: &generator) }
    for size in 6...8 {
      for clearing in [.whenFull, .never, .every(1), .every(2), .every(255), .every(3999)]
        as [LZWEncoder.Clearing]
      {
        for (startsWithClear, endsWithEnd) in [(true, true), (false, true), (true, false)] {
          var gif = GIFWriter(width: 60, height: 60, palette: (0..<64).map { RGB($0) })
          gif.image(
            width: 60, height: 60, indices: indices,
            coding: GIFWriter.ImageCoding(
              minimumCodeSize: size, startsWithClear: startsWithClear, clearing: clearing,
              endsWithEnd: endsWithEnd, subBlockSize: 200))
          gif.trailer()
          let giflib = try #require(GiflibReader(gif.bytes))
          let image = try GIFImage(bytes: gif.bytes)
          var decoder = FrameDecoder()
          let (status, found) = decoder.indices(of: image.frames[0], in: image)
          #expect(status == .complete)
          #expect(found == giflib.images[0].indices, "size \(size), \(clearing)")
          #expect(found == indices, "size \(size), \(clearing)")
        }
      }
    }
  }

  // giflib, too, finds these damaged, so the comparison above is no formality.
  @Test func giflibRefusesDamage() {
    var gif = GIFWriter(width: 4, height: 1, palette: Letters.palette)
    gif.image(width: 4, height: 1, codes: .exactly([0, 1], ending: LZWCodeStream.end))
    gif.trailer()
    #expect(GiflibReader(gif.bytes) == nil)
    #expect(GiflibReader(Array("GIF89a".utf8)) == nil)
  }

  private static func bytes(of palette: PaletteLocation, in file: [UInt8]) -> [UInt8] {
    Array(file[palette.offset..<palette.offset + 3 * palette.count])
  }

  /// Compares a frame with the four stored bytes of its graphics control.
  private static func compare(_ frame: FrameInfo, control: [UInt8]) {
    guard control.count == 4 else {
      #expect(control.isEmpty)
      #expect(frame.delayCentiseconds == 0)
      #expect(frame.storedDisposal == 0)
      #expect(frame.transparentIndex == nil)
      return
    }
    #expect(frame.delayCentiseconds == Int(control[1]) + 256 * Int(control[2]))
    #expect(frame.storedDisposal == control[0] / 4 % 8)
    #expect(frame.transparentIndex == (control[0] % 2 == 1 ? control[3] : nil))
  }
}
