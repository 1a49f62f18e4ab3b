internal import EngineSupport
internal import GIFCaching
public import GIFTimeline

/// Sheds load for the players of one clock: hears how their pictures come, and has those of low priority show fewer
/// when too many come late. It has no timer; the players' own changes drive it.
final class LoadGovernor: Sendable {
  /// Nanoseconds over which is counted, at the least: it takes longer where few pictures are due.
  static let interval: Int64 = 500_000_000
  /// Nanoseconds after which a picture counts as late: about a refresh of the screen.
  static let latenessLimit: Int64 = 16_000_000

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

  /// Takes a player's priority; returns how many of its pictures to show: one of so many.
  func setPriority(_ priority: PlaybackPriority, of player: GIFPlayer) -> Int {
    state.withLock { state in
      state.players[player.id] = priority == .low ? WeakPlayer(player: player) : nil
      return state.shedder.stride(for: priority)
    }
  }

  func forget(_ id: GIFPlayer.ID) { _ = state.withLock { $0.players.removeValue(forKey: id) } }

  /// Takes note of pictures that were due. Call it without a lock: it may set other players' strides.
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

  /// How far players of low priority give way now: 0 not at all.
  var level: Int { state.withLock { $0.shedder.level } }
}

extension GIFPlayer {
  /// Who gives way first when decoding cannot keep up. Total times stay the same: whoever gives way shows one of two,
  /// four, eight or sixteen pictures, each at its time, but about one a second of those it has.
  public var priority: PlaybackPriority {
    get { core.withLock { $0.options.priority } }
    set {
      let stride = clock.governor.setPriority(newValue, of: self)
      update { core, _ in
        core.options.priority = newValue
        core.machine.wantedStride = stride
      }
    }
  }

  /// How many pictures a second are shown, and how many are due, over about the last second of playing; nil before
  /// there was one.
  public var frameRate: FrameRate? { core.withLock { $0.meter.rate } }

  func setStride(_ stride: Int) { update { core, _ in core.machine.wantedStride = stride } }
}

extension PlaybackClock {
  /// How far players of low priority on this clock give way because decoding cannot keep up: 0 not at all, 4 the most.
  public var loadLevel: Int { governor.level }
}
