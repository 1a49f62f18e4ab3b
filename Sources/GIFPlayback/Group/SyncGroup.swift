internal import EngineSupport
internal import GIFCaching
public import GIFTimeline

/// Several players in lock-step: they begin at the same instant, once all of them can show their first picture, and
/// from then on stand where the group's one time line says, however different their GIFs.
///
/// The group holds its players weakly; a player can be in one group. Commands given to a single member take it out of
/// step until the group's next command; so does ``LatePolicy/wait``. Pictures that are late hold up nobody.
///
/// A member whose plays are over rests on its last picture until the group goes back to a time before its end. In a
/// gap of the clock, however long, the group keeps its schedule, and so do its members whatever their
/// ``SuspensionPolicy``: each would go on from a place of its own.
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
    /// Raised by every command, and for every player taken in: what was found out before need not hold any more.
    var generation = 0
    /// Commands that have not reached all members yet: nobody starts meanwhile.
    var commandsUnderWay = 0

    mutating func beginCommand() {
      generation += 1
      commandsUnderWay += 1
    }
  }

  /// Nanoseconds that a member may be ahead or behind: 36 years, with which no sum of times overflows.
  private static let longestOffset = Int64.max / 8

  private let clock: PlaybackClock
  /// Never held while a player's lock is taken: players ask the group under theirs. No player may be let go of under
  /// it either, as that may run anybody's code.
  private let state = Lock(State())

  /// - Parameter clock: the clock of all members.
  public init(clock: PlaybackClock = .shared) { self.clock = clock }

  deinit { for player in players { player.leaveGroup() } }

  /// Takes a player in. It goes to where the group stands, and plays along or holds its picture as the group does.
  ///
  /// - Parameter offset: how far its media time is ahead of the group's; below zero it begins so much later. Clipped
  ///   to 36 years.
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

  /// Lets a player go; it does what it did, by itself.
  public func remove(_ player: GIFPlayer) {
    guard state.withLock({ $0.members.removeValue(forKey: player.id) }) != nil else { return }
    player.leaveGroup { self.state.withLock { $0.members[player.id] != nil } }
    // The others may have waited for this one.
    startIfReady()
  }

  public var players: [GIFPlayer] { state.withLock { $0.members.values.compactMap(\.player) } }

  // MARK: Control

  /// Has all players begin, or go on, together. Once the plays of all are over they begin anew.
  public func play() {
    let isOver = isOverByNow()
    command { line in
      if isOver { line.seek(to: 0) }
      line.play()
    }
  }

  /// Has all players hold their pictures.
  public func pause() {
    let now = clock.now
    command { $0.pause(at: now) }
  }

  /// Goes to a media time of the group; a group that plays goes on from there once all pictures are there, also with
  /// those whose plays were over.
  public func seek(to time: Duration) {
    let time = max(0, time.wholeNanoseconds)
    command { $0.seek(to: time) }
  }

  /// The speed of all players, 0.05 - 20 times; set while playing it makes no jump.
  public var rate: Double {
    get { state.withLock { $0.line.rate } }
    set {
      let now = clock.now
      command { $0.setRate(newValue, at: now) }
    }
  }

  /// How all players reduce motion, those added later, too; before this is called each keeps what it has, and is out
  /// of step where that slows it down.
  ///
  /// With the first picture alone a group that plays goes to its start and stands there until that is turned off,
  /// unless the plays of all are over.
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

  public var isPlaying: Bool { state.withLock { $0.line.isPlaying } }

  /// Whether the plays of all members are over that have any; those whose end is due now tell it first.
  private func isOverByNow() -> Bool {
    let players = players
    for player in players { player.update() }
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

  /// What a member is to do by the time line as it is when that is asked: of two commands given at once, both bring
  /// every member to where the later one wants it.
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

  /// Lets time run once every player shows its picture, and for all at the same instant; where the group runs already,
  /// for whoever is ready.
  private func startIfReady() {
    let members = state.withLock { state -> (players: [GIFPlayer], generation: Int)? in
      // Whoever ends the last command comes here, too.
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

  /// When the group was, or will be, where a member stands; nil where a command has come meanwhile: at its end the
  /// member is started by the time line as it is then.
  private func start(of id: GIFPlayer.ID, at media: Int64, generation: Int) -> PlaybackInstant? {
    state.withLock { state in
      guard state.generation == generation, let member = state.members[id] else { return nil }
      return state.line.instant(ofMedia: media.addingClamped(-member.offset))
    }
  }
}
