import GIFTestSupport
import Testing

@Suite("LZWEncoder and PlainLZWDecoder")
struct LZWRoundTripTests {
  static let clearings: [LZWEncoder.Clearing] = [.whenFull, .never, .every(1), .every(7), .every(3900)]

  /// Noise, a single colour and long runs, all within `bits` bits.
  static func samples(bits: Int, count: Int) -> [[UInt8]] {
    var generator = SeededGenerator(seed: UInt64(bits))
    let highest = UInt8((1 << bits) - 1)
    let noise = (0..<count).map { _ in UInt8.random(in: 0...highest, using: &generator) }
    let runs = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 50) & highest }
    return [[], [highest], noise, [UInt8](repeating: highest, count: count), runs]
  }

  @Test("What was encoded is decoded again, with every option", arguments: 0...8, clearings)
  func roundTrip(minimumCodeSize: Int, clearing: LZWEncoder.Clearing) {
    for indices in Self.samples(bits: minimumCodeSize, count: 6000) {
      for (startsWithClear, endsWithEnd) in [(true, true), (true, false), (false, true), (false, false)] {
        let encoder = LZWEncoder(
          minimumCodeSize: minimumCodeSize, startsWithClear: startsWithClear, clearing: clearing,
          endsWithEnd: endsWithEnd)
        let result = PlainLZWDecoder.decode(
          encoder.encode(indices), literalWidth: minimumCodeSize, pixelLimit: indices.count)
        #expect(result.indices == indices)
        #expect(result.outcome == .pixelsComplete)
      }
    }
  }

  @Test("The options choose the codes")
  func options() {
    let indices: [UInt8] = [1, 1, 1, 1, 1, 2, 2, 1, 1]
    var encoder = LZWEncoder(minimumCodeSize: 2)
    #expect(encoder.stream(of: indices).codes == [4, 1, 6, 6, 2, 2, 6, 5])
    encoder.startsWithClear = false
    encoder.endsWithEnd = false
    #expect(encoder.stream(of: indices).codes == [1, 6, 6, 2, 2, 6])
    encoder.clearing = .every(2)
    #expect(encoder.stream(of: indices).codes == [1, 6, 4, 1, 1, 4, 2, 2, 4, 1, 1])
  }

  @Test("A table is cleared as soon as it is full, or never")
  func fullTable() {
    var generator = SeededGenerator(seed: 1)
    let noise = (0..<9000).map { _ in UInt8.random(in: 0...255, using: &generator) }
    var encoder = LZWEncoder(minimumCodeSize: 8, startsWithClear: false, endsWithEnd: false)
    let cleared = encoder.stream(of: noise)
    #expect(cleared.codes.firstIndex(of: 256) == 4096 - 257)
    #expect(cleared.codes.count { $0 == 256 } == 2)
    encoder.clearing = .never
    let deferred = encoder.stream(of: noise)
    #expect(!deferred.codes.contains(256))
    #expect((deferred.nextCode, deferred.width) == (4096, 12))
  }

  @Test("The smallest code size holds the highest index and is at least 2")
  func smallestCodeSize() {
    #expect(LZWEncoder.smallestCodeSize(for: []) == 2)
    #expect(LZWEncoder.smallestCodeSize(for: [3, 0]) == 2)
    #expect(LZWEncoder.smallestCodeSize(for: [4]) == 3)
    #expect(LZWEncoder.smallestCodeSize(for: [7, 128]) == 8)
  }
}
