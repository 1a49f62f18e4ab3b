internal import GIFDecoding

/// What a store holds and does next: a pure state machine; pictures and palette indices are opaque to it.
///
/// One animation, any number of players, each with its own playhead. Pictures are decoded in the order in which
/// anybody needs them; room is made before a picture exists, so the bytes held never pass what was granted.
struct StoreState<Picture: Sendable, Plane: Sendable>: Sendable {
  private(set) var shape: StoreShape
  private(set) var clients: [StoreClient.ID: StoreClient] = [:]
  private(set) var hot: [Picture?]
  private(set) var hotCount = 0
  private(set) var warm: [Plane?]
  private(set) var warmBytes: Int64 = 0
  private(set) var warmCount = 0
  private var planeSizes: [Int64]
  /// Bytes of palette indices that are not in ``warm`` yet, or no longer, but still in use by the decoding thread.
  private var planesInUse: Int64 = 0
  private var lentPlane: Int?
  /// How many served players show each frame or show it next, and how many frames that are.
  private var needs: [Int]
  private var neededFrames = 0
  /// What the budget was told last of ``neededFrames``.
  private var toldNeeded = 2
  private(set) var plan = TierPlan.nothing
  /// A picture given up, on its way to the thread that decodes.
  private var spare: Picture?
  /// The frame being decoded, whose room is taken already.
  private(set) var inFlight: Int?
  /// Whether a renderer exists, with its canvas.
  private(set) var hasRenderer = false
  private(set) var checkpointBytes: Int64 = 0
  private(set) var totals = StoreTotals()
  /// Why no picture can be made; the same for all players, and for good.
  private(set) var failure: GIFError?
  private var nextClient = 0
  /// What the pool has in its queue for this store: only the newest entry counts.
  private var queued: PoolTurn?
  private var lastTicket = 0
  /// Whether something was not decoded for want of room, so that any player's move may change that.
  private var lacksRoom = false
  /// The player whose picture is on its way, and where that is overdue, the frame that was aimed at first.
  private var pursuit: (client: StoreClient.ID, overdue: Int?)?
  /// How soon the picture was needed that was dropped for the one on its way: what is needed no sooner must not take
  /// its place, or the two would drop each other for ever.
  private var clearedRank: Int?
  /// What a renderer takes, as the plan in force reckons.
  private var rendererBytes: Int64
  /// Whether the image has grown since the budget was asked last.
  private var hasGrown = false
  /// The frame that has come to be another while something was being decoded.
  private var outdated: Int?

  init(shape: StoreShape) {
    self.shape = shape
    rendererBytes = shape.rendererBytes
    hot = Array(repeating: nil, count: shape.frameCount)
    warm = Array(repeating: nil, count: shape.frameCount)
    planeSizes = Array(repeating: 0, count: shape.frameCount)
    needs = Array(repeating: 0, count: shape.frameCount)
  }

  /// Bytes of everything held: pictures, indices, canvases, the renderer, and the room of what is being decoded.
  var heldBytes: Int64 {
    Int64(hotCount + (inFlight == nil ? 0 : 1)) * shape.frameBytes + warmBytes + planesInUse
      + checkpointBytes
      + (hasRenderer ? rendererBytes : 0)
  }

  var audience: StoreAudience {
    var audience = StoreAudience()
    audience.needed = toldNeeded
    guard failure == nil else { return audience }
    for client in clients.values {
      if client.isServed {
        audience.active += 1
        audience.readAhead = max(audience.readAhead, client.readAhead)
        audience.wandersBack = audience.wandersBack || client.wandersBack
        audience.visibility = max(audience.visibility, client.visibility)
      } else if client.isActive {
        audience.hidden += 1
      }
    }
    return audience
  }
}

/// What a store has done since it was made.
struct StoreTotals: Sendable, Hashable {
  var decodedFrames = 0
  var composedFrames = 0
  var demotions = 0
  var evictions = 0
  var peakBytes: Int64 = 0
}

// MARK: - Players

