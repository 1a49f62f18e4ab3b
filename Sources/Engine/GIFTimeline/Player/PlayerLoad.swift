/// What a player counts of the frames that it shows: for load shedding, and for its frame rate.
struct PlayerLoad: Sendable {
  private var meter = FrameRateMeter()
  /// Frames that were due since the load was taken last.
  private var sample = LoadShedder.Sample()
  /// Since when the player is visible, until it shows a frame in time: it first has to come to the frame that
  /// is due.
  private var appearedAt: PlaybackInstant?

  /// Nanoseconds after which a visible player counts as one that has come to its frame.
  private static let longestAppearance: Int64 = 2_000_000_000

  /// How many frames a second were shown and due; nil before there was one.
  var frameRate: FrameRate? { meter.rate }

  /// Takes note that the player has become visible.
  mutating func appear(at now: PlaybackInstant) { appearedAt = now }

  /// Counts a frame that was shown because its time had come.
  ///
  /// - Parameters:
  ///   - stride: by which it was due; the tick that shows it may go on by another.
  ///   - awaitedDecoding: whether it, or the one that is due instead, was looked for in vain.
  mutating func count(_ shown: ShownFrame, stride: Int, awaitedDecoding: Bool, at now: PlaybackInstant) {
    guard shown.cause == .play || shown.cause == .loop else { return meter.restart() }
    meter.note(skipped: shown.skipped, at: now)
    // Frames left out on purpose were not due.
    let skipped = shown.skipped / stride
    let missed = skipped + (shown.lateness > LoadShedder.latenessLimit ? 1 : 0)
    if let since = appearedAt {
      let isOver = now.nanoseconds(since: since) > Self.longestAppearance
      if missed == 0 || isOver { appearedAt = nil }
      // The way to the frame that was due at first is no sign that decoding cannot keep up.
      if missed > 0, !isOver { return }
    }
    sample.add(
      LoadShedder.Sample(
        due: 1 + skipped, missed: awaitedDecoding ? missed : 0, thinned: stride > 1 ? 1 + skipped : 0))
  }

  /// Hands out the frames that were due since the last time.
  mutating func take() -> LoadShedder.Sample {
    defer { sample = LoadShedder.Sample() }
    return sample
  }
}
