import GIFTestSupport
import GIFTimeline
import Testing

@testable import GIFCaching

@Suite("StorePlayers")
struct StorePlayersTests {
  private func player(_ count: Int, policy: CachePolicy = CachePolicy()) -> StorePlayer {
    StorePlayer(durations: Array(repeating: 100_000_000, count: count), policy: policy)
  }

  @Test("Players come in order, leave, and need nothing before they move")
  func comings() {
    var players = StorePlayers(frameCount: 9)
    let ids = (0..<3).map { _ in players.add(player(9)) }
    #expect(players.ids == ids && players.count == 3)
    #expect(players.needs == PlayerNeeds(neededFrames: 2))
    players.remove(ids[1])
    #expect(players.ids == [ids[0], ids[2]])
    #expect(players.lookups(of: ids[1]) == (0, 0))
  }

  @Test("A move says whether all players together need more or less, an old request nothing")
  func moves() {
    var players = StorePlayers(frameCount: 9)
    let id = players.add(player(9))
    func move(_ frame: Int, request: Int, rate: Double = 1) -> Bool? {
      players.move(id, to: Playhead(frame: frame, range: 0..<9, rate: rate), request: request)
    }
    let changes = [
      move(0, request: 5), move(1, request: 6), move(2, request: 6), move(2, request: 7, rate: 2),
      move(3, request: 8, rate: 2),
    ]
    #expect(changes == [true, false, nil, true, false])
    #expect(players.playheads == [3])
  }

  @Test("A frame that was looked for in vain is awaited until a look finds one")
  func lookups() {
    var players = StorePlayers(frameCount: 9)
    let (first, second) = (players.add(player(9)), players.add(player(9)))
    players.missed(3, by: second)
    players.missed(3, by: second)
    players.missed(4, by: first)
    #expect(players.waiting == [first, second])
    players.found(4, by: first)
    #expect(players.waiting == [second])
    #expect(players.lookups(of: first) == (1, 1) && players.lookups(of: second) == (0, 1))
  }

  @Test("Missing frames come by urgency")
  func missing() {
    var players = StorePlayers(frameCount: 30)
    let dues: [Int64?] = [nil, 900_000_000, 300_000_000]
    for (place, due) in dues.enumerated() {
      let id = players.add(player(30))
      _ = players.move(id, to: Playhead(frame: place * 10, range: 0..<30, nextDue: due), request: 1)
      if due == nil { players.found(place * 10, by: id) }
    }
    let missing = players.missing(room: 9) { $0 == 20 }
    #expect(missing.map(\.frame) == [21, 10, 1])
    #expect(players.urgency(room: 9) { $0 == 20 } == 300_000_000)
    #expect(players.urgency(room: 9) { _ in true } == nil)
  }

  @Test("The needs are those of all players, whatever they do", arguments: 0..<20)
  func needs(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var players = StorePlayers(frameCount: 40)
    var mirror: [StorePlayer.ID: StorePlayer] = [:]
    for request in 1...300 {
      let id = mirror.keys.sorted().randomElement(using: &random)
      switch (Int.random(in: 0..<9, using: &random), id) {
      case (0, _), (_, nil):
        let new = player(
          40,
          policy: CachePolicy(
            readAhead: .milliseconds(.random(in: 0...900, using: &random)),
            readAheadFrames: .random(in: 0...9, using: &random)))
        mirror[players.add(new)] = new
      case (1, let id?):
        players.remove(id)
        mirror[id] = nil
      case (2...3, let id?):
        let visibility = [Visibility.hidden, .near, .visible][.random(in: 0..<3, using: &random)]
        guard var playhead = mirror[id]?.playhead else { continue }
        playhead.visibility = visibility
        _ = players.move(id, to: playhead, request: request)
        _ = mirror[id]?.move(to: playhead, request: request)
      case (4, let id?):
        let durations = Array(repeating: Int64.random(in: 1...200_000_000, using: &random), count: 40)
        players.grow(durations, of: id, frameCount: 40, changed: nil)
        mirror[id]?.grow(durations)
      case (5, let id?):
        let frame = Int.random(in: 0..<40, using: &random)
        players.found(frame, by: id)
        mirror[id]?.found(frame)
      case (_, let id?):
        let rates: [Double] = [0.5, 1, 8]
        var playhead = Playhead(
          frame: .random(in: 0..<40, using: &random),
          direction: CacheSample.directions[.random(in: 0..<4, using: &random)], range: 0..<40,
          rate: rates[.random(in: 0..<3, using: &random)], visibility: mirror[id]?.visibility ?? .visible)
        playhead.isFinished = Int.random(in: 0..<3, using: &random) == 0
        _ = players.move(id, to: playhead, request: request)
        _ = mirror[id]?.move(to: playhead, request: request)
      }
      #expect(players.needs == plain(mirror.values, neededFrames: players.needs.neededFrames))
    }
  }

  /// The needs of all players, asked one by one.
  private func plain(_ players: some Sequence<StorePlayer>, neededFrames: Int) -> PlayerNeeds {
    let served = players.filter(\.isServed)
    return PlayerNeeds(
      served: served.count, resting: players.count { $0.isActive && !$0.isServed },
      neededFrames: neededFrames, readAhead: served.map(\.readAhead).max() ?? 1,
      seeksBack: served.contains { $0.seeksBack }, visibility: served.map(\.visibility).max() ?? .hidden)
  }

  @Test("Needed frames are counted once each; growth is reported at once, a decline in larger steps")
  func neededFrames() {
    var needed = NeededFrames(frameCount: 20)
    func playhead(_ frame: Int) -> Playhead { Playhead(frame: frame, range: 0..<20) }
    for _ in 0..<5 { needed.count(playhead(3), by: 1) }
    let inStep = needed.report()
    #expect(!inStep && needed.reported == 2)
    for frame in [6, 9, 12] { needed.count(playhead(frame), by: 1) }
    let spread = needed.report()
    #expect(spread && needed.reported == 12)
    for frame in [6, 9] { needed.count(playhead(frame), by: -1) }
    let fewer = needed.report()
    #expect(fewer && needed.reported == 6)
    // A frame that is not there is not counted.
    needed.count(Playhead(frame: 99, range: 0..<200), by: 1)
    let beyond = needed.report()
    #expect(!beyond)
  }
}