extension StoreState {
  mutating func add(_ client: StoreClient) -> StoreClient.ID {
    nextClient += 1
    clients[nextClient] = client
    return nextClient
  }

  mutating func remove(_ id: StoreClient.ID) {
    replace(id, by: nil)
    _ = tellsNeeds()
  }

  /// Puts a changed player in its place, and keeps count of the frames that are needed next.
  private mutating func replace(_ id: StoreClient.ID, by client: StoreClient?) {
    clearedRank = nil
    if let old = clients[id], old.isServed { count(old.playhead, by: -1) }
    if let client, client.isServed { count(client.playhead, by: 1) }
    clients[id] = client
  }

  /// Goes on with an image of which the one so far is the beginning. What is held stays, and what is being decoded
  /// counts; only what was made of a frame that was not whole is given up.
  ///
  /// - Parameters:
  ///   - changed: the last frame so far, where it is another one now.
  ///   - durations: how long each frame lasts, in nanoseconds, for the player whose image grows.
  mutating func grow(
    to shape: StoreShape, changed: Int?, durations: [Int64], of id: StoreClient.ID
  ) {
    let served = clients.values.filter(\.isServed)
    for client in served { count(client.playhead, by: -1) }
    let added = max(0, shape.frameCount - hot.count)
    hot += Array(repeating: nil, count: added)
    warm += Array(repeating: nil, count: added)
    planeSizes += Array(repeating: 0, count: added)
    needs += Array(repeating: 0, count: added)
    for client in served { count(client.playhead, by: 1) }
    self.shape = shape
    hasGrown = true
    clearedRank = nil
    clients[id]?.setDurations(durations)
    guard let changed, hot.indices.contains(changed) else { return }
    if inFlight != nil { outdated = changed }
    if hot[changed] != nil { drop(changed) }
    if warm[changed] != nil { dropWarm(changed) }
    for (id, client) in clients where client.shown == changed { clients[id]?.shown = nil }
  }

  private mutating func count(_ playhead: Playhead, by change: Int) {
    playhead.forEachUpcoming(2) { frame in
      guard needs.indices.contains(frame) else { return true }
      if needs[frame] == 0, change > 0 { neededFrames += 1 }
      needs[frame] += change
      if needs[frame] == 0, change < 0 { neededFrames -= 1 }
      return true
    }
  }

  /// Whether the number of needed frames has changed enough to tell the budget: at once when it grows, in larger steps
  /// when it shrinks, since players in step are never quite.
  private mutating func tellsNeeds() -> Bool {
    guard neededFrames > toldNeeded || neededFrames * 2 + 2 < toldNeeded else { return false }
    toldNeeded = max(2, neededFrames + neededFrames / 2)
    return true
  }

  /// Takes a newer playhead of a player.
  ///
  /// - Returns: whether the audience has changed, so that the budget has to be asked again.
  mutating func move(_ id: StoreClient.ID, to playhead: Playhead, request: Int) -> Bool {
    guard var client = clients[id], request > client.newestRequest else { return false }
    client.newestRequest = request
    var playhead = playhead
    playhead.range = playhead.range.clamped(to: 0..<shape.frameCount)
    let wasServed = client.isServed
    let wandered = client.wandersBack
    let rate = client.playhead.rate
    if playhead.direction != .forward || client.jumps(to: playhead) { client.wandersBack = true }
    // Who goes on without asking for its picture does not have that one.
    if client.shown != playhead.frame { client.shown = nil }
    client.playhead = playhead
    client.isActive = true
    client.isPurged = false
    replace(id, by: client)
    defer { hasGrown = false }
    return tellsNeeds() || hasGrown || wasServed != client.isServed || wandered != client.wandersBack
      || rate != playhead.rate
  }

  mutating func setVisibility(_ visibility: Visibility, of id: StoreClient.ID) -> Bool {
    guard var client = clients[id], client.visibility != visibility else { return false }
    client.visibility = visibility
    replace(id, by: client)
    _ = tellsNeeds()
    return true
  }

