internal import GIFDecoding
internal import GIFTimeline

/// The players of a store: where each stands, and what all of them need.
struct StorePlayers: Sendable {
  private var players: [StorePlayer.ID: StorePlayer] = [:]
  private var tally = PlayerTally()
  private var needed: NeededFrames
  private var lastID = 0

  init(frameCount: Int) { needed = NeededFrames(frameCount: frameCount) }

  var count: Int { players.count }

  /// All players, in the order in which they came.
  var ids: [StorePlayer.ID] { players.keys.sorted() }

  /// The players that wait for a frame, in the order in which they came.
  var waiting: [StorePlayer.ID] { players.filter(\.value.isWaiting).map(\.key).sorted() }

  /// The frames at which players stand, in order.
  var playheads: [Int] { players.values.filter(\.isActive).map(\.playhead.frame).sorted() }

  var needs: PlayerNeeds { tally.needs(neededFrames: needed.reported) }

  /// Lookups of a player that found their frame, and frames that it looked for in vain.
  func lookups(of id: StorePlayer.ID) -> (hits: Int, misses: Int) {
    players[id].map { ($0.hits, $0.misses) } ?? (0, 0)
  }

  // MARK: Commands

  mutating func add(_ player: StorePlayer) -> StorePlayer.ID {
    lastID += 1
    players[lastID] = player
    return lastID
  }

  /// Adds a player that has moved already.
  mutating func adopt(_ player: StorePlayer) -> StorePlayer.ID {
    lastID += 1
    replace(lastID, by: player)
    _ = needed.report()
    return lastID
  }

  subscript(id: StorePlayer.ID) -> StorePlayer? { players[id] }

  mutating func remove(_ id: StorePlayer.ID) {
    replace(id, by: nil)
    _ = needed.report()
  }

  /// Takes a newer playhead of a player.
  ///
  /// - Returns: whether all players together need more or less than before; nil where the request was too
  ///   old.
  mutating func move(_ id: StorePlayer.ID, to playhead: Playhead, request: Int) -> Bool? {
    guard var player = players[id] else { return nil }
    let before = player.demand
    guard player.move(to: playhead, request: request) else { return nil }
    replace(id, by: player)
    return needed.report() || before != player.demand
  }

  mutating func setPreload(_ preload: CachePolicy.Preload, of id: StorePlayer.ID) {
    players[id]?.setPreload(preload)
  }

  mutating func found(_ frame: Int, by id: StorePlayer.ID) { players[id]?.found(frame) }

  mutating func missed(_ frame: Int, by id: StorePlayer.ID) { players[id]?.missed(frame) }

  /// Puts a changed player in its place, and keeps the counts right.
  private mutating func replace(_ id: StorePlayer.ID, by player: StorePlayer?) {
    if let old = players[id] {
      tally.count(old, by: -1)
      if old.isServed { needed.count(old.playhead, by: -1) }
    }
    if let player {
      tally.count(player, by: 1)
      if player.isServed { needed.count(player.playhead, by: 1) }
    }
    players[id] = player
  }

  // MARK: Images that load

  /// Goes on with an image that has grown.
  ///
  /// - Parameters:
  ///   - durations: of all its frames, for the player whose image grows.
  ///   - changed: the last frame so far, where it was replaced.
  mutating func grow(_ durations: [Int64], of id: StorePlayer.ID, frameCount: Int, changed: Int?) {
    if var player = players[id] {
      player.grow(durations)
      replace(id, by: player)
    }
    recount(frameCount: frameCount)
    if let changed {
      for id in players.keys { players[id]?.forget(changed) }
    }
  }

  /// Goes over to another image, with its durations.
  mutating func replaceImage(_ durations: [Int64]) {
    for id in players.keys {
      guard var player = players[id] else { continue }
      player.replaceImage(durations)
      replace(id, by: player)
    }
    recount(frameCount: durations.count)
  }

  private mutating func recount(frameCount: Int) {
    needed = NeededFrames(frameCount: frameCount, reported: needed.reported)
    for player in players.values where player.isServed { needed.count(player.playhead, by: 1) }
  }

  // MARK: What is missing

  /// The players in the form that ranking many frames takes.
  var ranking: FrameRanking { FrameRanking(players.values) }

  /// The first frame that a player needs and that is not there; see
  /// ``StorePlayer/firstMissing(as:room:isThere:)``.
  func firstMissing(for id: StorePlayer.ID, room: Int, isThere: (Int) -> Bool) -> MissingFrame? {
    players[id]?.firstMissing(as: id, room: room, isThere: isThere)
  }

  /// The first missing frame of each player that has one, the most urgent first.
  func missing(room: Int, isThere: (Int) -> Bool) -> [MissingFrame] {
    var missing = players.compactMap { $1.firstMissing(as: $0, room: room, isThere: isThere) }
    missing.sort { $0.isBefore($1) }
    return missing
  }

  /// When the most urgent of all missing frames is needed.
  func urgency(room: Int, isThere: (Int) -> Bool) -> Int64? {
    var first: Int64?
    for (id, player) in players {
      guard let missing = player.firstMissing(as: id, room: room, isThere: isThere) else { continue }
      first = min(first ?? .max, missing.urgency)
    }
    return first
  }
}
