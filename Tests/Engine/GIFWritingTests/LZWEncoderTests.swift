import GIFTestSupport
import Testing

@testable import GIFWriting

@Suite("LZW encoding")
struct LZWEncoderTests {
  /// Runs and noise, so that the table fills and codes become long.
  private static func indices(_ count: Int, bits: Int, seed: UInt64) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    var indices: [UInt8] = []
    while indices.count < count {
      let index = UInt8.random(in: 0...UInt8(1 << bits - 1), using: &generator)
      let length = Int.random(in: 1...(Bool.random(using: &generator) ? 3 : 90), using: &generator)
      indices += repeatElement(index, count: length)
    }
    return Array(indices.prefix(count))
  }

  @Test("What is encoded decodes to the same, with every clearing", arguments: 2...8)
  func roundTrip(bits: Int) throws {
    for count in [0, 1, 2, 3, 300, 40_000] {
      let indices = Self.indices(count, bits: bits, seed: UInt64(bits * 7 + count))
      for clearing in GIFWriting.LZWEncoder.Clearing.allCases {
        var encoder = GIFWriting.LZWEncoder()
        let codes = encoder.encode(FramePixels(indices), codeSize: bits, clearing: clearing).codes
        #expect(PlainLZWDecoder.decode(codes, literalWidth: bits, pixelLimit: count).indices == indices)
      }
    }
  }

  @Test("No result is longer than that of a plain encoder that clears a full table")
  func size() {
    for seed in 0..<20 as Range<UInt64> {
      let indices = Self.indices(60_000, bits: 8, seed: seed)
      var encoder = GIFWriting.LZWEncoder()
      let codes = encoder.encode(FramePixels(indices), codeSize: 8)
      let plain = GIFTestSupport.LZWEncoder(minimumCodeSize: 8).encode(indices)
      #expect(codes.count <= plain.count)
    }
  }

  @Test("A pixel with two indices takes one of them, and never more codes than with either alone")
  func alternatives() {
    let indices = Self.indices(20_000, bits: 4, seed: 5)
    let pixels = FramePixels(indices, or: indices.enumerated().map { $0.offset % 3 == 0 ? 15 : $0.element })
    var encoder = GIFWriting.LZWEncoder()
    let codes = encoder.encode(pixels, codeSize: 4)
    let decoded = PlainLZWDecoder.decode(codes, literalWidth: 4, pixelLimit: indices.count).indices
    #expect(decoded.count == indices.count)
    for (place, index) in decoded.enumerated() {
      #expect(index == pixels[place].index || index == pixels[place].alternative)
    }
    for choice in pixels.withOneIndexEach {
      #expect(codes.count <= encoder.encode(choice, codeSize: 4).count)
    }
  }

  @Test("Of what need not be drawn, runs of one colour keep it, and others are left out")
  func plainRuns() {
    let pixels = FramePixels([7, 7, 7, 1, 7, 7, 7, 2, 7], or: [2, 2, 2, 1, 3, 4, 4, 2, 7])
    #expect(pixels.withOneIndexEach.last?.indices == [2, 2, 2, 1, 7, 7, 7, 2, 7])
    #expect(FramePixels([1, 2]).withOneIndexEach.isEmpty)
  }
}
