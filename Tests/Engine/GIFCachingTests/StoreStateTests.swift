import GIFDecoding
import GIFTimeline
import Testing

@testable import GIFCaching

@Suite("StoreState")
struct StoreStateTests {
  @Test("Nothing is decoded before a player moves")
  func idle() {
    var rig = StateRig(frames: 5)
    let id = rig.add()
    #expect(rig.state.turnToQueue() == nil)
    #expect(rig.state.lookUp(0, for: id) == nil)
    #expect(rig.state.begin(ticket: 0) == nil)
    #expect(rig.state.held.bytes == 0)
  }

  @Test("Frames are decoded from the playhead on, as far as the read-ahead goes")
  func readAhead() {
    var rig = StateRig(frames: 9)
    let id = rig.add(readAhead: 2)
    #expect(rig.move(id, to: 7) == true)
    #expect(rig.decodeAll() == [7, 8, 0])
    #expect(rig.move(id, to: 8) == false)
    #expect(rig.decodeAll() == [1])
    rig.move(id, to: 3, direction: .reverse)
    #expect(rig.decodeAll() == [3, 2])
    rig.move(id, to: 5, direction: .bounce(isReturning: false), range: 4..<7)
    #expect(rig.decodeAll() == [5, 6])
  }

  @Test("A request that was overtaken is ignored")
  func oldRequests() {
    var rig = StateRig(frames: 9)
    let id = rig.add(readAhead: 1)
    _ = rig.state.move(id, to: Playhead(frame: 5, range: 0..<9), request: 10)
    for (player, request) in [(id, 9), (id, 10), (77, 11)] {
      let action = rig.state.move(player, to: Playhead(frame: 2, range: 0..<9), request: request)
      #expect(action == .nothing)
    }
    #expect(rig.decodeAll() == [5, 6])
  }

