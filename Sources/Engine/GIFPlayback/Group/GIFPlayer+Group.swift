internal import EngineSupport
internal import GIFTimeline

// What a group asks of its players.

extension GIFPlayer {
  /// What the group wants of the player at an instant; nil if it is no member. It is asked under the player's
  /// lock and may take the group's, never the other way round, so the player always does what the group wants
  /// now.
  typealias OrderOfGroup = (_ now: PlaybackInstant) -> GroupOrder?

  /// Lets the group decide where the player stands and when its time starts. `onReady` is called, without a
  /// lock, whenever nothing but that start is missing.
  func joinGroup(onReady: @escaping @Sendable () -> Void, order: OrderOfGroup) {
    contents.withLock { $0.onReady = onReady }
    follow(order)
  }

  /// - Parameter isMember: whether the player has joined again meanwhile; asked under its lock.
  func leaveGroup(unless isMember: () -> Bool = { false }) {
    perform { core, now in
      guard !isMember() else { return }
      core.machine.leaveGroup(at: now)
    }
  }

  /// Holds the time until ``startInGroup(_:)``; not that of a player that has left meanwhile.
  func holdBack() { perform { if $0.machine.isInGroup { $0.machine.holdBack(at: $1) } } }

  /// Does what the group wants, and waits for ``startInGroup(_:)``.
  func follow(_ order: OrderOfGroup) {
    perform { core, now in
      if let order = order(now) { core.machine.follow(order, at: now) }
    }
  }
}

extension GIFPlayer {
  /// Starts the time as of the instant at which the group was, or will be, where the player stands; not if
  /// that is nil.
  func startInGroup(_ instant: (_ media: Int64) -> PlaybackInstant?) {
    let isStarted = contents.withLock { $0.core.startInGroup(instant) }
    // Only then: a tick of a player that is held back notifies the group, which asks again.
    if isStarted { tick() }
  }

  /// Whether the group need not wait for this player: it shows its frame, or never will.
  var isReadyForGroup: Bool { contents.withLock { $0.core.isReadyForGroup } }

  /// Whether all plays are over; nil if there is nothing to play.
  var isOver: Bool? { contents.withLock { $0.core.isOver } }
}
