import GIFDecoding
import GIFTimeline
import Testing

@testable import GIFCaching

@Suite("StoreState: an image that grows")
struct StoreStateGrowthTests {
  private func durations(_ frames: Int) -> [Int64] { Array(repeating: 100_000_000, count: frames) }

  private func grow(
    _ rig: inout StateRig, to frames: Int, changed: Int? = nil, renderer: Int64 = 100,
    of id: StorePlayer.ID
  ) {
    rig.state.grow(
      to: StateRig.costs(frames, renderer: renderer), changed: changed, durations: durations(frames), of: id,
      isComplete: false)
  }

  private func plan(_ rig: inout StateRig, hot: Int, warmBytes: Int64 = 0) {
    rig.state.apply(TierPlan(hotFrames: hot, warmBytes: warmBytes, checkpointBytes: 0, decodes: true))
  }

  @Test("What is held stays, and new frames are decoded once the next move has asked the budget")
  func keeps() {
    var rig = StateRig(frames: 3)
    let player = rig.add(readAhead: 9)
    rig.move(player, to: 0)
    #expect(rig.decodeAll() == [0, 1, 2])
    let held = rig.state.held.bytes
    grow(&rig, to: 5, of: player)
    #expect(rig.hot == [0, 1, 2])
    #expect(rig.state.held.bytes == held)
    #expect(rig.state.costs.frameCount == 5)
    let asks = [rig.move(player, to: 2), rig.move(player, to: 2)]
    #expect(asks == [true, false])
    plan(&rig, hot: 5)
    #expect(rig.decodeAll() == [3, 4])
    #expect(rig.hot == [0, 1, 2, 3, 4])
  }

  @Test("A frame that was not whole is evicted in every form, and made again for its player")
  func partial() {
    var rig = StateRig(frames: 2, warmBytes: 100)
    let player = rig.add()
    rig.move(player, to: 0)
    _ = rig.decodeAll()
    let isKept = rig.state.reserveIndices(of: 1, bytes: 3)
    rig.state.insertIndices("1", of: 1, bytes: 3)
    rig.move(player, to: 1)
    #expect(isKept && rig.warm == [1] && rig.state.lookUp(1, for: player) == "1")
    let held = rig.state.held.bytes
    grow(&rig, to: 3, changed: 1, of: player)
    #expect(rig.hot == [0] && rig.warm == [])
    #expect(rig.state.held.bytes == held - 13)
    #expect(rig.begin() == 1)
    _ = rig.end(1)
    #expect(rig.hot == [0, 1])
  }

  @Test("A frame on its way is kept after growth")
  func inFlight() {
    var rig = StateRig(frames: 2)
    let player = rig.add()
    rig.move(player, to: 0)
    #expect(rig.state.lookUp(0, for: player) == nil)
    #expect(rig.begin() == 0)
    grow(&rig, to: 4, of: player)
    #expect(rig.end(0) == [player])
    #expect(rig.hot == [0])
    #expect(rig.begin() == 1)
  }

  @Test("A turn in the queue from before the growth counts after it")
  func queued() throws {
    var rig = StateRig(frames: 2)
    let player = rig.add()
    rig.move(player, to: 0)
    let turn = rig.turn()
    grow(&rig, to: 4, of: player)
    #expect(rig.state.turns.isNewest(turn.ticket))
    #expect(rig.state.begin(ticket: turn.ticket)?.frame == 0)
  }

  @Test("What is being made of a frame that changes is thrown away, and the frame is made again")
  func inFlightChanged() {
    var rig = StateRig(frames: 2, warmBytes: 100)
    let player = rig.add()
    rig.move(player, to: 1)
    #expect(rig.begin() == 1)
    let isKept = rig.state.reserveIndices(of: 1, bytes: 3)
    #expect(isKept)
    grow(&rig, to: 3, changed: 1, of: player)
    rig.state.insertIndices("half", of: 1, bytes: 3)
    #expect(rig.warm == [])
    #expect(rig.end(1) == [])
    #expect(rig.hot == [])
    #expect(rig.state.held.bytes == 100)
    // The second time it is the whole one.
    #expect(rig.begin() == 1)
    _ = rig.end(1)
    #expect(rig.hot == [1])
  }

