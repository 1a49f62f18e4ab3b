internal import GIFDecoding
internal import GIFTimeline

/// What a store holds and does next.
///
/// It puts three values together: the ``HeldFrames``, the ``StorePlayers`` and the ``DecodeTurns``. Frames
/// are decoded in the order in which players need them. Room is made before a frame exists, so the bytes held
/// never pass what was granted.
struct StoreState<Hot: Sendable, Warm: Sendable>: Sendable {
  private(set) var costs: DecodingCosts
  private(set) var held: HeldFrames<Hot, Warm>
  private(set) var players: StorePlayers
  private(set) var turns: DecodeTurns
  private var plan = TierPlan.nothing
  /// What a renderer takes, as the plan in force reckons.
  private var plannedRendererBytes: Int64
  /// Whether all frames of the image are known.
  private var isComplete: Bool
  /// Whether the image has grown since the budget was asked last.
  private var hasGrown = false
  /// Counts the images that have taken each other's place.
  private(set) var era = 0
  /// Counts the demands made of the budget, by which the newest grant is known.
  private var demandSerial = 0
  private var grantSerial = 0
  /// What the renderer takes while it is packed; nil where it does not.
  private var packedBytes: Int64?
  /// Whether the renderer has given up too little since the budget was asked last.
  private var packsInVain = false
  /// Times that a player was examined for what it misses.
  private(set) var examinedPlayers = 0

  init(costs: DecodingCosts, isComplete: Bool = true) {
    self.costs = costs
    self.isComplete = isComplete
    // Limits come before room: a canvas that they refuse takes none.
    turns = DecodeTurns(refusal: costs.refusal)
    plannedRendererBytes = costs.rendererBytes
    held = HeldFrames(frameCount: costs.frameCount, frameBytes: costs.frameBytes)
    players = StorePlayers(frameCount: costs.frameCount)
  }

  // MARK: Players

  mutating func add(_ player: StorePlayer) -> StorePlayer.ID { players.add(player) }

  /// Takes a player over that has moved in another store of the same content.
  mutating func adopt(_ player: StorePlayer) -> StorePlayer.ID { players.adopt(player) }

  mutating func remove(_ id: StorePlayer.ID) {
    players.remove(id)
    turns.orderChanged()
  }

  /// The finished frame, if it is here. Counts a hit, or a miss once for each frame.
  mutating func lookUp(_ index: Int, for id: StorePlayer.ID) -> Hot? {
    guard let frame = held.frame(at: index) else {
      players.missed(index, by: id)
      return nil
    }
    players.found(index, by: id)
    return frame
  }

  /// Takes a newer playhead of a player; an older request than the last one is ignored.
  mutating func move(_ id: StorePlayer.ID, to playhead: Playhead, request: Int) -> StoreAction {
    let isChange = players.move(id, to: playhead, request: request)
    if let failure = turns.failure { return .report(failure) }
    guard let isChange else { return .nothing }
    turns.orderChanged()
    defer { hasGrown = false }
    return isChange || hasGrown ? .askBudget : submission(for: id)
  }

  mutating func setPreload(_ preload: CachePolicy.Preload, of id: StorePlayer.ID) -> StoreAction {
    players.setPreload(preload, of: id)
    return submission(for: id)
  }

  // MARK: Budget

  /// All that players need together; nothing where no frame can be made.
  var needs: PlayerNeeds {
    guard turns.failure == nil else { return PlayerNeeds(neededFrames: players.needs.neededFrames) }
    return players.needs
  }

  /// What the store has use for now, with a number that grows from demand to demand.
  mutating func nextDemand() -> (demand: BudgetDemand, serial: Int) {
    demandSerial += 1
    return (BudgetDemand(costs, needs), demandSerial)
  }

  /// Spends a grant of the budget; an older one than the last is ignored.
  ///
  /// - Returns: whether frames may be decoded that could not be before, for any player.
  mutating func apply(grant: Int64, packs: Bool = false, serial: Int) -> Bool {
    guard serial > grantSerial else { return false }
    grantSerial = serial
    let demand = BudgetDemand(costs, needs)
    return apply(TierPlan(grant: grant, packs: packs, demand: demand, costs: costs, needs: needs))
  }

