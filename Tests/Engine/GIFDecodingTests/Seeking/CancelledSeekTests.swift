import GIFDecodingTestSupport
import GIFTestSupport
import Synchronization
import Testing

@testable import GIFDecoding

@Suite("Frames that are no longer wanted")
struct CancelledSeekTests {
  /// An animation of frames each of which is drawn on the one before.
  private func chain(_ frames: Int, damaged: Int? = nil) throws -> GIFImage {
    var writer = GIFWriter(width: 16, height: 16, palette: [0x000000, 0xFF0000, 0x00FF00, 0x0000FF])
    for frame in 0..<frames {
      writer.graphicsControl(disposal: 1, delay: 10)
      let side = frame == 0 ? 16 : 4
      var coding = GIFWriter.ImageCoding()
      if frame == damaged { coding.pixelLimit = 11 }
      writer.image(
        x: frame % (17 - side), y: frame * 7 % (17 - side), width: side, height: side,
        indices: Array(repeating: UInt8(frame % 4), count: side * side), coding: coding)
    }
    writer.trailer()
    return try GIFImage(bytes: writer.bytes)
  }

  @Test("A seek ends with the frame at work, and the next one continues from there")
  func seek() throws {
    let image = try chain(900)
    var renderer = try FrameRenderer(image)
    let asked = Mutex(0)
    #expect(throws: GIFError(.cancelled)) {
      try renderer.frame(at: 899) {
        asked.withLock { asked in
          asked += 1
          return asked > 100
        }
      }
    }
    #expect(renderer.decodedFrames == 100)
    #expect(GIFError(.cancelled).description == "was cancelled")
    let frame = try renderer.frame(at: 899, isCancelled: { false })
    #expect(renderer.decodedFrames == 900)
    var plain = try FrameRenderer(image)
    #expect(try plain.frame(at: 899).pixels.words == frame.pixels.words)
    // Nothing is asked afterwards.
    _ = try renderer.render(10)
  }

  @Test("The way to a damaged frame ends, too")
  func damaged() throws {
    let image = try chain(300, damaged: 299)
    for most in [0, 1, 150, 298] {
      var renderer = try FrameRenderer(image)
      let asked = Mutex(0)
      let wanted = try? renderer.frame(at: 299) {
        asked.withLock { asked in
          asked += 1
          return asked > most
        }
      }
      #expect(wanted == nil)
      #expect(asked.withLock { $0 } == most + 1)
      var plain = try FrameRenderer(image)
      #expect(try renderer.frame(at: 299).pixels.words == plain.frame(at: 299).pixels.words)
    }
  }

  /// `canvas`: a frame larger than the canvas takes another way.
  @Test("A large frame ends within itself, and the next call decodes it whole", arguments: [1500, 400])
  func largeFrame(canvas: Int) throws {
    var writer = GIFWriter(width: canvas, height: canvas, palette: [0x000000, 0xFF0000])
    writer.image(x: 0, y: 0, width: 8, height: 8, indices: Array(repeating: 1, count: 64))
    writer.image(x: 0, y: 0, width: 1500, height: 1500, indices: (0..<2_250_000).map { $0 % 7 == 0 ? 1 : 0 })
    writer.trailer()
    let image = try GIFImage(bytes: writer.bytes)
    var plain = try FrameRenderer(image)
    let asked = Mutex(0)
    let words = try plain.frame(
      at: 1,
      isCancelled: {
        asked.withLock { $0 += 1 }
        return false
      }
    ).pixels.words
    let all = asked.withLock { $0 }
    // Before the frame, and within it.
    #expect(all >= 3)
    for most in 1..<all {
      var renderer = try FrameRenderer(image)
      asked.withLock { $0 = 0 }
      #expect(throws: GIFError(.cancelled)) {
        try renderer.frame(at: 1) {
          asked.withLock { asked in
            asked += 1
            return asked > most
          }
        }
      }
      #expect(renderer.decodedFrames <= 1)
      #expect(try renderer.frame(at: 1).pixels.words == words)
    }
  }
}
