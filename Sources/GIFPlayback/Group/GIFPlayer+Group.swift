internal import GIFCaching
internal import Synchronization

// What a group asks of its players.

extension GIFPlayer {
  /// Lets the group decide when time runs. `onReady` is called, without a lock, whenever nothing but that is missing.
  func joinGroup(onReady: @escaping @Sendable () -> Void) {
    update { core, now in
      core.onReady = onReady
      core.machine.holdBack(at: now)
    }
  }

  func leaveGroup() {
    update { core, now in
      core.onReady = nil
      core.machine.start(at: now)
    }
  }

  /// Holds the time until ``startInGroup(_:)``; not that of a player that has left meanwhile.
  func holdBack() { update { if $0.onReady != nil { $0.machine.holdBack(at: $1) } } }

  /// Lets time run since the instant at which the group was, or will be, where the player stands.
  func startInGroup(_ instant: @escaping (_ media: Int64) -> PlaybackInstant?) {
    update { core, _ in
      guard core.machine.isHeldBack, core.machine.isReadyForGroup, let start = instant(core.machine.media)
      else { return }
      core.machine.start(at: start)
    }
  }

  /// Whether the group need not wait for this player: it shows its picture, or never will.
  var isReadyForGroup: Bool { core.withLock { $0.failure != nil || $0.machine.isReadyForGroup } }
}

extension PlaybackMachine {
  mutating func holdBack(at now: PlaybackInstant) {
    halt(at: now)
    isHeldBack = true
  }

  /// Lets the time of a player that was held back run, from an instant that may lie ahead or behind.
  mutating func start(at instant: PlaybackInstant) {
    isHeldBack = false
    if !isVisible, run == .playing, pending != nil, let place = position(at: instant) {
      // Nobody sees it begin: the picture is due like any other once somebody looks.
      pending = nil
      shownStep = absoluteStep(place) - 1
    }
    letRun(from: instant)
  }

  var isReadyForGroup: Bool { !canShow || !isVisible || run != .playing || (pending == nil && poster == nil) }
}