  /// Takes a new plan, and evicts what no longer fits.
  @discardableResult
  mutating func apply(_ plan: TierPlan) -> Bool {
    let excess = held.hotCount + (turns.inFlight == nil ? 0 : 1) - plan.hotFrames
    let isChange = plan != self.plan || costs.rendererBytes != plannedRendererBytes || excess > 0
    self.plan = plan
    plannedRendererBytes = costs.rendererBytes
    if held.rendererBytes > 0 {
      held.setRenderer(bytes: packedBytes ?? plannedRendererBytes, canvasBytes: held.canvasBytes)
    }
    turns.orderChanged()
    if excess > 0 {
      for frame in players.ranking.lastFirst(held.heldFrames).prefix(excess) { held.evict(frame) }
    }
    held.limitIndices(to: plan.warmBytes)
    return isChange
  }

  // MARK: Decoding

  /// Whether anything may be decoded now. Once larger frames have come, the budget first has to grant what
  /// their renderer takes.
  private var mayDecode: Bool {
    turns.failure == nil && plan.decodes && costs.rendererBytes <= plannedRendererBytes
  }

  /// How many frames can be held together.
  private var room: Int { max(2, plan.hotFrames) }

  private func isThere(_ frame: Int) -> Bool { held.isHeld(frame) || frame == turns.inFlight }

  private mutating func submission(for id: StorePlayer.ID) -> StoreAction {
    turnToQueue(for: id).map { .submit($0) } ?? .nothing
  }

  /// The entry that the pool's queue needs, if it has none as urgent.
  ///
  /// - Parameter id: the only player that has changed; nil where any may have.
  mutating func turnToQueue(for id: StorePlayer.ID? = nil) -> PoolTurn? {
    guard turns.inFlight == nil else { return nil }
    let urgency: Int64?
    if let id, !turns.lacksRoom {
      examinedPlayers += 1
      urgency = mayDecode ? players.firstMissing(for: id, room: room, isThere: { isThere($0) })?.urgency : nil
    } else {
      examinedPlayers += players.count
      urgency = mayDecode ? players.urgency(room: room, isThere: { isThere($0) }) : nil
    }
    return urgency.flatMap { turns.queue(urgency: $0) }
  }

  /// Chooses the frame to work on, and takes the room for all that the turn may need before any of it exists.
  ///
  /// - Returns: nil where there is nothing to do, or another thread does it.
  mutating func begin(ticket: Int) -> DecodeJob? {
    guard turns.take(ticket), mayDecode else { return nil }
    examinedPlayers += players.count
    var missing = players.missing(room: room, isThere: { isThere($0) })
    guard !missing.isEmpty else { return nil }
    if let pursued = turns.pursued(among: missing) { missing.insert(missing.remove(at: pursued), at: 0) }
    let choice = DecodePlan(
      missing, held: held.heldFrames, heldCount: held.hotCount, limit: plan.hotFrames,
      evictedRank: turns.evictedRank, ranking: players.ranking)
    let job: DecodeJob
    switch choice {
    case .decode(let frame): job = turns.begin(frame, evicted: nil)
    case .evict(let victim, let rank, let frame):
      held.evictForTurn(victim)
      job = turns.begin(frame, evicted: rank)
    case .noRoom:
      turns.refuse()
      return nil
    }
    packedBytes = nil
    held.beginTurn(rendererBytes: plannedRendererBytes, canvasBytes: plan.checkpointBytes)
    return job
  }

  /// The frame evicted for the one being decoded, whose memory serves for that.
  mutating func takeSpare() -> Hot? { held.takeSpare() }

  /// Lends the palette indices of a frame to the thread that decodes, if they are kept.
  mutating func lendIndices(of frame: Int) -> Warm? { held.lendIndices(of: frame) }

  /// Takes the room for the palette indices of a frame, if they are worth keeping.
  mutating func reserveIndices(of frame: Int, bytes: Int64) -> Bool {
    held.reserveIndices(of: frame, bytes: bytes, limit: plan.warmBytes)
  }

  /// Keeps palette indices for which room was taken, unless there is less by now.
  mutating func insertIndices(_ indices: Warm, of frame: Int, bytes: Int64) {
    if turns.isUpToDate(frame) {
      held.insertIndices(indices, of: frame, bytes: bytes, limit: plan.warmBytes)
    } else {
      held.dropReservation(bytes: bytes)
    }
  }

