internal import GIFDecoding

/// What a store decodes: its entry in the pool's queue, the frame at work, and why decoding failed.
struct DecodeTurns: Sendable {
  /// The frame being decoded, whose room is taken already.
  private(set) var inFlight: Int?
  /// Why no frame can be made; the same for all players, and for good.
  private(set) var failure: GIFError?
  /// What the pool has in its queue for this store: only the newest entry counts.
  private var queued: PoolTurn?
  private var lastTicket = 0
  /// Whether a frame was not decoded for want of room, so that any player's move may change that.
  private(set) var lacksRoom = false
  /// The player whose frame is on its way and, if that is overdue, the frame that was aimed at first.
  private var pursuit: (player: StorePlayer.ID, overdue: Int?)?
  /// How soon the frame was needed that was evicted for the one on its way. A frame that is needed no sooner
  /// must not take its place, or the two would evict each other for ever.
  private(set) var evictedRank: FrameRank?
  private var outdated = Outdated.nothing
  /// Frames whose code streams were decoded.
  private(set) var decodedFrames = 0

  /// What was replaced while a frame was being decoded.
  private enum Outdated: Sendable {
    case nothing
    case frame(Int)
    case everything
  }

  /// - Parameter refusal: why no frame can be made; nil where frames can.
  init(refusal: GIFError? = nil) { failure = refusal }

  // MARK: The pool's queue

  /// The entry that the pool's queue needs for a frame of this urgency, if it has none as urgent.
  mutating func queue(urgency: Int64) -> PoolTurn? {
    guard inFlight == nil else { return nil }
    if let queued, queued.urgency <= urgency { return nil }
    lastTicket += 1
    let turn = PoolTurn(urgency: urgency, ticket: lastTicket)
    queued = turn
    return turn
  }

  /// Whether a ticket is that of the newest entry.
  func isNewest(_ ticket: Int) -> Bool { queued?.ticket == ticket }

  /// Takes the entry out of the queue.
  ///
  /// - Returns: false where another entry has replaced it, or a frame is being decoded.
  mutating func take(_ ticket: Int) -> Bool {
    guard isNewest(ticket), inFlight == nil else { return false }
    queued = nil
    lacksRoom = false
    return true
  }

  // MARK: A turn

  /// Among missing frames the one to finish first, since the way to it is begun: two players far apart would
  /// undo each other's way for ever.
  func pursued(among missing: [MissingFrame]) -> Int? {
    missing.firstIndex { $0.player == pursuit?.player && $0.isCurrent }
  }

  /// Notes that there is no room for any missing frame.
  mutating func refuse() { lacksRoom = true }

  /// Begins to decode a frame.
  ///
  /// - Parameter evicted: how soon the frame was needed that was evicted for it, if one was.
  mutating func begin(_ missing: MissingFrame, evicted: FrameRank?) -> DecodeJob {
    inFlight = missing.frame
    if let evicted { evictedRank = evicted }
    // A player whose decoder is slow moves on while its frame is on the way. What was aimed at first is shown
    // in passing, so that the player shows something.
    let aim = pursuit?.player == missing.player ? pursuit?.overdue : nil
    pursuit = (missing.player, missing.isCurrent ? aim ?? missing.frame : nil)
    return DecodeJob(frame: missing.frame, onTheWay: pursuit?.overdue, player: missing.player)
  }

  /// Whether what was made of a frame still belongs to the image.
  func isUpToDate(_ frame: Int) -> Bool {
    switch outdated {
    case .nothing: true
    case .frame(let changed): frame != changed
    case .everything: false
    }
  }

  /// Ends a turn.
  ///
  /// - Parameter made: the frame that was finished; nil where the turn was only a step towards one.
  /// - Returns: whether the finished frame still belongs to the image.
  mutating func end(made: Int?) -> Bool {
    guard let target = inFlight.take() else { return false }
    defer { outdated = .nothing }
    guard let made, isUpToDate(made) else { return false }
    if made == target { pursuit = nil } else { pursuit?.overdue = target }
    evictedRank = nil
    return true
  }

