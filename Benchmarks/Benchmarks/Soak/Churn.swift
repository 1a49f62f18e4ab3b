import Gallop
import Measuring

/// Players that come, go and get random commands, on one clock, one pool and one budget.
final class Churn {
  private let sources: [Source]
  private var random: Dice
  let budget = FrameBudget(limit: 64 << 20)
  let clock = PlaybackClock()
  private let pool = DecodePool(threadCount: 2)
  private let group: SyncGroup
  private(set) var seats: [Seat] = []
  private(set) var created = 0
  private(set) var commands = 0
  private(set) var isResting = false
  private(set) var restsSince = 0.0
  /// How often commands stopped because a player had waited for long.
  private(set) var rests = 0
  /// Frames shown by players that are released.
  private var shownBefore = 0

  static let seatCount = 48
  /// Every third seat gets no commands, for this many seconds.
  static let lonelyLife = 20.0

  init(_ sources: [Source], seed: UInt64) {
    self.sources = sources
    random = Dice(state: seed)
    group = SyncGroup(clock: clock)
  }

  var shown: Int { shownBefore + seats.reduce(0) { $0 + $1.shown } }

  /// Fills the seats, and does something to a few of them.
  func step() throws(GIFError) {
    while seats.count < Self.seatCount { seats.append(try seat(isLeftAlone: seats.count % 3 == 0)) }
    for _ in 0..<4 {
      let place = Int.random(in: 0..<seats.count, using: &random)
      try command(place)
    }
    // Loading continues in any case.
    for seat in seats where seat.isLoading { _ = try seat.load(.random(in: 1...4096, using: &random)) }
    if chance(of: 400) { budget.limit = Int64(1) << Int.random(in: 16...27, using: &random) }
  }

  /// Stops or resumes the commands.
  func rest(_ isResting: Bool) {
    guard isResting != self.isResting else { return }
    self.isResting = isResting
    restsSince = seconds
    rests += isResting ? 1 : 0
  }

  /// Releases all players.
  func end() {
    for place in seats.indices { shownBefore += seats[place].shown }
    seats = []
  }

  private func seat(isLeftAlone: Bool) throws(GIFError) -> Seat {
    let source = sources[Int.random(in: 0..<sources.count, using: &random)]
    var options = GIFPlayer.Options()
    options.budget = budget
    options.loopCount = .forever
    options.size = PixelSize(width: 96, height: 64)
    // Players without commands keep a high priority, so that load shedding does not hide a lost wake-up.
    options.priority = isLeftAlone || chance(of: 2) ? .high : .low
    options.latePolicy = [.skip, .wait, .catchUp(max: 3)][Int.random(in: 0..<3, using: &random)]
    options.mode = PlaybackMode.allCases[Int.random(in: 0..<3, using: &random)]
    let seat = try Seat(
      source, options: options, clock: clock, pool: pool, isLeftAlone: isLeftAlone, loads: chance(of: 8))
    created += 1
    seat.player.play()
    return seat
  }

  private func command(_ place: Int) throws(GIFError) {
    let seat = seats[place]
    let player = seat.player
    commands += 1
    if seat.isLeftAlone {
      if seconds - seat.born > Self.lonelyLife { try replace(place) }
      return
    }
    let frame = Int.random(in: 0..<max(1, player.image.frameCount), using: &random)
    switch Int.random(in: 0..<20, using: &random) {
    case 0, 1: try replace(place)
    case 2: player.seek(toFrame: frame)
    case 3: player.seek(to: .milliseconds(Int64.random(in: 0...5_000, using: &random)))
    case 4: player.step(by: .random(in: -3...3, using: &random))
    case 5, 6: player.visibility = player.visibility == .visible ? .hidden : .visible
    case 7: player.rate = .random(in: 0.5...3, using: &random)
    case 8: player.mode = PlaybackMode.allCases[Int.random(in: 0..<3, using: &random)]
    case 9: player.setRange(chance(of: 2) ? nil : frame..<frame + 2)
    case 10: player.pause()
    case 11: player.priority = chance(of: 2) ? .low : .high
    case 12: scrub(player)
    case 13: player.restore(player.snapshot)
    case 14: player.preload(chance(of: 2) ? .none : .frames(12))
    case 15: group.add(player)
    case 16: group.remove(player)
    case 17: if chance(of: 2) { group.play() } else { group.pause() }
    case 18: player.restart()
    default: player.play()
    }
  }

  private func scrub(_ player: GIFPlayer) {
    player.beginScrubbing()
    for _ in 0..<5 { player.scrub(toFrame: .random(in: 0..<max(1, player.image.frameCount), using: &random)) }
    player.endScrubbing()
  }

  /// Replaces a player by another one, mostly of another image.
  private func replace(_ place: Int) throws(GIFError) {
    shownBefore += seats[place].shown
    seats[place] = try seat(isLeftAlone: seats[place].isLeftAlone)
  }

  private func chance(of count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }
}

/// Random numbers that a seed repeats (SplitMix64).
struct Dice: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
