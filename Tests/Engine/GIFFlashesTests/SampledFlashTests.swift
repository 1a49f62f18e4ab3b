import Foundation
import GIFDecoding
import GIFTestSupport
import Synchronization
import Testing

@testable import GIFFlashes

/// GIFs so large, as they are shown, that few of their pixels are looked at first.
///
/// `GALLOP_FLASH_COUNT` asks for another number of them, more of which are larger.
@Suite("Flashes found in samples")
struct SampledFlashTests {
  @Test("The verdict is that of a look at each pixel, for areas around the limit")
  func around() throws {
    let asked = ProcessInfo.processInfo.environment["GALLOP_FLASH_COUNT"].flatMap(Int.init)
    var verdicts: [Bool: Int] = [:]
    for seed in 0..<UInt64(asked ?? 24) {
      var generator = SeededGenerator(seed: seed)
      let isLarge = seed == 0 || (asked != nil && seed % 8 == 0)
      // Samples of one pixel in 4, in 16 or in 64.
      let scale = isLarge ? (seed % 16 == 0 ? 2.2 : 1) : 4.5
      let sample = Self.sample(
        width: Int(360 / scale), height: Int(270 / scale), limit: 341 * 256 / 4 / scale / scale, &generator)
      let (report, worst) = (try sample.report(scale: scale), try sample.judge(scale: scale).worst())
      #expect((report.general != nil) == (worst.general > 0), "seed \(seed)")
      #expect((report.red != nil) == (worst.red > 0), "seed \(seed)")
      #expect(try sample.verdict(scale: scale).result == report.result, "seed \(seed)")
      verdicts[report.result == .fails, default: 0] += 1
    }
    #expect(verdicts.count == 2, "\(verdicts)")
  }

  @Test("Both kinds of flashes are found, whichever comes first", arguments: [false, true])
  func bothKinds(isRedFirst: Bool) throws {
    var sample = FlashSample(width: 80, height: 60, palette: [0x000000, 0xFFFFFF, 0xFF0000, 0x7F7F7F])
    for isRed in [isRedFirst, !isRedFirst] {
      for place in 0..<12 { sample.fill(UInt8(place % 2) + (isRed ? 2 : 0), delay: 6) }
    }
    let (report, worst) = (try sample.report(scale: 4.5), try sample.judge(scale: 4.5).worst())
    #expect(worst.general >= 12)
    #expect(worst.red >= 11)
    #expect(report.general?.flashesPerSecond == Double(worst.general) / 2)
    #expect(report.red?.flashesPerSecond == Double(worst.red) / 2)
  }

  @Test("A file that is made for its samples passes only where it knows the number of the process")
  func evasion() throws {
    let canvas = try #require(PixelSize(width: 344, height: 264))
    let points = try #require(SampleGrid(canvas: canvas, side: 8, seed: 0).points)
    var sample = FlashSample(width: 344, height: 264, palette: [0x000000, 0xFFFFFF, 0x808080])
    for place in 0..<2 {
      var indices = [UInt8](repeating: UInt8(place), count: 344 * 264)
      for row in 0..<points.rows {
        for column in 0..<points.columns {
          let (x, y) = points.position(row * points.rowLength + column)
          indices[y * 344 + x] = 2
        }
      }
      sample.frames.append((indices, 5))
    }
    let image = try sample.image()
    var options = FlashOptions()
    #expect(try image.flashes(options).result == .fails)
    // Such a file would be looked at where it does not flash.
    options.secret = image.contentSeed
    #expect(try image.flashes(options).result == .passes)
    options.secret ^= 1
    #expect(try image.flashes(options).result == .fails)
  }

  @Test("A judgement that is no longer wanted ends at the next picture, in each of its looks")
  func cancellation() throws {
    var sample = FlashSample(width: 80, height: 60, palette: [0x000000, 0xFFFFFF])
    for place in 0..<12 { sample.fill(UInt8(place % 2), delay: 6) }
    let image = try sample.image()
    let options = FlashOptions(size: PixelSize(width: 360, height: 270))
    func questions(allowed: Int) throws -> Int {
      let asked = Mutex(0)
      _ = try image.flashes(options) {
        asked.withLock {
          $0 += 1
          return $0 > allowed
        }
      }
      return asked.withLock { $0 }
    }
    let all = try questions(allowed: .max)
    #expect(all > 40)
    for allowed in 0..<all {
      #expect("allowed \(allowed)") {
        _ = try questions(allowed: allowed)
      } throws: { error in
        (error as? GIFError)?.code == .cancelled
      }
    }
  }

  /// A background, and pixels of a shape that blink as often as just passes or fails.
  private static func sample(
    width: Int, height: Int, limit: Double, _ generator: inout SeededGenerator
  ) -> FlashSample {
    let palettes: [[RGB]] = [[0x000000, 0xFFFFFF], [0x404040, 0xC0C0C0], [0xFF0000, 0x707070]]
    var sample = FlashSample(
      width: width, height: height, palette: palettes.randomElement(using: &generator) ?? [])
    let share = limit * Double.random(in: 0.5...1.6, using: &generator) / Double(width * height)
    let shape = Self.shape(width, height, share: min(1, share), &generator)
    let count = [6, 7, 8, 12].randomElement(using: &generator) ?? 7
    for step in 0..<count {
      let indices = shape.map { $0 && step % 2 == 1 ? UInt8(1) : 0 }
      sample.frames.append((indices, step == count - 1 ? [4, 60].randomElement(using: &generator) ?? 4 : 9))
    }
    return sample
  }

  /// Pixels of about a share of the canvas: a rectangle, noise, or stripes.
  private static func shape(
    _ width: Int, _ height: Int, share: Double, _ generator: inout SeededGenerator
  ) -> [Bool] {
    switch Int.random(in: 0..<3, using: &generator) {
    case 0:
      let columns = min(width, max(1, Int(Double(width) * share.squareRoot() * 1.1)))
      let rows = min(height, Int(Double(width * height) * share) / columns)
      let (x, y) = (
        Int.random(in: 0...width - columns, using: &generator),
        Int.random(in: 0...height - rows, using: &generator)
      )
      return (0..<width * height).map { place in
        (x..<x + columns).contains(place % width) && (y..<y + rows).contains(place / width)
      }
    case 1: return (0..<width * height).map { _ in Double.random(in: 0..<1, using: &generator) < share }
    default:
      let period = Int.random(in: 5...20, using: &generator)
      let isUpright = Bool.random(using: &generator)
      return (0..<width * height).map { place in
        let line = isUpright ? place % width : place / width
        return Double(line % period) < Double(period) * share
      }
    }
  }
}
