// What is kept and what is given up.

extension StoreState {
  /// Takes a new plan and gives up what no longer fits.
  ///
  /// - Returns: whether that leaves anything to be decoded that was not before, for any player.
  @discardableResult
  mutating func apply(_ plan: TierPlan) -> Bool {
    let excess = hotCount + (inFlight == nil ? 0 : 1) - plan.hotFrames
    let isChange = plan != self.plan || shape.rendererBytes != rendererBytes || excess > 0
    self.plan = plan
    rendererBytes = shape.rendererBytes
    clearedRank = nil
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
    return isChange
  }

  mutating func rendererExists(_ exists: Bool, checkpointBytes: Int64) {
    hasRenderer = exists
    self.checkpointBytes = checkpointBytes
    note()
  }

  /// The picture that is needed last, of all players.
  func lastNeeded(among clients: [StoreClient]) -> (frame: Int, rank: Int)? {
    var last: (frame: Int, rank: Int)?
    for frame in hot.indices where hot[frame] != nil {
      let rank = rank(of: frame, among: clients)
      if rank > last?.rank ?? -1 { last = (frame, rank) }
    }
    return last
  }

  /// How soon anybody needs a frame: the smaller, the sooner.
  func rank(of frame: Int, among clients: [StoreClient]) -> Int {
    clients.reduce(Int.max) { min($0, $1.rank(of: frame)) }
  }

  mutating func drop(_ frame: Int) {
    hot[frame] = nil
    hotCount -= 1
    if warm[frame] != nil { totals.demotions += 1 } else { totals.evictions += 1 }
  }

  mutating func dropWarm(_ frame: Int) {
    // The thread that composes from these indices still has them.
    if lentPlane == frame { planesInUse += planeSizes[frame] }
    warm[frame] = nil
    warmCount -= 1
    warmBytes -= planeSizes[frame]
    planeSizes[frame] = 0
  }

  mutating func note() { totals.peakBytes = max(totals.peakBytes, heldBytes) }
}
