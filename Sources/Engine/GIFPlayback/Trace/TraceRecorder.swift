internal import EngineSupport
internal import GIFCaching
internal import GIFDecoding
internal import GIFLoading
internal import GIFTimeline

/// A recording of what players do, for `chrome://tracing` or Perfetto. Each player has a track with its
/// frames, as long as they were shown, its loops, states and waits, and the counts of its cache. Each
/// decoding thread has one with its turns; a turn for several players is under one of them.
///
/// Beyond a bounded number of entries the oldest are dropped and counted. Recording costs one lock an event.
///
/// The tool alone records, but on more than a player's public events: turns of decoding, demotions and warm
/// frames are package, and so is the clock by which they are placed. In the tool the recorder would need all
/// of these opened; here the public face stays as it is.
package final class TraceRecorder: Sendable {
  private struct State {
    var entries = TraceRing()
    /// The frame that each player shows, until its end is known.
    var shown: [Int: TraceEntry] = [:]
    var names: [Int: String] = [:]
    /// Threads that decode, and what players share, numbered as they come.
    var threads: [Int: Int] = [:]
    var stores: [Int: Int] = [:]
    var start: PlaybackInstant?
    /// Nanoseconds from the start to the last thing seen.
    var newest: Int64 = 0

    /// Nanoseconds since recording began.
    mutating func see(_ now: PlaybackInstant) -> Int64 {
      let begin = start ?? now
      start = begin
      let time = now.nanoseconds(since: begin)
      newest = max(newest, time)
      return time
    }
  }

  private let state: Lock<State>

  /// - Parameter limit: entries held at most, at least 1.
  package init(limit: Int = 1 << 20) {
    state = Lock(State(entries: TraceRing(limit: max(1, limit))))
  }

  /// Records a player while both live. One recorder records a player at a time.
  ///
  /// - Parameter name: what its track is called.
  /// - Returns: ends the recording when cancelled.
  @discardableResult
  package func record(_ player: GIFPlayer, as name: String) -> Subscription {
    let track = player.id.rawValue
    state.withLock { state in
      state.names[track] = name
      // A frame may be decoded before the first event.
      _ = state.see(player.clock.now)
    }
    let observer = DecodeObserver(
      now: { [clock = player.clock] in clock.now.nanoseconds },
      report: { [weak self] span in self?.take(span, for: track) })
    player.frames.observeDecoding(observer)
    let subscription = player.onEvent(for: self) { [weak player, unowned self] event in
      if let player { take(event, of: player) }
    }
    return Subscription { [weak player] in
      subscription.cancel()
      player?.frames.observeDecoding(nil, replacing: observer)
    }
  }

  /// The trace so far, as JSON in Chrome's trace event format.
  package func json() -> [UInt8] {
    let (entries, dropped) = state.withLock { state -> ([TraceEntry], Int) in
      var names = state.names.sorted { $0.key < $1.key }.map { TraceEntry(name: $1, of: $0) }
      if !state.threads.isEmpty {
        names += [TraceEntry(name: "players", in: .players), TraceEntry(name: "decoding", in: .decoding)]
      }
      names += (0..<state.threads.count).map {
        TraceEntry(name: "thread \($0 + 1)", of: $0 + 1, in: .decoding)
      }
      // A frame that is still shown ends with the newest entry.
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
      endFrame(track, at: change.shownAt)
      state.withLock { state in
        let start = state.see(change.shownAt)
        state.shown[track] = TraceEntry(shown: change, start: start)
        state.entries.append(TraceEntry(cache: statistics, track: track, start: start))
      }
    case .loopCompleted(let loop): note("loop \(loop.count)", "player", track, at: now)
    case .finished: note("finished", "player", track, at: now)
    case .stateChanged(let state):
      if state != .playing { endFrame(track, at: now) }
      note(state.rawValue, "player", track, at: now)
    case .buffering(let change):
      note(change.reason.map { "waits for \($0.rawValue)" } ?? "goes on", "player", track, at: now)
    case .flashes(let state): note("flashes: \(state)", "player", track, at: now)
    case .loading(.loading): break
    case .loading(.complete): note("loaded", "player", track, at: now)
    case .loading(.failed(let error)):
      note("loading failed: \(error.code.rawValue)", "player", track, at: now)
    case .failed(let error): note("failed: \(error.code.rawValue)", "player", track, at: now)
    }
  }

  private static func number(_ key: Int, among known: inout [Int: Int]) -> Int {
    let number = known[key] ?? known.count + 1
    known[key] = number
    return number
  }

  private func take(_ span: DecodeSpan, for player: Int) {
    state.withLock { state in
      let start = state.see(PlaybackInstant(nanoseconds: span.begin))
      let end = state.see(PlaybackInstant(nanoseconds: span.end))
      let thread = Self.number(span.thread, among: &state.threads)
      let store = Self.number(span.store, among: &state.stores)
      state.entries.append(
        TraceEntry(span, for: player, store: store, thread: thread, start: start, end: end))
    }
  }

  private func note(_ name: String, _ category: String, _ track: Int, at now: PlaybackInstant) {
    state.withLock { state in
      let start = state.see(now)
      state.entries.append(
        TraceEntry(phase: .instant, name: name, category: category, track: track, start: start))
    }
  }

  /// Ends the frame shown; one that rests is not drawn out over a pause.
  private func endFrame(_ track: Int, at now: PlaybackInstant) {
    state.withLock { state in
      let end = state.see(now)
      if let shown = state.shown.removeValue(forKey: track) { state.entries.append(shown.ending(at: end)) }
    }
  }
}

