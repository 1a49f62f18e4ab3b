import GIFDecoding
import GIFDecodingTestSupport
import GIFTestSupport
import Testing

/// However the bytes come, the end is the same.
@Suite struct StreamSplitTests {
  /// Two hundred files of all kinds of faults, by bytes, by random pieces, and at once.
  @Test(arguments: OddFile.files(200))
  func oddFilesEndTheSame(_ file: OddFile) {
    let expected = ReadingOutcome(whole: file.bytes)
    #expect(ReadingOutcome(pieces: [file.bytes]) == expected)
    #expect(ReadingOutcome(pieces: Split.even(file.bytes, size: 1)) == expected)
    for most in [3, 20, 200] {
      let pieces = Split.random(file.bytes, upTo: most, seed: file.seed &+ UInt64(most))
      #expect(ReadingOutcome(pieces: pieces) == expected, "pieces of up to \(most) bytes")
    }
  }

  /// A file of many forms, split in two at every place.
  @Test(arguments: [3, 14, 15, 92, 65] as [UInt64])
  func everyPlaceOfOneCut(seed: UInt64) {
    let bytes = OddFile.make(seed: seed).bytes
    let expected = ReadingOutcome(whole: bytes)
    for place in 0...bytes.count {
      #expect(ReadingOutcome(pieces: Split.at(place, bytes)) == expected, "cut at \(place)")
    }
  }

  /// Larger, well-formed files with full code tables and every kind of palette.
  @Test(arguments: 0..<12 as Range<UInt64>)
  func randomAnimationsEndTheSame(seed: UInt64) throws {
    let gif = RandomGIF.make(seed: seed)
    let expected = ReadingOutcome(whole: gif.bytes)
    #expect(expected.facts?.frames.count == gif.animation.frames.count)
    #expect(ReadingOutcome(pieces: Split.random(gif.bytes, upTo: 1500, seed: seed)) == expected)
    #expect(ReadingOutcome(pieces: Split.even(gif.bytes, size: 977)) == expected)
  }

  /// Cut off anywhere, a file ends as a stream that ends there.
  @Test(arguments: [1, 7, 21, 33] as [UInt64])
  func everyTruncation(seed: UInt64) {
    let bytes = OddFile.make(seed: seed).bytes
    for length in 0...bytes.count {
      let part = Array(bytes.prefix(length))
      let pieces = Split.random(part, upTo: 9, seed: seed)
      #expect(ReadingOutcome(pieces: pieces) == ReadingOutcome(whole: part), "first \(length) bytes")
    }
  }

  /// The generator's files are worth reading: faults that end files, faults that are survived, and sound
  /// files.
  @Test func oddFilesAreOfAllKinds() {
    var kinds: Set<String> = []
    var refused = 0
    for file in OddFile.files(200) {
      let outcome = ReadingOutcome(whole: file.bytes)
      if outcome.error != nil { refused += 1 }
      for diagnostic in outcome.facts?.diagnostics ?? [] { kinds.insert(diagnostic.code.rawValue) }
      for status in outcome.show?.statuses ?? [] { kinds.insert(status.rawValue) }
    }
    #expect((5...60).contains(refused))
    let wanted: Set<String> = [
      "missingTrailer", "truncatedFrame", "truncatedBlock", "unknownBlock", "malformedGraphicsControl",
      "repeatedGraphicsControl", "malformedLoopExtension", "codeSizeOutOfRange", "emptyFrame",
      "frameOutsideCanvas", "missingPalette", "canvasGrown", "trailingBytes", "complete", "truncated",
      "failed", "blank",
    ]
    #expect(kinds.isSuperset(of: wanted), "missing: \(wanted.subtracting(kinds).sorted())")
  }
}
