import GIFTestSupport
import Testing

@Suite("GIFWriter")
struct GIFWriterTests {
  /// The bytes that one call appends.
  private func written(_ body: (inout GIFWriter) -> Range<Int>) -> [UInt8] {
    var writer = GIFWriter()
    writer.raw([0xEE])
    let range = body(&writer)
    #expect(range == 1..<writer.bytes.count)
    return Array(writer.bytes[range])
  }

  @Test("A whole small file")
  func wholeFile() {
    var gif = GIFWriter(width: 3, height: 2, palette: [0xFF0000, 0x00FF00, 0x0000FF])
    gif.loop(5)
    gif.graphicsControl(disposal: 2, delay: 300, transparent: 3, userInput: true)
    gif.image(x: 1, y: 0, width: 2, height: 1, indices: [1, 2], palette: [0x010203, 0x040506])
    gif.trailer()
    let screen: [UInt8] = [0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 3, 0, 2, 0, 0xF1, 0, 0]
    let palette: [UInt8] = [255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0]
    let loop: [UInt8] = [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 5, 0, 0]
    let control: [UInt8] = [0x21, 0xF9, 4, 0b0000_1011, 0x2C, 1, 3, 0]
    let image: [UInt8] = [0x2C, 1, 0, 0, 0, 2, 0, 1, 0, 0x80, 1, 2, 3, 4, 5, 6]
    let data: [UInt8] = [2, 2, 0b1000_1100, 0b0000_1010, 0]
    #expect(gif.bytes == screen + palette + loop + control + image + data + [0x3B])
  }

  @Test("Screens of any kind")
  func screens() {
    #expect(written { $0.header("GIF87a") } == Array("GIF87a".utf8))
    #expect(written { $0.logicalScreen(width: 0, height: 65535) } == [0, 0, 255, 255, 0x70, 0, 0])
    let all = written { $0.logicalScreen(width: 1, height: 258, background: 7, aspect: 49, flags: 0x05) }
    #expect(all == [1, 0, 2, 1, 5, 7, 49])
    // With raw flags the palette is as long as given, whatever they say.
    #expect(
      written { $0.logicalScreen(width: 1, height: 1, palette: [0x010203], flags: 0x87) }
        == [1, 0, 1, 0, 0x87, 0, 0, 1, 2, 3])
  }

  @Test("A palette is filled up to a power of two", arguments: [(0, 2), (1, 2), (3, 4), (4, 4), (200, 256)])
  func paletteSizes(count: Int, padded: Int) {
    let palette = [RGB](repeating: 0x102030, count: count)
    var writer = GIFWriter()
    writer.logicalScreen(width: 1, height: 1, palette: palette)
    #expect(writer.ranges(of: .globalPalette).map(\.count) == [padded * 3])
    #expect(2 << Int(writer.bytes[4] & 7) == padded)
    #expect(GIFWriter.padded(palette).count == padded)
  }

  @Test("Graphics control extensions, right and wrong")
  func graphicsControls() {
    #expect(written { $0.graphicsControl() } == [0x21, 0xF9, 4, 0, 0, 0, 0, 0])
    #expect(
      written { $0.graphicsControl(disposal: 7, delay: 65535) } == [0x21, 0xF9, 4, 0x1C, 255, 255, 0, 0])
    #expect(written { $0.graphicsControl(delay: 9, form: .blockSize(3)) } == [0x21, 0xF9, 3, 0, 9, 0, 0])
    #expect(
      written { $0.graphicsControl(transparent: 8, form: .blockSize(6)) }
        == [0x21, 0xF9, 6, 1, 0, 0, 8, 0, 0, 0])
    #expect(written { $0.graphicsControl(form: .blockSize(0)) } == [0x21, 0xF9, 0])
    #expect(
      written { $0.graphicsControl(form: .extraSubBlock([5, 6])) }
        == [0x21, 0xF9, 4, 0, 0, 0, 0, 2, 5, 6, 0])
    #expect(written { $0.graphicsControl(form: .noTerminator) } == [0x21, 0xF9, 4, 0, 0, 0, 0])
  }

  @Test("Other extensions")
  func extensions() {
    #expect(
      written { $0.application([65, 66], subBlocks: [[2, 9], []]) } == [0x21, 0xFF, 2, 65, 66, 2, 2, 9, 0, 0])
    #expect(written { $0.application([], subBlocks: [], hasTerminator: false) } == [0x21, 0xFF, 0])
    #expect(written { $0.loop(513, identifier: "X") } == [0x21, 0xFF, 1, 0x58, 3, 1, 1, 2, 0])
    #expect(written { $0.comment("abc", subBlockSize: 2) } == [0x21, 0xFE, 2, 97, 98, 1, 99, 0])
    #expect(written { $0.comment("") } == [0x21, 0xFE, 0])
    #expect(
      written { $0.plainText("a", x: 1, y: 2, width: 3, height: 4, foreground: 5, background: 6) }
        == [0x21, 0x01, 12, 1, 0, 2, 0, 3, 0, 4, 0, 8, 8, 5, 6, 1, 97, 0])
    #expect(written { $0.unknownExtension(label: 0x42) } == [0x21, 0x42, 0])
    #expect(
      written { $0.unknownExtension(label: 0, subBlocks: [[1]], hasTerminator: false) } == [0x21, 0, 1, 1])
  }

  @Test("Pieces are listed with their places, so that a file can be cut there")
  func places() {
    var gif = GIFWriter(width: 2, height: 2)
    gif.mark("before the image")
    let image = gif.image(width: 2, height: 2, indices: [0, 1, 1, 0], palette: [0, 1])
    gif.trailer()
    #expect(
      gif.parts.map(\.kind) == [
        .header, .logicalScreen, .imageDescriptor, .localPalette, .minimumCodeSize, .imageData,
        .imageTerminator, .trailer,
      ])
    #expect(gif.parts.map(\.range.lowerBound) == [0, 6, 13, 23, 29, 30, 34, 35])
    #expect(gif.parts.last?.range.upperBound == gif.bytes.count)
    #expect(image == 13..<35)
    #expect(gif.offset(of: "before the image") == 13)
    #expect(gif.offset(of: "nowhere") == nil)
    #expect(gif.bytes(upToMark: "before the image") == Array(gif.bytes[..<13]))
    #expect(gif.bytes(upTo: 7) == Array("GIF89a".utf8) + [2])
    #expect(gif.bytes(upTo: 1000) == gif.bytes)
  }
}
