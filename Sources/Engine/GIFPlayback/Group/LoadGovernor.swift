internal import EngineSupport
internal import GIFCaching
public import GIFTimeline

/// Load shedding for the players of one clock: counts the frames that are decoded too late, measures how busy
/// the decoding threads are, and has players of low priority show fewer frames if there are too many. It has
/// no timer; the players' own changes drive it.
final class LoadGovernor: Sendable {
  /// Nanoseconds of an interval at least; it takes longer if few frames are due.
  static let interval: Int64 = 500_000_000

  fileprivate struct WeakPlayer {
    weak var player: GIFPlayer?
  }

  fileprivate struct State {
    var shedder = LoadShedder()
    var sample = LoadShedder.Sample()
    var since: PlaybackInstant?
    var decoding = DecodingLoad()
    /// The players of low priority.
    var players: [GIFPlayer.ID: WeakPlayer] = [:]

    /// Decides again if an interval is over. Returns whether the level has changed.
    mutating func endInterval(at now: PlaybackInstant) -> Bool {
      guard let since, now.nanoseconds(since: since) >= LoadGovernor.interval else { return false }
      let busy = decoding.endInterval(at: now)
      self.since = now
      let isChange = shedder.observe(sample, busy: busy)
      // Fewer frames than that are judged together with those that follow.
      if sample.due >= LoadShedder.leastDue { sample = LoadShedder.Sample() }
      return isChange
    }
  }

  private let state = Lock(State())

  /// Takes a player's priority. Returns how many of its frames to show: one in this many.
  func setPriority(_ priority: PlaybackPriority, of player: GIFPlayer, at now: PlaybackInstant) -> Int {
    state.withLock { state in
      state.players[player.id] = priority == .low ? WeakPlayer(player: player) : nil
      return state.current(at: now).stride(for: priority)
    }
  }

  func remove(_ id: GIFPlayer.ID) { _ = state.withLock { $0.players.removeValue(forKey: id) } }

  /// Counts frames that were due. Call it without a lock: it may set other players' strides.
  ///
  /// - Parameter pool: the threads that decode them.
  func note(_ sample: LoadShedder.Sample, of pool: DecodePool, at now: PlaybackInstant) {
    let changed = state.withLock { state -> (stride: Int, players: [WeakPlayer])? in
      state.sample.add(sample)
      state.decoding.watch(pool.usage, at: now)
      if state.since == nil { state.since = now }
      guard state.endInterval(at: now) else { return nil }
      // In one order: what players ask of the decoder at the same time is served as it comes.
      let players = state.players.sorted { $0.key.rawValue < $1.key.rawValue }
      return (state.shedder.stride(for: .low), players.map(\.value))
    }
    guard let changed else { return }
    for entry in changed.players { entry.player?.setStride(changed.stride) }
  }

  /// How many levels of frames players of low priority leave out: 0 for none.
  ///
  /// Looks at the decoding threads, as nothing else does while no frame is shown. Players follow with their
  /// next frame.
  func level(at now: PlaybackInstant) -> Int { state.withLock { $0.current(at: now).level } }
}

extension LoadGovernor.State {
  /// What would hold if a frame were shown now.
  fileprivate func current(at now: PlaybackInstant) -> LoadShedder {
    var copy = self
    _ = copy.endInterval(at: now)
    return copy.shedder
  }
}

/// How busy the decoding threads of some pools are, over the last second: players that leave out frames may
/// all show theirs at the same instant, once a second.
private struct DecodingLoad {
  private struct Reading {
    let usage: PoolUsage
    var busy: Int64
    var since: PlaybackInstant
    /// The interval before: the time that the threads have worked, and the time that they had.
    var former: (busy: Int64, length: Int64) = (0, 0)
    /// Whether a frame of the pool was counted in this interval.
    var isInUse = true
  }

  /// Intervals shorter than this count together with the one before.
  private static let memory: Int64 = 1_000_000_000

  private var readings: [ObjectIdentifier: Reading] = [:]
  /// The pool counted last in this interval: nearly always the only one, and asked for with each frame.
  private var counted: ObjectIdentifier?

  /// Measures a pool from now on, unless that is done already.
  mutating func watch(_ usage: PoolUsage, at now: PlaybackInstant) {
    let id = ObjectIdentifier(usage)
    guard id != counted else { return }
    counted = id
    if readings[id] == nil {
      readings[id] = Reading(usage: usage, busy: usage.busyNanoseconds, since: now)
    } else {
      readings[id]?.isInUse = true
    }
  }

  /// The part of their time, 0 - 1, that the threads of the busiest pool have worked; begins another
  /// interval.
  mutating func endInterval(at now: PlaybackInstant) -> Double {
    var busiest = 0.0
    counted = nil
    for (id, reading) in readings {
      let busy = reading.usage.busyNanoseconds
      let workers = Int64(reading.usage.workerCount)
      let length = max(1, now.nanoseconds(since: reading.since)) * workers
      let former = length >= Self.memory * workers ? (busy: 0, length: 0) : reading.former
      let worked = busy - reading.busy
      busiest = max(busiest, Double(worked + former.busy) / Double(length + former.length))
      // A pool that is no longer used may be gone.
      readings[id] =
        reading.isInUse
        ? Reading(usage: reading.usage, busy: busy, since: now, former: (worked, length), isInUse: false)
        : nil
    }
    return min(1, busiest)
  }
}

extension GIFPlayer {
  /// Whether this player shows fewer frames first when decoding cannot keep up. Total times stay the same: it
  /// then shows one of two, four, eight or sixteen frames, each at its time, but at least about one a second.
  /// As soon as the decoding threads have time for all frames, it shows all.
  public var priority: PlaybackPriority {
    get { contents.withLock { $0.priority } }
    set {
      let stride = clock.governor.setPriority(newValue, of: self, at: clock.now)
      contents.withLock { $0.priority = newValue }
      setStride(stride)
    }
  }

  /// How many frames a second are shown, and how many are due, over about the last second of playing; nil
  /// before there was one.
  public var frameRate: FrameRate? { contents.withLock { $0.core.frameRate } }

  func setStride(_ stride: Int) { perform { core, now in core.machine.setStride(stride, at: now) } }
}

extension PlaybackClock {
  /// How far decoding lags behind the players of this clock, 0 - 4: how many levels of frames those of low
  /// priority leave out.
  ///
  /// A level is added where more than a tenth of the frames due in half a second are not decoded in time
  /// while the decoding threads have no time left. Once they have time again, it falls: to 0 within about a
  /// second if they surely have time for all frames, else a level at a time, and each more slowly after one
  /// that fell too early. The frames that a player needs when it becomes visible, starts or seeks are no sign
  /// of a lag. The level is the same whatever priorities there are, also if no player has the low one.
  public var loadLevel: Int { governor.level(at: now) }
}