  mutating func setPreload(_ preload: CachePolicy.Preload, of id: StoreClient.ID) {
    clients[id]?.policy.preload = preload
  }

  /// Stops decoding for a player until it moves again, and gives up what nobody else needs but its current picture.
  mutating func purge(_ id: StoreClient.ID) {
    guard var client = clients[id] else { return }
    client.isPurged = true
    replace(id, by: client)
    _ = tellsNeeds()
    let current = client.playhead.frame
    for frame in hot.indices where hot[frame] != nil && frame != current {
      let isWanted = clients.values.contains { $0.isServed && $0.playhead.distance(to: frame) != nil }
      if !isWanted { drop(frame) }
    }
  }

  mutating func lookUp(_ index: Int, for id: StoreClient.ID) -> Picture? {
    let picture = hot.indices.contains(index) ? hot[index] : nil
    if picture != nil {
      clients[id]?.statistics.hits += 1
      clients[id]?.awaited = nil
      clients[id]?.shown = index
      return picture
    }
    if clients[id]?.shown == index { clients[id]?.shown = nil }
    if clients[id]?.awaited != index {
      clients[id]?.awaited = index
      clients[id]?.statistics.misses += 1
    }
    return nil
  }

  func statistics(of id: StoreClient.ID) -> CacheStatistics {
    var statistics = clients[id]?.statistics ?? CacheStatistics()
    statistics.decodedFrames = totals.decodedFrames
    statistics.composedFrames = totals.composedFrames
    statistics.demotions = totals.demotions
    statistics.evictions = totals.evictions
    statistics.residentFrames = hotCount
    statistics.warmFrames = warmCount
    statistics.residentBytes = Int(heldBytes)
    statistics.peakBytes = Int(totals.peakBytes)
    return statistics
  }
}

// MARK: - Memory

extension StoreState {
  /// Takes a new plan and gives up what no longer fits.
  mutating func apply(_ plan: TierPlan) {
    self.plan = plan
    rendererBytes = shape.rendererBytes
    clearedRank = nil
    let excess = hotCount + (inFlight == nil ? 0 : 1) - plan.hotFrames
    if excess > 0 {
      let clients = Array(clients.values)
      let ranked = hot.indices.filter { hot[$0] != nil }.map {
        (rank: rank(of: $0, among: clients), frame: $0)
      }
      let latestFirst = ranked.sorted { ($1.rank, $0.frame) < ($0.rank, $1.frame) }
      for victim in latestFirst.prefix(excess) { drop(victim.frame) }
    }
    if warmBytes > plan.warmBytes {
      for frame in warm.indices.reversed() where warmBytes > plan.warmBytes && warm[frame] != nil {
        dropWarm(frame)
      }
    }
    note()
  }

  mutating func rendererExists(_ exists: Bool, checkpointBytes: Int64) {
    hasRenderer = exists
    self.checkpointBytes = checkpointBytes
    note()
  }

  /// The picture that is needed last, of all players.
  private func lastNeeded(among clients: [StoreClient]) -> (frame: Int, rank: Int)? {
    var last: (frame: Int, rank: Int)?
    for frame in hot.indices where hot[frame] != nil {
      let rank = rank(of: frame, among: clients)
      if rank > last?.rank ?? -1 { last = (frame, rank) }
    }
    return last
  }

  /// How soon anybody needs a frame: the smaller, the sooner.
  private func rank(of frame: Int, among clients: [StoreClient]) -> Int {
    clients.reduce(Int.max) { min($0, $1.rank(of: frame)) }
  }

  private mutating func drop(_ frame: Int) {
    hot[frame] = nil
    hotCount -= 1
    if warm[frame] != nil { totals.demotions += 1 } else { totals.evictions += 1 }
  }

  private mutating func dropWarm(_ frame: Int) {
    // The thread that composes from these indices still has them.
    if lentPlane == frame { planesInUse += planeSizes[frame] }
    warm[frame] = nil
    warmCount -= 1
    warmBytes -= planeSizes[frame]
    planeSizes[frame] = 0
  }

