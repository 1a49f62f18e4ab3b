import GIFDecoding
import GIFTimeline
import Testing

@testable import GIFCaching

@Suite("StoreState")
struct StoreStateTests {
  @Test("Before anybody moves nothing is to be decoded")
  func idle() {
    var rig = StateRig(frames: 5)
    let id = rig.add()
    #expect(rig.state.turnToQueue() == nil)
    #expect(rig.state.lookUp(0, for: id) == nil)
    #expect(rig.state.beginDecoding(ticket: 0) == nil)
    #expect(rig.state.heldBytes == 0)
  }

  @Test("From the playhead on, as far as is read ahead")
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
    #expect(rig.state.move(id, to: Playhead(frame: 2, range: 0..<9), request: 9) == false)
    #expect(rig.state.move(id, to: Playhead(frame: 2, range: 0..<9), request: 10) == false)
    #expect(rig.state.move(77, to: Playhead(frame: 2, range: 0..<9), request: 11) == false)
    #expect(rig.decodeAll() == [5, 6])
  }

  @Test("A picture waited for counts as one miss")
  func misses() {
    var rig = StateRig(frames: 9)
    let id = rig.add(readAhead: 1)
    for _ in 0..<5 { #expect(rig.state.lookUp(3, for: id) == nil) }
    #expect(rig.state.statistics(of: id).misses == 1)
    rig.move(id, to: 3)
    #expect(rig.decodeAll() == [3, 4])
    #expect(rig.state.lookUp(3, for: id) == "3")
    #expect(rig.state.lookUp(3, for: id) == "3")
    #expect(rig.state.lookUp(8, for: id) == nil)
    #expect(rig.state.lookUp(9, for: id) == nil)
    #expect(rig.state.lookUp(-1, for: id) == nil)
    #expect(rig.state.statistics(of: id).hits == 2)
    #expect(rig.state.statistics(of: id).misses == 4)
  }

  @Test("Who waits is told of each picture, who found its own is not")
  func told() {
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
    "One turn is in the queue at a time; a more urgent one takes its place, and the old ticket does nothing")
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
    // Its picture was due a frame's time before the next one.
    #expect(second.urgency == 400_000_000)
    #expect(second.ticket > first.ticket)
    #expect(rig.state.beginDecoding(ticket: first.ticket) == nil)
    #expect(rig.state.beginDecoding(ticket: second.ticket)?.frame == 6)
    // Another thread with any ticket finds it at work.
    #expect(rig.state.beginDecoding(ticket: second.ticket) == nil)
    #expect(rig.state.turnToQueue() == nil)
    _ = rig.end(6)
    #expect(rig.state.turnToQueue()?.urgency == 500_000_000)
  }

  @Test(
    "What is due soonest comes first over all players; who pauses comes after all, who is near before those")
  func urgency() {
    var rig = StateRig(frames: 60)
    let paused = rig.add(readAhead: 2)
    let near = rig.add(readAhead: 2)
    let late = rig.add(readAhead: 2)
    let soon = rig.add(readAhead: 2)
    rig.move(paused, to: 0)
    rig.move(near, to: 10, due: 100_000_000)
    _ = rig.state.setVisibility(.near, of: near)
    rig.move(late, to: 20, due: 5_000_000_000)
    rig.move(soon, to: 30, due: 150_000_000)
    #expect(rig.decodeAll() == [0, 30, 31, 32, 20, 21, 22, 10, 11, 12, 1, 2])
  }

  @Test(
    "Players in step need two frames, spread ones two each; the budget is told at once of more, later of less"
  )
  func needs() {
    var rig = StateRig(frames: 99)
    let ids = (0..<20).map { _ in rig.add() }
    for id in ids { rig.move(id, to: 5) }
    #expect(rig.state.audience.needed == 2)
    #expect(rig.state.audience.active == 20)
    for id in ids.prefix(2) { #expect(rig.move(id, to: 4 * id) == true) }
    #expect(rig.state.audience.needed >= 6)
    for id in ids { rig.move(id, to: 4 * id) }
    #expect(rig.state.audience.needed >= 40)
    for id in ids { rig.state.remove(id) }
    #expect(rig.state.audience.needed <= 2)
    #expect(rig.state.audience.active == 0)
  }

  @Test("Without the floor nothing is decoded; with it everything goes on")
  func admission() {
    var rig = StateRig(frames: 9)
    let id = rig.add(readAhead: 1)
    rig.state.apply(TierPlan(hotFrames: 9, warmBytes: 0, checkpointBytes: 0, decodes: false))
    rig.move(id, to: 0)
    #expect(rig.state.turnToQueue() == nil)
    rig.state.apply(TierPlan(hotFrames: 9, warmBytes: 0, checkpointBytes: 0, decodes: true))
    #expect(rig.decodeAll() == [0, 1])
  }

  @Test("A purge keeps the current picture and rests until the playhead moves")
  func purge() {
    var rig = StateRig(frames: 9)
    let id = rig.add(readAhead: 4)
    rig.move(id, to: 2)
    #expect(rig.decodeAll() == [2, 3, 4, 5, 6])
    rig.state.purge(id)
    #expect(rig.hot == [2])
    #expect(rig.state.turnToQueue() == nil)
    #expect(rig.state.audience.active == 0)
    #expect(rig.state.audience.hidden == 1)
    #expect(rig.move(id, to: 3) == true)
    #expect(rig.decodeAll() == [3, 4, 5, 6, 7])
  }

  @Test("A purge leaves what another player needs")
  func purgeShared() {
    var rig = StateRig(frames: 9)
    let (first, second) = (rig.add(readAhead: 2), rig.add(readAhead: 2))
    rig.move(first, to: 0)
    rig.move(second, to: 4, range: 4..<8)
    #expect(rig.decodeAll() == [0, 4, 1, 5, 2, 6])
    rig.state.purge(first)
    #expect(rig.hot == [0, 4, 5, 6])
  }

  @Test("A purge leaves the pictures that hidden players show, and those of players purged before")
  func purgeHidden() {
    var rig = StateRig(frames: 9)
    let (first, second, third) = (rig.add(readAhead: 1), rig.add(readAhead: 1), rig.add(readAhead: 1))
    // Who never moved shows nothing, though it stands at the first frame.
    _ = rig.add()
    for (id, frame) in [(first, 0), (second, 3), (third, 6)] {
      rig.move(id, to: frame)
      _ = rig.decodeAll()
    }
    _ = rig.state.setVisibility(.hidden, of: second)
    rig.state.purge(third)
    #expect(rig.hot == [0, 1, 3, 4, 6, 7])
    rig.move(first, to: 1)
    rig.state.purge(first)
    #expect(rig.hot == [1, 3, 6])
  }

  @Test("Nothing is decoded for who is hidden; the picture it showed last stays longest of what nobody plays")
  func hidden() {
    var rig = StateRig(frames: 9)
    let id = rig.add(readAhead: 3)
    rig.move(id, to: 4)
    _ = rig.decodeAll()
    #expect(rig.state.setVisibility(.hidden, of: id) == true)
    #expect(rig.state.setVisibility(.hidden, of: id) == false)
    #expect(rig.state.turnToQueue() == nil)
    rig.state.apply(TierPlan(hotFrames: 1, warmBytes: 0, checkpointBytes: 0, decodes: false))
    #expect(rig.hot == [4])
    #expect(rig.state.setVisibility(.visible, of: id) == true)
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

  @Test("After a failure nothing more is decoded, and nothing is wanted")
  func failure() {
    var rig = StateRig(frames: 9)
    let (first, second) = (rig.add(), rig.add())
    rig.move(first, to: 2)
    #expect(rig.begin() == 2)
    let error = GIFError(.canvasTooLarge, value: 2, limit: 1)
    #expect(rig.state.fail(error) == [first, second])
    #expect(rig.state.failure?.code == .canvasTooLarge)
    #expect(rig.state.inFlight == nil)
    rig.move(second, to: 3)
    #expect(rig.state.turnToQueue() == nil)
    #expect(rig.state.audience.active == 0)
  }
}
