internal import GIFTimeline

/// What all players of a store need together.
struct PlayerNeeds: Sendable, Hashable {
  /// Players for which frames are decoded.
  var served = 0
  /// Players that only keep the frame that they showed last: they are hidden or have finished.
  var resting = 0
  /// Different frames that served players show or show next: players in step need no more than one does.
  var neededFrames = 0
  /// Frames ahead of each playhead, the next one included; at least 1.
  var readAhead = 1
  /// Whether any player goes backwards or jumps, so that kept canvases save decoding.
  var seeksBack = false
  /// The most urgent of all.
  var visibility = Visibility.hidden
}

/// Counts the players of a store by what they need.
///
/// It is kept up to date player by player: to look at all of them at each change would cost the square of
/// their number.
struct PlayerTally: Sendable {
  private var resting = 0
  private var seekingBack = 0
  private var visible = 0
  private var near = 0
  /// Served players by how many frames are decoded ahead of each.
  private var readAheads: [Int: Int] = [:]

  /// Enters a player as it is now, or takes it out as it was entered.
  mutating func count(_ player: StorePlayer, by change: Int) {
    guard player.isServed else {
      if player.isActive { resting += change }
      return
    }
    switch player.visibility {
    case .visible: visible += change
    case .near: near += change
    case .hidden: break
    }
    if player.seeksBack { seekingBack += change }
    let readAhead = player.readAhead
    let count = readAheads[readAhead, default: 0] + change
    readAheads[readAhead] = count == 0 ? nil : count
  }

  /// The needs of all players counted.
  func needs(neededFrames: Int) -> PlayerNeeds {
    PlayerNeeds(
      served: visible + near, resting: resting, neededFrames: neededFrames,
      readAhead: readAheads.keys.reduce(1, max), seeksBack: seekingBack > 0,
      visibility: visible > 0 ? .visible : near > 0 ? .near : .hidden)
  }
}

/// Counts the different frames that served players show or show next.
struct NeededFrames: Sendable {
  /// For each frame, how many players need it.
  private var players: [Int]
  private var count = 0
  /// The number that the budget has been given last.
  private(set) var reported: Int

  init(frameCount: Int, reported: Int = 2) {
    players = Array(repeating: 0, count: frameCount)
    self.reported = reported
  }

  /// Enters the current and the next frame of a player, or takes them out.
  mutating func count(_ playhead: Playhead, by change: Int) {
    playhead.forEachUpcoming(2) { frame in
      guard players.indices.contains(frame) else { return true }
      if players[frame] == 0, change > 0 { count += 1 }
      players[frame] += change
      if players[frame] == 0, change < 0 { count -= 1 }
      return true
    }
  }

  /// Whether the number has changed enough for the budget to be asked again: growth counts at once, a decline
  /// in larger steps, since players in step are never quite.
  mutating func report() -> Bool {
    guard count > reported || count * 2 + 2 < reported else { return false }
    reported = max(2, count + count / 2)
    return true
  }
}
