import GIFTimeline
import Testing

@testable import GIFCaching

@Suite("StoreState: many players, little room")
struct StoreStateFairnessTests {
  @Test("Two frames serve any number of players at different places, paused ones among them")
  func twoFrames() {
    var rig = StateRig(frames: 100, hot: 2)
    let players = (0..<20).map { number in (id: rig.add(), frame: number * 5) }
    var shown: [StorePlayer.ID: Int] = [:]
    for player in players {
      if rig.state.lookUp(player.frame, for: player.id) == nil {
        rig.move(player.id, to: player.frame, due: player.id % 2 == 0 ? nil : 1_000)
      }
    }
    for _ in 0..<200 {
      guard let frame = rig.begin() else { break }
      for id in rig.end(frame) {
        let wanted = players.first { $0.id == id }?.frame ?? -1
        if rig.state.lookUp(wanted, for: id) != nil { shown[id] = wanted }
      }
    }
    #expect(shown.count == 20)
    #expect(rig.state.held.hotCount == 2)
  }

  @Test("The frames of hidden players do not stand in the way of a visible one")
  func hiddenOnes() {
    var rig = StateRig(frames: 30)
    let hidden = (0..<5).map { _ in rig.add(readAhead: 1) }
    for (place, id) in hidden.enumerated() { rig.move(id, to: place * 3) }
    _ = rig.decodeAll()
    for id in hidden { rig.show(id, as: .hidden) }
    rig.state.apply(TierPlan(hotFrames: 2, warmBytes: 0, checkpointBytes: 0, decodes: true))
    let player = rig.add(readAhead: 1)
    for frame in 20..<25 {
      rig.move(player, to: frame, due: Int64(frame))
      _ = rig.decodeAll()
      #expect(rig.hot == [frame, frame + 1])
    }
  }

  @Test("A frame that was handed out makes room for the next, and is made again only on demand")
  func handedOut() {
    var rig = StateRig(frames: 10, hot: 2)
    let id = rig.add(readAhead: 4)
    rig.move(id, to: 0)
    #expect(rig.decodeAll() == [0, 1])
    #expect(rig.state.lookUp(0, for: id) == "0")
    rig.move(id, to: 0)
    // The frame shown makes room for the one after the next; it is not needed again.
    _ = rig.decodeAll()
    #expect(rig.hot.contains(1))
    #expect(rig.state.lookUp(1, for: id) == "1")
    if rig.state.lookUp(0, for: id) == nil {
      rig.move(id, to: 0)
      _ = rig.decodeAll()
    }
    #expect(rig.state.lookUp(0, for: id) == "0")
  }

  @Test("A frame refused for want of room is decoded when another player's move makes some")
  func lackOfRoom() {
    var rig = StateRig(frames: 90, hot: 2)
    let (first, second) = (rig.add(readAhead: 1), rig.add(readAhead: 1))
    rig.move(first, to: 0, due: 1_000)
    rig.move(second, to: 50, due: 2_000)
    _ = rig.decodeAll()
    #expect(rig.hot == [0, 50])
    #expect(rig.begin() == nil)
    #expect(rig.state.lookUp(0, for: first) == "0")
    rig.move(first, to: 0, due: 1_000)
    #expect(rig.decodeAll() == [1])
    #expect(rig.state.lookUp(50, for: second) == "50")
    rig.move(second, to: 50, due: 2_000)
    #expect(rig.decodeAll() == [51])
  }

  @Test(
    "A player that leaves or hides makes room for others, though the plan stays the same",
    arguments: [false, true])
  func roomAfterOthers(isHidden: Bool) {
    var rig = StateRig(frames: 90, hot: 2)
    let (first, second) = (rig.add(readAhead: 1), rig.add(readAhead: 1))
    rig.move(first, to: 0, due: 1_000)
    rig.move(second, to: 50, due: 2_000)
    _ = rig.decodeAll()
    #expect(rig.hot == [0, 50] && rig.begin() == nil)
    if isHidden { rig.show(first, as: .hidden) } else { rig.state.remove(first) }
    let turn = rig.turn(for: first)
    #expect(rig.state.begin(ticket: turn.ticket)?.frame == 51)
  }

  @Test("Two players that need the same room do not evict each other's frames for ever")
  func noPingPong() {
    var rig = StateRig(frames: 90, hot: 2)
    // One is needed sooner by the clock, the other by the number of frames before it.
    let (fast, slow) = (rig.add(readAhead: 3), rig.add(readAhead: 3, milliseconds: 60_000))
    rig.move(fast, to: 0, due: 1_000)
    rig.move(slow, to: 50, due: 70_000_000_000)
    for (id, frame) in [(fast, 0), (slow, 50)] {
      _ = rig.decodeAll()
      _ = rig.state.lookUp(frame, for: id)
    }
    // Every frame takes two steps.
    var steps = 0
    while let frame = rig.begin(), steps < 100 {
      _ = rig.state.end(nil)
      guard rig.begin() == frame else { continue }
      _ = rig.end(frame)
      steps += 1
    }
    #expect(steps < 20)
    #expect(rig.hot == [1, 51])
  }

  @Test("A way begun for one player is finished first, and what was aimed at is shown in passing")
  func pursuit() {
    var rig = StateRig(frames: 90)
    let (far, near) = (rig.add(readAhead: 1), rig.add(readAhead: 1))
    rig.move(far, to: 40, due: 1_000_000_000)
    _ = rig.state.lookUp(40, for: far)
    #expect(rig.begin() == 40)
    #expect(rig.state.end(nil) == [])
    // More urgent by the clock: without the pursuit the two would undo each other's ways for ever.
    rig.move(near, to: 3, due: 900_000_000)
    var turn = rig.turn()
    #expect(rig.state.begin(ticket: turn.ticket) == .init(frame: 40, onTheWay: 40, player: far))
    _ = rig.state.end(nil)
    // The player goes on meanwhile.
    rig.move(far, to: 42, due: 1_200_000_000)
    turn = rig.turn()
    #expect(rig.state.begin(ticket: turn.ticket) == .init(frame: 42, onTheWay: 40, player: far))
    #expect(rig.state.end((40, "40")) == [far])
    #expect(rig.state.lookUp(42, for: far) == nil)
    #expect(rig.begin() == 42)
    _ = rig.end(42)
    #expect(rig.begin() == 3)
  }
}
