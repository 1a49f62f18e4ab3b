import GIFDecoding
import Testing

@testable import GIFWriting

@Suite("The size of a frame's records")
struct RecordSizeTests {
  @Test("Is what is written, with and without a control extension, a palette and full blocks")
  func sizes() {
    let rect = PixelRect(x: 0, y: 0, width: 1, height: 1)
    for disposal in 0...3 as ClosedRange<UInt8> {
      for (delay, transparent) in [(0, nil), (4, nil), (0, 1), (4, 1)] as [(Int, UInt8?)] {
        for palette in [nil, [UInt8](repeating: 0, count: 12)] {
          for count in [0, 1, 254, 255, 256, 510, 511] {
            let frame = WrittenFrame(
              rect: rect, storedDisposal: disposal, centiseconds: delay, transparentIndex: transparent,
              palette: palette)
            var writer = GIFRecordWriter()
            writer.control(frame)
            writer.descriptor(frame)
            writer.codes([UInt8](repeating: 0, count: count), codeSize: 2)
            #expect(
              writer.byteCount == frame.headBytes + GIFRecordWriter.blockBytes(ofCodes: count),
              "disposal \(disposal), \(delay), \(count) bytes")
          }
        }
      }
    }
  }
}