  @Test("Frames that take a larger renderer wait until the budget has granted the bytes for it")
  func largerRenderer() {
    var rig = StateRig(frames: 1)
    let player = rig.add()
    rig.move(player, to: 0)
    _ = rig.decodeAll()
    let held = rig.state.held.bytes
    grow(&rig, to: 2, renderer: 150, of: player)
    rig.move(player, to: 0)
    #expect(rig.state.held.bytes == held)
    #expect(rig.begin() == nil)
    plan(&rig, hot: 2)
    #expect(rig.state.held.bytes == held + 50)
    #expect(rig.begin() == 1)
  }

  @Test("Growth counts the needed frames again, even for a playhead beyond the end so far")
  func needs() {
    var rig = StateRig(frames: 0)
    let player = rig.add()
    rig.move(player, to: 3, range: 0..<9)
    grow(&rig, to: 5, of: player)
    rig.move(player, to: 4)
    rig.state.remove(player)
    let other = rig.add()
    rig.move(other, to: 0)
    #expect(rig.state.needs.neededFrames == 2)
    plan(&rig, hot: 5)
    #expect(rig.decodeAll() == [0, 1, 2, 3])
  }

  @Test("Read-ahead counts the durations of the new frames")
  func readAhead() {
    var rig = StateRig(frames: 1)
    let player = rig.add(policy: CachePolicy(readAhead: .milliseconds(250), readAheadFrames: 8))
    grow(&rig, to: 20, of: player)
    rig.move(player, to: 0, due: 0)
    plan(&rig, hot: 20)
    #expect(rig.decodeAll() == [0, 1, 2, 3])
  }

  private func replace(_ rig: inout StateRig, frames: Int) {
    rig.state.replaceImage(StateRig.costs(frames), durations: durations(frames), isComplete: false)
  }

  @Test("Another image evicts everything, and is decoded once the next move has asked the budget")
  func replaced() {
    var rig = StateRig(frames: 9, warmBytes: 100)
    let player = rig.add(readAhead: 1)
    rig.move(player, to: 6)
    _ = rig.decodeAll()
    #expect(rig.state.lookUp(6, for: player) == "6")
    replace(&rig, frames: 3)
    #expect(rig.hot == [] && rig.state.lookUp(1, for: player) == nil)
    #expect(rig.begin() == nil)
    #expect(rig.move(player, to: 1) == true)
    plan(&rig, hot: 3)
    #expect(rig.decodeAll() == [1, 2])
    #expect(rig.state.held.bytes == 120)
  }

  @Test("What is being made of a former image is thrown away, and its error does not count")
  func replacedInFlight() {
    var rig = StateRig(frames: 9, warmBytes: 100)
    let player = rig.add(readAhead: 1)
    rig.move(player, to: 6)
    #expect(rig.begin() == 6)
    let isReserved = rig.state.reserveIndices(of: 6, bytes: 3)
    #expect(isReserved)
    replace(&rig, frames: 3)
    #expect(rig.state.held.bytes == 113)
    rig.state.insertIndices("old", of: 6, bytes: 3)
    #expect(rig.end(6) == [])
    #expect(rig.hot == [] && rig.warm == [] && rig.state.held.bytes == 100)
    rig.move(player, to: 0)
    plan(&rig, hot: 3)
    #expect(rig.begin() == 0)
    replace(&rig, frames: 2)
    #expect(rig.state.fail(GIFError(.canvasTooLarge)) == nil)
    #expect(rig.state.turns.failure == nil)
    rig.move(player, to: 1)
    plan(&rig, hot: 2)
    #expect(rig.begin() == 1)
  }

  @Test("A renderer is of use until all frames of a complete image are held")
  func renderer() {
    for isComplete in [false, true] {
      var rig = StateRig(frames: 2, isComplete: isComplete)
      let player = rig.add()
      rig.move(player, to: 0)
      #expect(rig.begin() == 0)
      _ = rig.end(0)
      #expect(rig.state.needsRenderer)
      _ = rig.decodeAll()
      #expect(rig.state.needsRenderer == !isComplete)
      rig.state.apply(TierPlan(hotFrames: 1, warmBytes: 0, checkpointBytes: 0, decodes: true))
      #expect(rig.state.needsRenderer)
    }
  }
}
