internal import EngineSupport
public import GIFTimeline

/// Several players in lock-step on one time line: they start at the same instant, once each can show its
/// first frame.
///
/// The group holds its players weakly; a player can be in one group. A command to a single member takes it
/// out of step until the group's next command; so does ``LatePolicy/wait``. A late frame delays no other
/// member.
///
/// A member whose plays are over rests on its last frame until the group goes back to a time before its end.
/// In a gap of the clock, however long, the group keeps its schedule, and so do its members whatever their
/// ``SuspensionPolicy``.
public final class SyncGroup: Sendable {
  private struct Member {
    weak var player: GIFPlayer?
    /// Nanoseconds of media time that the player is ahead of the group.
    var offset: Int64
    /// The number of the group's seek that it has followed; nil before it has joined.
    var followedSeek: Int?
  }

  private struct State {
    var members: [GIFPlayer.ID: Member] = [:]
    var line = GroupTimeline()
    /// Raised by every command and every new member: what was found before may no longer hold.
    var generation = 0
    /// Commands that have not reached all members yet: no member starts meanwhile.
    var commandsUnderWay = 0

    mutating func beginCommand() {
      generation += 1
      commandsUnderWay += 1
    }
  }

  /// Nanoseconds that a member may be ahead or behind: 36 years, with which no sum of times overflows.
  private static let longestOffset = Int64.max / 8

  private let clock: PlaybackClock
  /// Never held while a player's lock is taken, as players ask the group under theirs. No player is released
  /// under it either, as that may run the user's code.
  private let state = Lock(State())

  /// Makes a group without members.
  ///
  /// - Parameter clock: the clock of all members.
  public init(clock: PlaybackClock = .shared) { self.clock = clock }

  deinit { for player in players { player.leaveGroup() } }

  /// Adds a player. It goes to where the group stands, and plays along or holds its frame as the group does.
  ///
  /// - Parameter offset: how far its media time is ahead of the group's; below zero it begins so much later.
  ///   Clipped to 36 years.
  /// - Returns: false for a player on another clock, which cannot be kept in step.
  @discardableResult
  public func add(_ player: GIFPlayer, offset: Duration = .zero) -> Bool {
    guard player.clock === clock else { return false }
    let offset = min(Self.longestOffset, max(-Self.longestOffset, offset.wholeNanoseconds))
    state.withLock { state in
      state.members[player.id] = Member(player: player, offset: offset)
      state.beginCommand()
    }
    player.joinGroup(onReady: { [weak self] in self?.startIfReady() }, order: order(to: player.id))
    endCommand()
    return true
  }

  /// Removes a player; it goes on by itself.
  public func remove(_ player: GIFPlayer) {
    guard state.withLock({ $0.members.removeValue(forKey: player.id) }) != nil else { return }
    player.leaveGroup { self.state.withLock { $0.members[player.id] != nil } }
    // The others may have waited for this one.
    startIfReady()
  }

  package var players: [GIFPlayer] { state.withLock { $0.members.values.compactMap(\.player) } }

  // MARK: Control

  /// Starts all players together, or lets them go on. Once the plays of all are over they start over.
  public func play() {
    let isOver = isOverByNow()
    command { line in
      if isOver { line.seek(to: 0) }
      line.play()
    }
  }

  /// Has all players hold their frames.
  public func pause() {
    let now = clock.now
    command { $0.pause(at: now) }
  }

  /// Goes to a media time of the group. Playing goes on from there once all frames are there, also for
  /// members whose plays were over.
  public func seek(to time: Duration) {
    let time = max(0, time.wholeNanoseconds)
    command { $0.seek(to: time) }
  }

  /// The speed of all players, clipped to 0.05 - 20 times. A change makes no jump. What is no number changes
  /// nothing.
  public var rate: Double {
    get { state.withLock { $0.line.rate } }
    set {
      let now = clock.now
      command { $0.setRate(newValue, at: now) }
    }
  }

  /// Sets how all players reduce motion, also those added later. Before this call each keeps its own setting,
  /// and is out of step if that slows it down.
  ///
  /// With the first frame alone a group that plays goes to its start and stands there until that is turned
  /// off, unless the plays of all are over.
  public func reduceMotion(_ motion: ReducedMotion) {
    let now = clock.now
    let isOver = isOverByNow()
    command { $0.setMotion(motion, rewinds: !isOver, at: now) }
  }

  /// The group's media time.
  public var position: Duration {
    let now = clock.now
    return .nanoseconds(state.withLock { $0.line.mediaTime(at: now) })
  }

  /// Whether the group plays, or will once all its players are ready.
  public var isPlaying: Bool { state.withLock { $0.line.isPlaying } }

  /// Whether the plays of all members that have any are over. An end that is due now is reported first.
  private func isOverByNow() -> Bool {
    let players = players
    for player in players { player.tick() }
    let ends = players.compactMap(\.isOver)
    return !ends.isEmpty && ends.allSatisfy { $0 }
  }

  // MARK: Commands

  /// Changes the group's time line, then has all players follow it while their time is held back.
  private func command(_ change: (inout GroupTimeline) -> Void) {
    let players = state.withLock { state in
      var players: [GIFPlayer] = []
      for (id, member) in state.members {
        if let player = member.player { players.append(player) } else { state.members[id] = nil }
      }
      change(&state.line)
      state.beginCommand()
      return players
    }
    for player in players { player.holdBack() }
    for player in players { player.follow(order(to: player.id)) }
    endCommand()
  }

  private func endCommand() {
    state.withLock { $0.commandsUnderWay -= 1 }
    startIfReady()
  }

  /// What a member is to do by the time line as it is when the member asks. Of two commands at once both
  /// bring every member to where the later one wants it.
  private func order(to id: GIFPlayer.ID) -> GIFPlayer.OrderOfGroup {
    { now in
      self.state.withLock { state in
        guard let member = state.members[id] else { return nil }
        let line = state.line
        state.members[id]?.followedSeek = line.seeks
        return GroupOrder(
          place: line.place(ahead: member.offset, at: now), isJoining: member.followedSeek == nil,
          isSeek: member.followedSeek != line.seeks, isPlaying: line.isPlaying, rate: line.rate,
          motion: line.motion)
      }
    }
  }

  // MARK: The common start

  /// Starts the time for all players at the same instant, once each shows its frame. In a group that runs
  /// already each starts as soon as it is ready.
  private func startIfReady() {
    let members = state.withLock { state -> (players: [GIFPlayer], generation: Int)? in
      // The end of the last command leads here, too.
      guard state.commandsUnderWay == 0 else { return nil }
      return (state.members.values.compactMap(\.player), state.generation)
    }
    guard let (players, generation) = members else { return }
    let isReady = players.allSatisfy(\.isReadyForGroup)
    let now = clock.now
    let isRunning = state.withLock { state in
      // After a command since then this may no longer hold.
      guard state.generation == generation else { return false }
      if isReady { state.line.start(at: now) }
      return state.line.isRunning
    }
    guard isRunning else { return }
    for player in players {
      player.startInGroup { media in self.start(of: player.id, at: media, generation: generation) }
    }
  }

  /// When the group was, or will be, where a member stands; nil after a new command, at whose end the member
  /// is started by the time line as it is then.
  private func start(of id: GIFPlayer.ID, at media: Int64, generation: Int) -> PlaybackInstant? {
    state.withLock { state in
      guard state.generation == generation, let member = state.members[id] else { return nil }
      return state.line.instant(ofMedia: media.addingClamped(-member.offset))
    }
  }
}
