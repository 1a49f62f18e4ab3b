internal import GIFDecoding
internal import GIFTimeline

// What is decoded next, and what becomes of it.

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
    totals.askedPlayers += all.count
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
    totals.askedPlayers += clients.count
    var missing = clients.keys.compactMap { firstMissing(for: $0) }
    missing.sort { $0.isBefore($1) }
    if let pursued = missing.firstIndex(where: { $0.client == pursuit?.client && $0.isCurrent }) {
      missing.insert(missing.remove(at: pursued), at: 0)
    }
    guard let first = missing.first else { return nil }
    if hotCount < plan.hotFrames, clearedRank == nil || hotCount + 1 < plan.hotFrames { return first }
    let clients = Array(clients.values)
    func chosen(before rank: Int) -> Missing? {
      let frame = missing.lazy.map(\.frame).firstNeeded(before: rank) { self.rank(of: $0, among: clients) }
      return missing.first { $0.frame == frame }
    }
    if hotCount < plan.hotFrames { return clearedRank.flatMap { chosen(before: $0) } ?? first }
    guard let last = lastNeeded(among: clients), let chosen = chosen(before: last.rank) else {
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

extension Sequence<Int> {
  /// The first of these frames that is needed before the given rank. A frame's rank takes time in proportion to the
  /// number of players, and all of them may miss the same frame: it is asked for once for each frame.
  func firstNeeded(before limit: Int, rank: (Int) -> Int) -> Int? {
    var refused: Set<Int> = []
    return first { frame in
      guard refused.insert(frame).inserted else { return false }
      return rank(frame) < limit
    }
  }
}
