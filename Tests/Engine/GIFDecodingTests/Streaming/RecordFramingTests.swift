import GIFDecodingTestSupport
import GIFTestSupport
import Testing

@testable import GIFDecoding

/// Where records end, found without reading them.
@Suite struct RecordFramingTests {
  /// Every record of a file with every kind of them is whole with its last byte, not before and not later.
  @Test func everyRecordIsWholeWithItsLastByte() throws {
    var writer = GIFWriter(width: 3, height: 2, palette: [0xFF0000, 0x00FF00])
    var records: [Range<Int>] = []
    records.append(writer.loop(0))
    records.append(writer.graphicsControl(delay: 4, transparent: 1))
    records.append(writer.unknownExtension(label: 0x2C))
    records.append(writer.comment("a comment in pieces", subBlockSize: 3))
    records.append(writer.plainText("text"))
    records.append(writer.image(width: 3, height: 2, indices: [0, 1, 0, 1, 0, 1]))
    records.append(writer.image(width: 1, height: 1, indices: [1], palette: [0x010203, 0x040506]))
    records.append(writer.image(width: 1, height: 1, codes: LZWCodeStream(minimumCodeSize: 2)))
    records.append(writer.trailer())

    var framing = RecordFraming(start: records[0].lowerBound)
    for record in records {
      framing.begin(at: record.lowerBound)
      var oneByOne = framing
      for end in record.lowerBound...record.upperBound {
        let part = writer.bytes(upTo: end)
        // Looked at again, and going on from where it looked before.
        var again = framing
        let answers = [again.isWhole(part.span), oneByOne.isWhole(part.span)]
        let isThere = end >= record.upperBound
        #expect(answers == [isThere, isThere], "\(record), \(end)")
      }
    }
  }

  /// What ends the animation is whole at once: a foreign byte, and a code size beyond 8.
  @Test func endsAreWholeAtOnce() {
    #expect(isWhole([0x00]))
    let descriptor: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0]
    #expect(!isWhole(descriptor))
    #expect(!isWhole(descriptor + [8]))
    #expect(isWhole(descriptor + [9]))
  }

  private func isWhole(_ bytes: [UInt8]) -> Bool {
    var framing = RecordFraming(start: 0)
    return framing.isWhole(bytes.span)
  }

  @Test func headerLength() {
    var screen: [UInt8] = Array("GIF89a".utf8) + [1, 0, 1, 0, 0x00, 0]
    #expect(headerLength(screen) == nil)
    screen.append(0)
    #expect(headerLength(screen) == 13)
    for bits in 0..<8 {
      screen[10] = 0x80 | UInt8(bits)
      #expect(headerLength(screen) == 13 + 3 * (2 << bits))
    }
  }

  private func headerLength(_ bytes: [UInt8]) -> Int? { RecordFraming.headerLength(bytes.span) }

  /// A partial image is known with its rectangle; flags, code size and data follow as they come.
  @Test func partialImage() throws {
    var writer = GIFWriter()
    writer.image(
      x: 258, y: 3, width: 4, height: 1027, indices: [UInt8](repeating: 0, count: 4 * 1027),
      palette: [0xFF0000, 0x00FF00], interlaced: true)
    #expect(partialImage(writer.bytes(upTo: 8)) == nil)

    let rectangle = try #require(partialImage(writer.bytes(upTo: 9)))
    #expect(rectangle.rect == PixelRect(x: 258, y: 3, width: 4, height: 1027))
    #expect(!rectangle.isInterlaced && rectangle.palette == nil && rectangle.data.isEmpty)

    let descriptor = try #require(partialImage(writer.bytes(upTo: 10)))
    #expect(descriptor.rect == PixelRect(x: 258, y: 3, width: 4, height: 1027))
    #expect(descriptor.isInterlaced)
    #expect(descriptor.palette == PaletteLocation(offset: 10, count: 2))
    #expect(descriptor.codeSize == nil)
    #expect(descriptor.data.isEmpty)
    #expect(descriptor.isTruncated)

    let withData = try #require(partialImage(writer.bytes(upTo: 20)))
    #expect(withData.codeSize == 2)
    #expect(withData.data == 17..<20)
    // Other records have no part to show.
    #expect(partialImage([UInt8](repeating: 0x21, count: 20)) == nil)
  }

  private func partialImage(_ bytes: [UInt8]) -> ImageRecord? {
    RecordFraming(start: 0).partialImage(bytes.span)
  }

  /// The same answer as giflib: a stream reads each record of a file when the framing says so, and finds the
  /// same.
  @Test(arguments: OddFile.files(60, from: 5000))
  func agreesWithGiflib(_ file: OddFile) {
    guard var reader = try? RecordReader(ByteStorage(copying: file.bytes.span)) else { return }
    var framing = RecordFraming(start: reader.offset)
    for _ in 0..<200 {
      let isWhole = framing.isWhole(file.bytes.span)
      switch reader.next() {
      case .image(let image):
        #expect(isWhole == !image.isTruncated)
      case .extension(let block):
        #expect(isWhole == !block.isTruncated)
      case .trailer, .foreign:
        #expect(isWhole)
        return
      case .endOfData:
        #expect(!isWhole)
        return
      }
      framing.begin(at: reader.offset)
    }
  }
}
