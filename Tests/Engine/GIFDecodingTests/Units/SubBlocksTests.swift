import GIFTestSupport
import Testing

@testable import GIFDecoding

@Suite("SubBlocks")
struct SubBlocksTests {
  /// Steps from length to length.
  private static func plainEnd(from start: Int, in bytes: [UInt8]) -> Int? {
    var place = start
    while place < bytes.count {
      let length = bytes[place]
      place += 1 + Int(length)
      if length == 0 { return place }
    }
    return nil
  }

  private static func end(from start: Int, in bytes: [UInt8]) -> Int? {
    let (place, isWhole) = SubBlocks.end(ofRunAt: start, in: bytes.span)
    return isWhole ? place : nil
  }

  private static func run(_ lengths: [Int]) -> [UInt8] {
    lengths.flatMap { [UInt8($0)] + [UInt8](repeating: 255, count: $0) } + [0]
  }

  @Test("The end of a run is found wherever a short block stands among full ones", arguments: 0...20)
  func shortBlock(place: Int) {
    for length in [1, 2, 128, 253, 254] {
      var lengths = [Int](repeating: 255, count: 20)
      lengths.insert(length, at: place)
      let bytes = [7, 7, 7] + Self.run(lengths) + [9, 9]
      #expect(Self.end(from: 3, in: bytes) == bytes.count - 2)
    }
  }

  @Test("Full blocks that the file ends in have no end, wherever it ends")
  func cut() {
    let bytes = Self.run([Int](repeating: 255, count: 18))
    for count in 0..<bytes.count {
      #expect(Self.end(from: 0, in: Array(bytes[..<count])) == nil)
    }
    #expect(Self.end(from: 0, in: bytes) == bytes.count)
    #expect(Self.end(from: bytes.count - 1, in: bytes) == bytes.count)
  }

  @Test("Random runs end where a step from length to length finds it", arguments: 0..<50 as Range<UInt64>)
  func random(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<40 {
      let lengths = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
        Bool.random(using: &generator) ? 255 : Int.random(in: 1...255, using: &generator)
      }
      var bytes = Self.run(lengths)
      if Bool.random(using: &generator) {
        bytes.removeLast(Int.random(in: 1...bytes.count, using: &generator))
      }
      let start = Int.random(in: 0...bytes.count, using: &generator)
      #expect(Self.end(from: start, in: bytes) == Self.plainEnd(from: start, in: bytes))
    }
  }
}
