internal import ArgumentParser
internal import Gallop

/// The options of `info` for flashes.
struct FlashArguments: ParsableArguments {
  @Flag(
    help: """
      Also tell whether the GIF, in a loop, flashes more than WCAG 2.2 allows (2.3.1). It informs, and \
      certifies nothing.
      """)
  var flashes = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "With --flashes, the size at which the GIF is seen: WxH, Wx, xH or a percentage. (default: that of its canvas)",
      valueName: "size"), transform: OutputSize.init(parsing:))
  var size: OutputSize?

  @Option(parsing: .unconditional, help: "With --flashes, the playback rate, 0.05 to 20.")
  var rate = 1.0

  @Option(
    help:
      "With --flashes, the rule: WCAG 2.2, or that of IRIS, an analyser of videos, on one play at any size.")
  var rule = FlashRule.wcag

  func validate() throws {
    guard flashes || (size == nil && rate == 1 && rule == .wcag) else {
      throw ValidationError("--size, --rate and --rule go with --flashes.")
    }
    guard rule == .wcag || (size == nil && rate == 1) else {
      throw ValidationError("--rule iris knows no size and no rate.")
    }
    guard PlaybackRate.range.contains(rate) else { throw ValidationError("--rate takes 0.05 to 20.") }
  }

  /// Adds what is asked for to a report.
  ///
  /// - Parameters:
  ///   - isComplete: false for a transfer that was cut off.
  ///   - isVerdictOnly: whether no more than the verdict is printed.
  func describe(
    _ image: GIFImage, _ task: FileTask, isComplete: Bool, isVerdictOnly: Bool, in report: inout InfoReport
  ) throws {
    guard flashes else { return }
    var progress = task.progress(unit: "frames looked at")
    defer { progress.end() }
    switch rule {
    case .wcag:
      let shown = size?.size(of: image.size) ?? image.size
      var options = FlashOptions(size: shown, rate: rate, isComplete: isComplete)
      options.isVerdictOnly = isVerdictOnly
      // With --index-only no status is known.
      let statuses = report.frames.compactMap(\.status)
      let isSound = statuses.allSatisfy { $0 == FrameStatus.complete.rawValue }
      report.flashes = InfoReport.Flashes(
        try image.flashes(
          options, isSound: statuses.count == report.frames.count ? isSound : nil,
          progress: { progress.update($0, of: $1) }))
    case .iris:
      let verdicts = try image.irisVerdicts()
      report.flashes = InfoReport.Flashes(verdicts.max() ?? .passes)
      for (place, verdict) in verdicts.enumerated() { report.frames[place].flashes = verdict.name }
    }
  }
}

/// A rule by which flashes are judged.
enum FlashRule: String, ExpressibleByArgument, CaseIterable {
  case wcag, iris
}

extension IrisVerdict {
  /// The name in JSON.
  var name: String {
    switch self {
    case .passes: "passes"
    case .warns: "warns"
    case .failsExtended: "failsExtended"
    case .fails: "fails"
    }
  }
}