  /// Ends a turn, and all that would follow: no frame can be made.
  ///
  /// - Returns: false where the error is one of a former image and counts no more.
  mutating func fail(_ error: GIFError) -> Bool {
    defer { _ = end(made: nil) }
    if case .everything = outdated { return false }
    failure = error
    return true
  }

  mutating func countDecoded(_ frames: Int) { decodedFrames += frames }

  // MARK: Changes from outside

  /// Players or the plan have changed, so that frames may be needed in another order.
  mutating func orderChanged() { evictedRank = nil }

  /// A frame was replaced: what is being made of it is thrown away.
  mutating func frameChanged(_ frame: Int) {
    orderChanged()
    if inFlight != nil { outdated = .frame(frame) }
  }

  /// Another image has taken the place of this one: what is being made is thrown away.
  ///
  /// - Parameter refusal: why no frame can be made of it; nil where frames can.
  mutating func imageReplaced(refusal: GIFError? = nil) {
    orderChanged()
    if inFlight != nil { outdated = .everything }
    pursuit = nil
    failure = refusal
  }
}

/// What a turn works on.
struct DecodeJob: Sendable, Hashable {
  let frame: Int
  /// Another frame that is shown in passing where the way leads over it.
  let onTheWay: Int?
  /// The player for whom it is done.
  let player: StorePlayer.ID
}

/// An entry in the pool's queue.
package struct PoolTurn: Sendable, Hashable {
  /// When the frame is needed, in nanoseconds of the players' clock.
  package var urgency: Int64
  /// Identifies the newest entry of a store.
  package var ticket: Int

  package init(urgency: Int64, ticket: Int) {
    self.urgency = urgency
    self.ticket = ticket
  }
}

/// Which missing frame a turn decodes, and what it evicts for that.
enum DecodePlan: Sendable, Hashable {
  /// There is room.
  case decode(MissingFrame)
  /// A frame that is needed later makes room.
  case evict(frame: Int, rank: FrameRank, for: MissingFrame)
  /// All frames that are held are needed sooner.
  case noRoom

  /// - Parameters:
  ///   - missing: what players miss, in the order in which it is to be decoded; at least one.
  ///   - held: the frames held.
  ///   - limit: how many may be.
  ///   - evictedRank: see ``DecodeTurns/evictedRank``.
  init(
    _ missing: [MissingFrame], held: @autoclosure () -> [Int], heldCount: Int, limit: Int,
    evictedRank: FrameRank?, ranking: @autoclosure () -> FrameRanking
  ) {
    let first = missing[0]
    // Only the place of the frame that was evicted last is contested.
    guard heldCount >= limit || (evictedRank != nil && heldCount + 1 == limit) else {
      self = .decode(first)
      return
    }
    let ranking = ranking()
    func firstNeeded(before rank: FrameRank) -> MissingFrame? {
      let frame = missing.lazy.map(\.frame).firstNeeded(before: rank) { ranking.rank(of: $0) }
      return missing.first { $0.frame == frame }
    }
    if heldCount < limit {
      self = .decode(evictedRank.flatMap(firstNeeded) ?? first)
    } else if let last = ranking.last(of: held()), let chosen = firstNeeded(before: last.rank) {
      self = .evict(frame: last.frame, rank: last.rank, for: chosen)
    } else {
      self = .noRoom
    }
  }
}

extension Sequence<Int> {
  /// The first of these frames that is needed before the given rank.
  ///
  /// To rank a frame takes time in proportion to the number of players, and all of them may miss the same
  /// frame: it is ranked once.
  func firstNeeded(before limit: FrameRank, rank: (Int) -> FrameRank) -> Int? {
    var refused: Set<Int> = []
    return first { frame in
      guard refused.insert(frame).inserted else { return false }
      return rank(frame) < limit
    }
  }
}
