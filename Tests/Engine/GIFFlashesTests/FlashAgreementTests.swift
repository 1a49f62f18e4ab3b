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
      let image = try GIFImage(bytes: RandomGIF.make(using: &generator).bytes)
      try Self.compare(image, "seed \(seed)", &generator, &verdicts)
    }
    // A test of verdicts that are all the same would say little.
    #expect(verdicts.values.allSatisfy { $0 > Self.count / 20 }, "\(verdicts)")
    #expect(verdicts.count == 2)
  }

  @Test("They agree on the files of the suite")
  func suite() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Conformance/suite/gifs").standardizedFileURL
    let names = try #require(FileManager.default.enumerator(atPath: folder.path)).compactMap { $0 as? String }
      .filter { $0.hasSuffix(".gif") }.sorted()
    #expect(names.count >= 588)
    // All of them where many GIFs are asked for.
    let step = max(1, 1_800 / Self.count)
    var verdicts: [Bool: Int] = [:]
    for place in stride(from: 0, to: names.count, by: step) {
      let bytes = [UInt8](try Data(contentsOf: folder.appendingPathComponent(names[place])))
      var generator = SeededGenerator(seed: UInt64(place))
      // Some files are no GIFs, and some have no frame.
      guard let image = try? GIFImage(bytes: bytes) else { continue }
      try Self.compare(image, Comment(rawValue: names[place]), &generator, &verdicts)
    }
    let compared = verdicts.values.reduce(0, +)
    #expect(compared * 4 > names.count / step * 3, "\(compared) of \(names.count / step)")
  }

  /// Compares both verdicts on an image that is not too large for the plain judge.
  private static func compare(
    _ image: GIFImage, _ name: Comment, _ generator: inout SeededGenerator, _ verdicts: inout [Bool: Int]
  ) throws {
    guard image.frameCount > 0, image.size.area <= 5_000 else { return }
    let judge = try judge(image, &generator)
    var options = FlashOptions(size: judge.shown, rate: judge.rate)
    options.secret = 0
    let report = try image.flashes(options)
    options.isVerdictOnly = true
    #expect(try image.flashes(options).result == report.result, name)
    try compareSmaller(image, name, &generator)
    let changes = judge.changes
    let worst = judge.worst(of: changes)
    #expect(report.general.map { Int($0.flashesPerSecond * 2) } ?? 0 == worst.general, name)
    #expect(report.red.map { Int($0.flashesPerSecond * 2) } ?? 0 == worst.red, name)
    let fails = worst.general + worst.red > 0
    #expect((report.result == .fails) == fails, name)
    verdicts[fails, default: 0] += 1
    if fails { try checkSafety(judge, changes, report, name) }
  }

  /// Compares the verdict alone with the report, at a size at which samples are looked at first.
  private static func compareSmaller(
    _ image: GIFImage, _ name: Comment, _ generator: inout SeededGenerator
  ) throws {
    let scale = Double.random(in: 2...4.6, using: &generator)
    var options = FlashOptions(
      size: PixelSize(
        width: Int(Double(image.width) * scale) + 1, height: Int(Double(image.height) * scale) + 1))
    options.secret = 0
    let report = try image.flashes(options)
    options.isVerdictOnly = true
    #expect(try image.flashes(options).result == report.result, name)
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
          pixels[place % image.width, place / image.width]
        })
    }
    return PlainFlashJudge(
      width: image.width, height: image.height, pictures: pictures,
      delays: image.frames.map { Int($0.delay() / .milliseconds(1)) },
      shown: try #require(shown), rate: [0.5, 1, 2, 3].randomElement(using: &generator) ?? 1)
  }

  /// The safe rate and size pass, a little more does not.
  private static func checkSafety(
    _ judge: PlainFlashJudge, _ changes: PlainFlashJudge.Changes, _ report: FlashReport, _ name: Comment
  ) throws {
    func passes(rate: Double) -> Bool {
      var judge = judge
      judge.rate = rate
      return judge.worst() == (0, 0)
    }
    func passes(width: Int) -> Bool {
      var judge = judge
      judge.shown = judge.size(ofWidth: width)
      return judge.worst(of: changes) == (0, 0)
    }
    // The changes of one instant fail at any rate; else the greatest rate holds the fastest seven.
    let rate = report.safeRate
    #expect((rate == nil) == !passes(rate: 0.001), name)
    if let rate {
      let (isSafe, isGreatest) = (passes(rate: rate), !passes(rate: rate * 1.001))
      #expect(isSafe, name)
      #expect(isGreatest, name)
    }
    let size = try #require(report.safeSize, name)
    let widths = stride(from: 1, to: size.width, by: max(1, size.width / (count > 1_000 ? 8 : 2)))
    for width in Set(widths + [size.width - 1, size.width]) where width > 0 {
      let isSafe = passes(width: width)
      #expect(isSafe, "\(name), \(width)")
    }
    let isGreatest = !passes(width: size.width + 1)
    #expect(isGreatest, name)
  }
}

extension PlainFlashJudge {
  /// A size of the shape in which it is shown.
  fileprivate func size(ofWidth width: Int) -> PixelSize {
    PixelSize(
      clampingWidth: width, height: Int((Double(shown.height * width) / Double(shown.width)).rounded()))
  }
}
