import GIFTimeline
import Testing

@testable import GIFCaching

@Suite("StoreState: an image that grows")
struct StoreStateGrowthTests {
  private func shape(_ frames: Int, renderer: Int64 = 100) -> StoreShape {
    StoreShape(
      frameCount: frames, frameBytes: 10, rendererBytes: renderer, planeBytes: Int64(frames) * 3,
      canvasBytes: 10)
  }

  private func durations(_ frames: Int) -> [Int64] { Array(repeating: 100_000_000, count: frames) }

  private func grow(
    _ rig: inout StateRig, to frames: Int, changed: Int? = nil, renderer: Int64 = 100,
    of id: StoreClient.ID
  ) {
    rig.state.grow(
      to: shape(frames, renderer: renderer), changed: changed, durations: durations(frames), of: id)
  }

  private func plan(_ rig: inout StateRig, hot: Int, warmBytes: Int64 = 0) {
    rig.state.apply(TierPlan(hotFrames: hot, warmBytes: warmBytes, checkpointBytes: 0, decodes: true))
  }

  @Test("What is held stays; the budget is asked once with the next move; then the new frames are decoded")
  func keeps() {
    var rig = StateRig(frames: 3)
    let player = rig.add(readAhead: 9)
    rig.move(player, to: 0)
    #expect(rig.decodeAll() == [0, 1, 2])
    let held = rig.state.heldBytes
    grow(&rig, to: 5, of: player)
    #expect(rig.hot == [0, 1, 2])
    #expect(rig.state.heldBytes == held)
    #expect(rig.state.shape.frameCount == 5)
    let told = [rig.move(player, to: 2), rig.move(player, to: 2)]
    #expect(told == [true, false])
    plan(&rig, hot: 5)
    #expect(rig.decodeAll() == [3, 4])
    #expect(rig.hot == [0, 1, 2, 3, 4])
  }

  @Test("A frame that was not whole is given up in every form, and made again for whoever shows it")
  func partial() {
    var rig = StateRig(frames: 2, warmBytes: 100)
    let player = rig.add()
    rig.move(player, to: 0)
    _ = rig.decodeAll()
    let isKept = rig.state.reservePlane(of: 1, bytes: 3)
    rig.state.insert("1", of: 1, bytes: 3)
    rig.move(player, to: 1)
    #expect(isKept && rig.warm == [1] && rig.state.lookUp(1, for: player) == "1")
    let held = rig.state.heldBytes
    grow(&rig, to: 3, changed: 1, of: player)
    #expect(rig.hot == [0] && rig.warm == [])
    #expect(rig.state.heldBytes == held - 13)
    #expect(rig.begin() == 1)
    _ = rig.end(1)
    #expect(rig.hot == [0, 1])
  }

  @Test("A picture on its way is entered after growth")
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
    #expect(rig.state.awaits(turn.ticket))
    #expect(rig.state.beginDecoding(ticket: turn.ticket)?.frame == 0)
  }

  @Test("What was being made of a frame that has changed is thrown away, and the frame made again")
  func inFlightChanged() {
    var rig = StateRig(frames: 2, warmBytes: 100)
    let player = rig.add()
    rig.move(player, to: 1)
    #expect(rig.begin() == 1)
    let isKept = rig.state.reservePlane(of: 1, bytes: 3)
    #expect(isKept)
    grow(&rig, to: 3, changed: 1, of: player)
    rig.state.insert("half", of: 1, bytes: 3)
    #expect(rig.warm == [])
    #expect(rig.end(1) == [])
    #expect(rig.hot == [])
    #expect(rig.state.heldBytes == 100)
    // The second time it is the whole one.
    #expect(rig.begin() == 1)
    _ = rig.end(1)
    #expect(rig.hot == [1])
  }

  @Test("Frames that take a larger renderer wait until the budget has given the bytes for it")
  func largerRenderer() {
    var rig = StateRig(frames: 1)
    let player = rig.add()
    rig.move(player, to: 0)
    _ = rig.decodeAll()
    let held = rig.state.heldBytes
    grow(&rig, to: 2, renderer: 150, of: player)
    rig.move(player, to: 0)
    #expect(rig.state.heldBytes == held)
    #expect(rig.begin() == nil)
    plan(&rig, hot: 2)
    #expect(rig.state.heldBytes == held + 50)
    #expect(rig.begin() == 1)
  }

  @Test("Growth counts the frames that are needed anew, be a playhead beyond the end so far")
  func needs() {
    var rig = StateRig(frames: 0)
    let player = rig.add()
    rig.move(player, to: 3, range: 0..<9)
    grow(&rig, to: 5, of: player)
    rig.move(player, to: 4)
    rig.state.remove(player)
    let other = rig.add()
    rig.move(other, to: 0)
    #expect(rig.state.audience.needed == 2)
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
}
