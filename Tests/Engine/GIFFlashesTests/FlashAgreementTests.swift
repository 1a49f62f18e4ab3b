import Foundation
import GIFDecoding
import GIFFlashes
import GIFTestSupport
import Testing

/// `GALLOP_FLASH_COUNT` asks for another number of random GIFs.
@Suite("Flashes of random GIFs, judged twice")
struct FlashAgreementTests {
  @Test("Two implementations agree on general and red flashes, the safe rate and the safe size")
  func random() throws {
    var verdicts: [Bool: Int] = [:]
    for seed in 0..<UInt64(Self.count) {
      var generator = SeededGenerator(seed: seed)
      let gif = RandomGIF.make(using: &generator)
      let image = try GIFImage(bytes: gif.bytes)
      guard image.frameCount > 0, image.size.area <= 5_000 else { continue }
      let judge = try Self.judge(image, &generator)
      let report = try image.flashes(FlashOptions(size: judge.shown, rate: judge.rate))
      let worst = judge.worst()
      #expect(report.general.map { Int($0.flashesPerSecond * 2) } ?? 0 == worst.general, "seed \(seed)")
      #expect(report.red.map { Int($0.flashesPerSecond * 2) } ?? 0 == worst.red, "seed \(seed)")
      let fails = worst.general + worst.red > 0
      #expect((report.result == .fails) == fails, "seed \(seed)")
      verdicts[fails, default: 0] += 1
      if fails { try Self.checkSafety(judge, report, seed) }
    }
    // A test of verdicts that are all the same would say little.
    #expect(verdicts.values.allSatisfy { $0 > Self.count / 20 }, "\(verdicts)")
    #expect(verdicts.count == 2)
  }

  private static let count =
    ProcessInfo.processInfo.environment["GALLOP_FLASH_COUNT"].flatMap(Int.init) ?? 60

  private static func judge(_ image: GIFImage, _ generator: inout SeededGenerator) throws -> PlainFlashJudge {
    let scale = Double.random(in: 4...40, using: &generator)
    let shown = PixelSize(
      width: Int(Double(image.width) * scale) + 1, height: Int(Double(image.height) * scale) + 1)
    var renderer = try FrameRenderer(image)
    var pictures: [[UInt32]] = []
    for index in 0..<image.frameCount {
      let pixels = try renderer.frame(at: index).pixels
      pictures.append(
        (0..<image.width * image.height).map { place in
          let pixel = pixels[place % image.width, place / image.width]
          return pixel >> 24 == 0 ? 0xFFFF_FFFF : pixel
        })
    }
    return PlainFlashJudge(
      width: image.width, height: image.height, pictures: pictures,
      delays: image.frames.map { Int($0.delay() / .milliseconds(1)) },
      shown: try #require(shown), rate: [0.5, 1, 2, 3].randomElement(using: &generator) ?? 1)
  }

  /// The safe rate and size pass, a little more does not.
  private static func checkSafety(_ judge: PlainFlashJudge, _ report: FlashReport, _ seed: UInt64) throws {
    func passes(_ change: (inout PlainFlashJudge) -> Void) -> Bool {
      var judge = judge
      change(&judge)
      return judge.worst() == (0, 0)
    }
    if let rate = report.safeRate {
      let (isSafe, isGreatest) = (passes { $0.rate = rate }, !passes { $0.rate = rate * 1.001 })
      #expect(isSafe, "seed \(seed)")
      #expect(isGreatest, "seed \(seed)")
    }
    let size = try #require(report.safeSize, "seed \(seed)")
    let isSafe = passes { $0.shown = size }
    #expect(isSafe, "seed \(seed)")
  }
}