  @Test("A frame that a player waits for counts as one miss")
  func misses() {
    var rig = StateRig(frames: 9)
    let id = rig.add(readAhead: 1)
    for _ in 0..<5 { #expect(rig.state.lookUp(3, for: id) == nil) }
    #expect(rig.state.players.lookups(of: id).misses == 1)
    rig.move(id, to: 3)
    #expect(rig.decodeAll() == [3, 4])
    #expect(rig.state.lookUp(3, for: id) == "3")
    #expect(rig.state.lookUp(3, for: id) == "3")
    #expect(rig.state.lookUp(8, for: id) == nil)
    #expect(rig.state.lookUp(9, for: id) == nil)
    #expect(rig.state.lookUp(-1, for: id) == nil)
    #expect(rig.state.players.lookups(of: id).hits == 2)
    #expect(rig.state.players.lookups(of: id).misses == 4)
  }

  @Test("Arrivals notify waiting players only")
  func notifies() {
    var rig = StateRig(frames: 9)
    let (first, second) = (rig.add(readAhead: 1), rig.add(readAhead: 1))
    rig.move(first, to: 0)
    rig.move(second, to: 0)
    #expect(rig.state.lookUp(0, for: second) == nil)
    #expect(rig.begin() == 0)
    #expect(rig.end(0) == [second])
    #expect(rig.state.lookUp(0, for: second) == "0")
    #expect(rig.begin() == 1)
    #expect(rig.end(1) == [])
  }

  @Test(
    "One turn is in the queue at a time: a more urgent one takes its place, and the old ticket does nothing")
  func tickets() {
    var rig = StateRig(frames: 9)
    let (slow, fast) = (rig.add(), rig.add())
    rig.move(slow, to: 0, due: 900_000_000)
    _ = rig.decodeAll()
    _ = rig.state.lookUp(0, for: slow)
    rig.move(slow, to: 1, due: 1_000_000_000)
    let first = rig.turn()
    #expect(first.urgency == 1_200_000_000)
    #expect(rig.state.turnToQueue() == nil)
    #expect(rig.state.turnToQueue(for: slow) == nil)
    rig.move(fast, to: 6, due: 500_000_000)
    let second = rig.turn(for: fast)
    // Its frame was due a frame's time before the next one.
    #expect(second.urgency == 400_000_000)
    #expect(second.ticket > first.ticket)
    #expect(rig.state.begin(ticket: first.ticket) == nil)
    #expect(rig.state.begin(ticket: second.ticket)?.frame == 6)
    // Another thread with any ticket finds it at work.
    #expect(rig.state.begin(ticket: second.ticket) == nil)
    #expect(rig.state.turnToQueue() == nil)
    _ = rig.end(6)
    #expect(rig.state.turnToQueue()?.urgency == 500_000_000)
  }

  @Test(
    "What is due soonest comes first over all players, then near players, then paused ones")
  func urgency() {
    var rig = StateRig(frames: 60)
    let paused = rig.add(readAhead: 2)
    let near = rig.add(readAhead: 2)
    let late = rig.add(readAhead: 2)
    let soon = rig.add(readAhead: 2)
    rig.move(paused, to: 0)
    rig.move(near, to: 10, due: 100_000_000, visibility: .near)
    rig.move(late, to: 20, due: 5_000_000_000)
    rig.move(soon, to: 30, due: 150_000_000)
    #expect(rig.decodeAll() == [0, 30, 31, 32, 20, 21, 22, 10, 11, 12, 1, 2])
  }

  @Test(
    "Players in step need two frames, spread ones two each; more is reported at once, less later"
  )
  func needs() {
    var rig = StateRig(frames: 99)
    let ids = (0..<20).map { _ in rig.add() }
    for id in ids { rig.move(id, to: 5) }
    #expect(rig.state.needs.neededFrames == 2)
    #expect(rig.state.needs.served == 20)
    for id in ids.prefix(2) { #expect(rig.move(id, to: 4 * id) == true) }
    #expect(rig.state.needs.neededFrames >= 6)
    for id in ids { rig.move(id, to: 4 * id) }
    #expect(rig.state.needs.neededFrames >= 40)
    for id in ids { rig.state.remove(id) }
    #expect(rig.state.needs.neededFrames <= 2)
    #expect(rig.state.needs.served == 0)
  }

  @Test("Nothing is decoded without the floor, and everything goes on with it")
  func admission() {
    var rig = StateRig(frames: 9)
    let id = rig.add(readAhead: 1)
    rig.state.apply(TierPlan(hotFrames: 9, warmBytes: 0, checkpointBytes: 0, decodes: false))
    rig.move(id, to: 0)
    #expect(rig.state.turnToQueue() == nil)
    rig.state.apply(TierPlan(hotFrames: 9, warmBytes: 0, checkpointBytes: 0, decodes: true))
    #expect(rig.decodeAll() == [0, 1])
  }

  @Test("A finished player keeps what it shows and rests until it plays again")
  func finished() {
    var rig = StateRig(frames: 9, hot: 5)
    let id = rig.add(readAhead: 2)
    rig.move(id, to: 7, due: 1)
    #expect(rig.decodeAll() == [7, 8, 0])
    #expect(rig.state.lookUp(8, for: id) == "8")
    #expect(rig.move(id, to: 8, isFinished: true) == true)
    #expect(rig.state.turnToQueue() == nil)
    #expect(rig.state.needs.served == 0)
    #expect(rig.state.needs.resting == 1)
    rig.state.apply(TierPlan(hotFrames: 1, warmBytes: 0, checkpointBytes: 0, decodes: false))
    #expect(rig.hot == [8])
    #expect(rig.move(id, to: 0, due: 2) == true)
    rig.state.apply(TierPlan(hotFrames: 5, warmBytes: 0, checkpointBytes: 0, decodes: true))
    #expect(rig.decodeAll() == [0, 1, 2])
  }

  @Test("A finished player that misses its last frame is served until it has that one")
  func finishedEarly() {
    var rig = StateRig(frames: 9)
    let id = rig.add(readAhead: 1)
    #expect(rig.state.lookUp(8, for: id) == nil)
    rig.move(id, to: 8, isFinished: true)
    #expect(rig.begin() == 8)
    #expect(rig.end(8) == [id])
    #expect(rig.state.lookUp(8, for: id) == "8")
    #expect(rig.move(id, to: 8, isFinished: true) == true)
    #expect(rig.state.needs.served == 0)
  }

  @Test("A near player has its first frames decoded, and nothing preloaded")
  func near() {
    var rig = StateRig(frames: 9)
    let id = rig.add(policy: CachePolicy(readAhead: .seconds(9), readAheadFrames: 2, preload: .all))
    rig.move(id, to: 0, visibility: .near)
    #expect(rig.decodeAll() == [0, 1, 2])
    rig.show(id, as: .visible)
    #expect(rig.decodeAll() == [3, 4, 5, 6, 7, 8])
  }

  @Test("Nothing is decoded for a hidden player, and the frame that it shows is evicted last")
  func hidden() {
    var rig = StateRig(frames: 9)
    let id = rig.add(readAhead: 3)
    rig.move(id, to: 4)
    _ = rig.decodeAll()
    let hides = rig.show(id, as: .hidden)
    let hidesAgain = rig.show(id, as: .hidden)
    #expect(hides && !hidesAgain)
    #expect(rig.state.turnToQueue() == nil)
    rig.state.apply(TierPlan(hotFrames: 1, warmBytes: 0, checkpointBytes: 0, decodes: false))
    #expect(rig.hot == [4])
    let shows = rig.show(id, as: .visible)
    #expect(shows)
    rig.state.apply(TierPlan(hotFrames: 9, warmBytes: 0, checkpointBytes: 0, decodes: true))
    #expect(rig.decodeAll() == [5, 6, 7])
  }

  @Test("Preloading goes beyond the read-ahead while there is room, after all that is due")
  func preload() {
    func made(_ preload: CachePolicy.Preload, hot: Int = 9) -> [Int] {
      var rig = StateRig(frames: 9, hot: hot)
      let id = rig.add(
        policy: CachePolicy(readAhead: .seconds(9), readAheadFrames: 1, preload: preload))
      rig.move(id, to: 6, due: 1)
      return rig.decodeAll()
    }
    #expect(made(.none) == [6, 7])
    #expect(made(.frames(4)) == [6, 7, 8, 0, 1])
    #expect(made(.frames(-4)) == [6, 7])
    #expect(made(.frames(.max)) == [6, 7, 8, 0, 1, 2, 3, 4, 5])
    #expect(made(.all) == [6, 7, 8, 0, 1, 2, 3, 4, 5])
    #expect(made(.all, hot: 4) == [6, 7, 8, 0])
    #expect(made(.time(.milliseconds(300))) == [6, 7, 8, 0])
    #expect(made(.time(.seconds(Int64.max))) == [6, 7, 8, 0, 1, 2, 3, 4, 5])
  }

  @Test("After a failure nothing is decoded, the budget is asked for nothing, and moves report the error")
  func failure() {
    var rig = StateRig(frames: 9)
    let (first, second) = (rig.add(), rig.add())
    rig.move(first, to: 2)
    #expect(rig.begin() == 2)
    let error = GIFError(.canvasTooLarge, value: 2, limit: 1)
    #expect(rig.state.fail(error) == [first, second])
    #expect(rig.state.turns.failure?.code == .canvasTooLarge)
    #expect(rig.state.turns.inFlight == nil)
    #expect(rig.state.move(second, to: Playhead(frame: 3, range: 0..<9), request: 99) == .report(error))
    #expect(rig.state.turnToQueue() == nil)
    #expect(rig.state.needs.served == 0)
  }
}
