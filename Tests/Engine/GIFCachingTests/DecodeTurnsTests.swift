import GIFDecoding
import GIFTimeline
import Testing

@testable import GIFCaching

@Suite("DecodeTurns")
struct DecodeTurnsTests {
  private func missing(
    _ frame: Int, for player: StorePlayer.ID = 1, urgency: Int64 = 0, isCurrent: Bool = true
  ) -> MissingFrame {
    MissingFrame(player: player, frame: frame, urgency: urgency, isCurrent: isCurrent)
  }

  /// The entry that the queue needs.
  private func turn(of urgency: Int64, in turns: inout DecodeTurns) throws -> PoolTurn {
    let turn = turns.queue(urgency: urgency)
    return try #require(turn)
  }

  /// Takes the newest turn of a frame.
  private func begin(_ turns: inout DecodeTurns, _ missing: MissingFrame) throws -> DecodeJob {
    let turn = try self.turn(of: missing.urgency, in: &turns)
    let isTaken = turns.take(turn.ticket)
    #expect(isTaken)
    return turns.begin(missing, evicted: nil)
  }

  @Test("One entry is in the queue at a time; only a more urgent one replaces it")
  func queue() throws {
    var turns = DecodeTurns()
    let first = try turn(of: 5, in: &turns)
    let refused = [turns.queue(urgency: 5), turns.queue(urgency: 9)]
    #expect(refused == [nil, nil])
    let second = try turn(of: 4, in: &turns)
    #expect(!turns.isNewest(first.ticket) && turns.isNewest(second.ticket))
    let taken = [turns.take(first.ticket), turns.take(second.ticket), turns.take(second.ticket)]
    #expect(taken == [false, true, false])
  }

  @Test("While a frame is being decoded nothing is queued and nothing begun")
  func busy() throws {
    var turns = DecodeTurns()
    _ = try begin(&turns, missing(3))
    #expect(turns.inFlight == 3)
    #expect(turns.queue(urgency: .min) == nil)
    let isCounted = turns.end(made: 3)
    #expect(isCounted && turns.inFlight == nil)
    let isCountedAgain = turns.end(made: 3)
    #expect(!isCountedAgain)
  }

  @Test("What was aimed at first is shown in passing while its player moves on")
  func pursuit() throws {
    var turns = DecodeTurns()
    #expect(try begin(&turns, missing(7)) == DecodeJob(frame: 7, onTheWay: 7, player: 1))
    _ = turns.end(made: nil)
    let others = [missing(2, for: 2, urgency: -9), missing(9)]
    #expect(turns.pursued(among: others) == 1)
    #expect(try begin(&turns, missing(9)) == DecodeJob(frame: 9, onTheWay: 7, player: 1))
    _ = turns.end(made: 7)
    #expect(turns.pursued(among: others) == 1)
    #expect(try begin(&turns, missing(9)) == DecodeJob(frame: 9, onTheWay: 9, player: 1))
    _ = turns.end(made: 9)
    #expect(turns.pursued(among: others) == nil)
  }

  @Test("A frame read ahead is aimed at alone")
  func readAhead() throws {
    var turns = DecodeTurns()
    let job = try begin(&turns, missing(4, isCurrent: false))
    #expect(job == DecodeJob(frame: 4, onTheWay: nil, player: 1))
    _ = turns.end(made: nil)
    #expect(turns.pursued(among: [missing(4, isCurrent: false)]) == nil)
  }

  @Test("What is made of a frame that has changed counts no more; other frames do")
  func changed() throws {
    var turns = DecodeTurns()
    _ = try begin(&turns, missing(4))
    turns.frameChanged(4)
    #expect(!turns.isUpToDate(4) && turns.isUpToDate(5))
    let isCounted = turns.end(made: 4)
    #expect(!isCounted && turns.isUpToDate(4))
    turns.frameChanged(4)
    #expect(turns.isUpToDate(4), "nothing was being made of it")
  }

  @Test("The error of a former image does not count")
  func formerError() throws {
    var turns = DecodeTurns()
    _ = try begin(&turns, missing(4))
    turns.imageReplaced()
    #expect(!turns.isUpToDate(4) && !turns.isUpToDate(0))
    let isFailed = turns.fail(GIFError(.unreadable))
    #expect(!isFailed && turns.failure == nil && turns.inFlight == nil)
  }

