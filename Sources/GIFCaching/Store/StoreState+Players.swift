internal import GIFDecoding
internal import GIFTimeline

// Players come, go and move: who needs which frames.

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

  /// Puts a changed player in its place, and keeps count of all players and of the frames that are needed next.
  private mutating func replace(_ id: StoreClient.ID, by client: StoreClient?) {
    clearedRank = nil
    if let old = clients[id] {
      tally.count(old, by: -1)
      if old.isServed { count(old.playhead, by: -1) }
    }
    if let client {
      tally.count(client, by: 1)
      if client.isServed { count(client.playhead, by: 1) }
    }
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
    if var client = clients[id] {
      client.setDurations(durations)
      replace(id, by: client)
    }
    clearedRank = nil
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
    let wandered = client.seeksBack
    let rate = client.playhead.rate
    if playhead.direction != .forward || client.jumps(to: playhead) { client.seeksBack = true }
    // Who goes on without asking for its picture does not have that one.
    if client.shown != playhead.frame { client.shown = nil }
    client.playhead = playhead
    client.isActive = true
    client.isPurged = false
    replace(id, by: client)
    defer { hasGrown = false }
    return tellsNeeds() || hasGrown || wasServed != client.isServed || wandered != client.seeksBack
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

  /// Stops decoding for a player until it moves again, and gives up what nobody needs, now or next, but the picture
  /// that each player shows: hidden ones keep theirs, too.
  mutating func purge(_ id: StoreClient.ID) {
    guard var client = clients[id] else { return }
    client.isPurged = true
    replace(id, by: client)
    _ = tellsNeeds()
    let current = client.playhead.frame
    for frame in hot.indices where hot[frame] != nil && frame != current {
      let isWanted = clients.values.contains { client in
        client.isServed
          ? client.playhead.distance(to: frame) != nil : client.isActive && client.playhead.frame == frame
      }
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
