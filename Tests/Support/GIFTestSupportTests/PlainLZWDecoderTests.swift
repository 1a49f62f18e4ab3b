import GIFTestSupport
import Testing

@Suite("PlainLZWDecoder")
struct PlainLZWDecoderTests {
  private func decode(
    _ codes: [Int], minimumCodeSize: Int = 2, limit: Int = 1000
  ) -> PlainLZWDecoder.Result {
    let stream = LZWCodeStream(minimumCodeSize: minimumCodeSize, codes: codes)
    return PlainLZWDecoder.decode(stream.bytes, literalWidth: minimumCodeSize, pixelLimit: limit)
  }

  @Test("A well-known stream, written by hand")
  func handWritten() {
    let data: [UInt8] = [0x8C, 0x2D, 0x99, 0x87, 0x2A, 0x1C, 0xDC, 0x33, 0xA0, 0x02, 0x75, 0xEC]
    let rest: [UInt8] = [0x95, 0xFA, 0xA8, 0xDE, 0x60, 0x8C, 0x04, 0x91, 0x4C, 0x01]
    let result = PlainLZWDecoder.decode(data + rest, literalWidth: 2, pixelLimit: 100)
    let expected = [
      "1111122222", "1111122222", "1111122222", "1110000222", "1110000222",
      "2220000111", "2220000111", "2222211111", "2222211111", "2222211111",
    ].joined().utf8.map { $0 - 48 }
    #expect(result.indices == expected)
    #expect(result.outcome == .pixelsComplete)
  }

  @Test("Decoding ends at the end code, at the end of the bytes or at the last wanted pixel")
  func outcomes() {
    #expect(decode([4, 1, 2, 5, 3]) == .init([1, 2], .endOfInformation))
    #expect(decode([4, 1, 2, 3], limit: 2) == .init([1, 2], .pixelsComplete))
    #expect(decode([4, 1, 6, 6], limit: 4) == .init([1, 1, 1, 1], .pixelsComplete))
    #expect(decode([4, 1], limit: 0) == .init([], .pixelsComplete))
    #expect(PlainLZWDecoder.decode([], literalWidth: 8, pixelLimit: 1) == .init([], .outOfData))
    // 4 and 1 take six bits; the two that are left are no code.
    #expect(decode([4, 1]) == .init([1], .outOfData))
  }

  @Test("A code may stand for the string that it is about to define, but for nothing later")
  func nextFreeCode() {
    #expect(decode([4, 1, 6, 5]) == .init([1, 1, 1], .endOfInformation))
    #expect(decode([4, 1, 2, 7, 5]) == .init([1, 2, 2, 2], .endOfInformation))
    #expect(decode([4, 1, 7]) == .init([1], .invalidCode(at: 2)))
    #expect(decode([4, 1, 2, 3, 10, 0]) == .init([1, 2, 3], .invalidCode(at: 4)))
  }

  @Test("Nothing but a literal, a clear or an end may come first or after a clear")
  func firstCode() {
    #expect(decode([1, 2, 5]) == .init([1, 2], .endOfInformation))
    #expect(decode([5]) == .init([], .endOfInformation))
    #expect(decode([4, 4, 4, 1, 5]) == .init([1], .endOfInformation))
    #expect(decode([6]) == .init([], .invalidCode(at: 0)))
    #expect(decode([4, 1, 6, 4, 6]) == .init([1, 1, 1], .invalidCode(at: 4)))
  }

  @Test("A bad code after the last wanted pixel is not seen")
  func badCodeTooLate() {
    #expect(decode([4, 1, 2, 15], limit: 2).outcome == .pixelsComplete)
  }

  @Test("Literals of 0 and 1 bits")
  func smallLiterals() {
    #expect(decode([1, 0, 3, 3, 2], minimumCodeSize: 0) == .init([0, 0, 0, 0, 0], .endOfInformation))
    #expect(
      decode([2, 1, 4, 0, 5, 3], minimumCodeSize: 1) == .init([1, 1, 1, 0, 1, 1, 0], .endOfInformation))
  }

  @Test("A full table is frozen: nothing is saved any more, and its last entry stays in use")
  func frozenTable() {
    // The first of these codes takes number 257 without an entry, the 3,839th defines 4095, the last one
    // nothing.
    let filling = (0..<3840).map { $0 % 2 }
    let result = decode([256] + filling + [4095, 0, 0, 4095, 257], minimumCodeSize: 8, limit: 10_000)
    #expect(result.indices == filling.map { UInt8($0) } + [1, 0, 0, 0, 1, 0])
    #expect(result.outcome == .endOfInformation)
  }
}

extension PlainLZWDecoder.Result {
  init(_ indices: [UInt8], _ outcome: PlainLZWDecoder.Outcome) {
    self.init(indices: indices, outcome: outcome)
  }
}
