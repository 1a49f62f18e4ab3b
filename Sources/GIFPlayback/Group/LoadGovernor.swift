internal import EngineSupport
public import GIFTimeline

/// Load shedding for the players of one clock: counts their late frames, and has players of low priority show fewer if
/// there are too many. It has no timer; the players' own changes drive it.
final class LoadGovernor: Sendable {
  /// Nanoseconds of an interval at least; it takes longer if few frames are due.
  static let interval: Int64 = 500_000_000

  private struct WeakPlayer {
    weak var player: GIFPlayer?
  }

  private struct State {
    var shedder = LoadShedder()
    var sample = LoadShedder.Sample()
    var since: PlaybackInstant?
    /// The players of low priority.
    var players: [GIFPlayer.ID: WeakPlayer] = [:]
  }

  private let state = Lock(State())

  /// Takes a player's priority. Returns how many of its frames to show: one of so many.
  func setPriority(_ priority: PlaybackPriority, of player: GIFPlayer) -> Int {
    state.withLock { state in
      state.players[player.id] = priority == .low ? WeakPlayer(player: player) : nil
      return state.shedder.stride(for: priority)
    }
  }

  func remove(_ id: GIFPlayer.ID) { _ = state.withLock { $0.players.removeValue(forKey: id) } }

  /// Counts frames that were due. Call it without a lock: it may set other players' strides.
  func note(_ sample: LoadShedder.Sample, at now: PlaybackInstant) {
    let changed = state.withLock { state -> (stride: Int, players: [WeakPlayer])? in
      state.sample.due += sample.due
      state.sample.missed += sample.missed
      guard let since = state.since else {
        state.since = now
        return nil
      }
      guard now.nanoseconds(since: since) >= Self.interval, state.sample.due >= LoadShedder.leastDue else {
        return nil
      }
      defer { (state.sample, state.since) = (LoadShedder.Sample(), now) }
      guard state.shedder.observe(state.sample) else { return nil }
      return (state.shedder.stride(for: .low), Array(state.players.values))
    }
    guard let changed else { return }
    for entry in changed.players { entry.player?.setStride(changed.stride) }
  }

  /// How many levels of frames players of low priority leave out: 0 for none.
  var level: Int { state.withLock { $0.shedder.level } }
}

extension GIFPlayer {
  /// Whether this player shows fewer frames first when decoding cannot keep up. Total times stay the same: it then shows
  /// one of two, four, eight or sixteen frames, each at its time, but at least about one a second.
  public var priority: PlaybackPriority {
    get { contents.withLock { $0.priority } }
    set {
      let stride = clock.governor.setPriority(newValue, of: self)
      contents.withLock { $0.priority = newValue }
      setStride(stride)
    }
  }

  /// How many frames a second are shown, and how many are due, over about the last second of playing; nil before there
  /// was one.
  public var frameRate: FrameRate? { contents.withLock { $0.core.frameRate } }

  func setStride(_ stride: Int) { perform { core, _ in core.machine.setStride(stride) } }
}

extension PlaybackClock {
  /// How many levels of frames players of low priority on this clock leave out because decoding cannot keep up, 0 - 4.
  public var loadLevel: Int { governor.level }
}
