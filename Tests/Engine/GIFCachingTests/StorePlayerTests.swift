import GIFTimeline
import Testing

@testable import GIFCaching

extension StorePlayer {
  /// Hides a player that has moved once where it stands, or shows it otherwise.
  fileprivate mutating func show(as visibility: Visibility) {
    var newer = playhead
    newer.visibility = visibility
    _ = move(to: newer, request: visibility == .hidden ? 3 : 2)
  }
}

@Suite("StorePlayer")
struct StorePlayerTests {
  private func player(
    _ durations: [Int64], policy: CachePolicy = CachePolicy(), rate: Double = 1, due: Int64? = nil,
    frameDue: Int64? = nil, frame: Int = 0
  ) -> StorePlayer {
    var player = StorePlayer(durations: durations, policy: policy)
    var playhead = Playhead(frame: frame, range: 0..<durations.count, nextDue: due, rate: rate)
    playhead.frameDue = frameDue
    _ = player.move(to: playhead, request: 1)
    return player
  }

  private let ten = Array(repeating: Int64(100_000_000), count: 10)

  @Test("The read-ahead is a time, at least one frame, at most the policy's number and all there are")
  func readAhead() {
    #expect(player(ten).readAhead == 3)
    #expect(player(ten, rate: 2).readAhead == 5)
    #expect(player(ten, rate: 20).readAhead == 8)
    #expect(player(ten, rate: 0.05).readAhead == 1)
    #expect(player(ten, policy: CachePolicy(readAhead: .zero)).readAhead == 1)
    #expect(player(ten, policy: CachePolicy(readAhead: .seconds(-9))).readAhead == 1)
    #expect(player(ten, policy: CachePolicy(readAheadFrames: 0)).readAhead == 1)
    #expect(player(ten, policy: CachePolicy(readAheadFrames: .min)).readAhead == 1)
    #expect(
      player(ten, policy: CachePolicy(readAhead: .seconds(Int64.max), readAheadFrames: .max)).readAhead == 10)
    #expect(player([0, 0, 0], policy: CachePolicy(readAheadFrames: .max)).readAhead == 3)
    #expect(player([]).readAhead == 1)
    for rate in [0, -1, .nan, .infinity, 1e-300, 1e300] {
      #expect((1...8).contains(player(ten, rate: rate).readAhead))
    }
  }

  @Test("A frame is urgent by when it is due")
  func urgency() {
    let playing = player(ten, due: 5_000_000_000)
    #expect(playing.urgency(place: 0, delaysBefore: 0) == 4_900_000_000)
    #expect(playing.urgency(place: 1, delaysBefore: 0) == 5_000_000_000)
    #expect(playing.urgency(place: 2, delaysBefore: 100_000_000) == 5_100_000_000)
    let fast = player(ten, rate: 4, due: 5_000_000_000)
    #expect(fast.urgency(place: 2, delaysBefore: 100_000_000) == 5_025_000_000)
    let paused = player(ten)
    #expect(paused.urgency(place: 0, delaysBefore: 0) == .min)
    #expect(paused.urgency(place: 1, delaysBefore: 0) > playing.urgency(place: 9, delaysBefore: 1 << 60))
    #expect(paused.urgency(place: 2, delaysBefore: 0) > paused.urgency(place: 1, delaysBefore: 0))
  }

  @Test("The frame that playback begins with is due when its playhead says, until time runs")
  func frameDue() {
    let beginning = player(ten, frameDue: 3_000_000_000)
    #expect(beginning.urgency(place: 0, delaysBefore: 0) == 3_000_000_000)
    #expect(beginning.urgency(place: 1, delaysBefore: 0) == player(ten).urgency(place: 1, delaysBefore: 0))
    let playing = player(ten, due: 2_950_000_000)
    #expect(playing.urgency(place: 1, delaysBefore: 0) < beginning.urgency(place: 0, delaysBefore: 0))
    #expect(
      playing.urgency(place: 2, delaysBefore: 100_000_000) > beginning.urgency(place: 0, delaysBefore: 0))
    let never = player(ten, frameDue: .max)
    #expect(never.urgency(place: 0, delaysBefore: 0) == StorePlayer.idle)
    let running = player(ten, due: 5_000_000_000, frameDue: .max)
    #expect(running.urgency(place: 0, delaysBefore: 0) == 4_900_000_000)
  }

  @Test("Extreme times and speeds do not overflow, and what is due comes before what is idle")
  func extremes() {
    for due in [Int64.min, -1, 0, .max] {
      for rate in [1e-300, 1, .infinity, .nan] {
        let player = player(ten, rate: rate, due: due)
        for delays in [0, Int64.max] {
          #expect(player.urgency(place: 1, delaysBefore: delays) <= StorePlayer.idle)
          #expect(player.urgency(place: 0, delaysBefore: delays) <= StorePlayer.idle)
        }
      }
    }
    for frame in [Int.min, .max] { #expect(player(ten, frame: frame).rank(of: 3) > .now) }
  }

  @Test("A read-ahead of any time is a number of frames", arguments: [.min, -1, 0, .max] as [Int64])
  func anyReadAhead(seconds: Int64) {
    let policy = CachePolicy(readAhead: .seconds(seconds), readAheadFrames: 5)
    for rate in [1e-300, 1, 1e20, .infinity, .nan] {
      #expect((1...5).contains(player(ten, policy: policy, rate: rate).readAhead))
    }
  }

  @Test("Needed first is what is to be shown, then what comes next, then what paused players show next")
  func ranks() {
    var playing = player(ten, due: 1, frame: 4)
    #expect(playing.rank(of: 4) == .now)
    #expect(playing.rank(of: 5) == FrameRank(after: 1, .playing))
    #expect(playing.rank(of: 3) == FrameRank(after: 9, .playing))
    playing.found(4)
    #expect(playing.rank(of: 4) == .shown(.playing))
    #expect(playing.rank(of: 5) < playing.rank(of: 4) && playing.rank(of: 4) < playing.rank(of: 6))
    var paused = player(ten, frame: 4)
    #expect(paused.rank(of: 4) == .now)
    #expect(paused.rank(of: 5) > playing.rank(of: 3))
    paused.show(as: .near)
    #expect(paused.rank(of: 4) == .now)
    #expect(paused.rank(of: 5) > playing.rank(of: 3))
    paused.show(as: .hidden)
    #expect(paused.rank(of: 4) == .shownAtRest)
    #expect(paused.rank(of: 5) == .never)
    #expect(StorePlayer(durations: ten, policy: CachePolicy()).rank(of: 0) == .never)
  }

  @Test("A jump is what playback alone does not lead to, and makes kept canvases useful")
  func jumps() {
    let many = Array(repeating: Int64(1), count: 100)
    func seeksBack(to frame: Int, range: Range<Int> = 0..<100) -> Bool {
      var player = player(many, frame: 10)
      _ = player.move(to: Playhead(frame: frame, range: range), request: 2)
      return player.seeksBack
    }
    #expect(!seeksBack(to: 11))
    #expect(!seeksBack(to: 26))
    #expect(seeksBack(to: 27))
    #expect(seeksBack(to: 9))
    #expect(!seeksBack(to: 9, range: 0..<50))
  }

  @Test("The first missing frame is the first in playing order that is neither there nor handed out")
  func missing() {
    func first(_ player: StorePlayer, room: Int = 10, there: Set<Int> = []) -> Int? {
      player.firstMissing(as: 1, room: room) { there.contains($0) }?.frame
    }
    var player = player(ten, policy: CachePolicy(readAhead: .seconds(9), readAheadFrames: 2), frame: 8)
    #expect(first(player) == 8)
    #expect(first(player, there: [8]) == 9)
    #expect(first(player, there: [8, 9]) == 0)
    #expect(first(player, room: 2, there: [8, 9]) == nil)
    #expect(first(player, there: [8, 9, 0]) == nil)
    player.found(8)
    #expect(first(player) == 9)
    player.show(as: .hidden)
    #expect(first(player) == nil)
    #expect(first(StorePlayer(durations: ten, policy: CachePolicy())) == nil)
  }

  @Test("Another image has a player look again, within the frames that there are")
  func replacedImage() {
    var player = player(ten, frame: 4)
    player.found(4)
    player.missed(5)
    player.replaceImage(Array(repeating: 1, count: 3))
    #expect(!player.isWaiting)
    #expect(player.playhead.range == 0..<3)
    _ = player.move(to: Playhead(frame: 1, range: 0..<10), request: 2)
    #expect(player.firstMissing(as: 1, room: 9) { _ in false }?.frame == 1)
    #expect((player.hits, player.misses) == (1, 1))
  }
}

