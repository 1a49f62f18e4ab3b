internal import GIFCaching

/// Several players in lock-step: they begin at the same instant, once all of them can show their first picture, and
/// from then on stand where the group's one time line says, however different their GIFs.
///
/// The group holds its players weakly; a player can be in one group. Commands given to a single member take it out of
/// step until the group's next command; so does ``LatePolicy/stall``. Pictures that are late hold up nobody.
public final class SyncGroup: Sendable {
  private struct Member {
    weak var player: GIFPlayer?
    /// Nanoseconds of media time that the player is ahead of the group.
    var offset: Int64
  }

  private struct State {
    var members: [GIFPlayer.ID: Member] = [:]
    var line = GroupTimeline()
    /// Commands that have not reached all members yet: nobody starts meanwhile.
    var commandsUnderWay = 0
  }

  private let clock: PlaybackClock
  private let state = Lock(State())

  /// - Parameter clock: the clock of all members.
  public init(clock: PlaybackClock = .shared) { self.clock = clock }

  deinit { for member in state.withLock({ $0.members.values.map(\.player) }) { member?.leaveGroup() } }

  /// Takes a player in. In a group that plays it goes to where the group stands and plays along.
  ///
  /// - Parameter offset: how far its media time is ahead of the group's; below zero it begins so much later.
  /// - Returns: false for a player on another clock, which cannot be kept in step.
  @discardableResult
  public func add(_ player: GIFPlayer, offset: Duration = .zero) -> Bool {
    guard player.clock === clock else { return false }
    let now = clock.now
    let offset = offset.wholeNanoseconds
    let line = state.withLock { state in
      state.members[player.id] = Member(player: player, offset: offset)
      return state.line
    }
    player.joinGroup { [weak self] in self?.startIfReady() }
    // It may have been removed on another thread before it had joined.
    guard state.withLock({ $0.members[player.id] != nil }) else {
      player.leaveGroup()
      return true
    }
    player.rate = line.rate
    let time = line.mediaTime(at: now)
    if time > 0 || offset != 0 { player.seek(to: .nanoseconds(max(0, time.addingClamped(offset)))) }
    if line.isPlaying { player.play() }
    return true
  }

  /// Lets a player go; it does what it did, by itself.
  public func remove(_ player: GIFPlayer) {
    guard state.withLock({ $0.members.removeValue(forKey: player.id) }) != nil else { return }
    player.leaveGroup()
  }

  public var players: [GIFPlayer] { state.withLock { $0.members.values.compactMap(\.player) } }

  // MARK: Control

  /// Has all players begin, or go on, together.
  public func play() {
    command({ $0.play() }, each: { player, _ in player.play() })
  }

  /// Has all players hold their pictures.
  public func pause() {
    let now = clock.now
    command({ $0.pause(at: now) }, each: { player, _ in player.pause() })
  }

  /// Goes to a media time of the group; who plays goes on from there once all pictures are there.
  public func seek(to time: Duration) {
    let time = max(0, time.wholeNanoseconds)
    command(
      { $0.seek(to: time) },
      each: { player, offset in player.seek(to: .nanoseconds(max(0, time.addingClamped(offset)))) })
  }

  /// The speed of all players, 0.05 - 20 times; set while playing it makes no jump.
  public var rate: Double {
    get { state.withLock { $0.line.rate } }
    set {
      let now = clock.now
      command({ $0.setRate(newValue, at: now) }, each: { player, _ in player.rate = newValue })
    }
  }

  /// How all players reduce motion.
  public func reduceMotion(_ motion: ReducedMotion) {
    for player in players { player.reducedMotion = motion }
  }

  /// The group's media time.
  public var position: Duration {
    let now = clock.now
    return .nanoseconds(state.withLock { $0.line.mediaTime(at: now) })
  }

  public var isPlaying: Bool { state.withLock { $0.line.isPlaying } }

  /// Changes the group's time line, then all players while their time is held back.
  private func command(
    _ change: (inout GroupTimeline) -> Void, each: (_ player: GIFPlayer, _ offset: Int64) -> Void
  ) {
    let members = state.withLock { state in
      state.members = state.members.filter { $0.value.player != nil }
      change(&state.line)
      state.commandsUnderWay += 1
      return Array(state.members.values)
    }
    for member in members { member.player?.holdBack() }
    for member in members {
      if let player = member.player { each(player, member.offset) }
    }
    state.withLock { $0.commandsUnderWay -= 1 }
    startIfReady()
  }

  // MARK: The common start

  /// Lets time run once every player shows its picture, and for all at the same instant; where the group runs already,
  /// for whoever is ready.
  private func startIfReady() {
    let isReady = players.allSatisfy(\.isReadyForGroup)
    let now = clock.now
    let (line, members) = state.withLock { state in
      if isReady, state.commandsUnderWay == 0 { state.line.start(at: now) }
      return (state.line, Array(state.members.values))
    }
    guard line.isRunning else { return }
    for member in members {
      if let player = member.player { start(player, offset: member.offset, on: line) }
    }
  }

  private func start(_ player: GIFPlayer, offset: Int64, on line: GroupTimeline) {
    player.startInGroup { media in line.instant(ofMedia: media.addingClamped(-offset)) }
  }
}

/// Where a group stands: its media time, and the instant since which it runs. Pure.
struct GroupTimeline: Sendable, Hashable {
  private(set) var isPlaying = false
  private(set) var rate: Double = 1
  private var media: Int64 = 0
  private var runningSince: PlaybackInstant?

  var isRunning: Bool { runningSince != nil }

  func mediaTime(at now: PlaybackInstant) -> Int64 {
    guard let runningSince else { return media }
    return media.addingClamped(Int64(clamping: Double(now.nanoseconds(since: runningSince)) * rate))
  }

  /// When the group's media time is, or was, at a value; nil while it stands.
  func instant(ofMedia time: Int64) -> PlaybackInstant? {
    let ahead = Double(time.addingClamped(-media)) / rate
    return runningSince?.advanced(byNanoseconds: Int64(clamping: ahead.rounded()))
  }

  /// The time runs only once it is started: when all are ready.
  mutating func play() { isPlaying = true }

  mutating func start(at now: PlaybackInstant) {
    if isPlaying, runningSince == nil { runningSince = now }
  }

  mutating func pause(at now: PlaybackInstant) {
    halt(at: now)
    isPlaying = false
  }

  mutating func seek(to time: Int64) { (media, runningSince) = (time, nil) }

  mutating func setRate(_ rate: Double, at now: PlaybackInstant) {
    halt(at: now)
    self.rate = PlaybackRate.clamped(rate)
  }

  private mutating func halt(at now: PlaybackInstant) { (media, runningSince) = (mediaTime(at: now), nil) }
}
