internal import GIFCaching
internal import GIFDecoding

/// Records what players do, for `chrome://tracing` or Perfetto: each player has a track with its pictures, as long as
/// they were shown, its loops, states and waits, the arrival of decoded pictures, and the counts of its cache.
///
/// Holds a bounded number of entries; of more the oldest are dropped, and how many is told. Recording costs one lock
/// an event.
public final class TraceRecorder: Sendable {
  private struct State {
    var entries = TraceRing()
    /// The picture that each player shows, until it is known for how long.
    var shown: [Int: TraceEntry] = [:]
    var names: [Int: String] = [:]
    var start: PlaybackInstant?
    /// Nanoseconds from the start to the last thing seen.
    var newest: Int64 = 0

    /// Nanoseconds since the first thing seen.
    mutating func see(_ now: PlaybackInstant) -> Int64 {
      let begin = start ?? now
      start = begin
      let time = now.nanoseconds(since: begin)
      newest = max(newest, time)
      return time
    }
  }

  private let state: Lock<State>

  /// - Parameter limit: entries held at the most, at least 1.
  public init(limit: Int = 1 << 20) {
    state = Lock(State(entries: TraceRing(limit: max(1, limit))))
  }

  /// Records a player from now on, as long as both live. A player is recorded by one recorder at a time.
  ///
  /// - Parameter name: what its track is called.
  /// - Returns: ends the recording when cancelled.
  @discardableResult
  public func record(_ player: GIFPlayer, as name: String) -> Subscription {
    let track = player.id.rawValue
    state.withLock { $0.names[track] = name }
    player.onDecoded { [weak self, weak player] frame in
      guard let self, let player else { return }
      note("decoded \(frame)", "decode", track, at: player.clock.now)
    }
    let scope = SubscriptionScope()
    let subscription = player.onEvent { [weak self, weak player] event in
      guard let self else { return scope.cancel() }
      if let player { take(event, of: player) }
    }
    scope.add(subscription)
    return subscription
  }

  /// The trace so far, as JSON in Chrome's trace event format.
  public func json() -> [UInt8] {
    let (entries, dropped) = state.withLock { state -> ([TraceEntry], Int) in
      let names = state.names.sorted { $0.key < $1.key }.map { track, name in
        TraceEntry(phase: .metadata, name: "thread_name", track: track, arguments: [("name", .text(name))])
      }
      // What is still shown is shown until the last thing that is known.
      let open = state.shown.sorted { $0.key < $1.key }.map { $0.value.ending(at: state.newest) }
      return (names + state.entries.inOrder + open, state.entries.dropped)
    }
    return TraceWriter.json(entries, dropped: dropped)
  }

  // MARK: Entries

  private func take(_ event: PlayerEvent, of player: GIFPlayer) {
    let (track, now) = (player.id.rawValue, player.clock.now)
    switch event {
    case .frameChange(let change):
      let statistics = player.cacheStatistics
      endPicture(track, at: change.shownAt)
      state.withLock { state in
        let start = state.see(change.shownAt)
        state.shown[track] = TraceEntry(picture: change, start: start)
        state.entries.append(TraceEntry(cache: statistics, track: track, start: start))
      }
    case .loopCompleted(let loop): note("loop \(loop.count)", "player", track, at: now)
    case .finished: note("finished", "player", track, at: now)
    case .stateChanged(let change):
      if change.state != .playing { endPicture(track, at: now) }
      note(change.state.rawValue, "player", track, at: now)
    case .buffering(let change):
      note(change.reason.map { "waits for \($0.rawValue)" } ?? "goes on", "player", track, at: now)
    case .failed(let error): note("failed: \(error.code.rawValue)", "player", track, at: now)
    }
  }

  private func note(_ name: String, _ category: String, _ track: Int, at now: PlaybackInstant) {
    state.withLock { state in
      let start = state.see(now)
      state.entries.append(
        TraceEntry(phase: .instant, name: name, category: category, track: track, start: start))
    }
  }

  /// A picture has been shown until now; one that rests is not drawn out over a pause.
  private func endPicture(_ track: Int, at now: PlaybackInstant) {
    state.withLock { state in
      let end = state.see(now)
      if let shown = state.shown.removeValue(forKey: track) { state.entries.append(shown.ending(at: end)) }
    }
  }
}

extension TraceEntry {
  fileprivate init(picture change: FrameChange, start: Int64) {
    self.init(
      phase: .complete, name: "frame \(change.currentFrameIndex)", category: "frame",
      track: change.target.rawValue, start: start,
      arguments: [
        ("cause", .text(change.cause.rawValue)), ("loop", .number(Int64(change.loop))),
        ("latenessNs", .number(change.lateness.wholeNanoseconds)),
        ("skipped", .number(Int64(change.skippedFrames))),
      ])
  }

  fileprivate init(cache statistics: CacheStatistics, track: Int, start: Int64) {
    self.init(
      phase: .counter, name: "cache \(track)", category: "cache", track: track, start: start,
      arguments: [
        ("hits", .number(Int64(statistics.hits))), ("misses", .number(Int64(statistics.misses))),
        ("residentFrames", .number(Int64(statistics.residentFrames))),
      ])
  }

  fileprivate func ending(at end: Int64) -> TraceEntry {
    var entry = self
    entry.duration = max(0, end - start)
    return entry
  }
}

/// The newest entries, up to a limit, in a ring. Pure.
struct TraceRing: Sendable {
  private var entries: [TraceEntry] = []
  private var oldest = 0
  private let limit: Int
  /// Entries that had to make room.
  private(set) var dropped = 0

  init(limit: Int = 1) { self.limit = limit }

  mutating func append(_ entry: TraceEntry) {
    guard entries.count == limit else { return entries.append(entry) }
    entries[oldest] = entry
    oldest = (oldest + 1) % limit
    dropped += 1
  }

  /// All entries, oldest first.
  var inOrder: [TraceEntry] { Array(entries[oldest...] + entries[..<oldest]) }
}