  private mutating func note() { totals.peakBytes = max(totals.peakBytes, heldBytes) }
}

// MARK: - Decoding

extension StoreState {
  /// A picture that is missing.
  private struct Missing {
    let client: StoreClient.ID
    let frame: Int
    /// When it is needed.
    let urgency: Int64
    /// Whether the player shows nothing newer meanwhile.
    let isCurrent: Bool

    func isBefore(_ other: Missing) -> Bool {
      (urgency, frame, client) < (other.urgency, other.frame, other.client)
    }
  }

  /// The first picture that a player misses.
  private func firstMissing(for id: StoreClient.ID) -> Missing? {
    guard failure == nil, plan.decodes, let client = clients[id], client.isServed else { return nil }
    // Larger frames have come: first the budget has to know what decoding them takes.
    guard shape.rendererBytes <= rendererBytes else { return nil }
    // What cannot be held together is not worth decoding.
    let room = max(2, plan.hotFrames)
    let readAhead = client.readAhead
    let ahead = max(readAhead, client.preload(frameCount: shape.frameCount))
    var found: Missing?
    var place = 0
    var delays: Int64 = 0
    client.playhead.forEachUpcoming(min(room, shape.frameCount, 1 + ahead)) { frame in
      guard hot.indices.contains(frame) else { return false }
      let isNeeded = place > 0 || !client.hasCurrent
      if isNeeded, hot[frame] == nil, frame != inFlight {
        var urgency = client.urgency(place: place, delaysBefore: delays)
        // Beyond the read-ahead, and for who is only near, there is time.
        if place > readAhead { urgency = StoreClient.idle + Int64(place) }
        if client.visibility == .near { urgency = max(urgency, StoreClient.idle / 2 + Int64(place)) }
        found = Missing(client: id, frame: frame, urgency: urgency, isCurrent: place == 0)
        return false
      }
      if place > 0, client.durations.indices.contains(frame) { delays += client.durations[frame] }
      place += 1
      return true
    }
    return found
  }

  /// The entry that the pool's queue needs, if it has none as urgent.
  ///
  /// - Parameter id: the only player that has changed; nil where anything may have.
  mutating func turnToQueue(for id: StoreClient.ID? = nil) -> PoolTurn? {
    guard inFlight == nil else { return nil }
    let all = id.map { lacksRoom ? Array(clients.keys) : [$0] } ?? Array(clients.keys)
    guard let urgency = all.compactMap({ firstMissing(for: $0)?.urgency }).min() else { return nil }
    if let queued, queued.urgency <= urgency { return nil }
    lastTicket += 1
    let turn = PoolTurn(urgency: urgency, ticket: lastTicket)
    queued = turn
    return turn
  }

  /// Whether a ticket is that of the newest entry.
  func awaits(_ ticket: Int) -> Bool { queued?.ticket == ticket }

  /// What to work on, and which other picture is welcome on the way.
  struct Job: Sendable, Hashable {
    var frame: Int
    var onTheWay: Int?
    /// The player for whom it is done.
    var client: StoreClient.ID
  }

  /// Chooses the frame to work on and takes the room for all that the step may need before any of it exists. Nil:
  /// there is nothing to do, or another thread does it.
  mutating func beginDecoding(ticket: Int) -> Job? {
    guard queued?.ticket == ticket, inFlight == nil else { return nil }
    queued = nil
    lacksRoom = false
    guard let missing = choose() else { return nil }
    inFlight = missing.frame
    hasRenderer = true
    checkpointBytes = max(checkpointBytes, plan.checkpointBytes)
    // A player whose decoder is slow moves on while its picture is on the way. What was aimed at first is shown in
    // passing, so that something is.
    let aim = pursuit?.client == missing.client ? pursuit?.overdue : nil
    pursuit = (missing.client, missing.isCurrent ? aim ?? missing.frame : nil)
    note()
    return Job(frame: missing.frame, onTheWay: pursuit?.overdue, client: missing.client)
  }

