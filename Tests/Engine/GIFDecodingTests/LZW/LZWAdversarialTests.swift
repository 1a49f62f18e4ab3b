import GIFDecodingTestSupport
import GIFTestSupport
import Testing

@testable import GIFDecoding

/// The fast LZW decoder against the plain one where decoders go wrong.
@Suite struct LZWAdversarialTests {
  // Every code refers to itself: strings of 1, 2, 3 ... indices. Wanted ends inside, at and behind a string.
  @Test(arguments: 0...8) func selfReferringChain(codeSize: Int) throws {
    var comparison = LZWComparison()
    var codes = LZWCodeStream(minimumCodeSize: codeSize)
    codes.append(0)
    for _ in 0..<60 { codes.append(codes.nextCode) }
    let total = 61 * 62 / 2
    for wanted in [1, 2, 3, 4, 1000, total - 1, total, total + 1] {
      try comparison.check(codes, wanted: wanted, "\(wanted) wanted")
    }
  }

  // The same up to the last free code and beyond: the longest strings there are.
  @Test func longestStrings() throws {
    var comparison = LZWComparison()
    var codes = LZWCodeStream(minimumCodeSize: 8)
    for literal in 0..<3790 { codes.append(literal % 251) }
    while codes.nextCode < 4096 { codes.append(codes.nextCode) }
    for _ in 0..<3 { codes.append(4095) }
    codes.appendClear()
    codes.append(7)
    codes.append(codes.nextCode)
    codes.appendEnd()
    try comparison.check(codes, wanted: 60_000, "chain of the last codes")
    #expect(comparison.met == [.endOfInformation: 1])
  }

  // Around the moment at which the table is full: each of the last codes used at once, later, or not at all.
  @Test(arguments: [0, 2, 8]) func lastFreeCodes(codeSize: Int) throws {
    var comparison = LZWComparison()
    var filled = LZWCodeStream(minimumCodeSize: codeSize)
    while filled.nextCode < 4092 { filled.append(0) }
    for self1 in [0, 1] {
      for tail in [[4095], [4094, 4095], [4095, 4095, 0], [4090, 4092], [0, 0, 0, 4095, 4093]] {
        var codes = filled
        for _ in 0..<3 { codes.append(self1 == 1 ? codes.nextCode : 0) }
        for code in tail { codes.append(code) }
        codes.appendClear()
        codes.append(0)
        codes.append(4095)
        try comparison.check(codes, wanted: 30_000, "\(self1) then \(tail)")
      }
    }
  }

  // A clear after each number of codes, across the first widenings.
  @Test(arguments: 0...8) func clearsEverywhere(codeSize: Int) throws {
    var comparison = LZWComparison()
    for place in 0...40 {
      for startsWithClear in [true, false] {
        var codes = LZWCodeStream(minimumCodeSize: codeSize)
        if startsWithClear { codes.appendClear() }
        for number in 0..<place { codes.append(number % codes.clearCode) }
        codes.appendClear()
        if place % 3 == 0 { codes.appendClear() }
        for number in 0..<10 { codes.append(number % codes.clearCode) }
        codes.append(codes.nextCode)
        codes.appendEnd()
        try comparison.check(codes, wanted: 100, "clear after \(place)")
      }
    }
    #expect(comparison.met == [.endOfInformation: 82])
  }

  // A code that stands for nothing at each place where one fits into the width; all that comes before is
  // there.
  @Test(arguments: 0...8) func invalidCodeEverywhere(codeSize: Int) throws {
    var comparison = LZWComparison()
    var places = 0
    for place in 0...60 {
      var codes = LZWCodeStream(minimumCodeSize: codeSize)
      codes.appendClear()
      for number in 0..<place { codes.append(number % codes.clearCode) }
      // Directly after a clear the end code stands below the first invalid one.
      let bad = codes.nextCode + 1
      guard bad < 1 << codes.width else { continue }
      places += 1
      codes.append(bad)
      codes.append(0)
      try comparison.check(codes, wanted: 200, "invalid after \(place)")
      try comparison.check(codes, wanted: place, "not reached after \(place)")
    }
    #expect(comparison.met[.invalidCode, default: 0] == places)
    #expect(comparison.met[.complete, default: 0] == places)
    #expect(places > 20)
  }

  // An end code at each place.
  @Test(arguments: 0...8) func endEverywhere(codeSize: Int) throws {
    var comparison = LZWComparison()
    // Without literal bits the end code does not fit into the first code's single bit.
    let first = codeSize == 0 ? 1 : 0
    for place in first...40 {
      var codes = LZWCodeStream(minimumCodeSize: codeSize)
      for number in 0..<place { codes.append(number % codes.clearCode) }
      codes.appendEnd()
      for _ in 0..<4 { codes.append(0) }
      try comparison.check(codes, wanted: place + 1, "end after \(place)")
      try comparison.check(codes, wanted: place, "end not reached after \(place)")
    }
    #expect(comparison.met == [.endOfInformation: 41 - first, .complete: 41 - first])
  }

  // A sound stream broken off behind each byte.
  @Test(arguments: 0...8) func cutEverywhere(codeSize: Int) throws {
    var comparison = LZWComparison()
    var generator = SeededGenerator(seed: UInt64(codeSize))
    let indices = (0..<300).map { _ in UInt8.random(in: 0...UInt8((1 << codeSize) - 1), using: &generator) }
    let data = LZWEncoder(minimumCodeSize: codeSize).encode(indices)
    for count in 0...data.count {
      try comparison.check(Array(data.prefix(count)), codeSize: codeSize, wanted: 300, "\(count) bytes")
    }
    #expect(comparison.met[.complete, default: 0] >= 1)
    #expect(comparison.met[.outOfData, default: 0] >= data.count - 2)
  }

  // A decoder that goes from size to size finds nothing of the stream before: same as a fresh one.
  @Test func nothingStaysBehind() throws {
    var used = LZWComparison()
    var generator = SeededGenerator(seed: 9)
    for round in 0..<120 {
      let codeSize = Int.random(in: 0...8, using: &generator)
      var codes = LZWCodeStream(minimumCodeSize: codeSize)
      for _ in 0..<Int.random(in: 1...80, using: &generator) {
        codes.append(.random(in: 0...codes.nextCode, using: &generator))
      }
      try used.check(codes, wanted: .random(in: 0...900, using: &generator), "round \(round)")
    }
  }
}