  @Test("An error ends the turn for good")
  func failure() throws {
    var turns = DecodeTurns()
    _ = try begin(&turns, missing(4))
    let isFailed = turns.fail(GIFError(.unreadable))
    #expect(isFailed && turns.failure?.code == .unreadable && turns.inFlight == nil)
  }

  @Test("The rank of an evicted frame counts until the turn ends or the order changes")
  func evictedRank() throws {
    for endsTurn in [true, false] {
      var turns = DecodeTurns()
      let turn = try self.turn(of: 0, in: &turns)
      _ = turns.take(turn.ticket)
      _ = turns.begin(missing(4), evicted: .shownAtRest)
      #expect(turns.evictedRank == .shownAtRest)
      if endsTurn { _ = turns.end(made: 4) } else { turns.orderChanged() }
      #expect(turns.evictedRank == nil)
    }
  }

  @Test("A refusal counts until the next turn")
  func refusal() throws {
    var turns = DecodeTurns()
    turns.refuse()
    #expect(turns.lacksRoom)
    let turn = try self.turn(of: 0, in: &turns)
    _ = turns.take(turn.ticket)
    #expect(!turns.lacksRoom)
  }
}

@Suite("DecodePlan")
struct DecodePlanTests {
  /// Players that need these frames now.
  private func ranking(_ frames: [Int], of count: Int = 20) -> FrameRanking {
    FrameRanking(
      frames.map { frame in
        var player = StorePlayer(durations: Array(repeating: 1, count: count), policy: CachePolicy())
        _ = player.move(to: Playhead(frame: frame, range: 0..<count, nextDue: 0), request: 1)
        return player
      })
  }

  private func missing(_ frame: Int) -> MissingFrame {
    MissingFrame(player: 1, frame: frame, urgency: 0, isCurrent: true)
  }

  private func choose(
    _ frames: [Int], held: [Int], limit: Int, players: [Int], evictedRank: FrameRank? = nil
  ) -> DecodePlan {
    DecodePlan(
      frames.map { missing($0) }, held: held, heldCount: held.count, limit: limit, evictedRank: evictedRank,
      ranking: ranking(players))
  }

  @Test("With room the first missing frame is decoded")
  func room() {
    #expect(choose([5, 6], held: [1], limit: 2, players: [5]) == .decode(missing(5)))
  }

  @Test("Without room the frame that is needed last makes room for one that is needed sooner")
  func eviction() {
    let choice = choose([5], held: [4, 6], limit: 2, players: [5])
    let rank = FrameRank(after: 19, .playing)
    #expect(choice == .evict(frame: 4, rank: rank, for: missing(5)))
  }

  @Test("A frame that is needed no sooner than those held is not decoded")
  func noRoom() {
    #expect(choose([8], held: [5, 6], limit: 2, players: [5]) == .noRoom)
  }

  @Test("The room that an eviction has made is for frames needed sooner than the one evicted")
  func contested() {
    let rank = FrameRank(after: 3, .playing)
    #expect(
      choose([9, 6], held: [5], limit: 2, players: [5], evictedRank: rank) == .decode(missing(6)))
    #expect(choose([9, 6], held: [], limit: 2, players: [5], evictedRank: rank) == .decode(missing(9)))
  }

  @Test("A frame that many players miss is ranked once, and nothing after the first that is needed")
  func ranks() {
    var asked: [Int] = []
    func rank(_ frames: Int) -> FrameRank { FrameRank(after: frames, .playing) }
    func first(_ frames: [Int], before limit: Int, _ ranks: [Int: Int]) -> Int? {
      asked = []
      return frames.firstNeeded(before: rank(limit)) { frame in
        asked.append(frame)
        return ranks[frame].map(rank) ?? .never
      }
    }
    let many = (0..<900).map { $0 % 3 }
    #expect(first(many, before: 5, [0: 9, 1: 5, 2: 7]) == nil)
    #expect(asked == [0, 1, 2])
    #expect(first(many, before: 6, [0: 9, 1: 5, 2: 7]) == 1)
    #expect(asked == [0, 1])
    #expect(first([], before: 6, [:]) == nil)
  }
}