  /// The picture that was given up to make room for the one being decoded, whose memory serves for that.
  mutating func takeSpare() -> Picture? { spare.take() }

  /// The most urgent picture for which there is room, or which is needed before one that is held: that one goes.
  ///
  /// The way to an overdue picture is finished first, or two players far apart would undo each other's for ever.
  private mutating func choose() -> Missing? {
    var missing = clients.keys.compactMap { firstMissing(for: $0) }
    missing.sort { $0.isBefore($1) }
    if let pursued = missing.firstIndex(where: { $0.client == pursuit?.client && $0.isCurrent }) {
      missing.insert(missing.remove(at: pursued), at: 0)
    }
    guard let first = missing.first else { return nil }
    let clients = Array(clients.values)
    if hotCount < plan.hotFrames {
      guard let clearedRank, hotCount + 1 == plan.hotFrames else { return first }
      return missing.first { rank(of: $0.frame, among: clients) < clearedRank } ?? first
    }
    guard let last = lastNeeded(among: clients),
      let chosen = missing.first(where: { rank(of: $0.frame, among: clients) < last.rank })
    else {
      lacksRoom = true
      return nil
    }
    spare = hot[last.frame]
    drop(last.frame)
    clearedRank = last.rank
    return chosen
  }

  /// Lends the palette indices of a frame to the thread that decodes, if they are kept.
  mutating func lendPlane(of frame: Int) -> Plane? {
    lentPlane = frame
    return warm[frame]
  }

  /// Whether the palette indices of a frame are worth keeping now.
  private func keepsPlane(of frame: Int, bytes: Int64) -> Bool {
    warm[frame] == nil && bytes > 0 && warmBytes + planesInUse + bytes <= plan.warmBytes
  }

  /// Takes the room for the palette indices of a frame, if they are worth keeping.
  mutating func reservePlane(of frame: Int, bytes: Int64) -> Bool {
    guard keepsPlane(of: frame, bytes: bytes) else { return false }
    planesInUse += bytes
    note()
    return true
  }

  /// Keeps palette indices for which room was taken, unless there is less by now.
  mutating func insert(_ plane: Plane, of frame: Int, bytes: Int64) {
    planesInUse -= bytes
    guard frame != outdated, keepsPlane(of: frame, bytes: bytes) else { return }
    warm[frame] = plane
    planeSizes[frame] = bytes
    warmBytes += bytes
    warmCount += 1
    note()
  }

  mutating func countDecoded(_ frames: Int) { totals.decodedFrames += frames }

  /// Ends a turn. A picture that was finished is entered; nil: only a step towards it was made.
  ///
  /// - Returns: the players to tell.
  mutating func endDecoding(_ made: (frame: Int, picture: Picture)?) -> [StoreClient.ID] {
    guard let target = inFlight else { return [] }
    inFlight = nil
    planesInUse = 0
    lentPlane = nil
    defer { outdated = nil }
    guard let (frame, picture) = made, frame != outdated else { return [] }
    if frame == target { pursuit = nil } else { pursuit?.overdue = target }
    clearedRank = nil
    totals.composedFrames += 1
    // Its room was taken before; only where the plan has shrunk to nothing meanwhile it is gone.
    guard hotCount < plan.hotFrames, hot[frame] == nil else {
      totals.evictions += 1
      return []
    }
    hot[frame] = picture
    hotCount += 1
    note()
    return clients.filter { $0.value.awaited != nil }.map(\.key).sorted()
  }

  /// Gives up: no picture can be made. Returns all players.
  mutating func fail(_ error: GIFError) -> [StoreClient.ID] {
    _ = endDecoding(nil)
    failure = error
    return clients.keys.sorted()
  }
}

/// An entry in the pool's queue.
struct PoolTurn: Sendable, Hashable {
  /// When the picture is needed, in nanoseconds of the players' clock.
  var urgency: Int64
  /// Tells the newest entry of a client from older ones.
  var ticket: Int
}