extension TraceEntry {
  fileprivate init(shown change: FrameChange, start: Int64) {
    self.init(
      phase: .complete, name: "frame \(change.currentFrameIndex)", category: "frame",
      track: change.target.rawValue, start: start,
      arguments: [
        ("cause", .text(change.cause.rawValue)), ("loop", .number(Int64(change.loop))),
        ("latenessNs", .number(change.lateness.wholeNanoseconds)),
        ("skipped", .number(Int64(change.skippedFrames))),
      ])
  }

  /// What a track is called.
  fileprivate init(name: String, of track: Int, in group: Group = .players) {
    self.init(
      phase: .metadata, name: "thread_name", group: group, track: track, arguments: [("name", .text(name))])
  }

  /// What a group of tracks is called.
  fileprivate init(name: String, in group: Group) {
    self.init(
      phase: .metadata, name: "process_name", group: group, track: 0, arguments: [("name", .text(name))])
  }

  fileprivate init(_ span: DecodeSpan, for player: Int, store: Int, thread: Int, start: Int64, end: Int64) {
    self.init(
      phase: .complete, name: "decode \(span.frame)", category: "decode", group: .decoding,
      track: thread, start: start, duration: max(0, end - start),
      arguments: [
        ("player", .number(Int64(player))), ("store", .number(Int64(store))),
        ("finished", span.finished.map { .number(Int64($0)) } ?? .text("nothing")),
        ("codeStreams", .number(Int64(span.codeStreams))),
      ])
  }

  fileprivate init(cache statistics: CacheStatistics, track: Int, start: Int64) {
    self.init(
      phase: .counter, name: "cache \(track)", category: "cache", track: track, start: start,
      arguments: [
        ("hits", .number(Int64(statistics.hits))), ("misses", .number(Int64(statistics.misses))),
        ("demotions", .number(Int64(statistics.demotions))),
        ("evictions", .number(Int64(statistics.evictions))),
        ("residentFrames", .number(Int64(statistics.residentFrames))),
        ("warmFrames", .number(Int64(statistics.warmFrames))),
      ])
  }

  fileprivate func ending(at end: Int64) -> TraceEntry {
    var entry = self
    entry.duration = max(0, end - start)
    return entry
  }
}

/// The newest entries, up to a limit, in a ring.
struct TraceRing: Sendable {
  private var entries: [TraceEntry] = []
  private var oldest = 0
  private let limit: Int
  /// Entries that were dropped.
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
