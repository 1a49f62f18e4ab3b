import GIFDecodingTestSupport
import GIFTestSupport
import Testing

@testable import GIFDecoding

/// Decodes streams with the decoder under test, whose tables and buffers go on from stream to stream, and
/// with the plain one.
struct LZWComparison {
  private var decoder = LZWDecoder()
  private var plane = IndexPlane()
  private var stream = CodeStream()
  /// How often each outcome was met.
  private(set) var met: [LZWOutcome: Int] = [:]

  /// Compares indices and outcome; `what` says which case it is.
  mutating func check(_ data: [UInt8], codeSize: Int, wanted: Int, _ what: @autoclosure () -> String) throws {
    let blocks = GIFWriter.subBlocks(data)
    try stream.gather(0..<blocks.count, of: blocks.span)
    try plane.makeRoom(for: wanted)
    let (outcome, count) = decoder.decode(stream, codeSize: codeSize, wanted: wanted, into: &plane)
    plane.filled = count
    let expected = PlainLZWDecoder.decode(data, literalWidth: codeSize, pixelLimit: wanted)
    #expect(copied(plane.indices) == expected.indices, "code size \(codeSize): \(what())")
    #expect(outcome == LZWOutcome(expected.outcome), "code size \(codeSize): \(what())")
    met[outcome, default: 0] += 1
  }

  mutating func check(_ codes: LZWCodeStream, wanted: Int, _ what: @autoclosure () -> String) throws {
    try check(codes.bytes, codeSize: codes.minimumCodeSize, wanted: wanted, what())
  }
}

extension LZWOutcome {
  fileprivate init(_ outcome: PlainLZWDecoder.Outcome) {
    switch outcome {
    case .endOfInformation: self = .endOfInformation
    case .outOfData: self = .outOfData
    case .invalidCode: self = .invalidCode
    case .pixelsComplete: self = .complete
    }
  }
}
