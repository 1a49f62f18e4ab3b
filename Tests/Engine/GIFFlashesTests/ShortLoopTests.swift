import GIFDecoding
import GIFTestSupport
import Synchronization
import Testing

@testable import GIFFlashes

/// Loops that play several times within the second that counts.
///
/// Plays that begin like the one before them are not looked at again; what changed then is counted again.
@Suite("Flashes of short loops")
struct ShortLoopTests {
  @Test("Plays that are not looked at again count as those that are")
  func counts() throws {
    var failing = 0
    for seed in UInt64(0)..<80 {
      var generator = SeededGenerator(seed: seed)
      let sample = Self.sample(&generator)
      let (report, worst) = (try sample.report(scale: 40), try sample.judge(scale: 40).worst())
      #expect(report.general.map { Int($0.flashesPerSecond * 2) } ?? 0 == worst.general, "seed \(seed)")
      #expect(report.red.map { Int($0.flashesPerSecond * 2) } ?? 0 == worst.red, "seed \(seed)")
      failing += report.result == .fails ? 1 : 0
    }
    #expect((20...70).contains(failing), "\(failing)")
  }

  @Test("A loop of two frames is decoded for few of the plays that a second has")
  func pictures() throws {
    // 54 pictures in two plays and a second, of which each is asked for, and decoded with a question more.
    let image = try FlashSample.blinking(delays: [2, 2]).image()
    let asked = Mutex(0)
    let report = try image.flashes(FlashOptions(size: PixelSize(width: 400, height: 300))) {
      asked.withLock { $0 += 1 }
      return false
    }
    #expect(report.general?.flashesPerSecond == 25)
    #expect(asked.withLock { $0 } < 80)
  }

  /// Some greys and a red, all over or in half of the picture, for 20 to 120 ms each.
  private static func sample(_ generator: inout SeededGenerator) -> FlashSample {
    var sample = FlashSample(
      width: 12, height: 9,
      palette: [0x000000, 0x5A5A5A, 0x707070, 0x8A8A8A, 0xC8C8C8, 0xFFFFFF, 0xE00000, 0xFF3030])
    for _ in 0..<Int.random(in: 2...6, using: &generator) {
      let colors = (0..<2).map { _ in UInt8.random(in: 0..<8, using: &generator) }
      let half = PixelRect(x: 0, y: 0, width: 6, height: 9)
      sample.add(colors[0], [(half, colors[1])], delay: Int.random(in: 2...12, using: &generator))
    }
    return sample
  }
}