@Suite("FrameRank")
struct FrameRankTests {
  private func rank(_ frames: Int, _ kind: FrameRank.PlayerKind = .playing) -> FrameRank {
    FrameRank(after: frames, kind)
  }

  @Test("What can wait comes later: far frames, frames at rest, paused players, near players, nothing")
  func order() {
    let ranks: [FrameRank] = [
      .now, rank(1), .shown(.playing), rank(2), rank(15), .shownAtRest, rank(17), rank(1 << 20),
      rank(1, .paused), .shown(.paused), rank(1 << 20, .paused), rank(1, .near), rank(1 << 20, .near), .never,
    ]
    #expect(ranks == ranks.sorted())
    #expect(Set(ranks).count == ranks.count)
  }

  @Test("The ranking takes the player that needs a frame soonest")
  func ranking() {
    let durations = Array(repeating: Int64(1), count: 10)
    let players = [2, 7].map { frame -> StorePlayer in
      var player = StorePlayer(durations: durations, policy: CachePolicy())
      _ = player.move(to: Playhead(frame: frame, range: 0..<10, nextDue: 0), request: 1)
      return player
    }
    let ranking = FrameRanking(players)
    #expect(ranking.rank(of: 2) == .now && ranking.rank(of: 7) == .now)
    #expect(ranking.rank(of: 6) == rank(4) && ranking.rank(of: 1) == rank(4))
    #expect(ranking.last(of: [2, 3, 6])?.frame == 6)
    #expect(ranking.last(of: []) == nil)
    #expect(ranking.lastFirst([1, 2, 3, 6, 7]) == [6, 1, 3, 7, 2])
    #expect(FrameRanking([]).rank(of: 0) == .never)
  }
}