  mutating func countDecoded(_ frames: Int) { turns.countDecoded(frames) }

  /// Ends a turn, and keeps the frame that it has finished.
  ///
  /// - Parameter made: nil where the turn was only a step towards a frame.
  /// - Returns: the players to notify.
  mutating func end(_ made: (frame: Int, finished: Hot)?) -> [StorePlayer.ID] {
    guard turns.inFlight != nil else { return [] }
    held.endTurn()
    guard turns.end(made: made?.frame), let made,
      held.insert(made.finished, at: made.frame, limit: plan.hotFrames)
    else { return [] }
    return players.waiting
  }

  /// Ends a turn, and all that would follow: no frame can be made.
  ///
  /// - Returns: the players to notify, all of them; nil where the error is one of a former image.
  mutating func fail(_ error: GIFError) -> [StorePlayer.ID]? {
    held.endTurn()
    return turns.fail(error) ? players.ids : nil
  }

  /// Whether a renderer is of use: frames are decoded, and not all of them are held finished for good.
  var needsRenderer: Bool {
    plan.decodes && turns.failure == nil && !(isComplete && held.hotCount == costs.frameCount)
  }

  /// How many bytes of canvases may be kept to find the way back.
  var checkpointLimit: Int64 { plan.checkpointBytes }

  /// Whether the renderer is packed until the next turn.
  var packsRenderer: Bool { plan.packs && needsRenderer }

  /// Bytes held between turns. What a packed renderer takes at work is reserved for all stores together.
  var bytesBetweenTurns: Int64 {
    plan.packs && packedBytes == nil && held.rendererBytes > 0
      ? held.bytes - costs.releasedBytes : held.bytes
  }

  /// Takes note of the renderer as it is after a turn.
  ///
  /// - Parameter packedBytes: what it takes while it is packed; nil where it does not.
  mutating func setRenderer(isOpen: Bool, packedBytes: Int64?, checkpointBytes: Int64) {
    self.packedBytes = isOpen ? packedBytes : nil
    held.setRenderer(
      bytes: isOpen ? packedBytes ?? plannedRendererBytes : 0, canvasBytes: checkpointBytes)
    // A canvas of too many colours: this renderer is packed no more, and the budget learns of it.
    if let packedBytes, packedBytes > costs.packedBytes {
      costs.packedBytes = costs.rendererBytes
      packsInVain = true
    }
  }

  /// Whether the renderer was found to give up too little, of which the budget is to learn. Asked once.
  mutating func takePacksInVain() -> Bool {
    defer { packsInVain = false }
    return packsInVain
  }

  // MARK: Images that load

  /// Goes on with an image of which the one so far is the beginning. Only what was made of a frame that was
  /// not whole is evicted.
  ///
  /// - Parameters:
  ///   - changed: the last frame so far, where it was replaced.
  ///   - durations: how long each frame lasts, in nanoseconds, for the player whose image grows.
  mutating func grow(
    to costs: DecodingCosts, changed: Int?, durations: [Int64], of id: StorePlayer.ID, isComplete: Bool
  ) {
    self.costs = costs
    self.isComplete = isComplete
    hasGrown = true
    if let changed { turns.frameChanged(changed) } else { turns.orderChanged() }
    held.grow(to: costs.frameCount, changed: changed)
    players.grow(durations, of: id, frameCount: costs.frameCount, changed: changed)
  }

  /// Goes over to another image. Everything is evicted, and nothing is decoded before the budget has been
  /// asked.
  mutating func replaceImage(_ costs: DecodingCosts, durations: [Int64], isComplete: Bool) {
    era += 1
    self.costs = costs
    self.isComplete = isComplete
    hasGrown = true
    plan = .nothing
    turns.imageReplaced(refusal: costs.refusal)
    held.replaceImage(frameCount: costs.frameCount, frameBytes: costs.frameBytes)
    players.replaceImage(durations)
  }
}

/// What a store does, without its lock, after a change.
enum StoreAction: Sendable, Hashable {
  case nothing
  /// Players together need more or less than before: the budget shares out again, then the player's frames
  /// are decoded.
  case askBudget
  /// The pool decodes what is missing.
  case submit(PoolTurn)
  /// The player learns why there will be no frame.
  case report(GIFError)
}
