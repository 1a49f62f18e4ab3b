/// What a store holds and does next: a pure state machine; pictures and palette indices are opaque to it.
///
/// One animation, any number of players, each with its own playhead. Pictures are decoded in the order in which
/// anybody needs them; room is made before a picture exists, so the bytes held never pass what was granted.
struct StoreState<Picture: Sendable, Plane: Sendable>: Sendable {
  let shape: StoreShape
  private(set) var clients: [StoreClient.ID: StoreClient] = [:]
  private(set) var hot: [Picture?]
  private(set) var hotCount = 0
  private(set) var warm: [Plane?]
  private(set) var warmBytes: Int64 = 0
  private(set) var warmCount = 0
  private var planeSizes: [Int64]
  /// How many served players show each frame or show it next, and how many frames that are.
  private var needs: [Int]
  private var neededFrames = 0
  /// What the budget was told last of ``neededFrames``.
  private var toldNeeded = 2
  private(set) var plan = TierPlan.nothing
  /// The frame being decoded, whose room is taken already.
  private(set) var inFlight: Int?
  /// Whether a renderer exists, with its canvas.
  private(set) var hasRenderer = false
  private(set) var checkpointBytes: Int64 = 0
  private(set) var totals = StoreTotals()
  private var isFailed = false
  private var nextClient = 0
  /// What the pool has in its queue for this store: only the newest entry counts.
  private var queued: PoolTurn?
  private var lastTicket = 0

  init(shape: StoreShape) {
    self.shape = shape
    hot = Array(repeating: nil, count: shape.frameCount)
    warm = Array(repeating: nil, count: shape.frameCount)
    planeSizes = Array(repeating: 0, count: shape.frameCount)
    needs = Array(repeating: 0, count: shape.frameCount)
  }

  /// Bytes of everything held: pictures, the room for the one being decoded, indices, canvases and the renderer.
  var heldBytes: Int64 {
    Int64(hotCount + (inFlight == nil ? 0 : 1)) * shape.frameBytes + warmBytes + checkpointBytes
      + (hasRenderer ? shape.rendererBytes : 0)
  }

  var audience: StoreAudience {
    var audience = StoreAudience()
    audience.needed = toldNeeded
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

  mutating func remove(_ id: StoreClient.ID) { replace(id, by: nil) }

  /// Puts a changed player in its place, and keeps count of the frames that are needed next.
  private mutating func replace(_ id: StoreClient.ID, by client: StoreClient?) {
    if let old = clients[id], old.isServed { count(old.playhead, by: -1) }
    if let client, client.isServed { count(client.playhead, by: 1) }
    clients[id] = client
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
    let wasServed = client.isServed
    let wandered = client.wandersBack
    let rate = client.playhead.rate
    if playhead.direction != .forward || client.jumps(to: playhead) { client.wandersBack = true }
    if !client.isActive || client.playhead.frame != playhead.frame { client.waitingSince = playhead.saidAt }
    client.playhead = playhead
    client.isActive = true
    client.isPurged = false
    replace(id, by: client)
    return tellsNeeds() || wasServed != client.isServed || wandered != client.wandersBack
      || rate != playhead.rate
  }

  mutating func setVisibility(_ visibility: Visibility, of id: StoreClient.ID) -> Bool {
    guard var client = clients[id], client.visibility != visibility else { return false }
    client.visibility = visibility
    replace(id, by: client)
    _ = tellsNeeds()
    return true
  }

  mutating func setHearsAll(_ hearsAll: Bool, of id: StoreClient.ID) { clients[id]?.hearsAll = hearsAll }

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
    } else if clients[id]?.awaited != index {
      clients[id]?.awaited = index
      clients[id]?.statistics.misses += 1
    }
    return picture
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
    while hotCount + (inFlight == nil ? 0 : 1) > plan.hotFrames, let victim = victim(sparing: nil) {
      drop(victim)
    }
    for frame in warm.indices.reversed() where warmBytes > plan.warmBytes && warm[frame] != nil {
      dropWarm(frame)
    }
    note()
  }

  mutating func rendererExists(_ exists: Bool, checkpointBytes: Int64) {
    hasRenderer = exists
    self.checkpointBytes = checkpointBytes
    note()
  }

  /// The picture that playback comes to last, of all players; nil where only needed ones are left.
  ///
  /// - Parameter frame: a frame to be decoded: what is needed before it, or as soon, stays.
  private func victim(sparing frame: Int?) -> Int? {
    let served = clients.values.filter(\.isActive)
    var best: (frame: Int, distance: Int)?
    for candidate in hot.indices where hot[candidate] != nil {
      let distance = distance(to: candidate, from: served)
      if distance > best?.distance ?? -1 { best = (candidate, distance) }
    }
    guard let best else { return nil }
    if let frame, best.distance <= distance(to: frame, from: served) { return nil }
    return best.frame
  }

  /// How many frames pass until anybody shows a frame next.
  private func distance(to frame: Int, from clients: [StoreClient]) -> Int {
    var nearest = Int.max
    for client in clients {
      guard let distance = client.playhead.distance(to: frame) else { continue }
      // Who is hidden goes nowhere: only the picture shown last is of use.
      if distance < nearest, client.visibility != .hidden || distance == 0 { nearest = distance }
    }
    return nearest
  }

  private mutating func drop(_ frame: Int) {
    hot[frame] = nil
    hotCount -= 1
    if warm[frame] != nil { totals.demotions += 1 } else { totals.evictions += 1 }
  }

  private mutating func dropWarm(_ frame: Int) {
    warm[frame] = nil
    warmCount -= 1
    warmBytes -= planeSizes[frame]
    planeSizes[frame] = 0
  }

  private mutating func note() { totals.peakBytes = max(totals.peakBytes, heldBytes) }
}

