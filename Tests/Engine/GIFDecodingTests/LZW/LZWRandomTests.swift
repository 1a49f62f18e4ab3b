import GIFDecodingTestSupport
import GIFTestSupport
import Testing

@testable import GIFDecoding

/// The fast LZW decoder against the plain one on random streams of every code size.
@Suite struct LZWRandomTests {
  // Bits without any sense: mostly short-lived, and all four ends are met.
  @Test(arguments: 0...8) func randomBits(codeSize: Int) throws {
    var generator = SeededGenerator(seed: UInt64(codeSize))
    var comparison = LZWComparison()
    for round in 0..<300 {
      let length =
        round % 3 == 0 ? Int.random(in: 0...6, using: &generator) : Int.random(in: 0...300, using: &generator)
      let data = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
      let wanted = round % 2 == 0 ? 2000 : Int.random(in: 0...40, using: &generator)
      try comparison.check(data, codeSize: codeSize, wanted: wanted, "round \(round)")
    }
    #expect(comparison.met[.outOfData, default: 0] > 0)
    #expect(comparison.met[.complete, default: 0] > 0)
    #expect(comparison.met[.endOfInformation, default: 0] > 0)
    // With one-bit literals the codes stay within the table nearly always, with none at all the end comes
    // first.
    if codeSize > 1 { #expect(comparison.met[.invalidCode, default: 0] > 0) }
  }

  // Codes of which nearly all mean something: long strings, self-references, clears, and now and then a
  // mistake.
  @Test(arguments: 0...8) func randomCodes(codeSize: Int) throws {
    var generator = SeededGenerator(seed: 100 + UInt64(codeSize))
    var comparison = LZWComparison()
    for round in 0..<60 {
      let makesMistakes = round % 3 == 0
      var codes = LZWCodeStream(minimumCodeSize: codeSize)
      for _ in 0..<Int.random(in: 1...250, using: &generator) {
        codes.append(Self.code(after: codes, makesMistakes: makesMistakes, using: &generator))
      }
      if Bool.random(using: &generator) { codes.appendEnd() }
      try comparison.check(codes, wanted: .random(in: 0...500, using: &generator), "round \(round)")
    }
    #expect(comparison.met[.complete, default: 0] > 5)
    #expect(comparison.met[.endOfInformation, default: 0] > 2)
  }

  // Long streams through a full table, where codes go on unchanged until a clear comes, if it ever does.
  @Test(arguments: [0, 1, 2, 5, 8]) func fullTables(codeSize: Int) throws {
    var generator = SeededGenerator(seed: 200 + UInt64(codeSize))
    var comparison = LZWComparison()
    for round in 0..<2 {
      var codes = LZWCodeStream(minimumCodeSize: codeSize)
      // Literals alone fill the table with short strings.
      while codes.nextCode < 4096 { codes.append(Int.random(in: 0..<codes.clearCode, using: &generator)) }
      for _ in 0..<300 { codes.append(Self.code(after: codes, makesMistakes: false, using: &generator)) }
      try comparison.check(codes, wanted: 1 << 14, "round \(round), random codes behind the full table")
    }
    #expect(comparison.met[.outOfData, default: 0] == 2, "the streams are meant to be used up")
  }

  /// A code that means something, all kinds often enough; with mistakes, rarely one that does not.
  private static func code(
    after codes: LZWCodeStream, makesMistakes: Bool, using generator: inout SeededGenerator
  ) -> Int {
    let isFirst = codes.nextCode == codes.endCode
    let highest = min(codes.nextCode, 4095)
    switch Int.random(in: 0..<60, using: &generator) {
    case 0: return codes.clearCode
    case 1 where makesMistakes: return highest + 1
    case 2...20 where !isFirst: return highest
    case 21...45 where highest > codes.endCode + 1:
      return Int.random(in: codes.endCode + 1...highest, using: &generator)
    default: return Int.random(in: 0..<codes.clearCode, using: &generator)
    }
  }
}
