internal import EngineSupport
internal import GIFCaching
internal import GIFTimeline
internal import Synchronization

// What a group asks of its players.

extension GIFPlayer {
  /// What the group wants of the player at an instant; nil where it is no member. It is asked under the player's lock
  /// and may take the group's, never the other way round: what is done is then always what the group wants now.
  typealias OrderOfGroup = (_ now: PlaybackInstant) -> GroupOrder?

  /// Lets the group decide where the player stands and when its time runs. `onReady` is called, without a lock,
  /// whenever nothing but that is missing.
  func joinGroup(onReady: @escaping @Sendable () -> Void, order: @escaping OrderOfGroup) {
    update { core, now in
      // In one go: nobody can start it where it stood before, or after it has been removed again.
      guard let order = order(now) else { return }
      core.onReady = onReady
      core.machine.isInGroup = true
      core.machine.follow(order, at: now)
    }
  }

  /// - Parameter isMember: whether it has been taken in again meanwhile; asked under the player's lock.
  func leaveGroup(unless isMember: @escaping () -> Bool = { false }) {
    update { core, now in
      guard !isMember() else { return }
      core.onReady = nil
      core.machine.isInGroup = false
      core.machine.start(at: now)
    }
  }

  /// Holds the time until ``startInGroup(_:)``; not that of a player that has left meanwhile.
  func holdBack() { update { if $0.onReady != nil { $0.machine.holdBack(at: $1) } } }

  /// Does what the group wants, and waits for ``startInGroup(_:)``.
  func follow(_ order: @escaping OrderOfGroup) {
    update { core, now in
      if core.onReady != nil, let order = order(now) { core.machine.follow(order, at: now) }
    }
  }

  /// Lets time run since the instant at which the group was, or will be, where the player stands; not where that is
  /// nil.
  func startInGroup(_ instant: (_ media: Int64) -> PlaybackInstant?) {
    let isStarted = core.withLock { core in
      guard core.failure == nil, core.machine.isHeldBack, core.machine.isReadyForGroup,
        let start = instant(core.machine.clock.base)
      else { return false }
      core.machine.start(at: start)
      return true
    }
    // Only then: a look at a player that is held back calls `onReady`, which asks again.
    if isStarted { update() }
  }

  /// Whether the group need not wait for this player: it shows its picture, or never will.
  var isReadyForGroup: Bool { core.withLock { $0.failure != nil || $0.machine.isReadyForGroup } }

  /// Whether all plays are over; nil where there is nothing to play.
  var isOver: Bool? {
    core.withLock { $0.failure == nil && $0.machine.canShow ? $0.machine.state == .finished : nil }
  }
}