// MARK: - Decoding

extension StoreState {
  /// The most urgent picture that is missing, and when it is needed.
  private func nextMissing() -> (frame: Int, urgency: Int64)? {
    guard !isFailed, shape.frameCount > 0 else { return nil }
    var best: (frame: Int, urgency: Int64)?
    for client in clients.values where client.isServed {
      guard let found = firstMissing(for: client) else { continue }
      let isBetter = best.map { (found.urgency, found.frame) < ($0.urgency, $0.frame) } ?? true
      if isBetter { best = found }
    }
    return best
  }

  private func firstMissing(for client: StoreClient) -> (frame: Int, urgency: Int64)? {
    // What cannot be held together is not worth decoding.
    let room = max(2, plan.hotFrames)
    let ahead = max(client.readAhead, client.preload(frameCount: shape.frameCount))
    var found: (frame: Int, urgency: Int64)?
    var place = 0
    var delays: Int64 = 0
    client.playhead.forEachUpcoming(min(room, shape.frameCount, 1 + ahead)) { frame in
      guard hot.indices.contains(frame) else { return false }
      if hot[frame] == nil, frame != inFlight {
        var urgency = client.urgency(place: place, delaysBefore: delays)
        // Beyond the read-ahead, and for who is only near, there is time.
        if place > client.readAhead { urgency = StoreClient.idle + Int64(place) }
        if client.visibility == .near { urgency = max(urgency, StoreClient.idle / 2 + Int64(place)) }
        found = (frame, urgency)
        return false
      }
      if place > 0, client.durations.indices.contains(frame) { delays += client.durations[frame] }
      place += 1
      return true
    }
    return found
  }

  /// The entry that the pool's queue needs, if it has none as urgent.
  mutating func turnToQueue() -> PoolTurn? {
    guard inFlight == nil, let next = nextMissing() else { return nil }
    if let queued, queued.urgency <= next.urgency { return nil }
    lastTicket += 1
    let turn = PoolTurn(urgency: next.urgency, ticket: lastTicket)
    queued = turn
    return turn
  }

  /// Chooses the frame to work on and makes room for its picture before it exists. Nil: there is nothing to do, or
  /// another thread does it.
  ///
  /// - Returns: the frame, and the picture that was given up last to make room, if any.
  mutating func beginDecoding(ticket: Int) -> (frame: Int, spare: Picture?)? {
    guard queued?.ticket == ticket, inFlight == nil else { return nil }
    queued = nil
    guard let (frame, _) = nextMissing() else { return nil }
    var spare: Picture?
    while hotCount + 1 > plan.hotFrames {
      guard let victim = victim(sparing: frame) else {
        // Everything held is needed sooner.
        if hotCount + 1 > max(2, plan.hotFrames) { return nil }
        break
      }
      spare = hot[victim]
      drop(victim)
    }
    inFlight = frame
    note()
    return (frame, spare)
  }

  /// The palette indices of a frame, if they are kept.
  func plane(of frame: Int) -> Plane? { warm[frame] }

  /// Whether the palette indices of a frame are worth keeping now.
  func keepsPlane(of frame: Int, bytes: Int64) -> Bool {
    warm[frame] == nil && bytes > 0 && warmBytes + bytes <= plan.warmBytes
  }

  mutating func insert(_ plane: Plane, of frame: Int, bytes: Int64) {
    guard keepsPlane(of: frame, bytes: bytes) else { return }
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
  mutating func endDecoding(_ picture: Picture?) -> [StoreClient.ID] {
    guard let frame = inFlight else { return [] }
    inFlight = nil
    guard let picture else { return [] }
    // The plan may have shrunk meanwhile.
    while hotCount + 1 > max(plan.hotFrames, 1), let victim = victim(sparing: frame) { drop(victim) }
    totals.composedFrames += 1
    guard hotCount + 1 <= max(plan.hotFrames, 1) else {
      totals.evictions += 1
      return []
    }
    hot[frame] = picture
    hotCount += 1
    note()
    return clients.filter { $0.value.awaited != nil || $0.value.hearsAll }.map(\.key).sorted()
  }

  /// Gives up: no picture can be made. Returns all players.
  mutating func fail() -> [StoreClient.ID] {
    inFlight = nil
    isFailed = true
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
