import GIFDecodingTestSupport
import GIFTestSupport
import Testing

@testable import GIFDecoding

/// Frames in one buffer against frames in buffers of their own.
@Suite struct DecodedFramesTests {
  private func compare(
    _ image: GIFImage, room: Int, in frames: inout DecodedFrames, with decoder: inout FrameDecoder
  ) throws {
    frames.begin(room: room)
    for frame in image.frames { frames.append(frame, of: image, with: &decoder) }
    var other = FrameDecoder()
    for (offset, frame) in image.frames.enumerated() {
      var alone = DecodedFrame()
      other.decode(frame, of: image, into: &alone)
      try frames.withFrame(at: offset) { outcome, indices throws(GIFError) in
        #expect(outcome.status == alone.outcome.status && outcome.fault == alone.outcome.fault)
        #expect(outcome.isCropped == alone.outcome.isCropped)
        #expect(copied(indices) == copied(alone.indices))
      }
    }
  }

  @Test("Frames behind one another are those decoded one by one, broken ones and too little room included")
  func random() throws {
    var frames = DecodedFrames()
    var decoder = FrameDecoder()
    var damaged = 0
    for seed in UInt64(0)..<200 {
      var generator = SeededGenerator(seed: seed)
      var bytes = RandomGIF.make(seed: 31_000 + seed).bytes
      if Bool.random(using: &generator) {
        for _ in 0..<3 {
          bytes[.random(in: 13..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
        }
      }
      guard let image = try? GIFImage(bytes: bytes) else { continue }
      // Less room than the frames take: the buffer grows while frames in it are kept.
      try compare(image, room: .random(in: 0...4000, using: &generator), in: &frames, with: &decoder)
      damaged += image.checkFrames().diagnostics.count
    }
    #expect(damaged > 20, "too few frames are damaged")
  }

  @Test("A frame that exceeds the canvas keeps its visible indices between its neighbours")
  func cropped() throws {
    var writer = GIFWriter(width: 40, height: 30, palette: [0, 1, 2, 3])
    writer.image(width: 40, height: 30, indices: Array(repeating: 1, count: 1200))
    writer.image(width: 400, height: 300, indices: (0..<120_000).map { UInt8($0 % 3) })
    writer.image(width: 2, height: 2, indices: [3, 2, 1, 0])
    writer.trailer()
    var frames = DecodedFrames()
    var decoder = FrameDecoder()
    let image = try GIFImage(bytes: writer.bytes)
    try compare(image, room: 0, in: &frames, with: &decoder)
    try frames.withFrame(at: 1) { outcome, _ throws(GIFError) in #expect(outcome.isCropped) }
    try frames.withFrame(at: 2) { _, indices throws(GIFError) in #expect(copied(indices) == [3, 2, 1, 0]) }
  }

  @Test("A failure to read is kept with its frame, and the next frame has none")
  func failures() {
    var outcome = FrameOutcome()
    #expect(outcome.failure == nil)
    outcome.failure = GIFError(.unreadable, offset: 7)
    let copy = outcome
    outcome.failure = nil
    #expect(copy.failure == GIFError(.unreadable, offset: 7))
    #expect(outcome.failure == nil)
    // An outcome is copied for each frame.
    #expect(MemoryLayout<FrameOutcome>.size <= 40)
  }
}
