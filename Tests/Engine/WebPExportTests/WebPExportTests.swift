import GIFDecoding
import GIFTestSupport
import Testing

@testable import WebPExport

@Suite("Animated WebPs")
struct WebPExportTests {
  /// Three frames of one pixel each: red, green, blue, for 30, 70 and 100 ms, twice.
  private func image(delays: [Int] = [3, 7, 0], loop: Int? = 1) throws -> GIFImage {
    var writer = GIFWriter(width: 1, height: 1, palette: [0xFF0000, 0x00FF00, 0x0000FF])
    if let loop { writer.loop(loop) }
    for (place, delay) in delays.enumerated() {
      writer.graphicsControl(delay: delay)
      writer.image(width: 1, height: 1, indices: [UInt8(place % 3)])
    }
    writer.trailer()
    return try GIFImage(bytes: writer.bytes)
  }

  @Test("Pictures begin where the ones before end, and the last one ends", arguments: [nil, 1_000.0])
  func schedule(mostPerSecond: Double?) throws {
    let schedule = try WebPSchedule(image(), frames: [0, 1, 2], mostPerSecond: mostPerSecond)
    #expect(schedule.frames == [0, 1, 2])
    #expect(schedule.times == [0, 30, 100, 200])
    #expect(schedule.plays == 2)
    #expect(try WebPSchedule(image(), frames: [2, 0, 2], mostPerSecond: nil).times == [0, 100, 130, 230])
    #expect(try WebPSchedule(image(loop: 0), frames: [0], mostPerSecond: nil).plays == 0)
    #expect(try WebPSchedule(image(loop: nil), frames: [0], mostPerSecond: nil).plays == 1)
  }

  @Test("A picture that comes too early is left out, and the one before shows for its time")
  func thinned() throws {
    let schedule = try WebPSchedule(image(), frames: [0, 1, 2], mostPerSecond: 10)
    #expect(schedule.frames == [0, 2])
    #expect(schedule.times == [0, 100, 200])
    #expect(try WebPSchedule(image(), frames: [0, 1, 2], mostPerSecond: 0.001).times == [0, 200])
  }

  @Test("What the format cannot hold is an error that says so")
  func limits() throws {
    let long = try image(delays: Array(repeating: 65_535, count: 3_277))
    let error = #expect(throws: WebPError.self) {
      try WebPSchedule(long, frames: Array(long.frames.indices), mostPerSecond: nil)
    }
    #expect(error?.code == .tooLong)
    var options = WebPOptions()
    options.size = PixelSize(clampingWidth: 16_384, height: 1)
    #expect(throws: WebPError.self) { try image().webpBytes(options) }
    options = WebPOptions()
    options.frames = [3]
    let missing = #expect(throws: WebPError.self) { try image().webpBytes(options) }
    #expect(missing?.code == .decoding && missing?.underlying?.code == .noSuchFrame)
    options.frames = []
    #expect(#expect(throws: WebPError.self) { try image().webpBytes(options) }?.underlying?.code == .noFrames)
    let cancelled = #expect(throws: WebPError.self) { try image().webpBytes { true } }
    #expect(cancelled?.code == .cancelled)
  }

  @Test("A still has the frame's pixels, at the size that is asked for")
  func still() throws {
    var options = WebPOptions()
    options.frames = [1]
    options.size = PixelSize(clampingWidth: 3, height: 2)
    let pixels = try WebPStill.pixels(of: image().webpBytes(options))
    #expect(pixels == Array(repeating: [0, 255, 0, 255], count: 6).flatMap(\.self))
  }

  @Test("An animation begins as a WebP with its canvas")
  func animation() throws {
    let bytes = try image().webpBytes()
    #expect(bytes.starts(with: Array("RIFF".utf8)) && bytes[8..<16].elementsEqual("WEBPVP8X".utf8))
    // Animated.
    #expect(bytes[20] & 2 != 0)
    var options = WebPOptions()
    options.compression = .lossy(1_000)
    #expect(try image().webpBytes(options).count > 40)
  }
}
