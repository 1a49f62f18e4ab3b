import GIFTestSupport
import Testing

@Suite("GIFWriter images")
struct GIFWriterImageTests {
  /// Appends one image and decodes what stands in its sub-blocks.
  private func pixels(
    width: Int = 4, height: Int = 2, limit: Int = 1000, _ body: (inout GIFWriter) -> Range<Int>
  ) -> PlainLZWDecoder.Result {
    var writer = GIFWriter()
    _ = body(&writer)
    let image = MiniReader.image(in: writer.bytes, at: 0)
    #expect((image.frame.width, image.frame.height) == (width, height))
    return PlainLZWDecoder.decode(image.data, literalWidth: image.minimumCodeSize, pixelLimit: limit)
  }

  private let indices: [UInt8] = [0, 1, 2, 3, 4, 5, 6, 7]

  @Test("An image holds its indices and no more")
  func plain() {
    let result = pixels { $0.image(width: 4, height: 2, indices: indices) }
    #expect(result == .init(indices, .endOfInformation))
  }

  @Test("Too few, too many and no end code")
  func faults() {
    let few = GIFWriter.ImageCoding(pixelLimit: 3)
    #expect(pixels { $0.image(width: 4, height: 2, indices: indices, coding: few) }.indices == [0, 1, 2])
    let many = GIFWriter.ImageCoding(extraPixels: [7, 7])
    #expect(
      pixels { $0.image(width: 4, height: 2, indices: indices, coding: many) }.indices == indices + [7, 7])
    let endless = GIFWriter.ImageCoding(endsWithEnd: false)
    let result = pixels { $0.image(width: 4, height: 2, indices: indices, coding: endless) }
    #expect(result == .init(indices, .outOfData))
  }

  @Test("Interlaced rows are stored in four passes")
  func interlaced() {
    #expect(InterlacedRows.order(height: 10) == [0, 8, 4, 2, 6, 1, 3, 5, 7, 9])
    #expect(InterlacedRows.order(height: 1) == [0])
    #expect(InterlacedRows.order(height: 3) == [0, 2, 1])
    let rows = (0..<10).flatMap { [UInt8($0), UInt8($0 + 20)] }
    let stored = pixels(width: 2, height: 10) {
      $0.image(width: 2, height: 10, indices: rows, interlaced: true)
    }
    #expect(
      stored.indices.enumerated().filter { $0.offset % 2 == 0 }.map(\.element) == [
        0, 8, 4, 2, 6, 1, 3, 5, 7, 9,
      ])
    #expect(stored.indices == InterlacedRows.store(rows, width: 2, height: 10))
    // A limit counts stored pixels.
    let cut = pixels(width: 2, height: 10) {
      $0.image(width: 2, height: 10, indices: rows, interlaced: true, coding: .init(pixelLimit: 3))
    }
    #expect(cut.indices == [0, 20, 8])
  }

  @Test("Packed flags", arguments: [(false, nil, 0x81), (true, nil, 0xC1), (false, UInt8(0x27), 0x27)])
  func flags(interlaced: Bool, flags: UInt8?, packed: UInt8) {
    var writer = GIFWriter()
    writer.imageDescriptor(
      x: 1, y: 2, width: 3, height: 260, palette: [1, 2, 3], interlaced: interlaced, flags: flags)
    #expect(Array(writer.bytes[..<10]) == [0x2C, 1, 0, 2, 0, 3, 0, 4, 1, packed])
    #expect(writer.ranges(of: .localPalette).map(\.count) == [flags == nil ? 12 : 9])
  }

  @Test("Sub-blocks of every size join to the same data", arguments: [1, 2, 7, 254, 255])
  func subBlocks(size: Int) {
    let data = (0..<600).map { UInt8(truncatingIfNeeded: $0) }
    let blocks = GIFWriter.subBlocks(data, size: size)
    #expect(blocks.count == 600 + (600 + size - 1) / size)
    #expect(blocks[0] == UInt8(size))
    var writer = GIFWriter()
    writer.imageDescriptor(width: 1, height: 1)
    writer.imageData(minimumCodeSize: 8, compressed: data, subBlockSize: size)
    #expect(MiniReader.image(in: writer.bytes, at: 0).data == data)
    #expect(writer.ranges(of: .imageData) == [11..<(11 + blocks.count)])
  }

  @Test("Given codes, no data at all, no terminator, a false code size")
  func data() {
    var writer = GIFWriter()
    let bad = LZWCodeStream(minimumCodeSize: 2, codes: [4, 7])
    writer.image(width: 1, height: 1, codes: bad)
    #expect(writer.bytes.suffix(4) == [2, 1, 0b0011_1100, 0])
    writer.image(width: 1, height: 1, codes: LZWCodeStream(minimumCodeSize: 2))
    #expect(writer.bytes.suffix(3) == [0, 2, 0])
    writer.image(width: 1, height: 1, codes: bad, hasTerminator: false)
    #expect(writer.bytes.suffix(3) == [2, 1, 0b0011_1100])
    let range = writer.image(
      width: 1, height: 1, indices: [0], coding: .init(declaredCodeSize: 200, hasTerminator: false))
    #expect(Array(writer.bytes[range].suffix(4)) == [200, 2, 0b0100_0100, 0b0000_0001])
  }
}
