internal import ArgumentParser
internal import Gallop

/// Numbers of players on the command line, separated by commas.
struct PlayerCounts: ExpressibleByArgument, Equatable {
  /// The largest number of players of one step.
  static let limit = 100_000

  var values: [Int]

  init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
    let values = parts.compactMap { Int($0) }
    guard values.count == parts.count, values.allSatisfy({ (1...Self.limit).contains($0) }) else {
      return nil
    }
    self.values = values
  }
}

/// The numbers of players of a benchmark's steps.
enum PlaybackRamp: Equatable {
  /// A fixed list.
  case steps([Int])
  /// 1, 2, 4 and so on, until a step fails or the limit is reached.
  case doubling(limit: Int)

  /// The number of players of the step after `done`; nil after the last.
  func next(after done: [PlaybackStep]) -> Int? {
    switch self {
    case .steps(let counts):
      return done.count < counts.count ? counts[done.count] : nil
    case .doubling(let limit):
      guard let last = done.last else { return min(1, limit) }
      let (next, isTooMany) = last.report.players.multipliedReportingOverflow(by: 2)
      return last.isSmooth && !isTooMany && next <= limit ? next : nil
    }
  }
}

/// One step of a benchmark of playback.
struct PlaybackStep {
  var report: PlaybackBench.Report
  /// The shortest delay of the files shown, in milliseconds; nil without an animation.
  var frameMs: Int?

  /// Whether every player played and every frame was shown, and 99 of 100 before the next one of the fastest
  /// file was due.
  var isSmooth: Bool {
    report.playersFailed == 0 && report.framesDropped == 0
      && frameMs.map { report.latenessMs.p99 < Double($0) } ?? true
  }

  /// The shortest effective delay of animated images.
  static func shortestFrame(of images: some Sequence<GIFImage>) -> Int? {
    images.lazy.filter { $0.frameCount > 1 }.flatMap(\.frames).map { $0.delayMilliseconds() }.min()
  }
}
