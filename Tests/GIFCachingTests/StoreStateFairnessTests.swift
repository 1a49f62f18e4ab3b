import GIFTimeline
import Testing

@testable import GIFCaching

@Suite("StoreState: many players, little room")
struct StoreStateFairnessTests {
  @Test("Two pictures serve any number of players at different frames, paused ones among them")
  func twoPictures() {
    var rig = StateRig(frames: 100, hot: 2)
    let players = (0..<20).map { number in (id: rig.add(), frame: number * 5) }
    var shown: [StoreClient.ID: Int] = [:]
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
    #expect(rig.state.hotCount == 2)
  }

  @Test("The pictures of hidden players do not stand in the way of a visible one")
  func hiddenOnes() {
    var rig = StateRig(frames: 30)
    let hidden = (0..<5).map { _ in rig.add(readAhead: 1) }
    for (place, id) in hidden.enumerated() { rig.move(id, to: place * 3) }
    _ = rig.decodeAll()
    for id in hidden { _ = rig.state.setVisibility(.hidden, of: id) }
    rig.state.apply(TierPlan(hotFrames: 2, warmBytes: 0, checkpointBytes: 0, decodes: true))
    let player = rig.add(readAhead: 1)
    for frame in 20..<25 {
      rig.move(player, to: frame, due: Int64(frame))
      _ = rig.decodeAll()
      #expect(rig.hot == [frame, frame + 1])
    }
  }

  @Test("What was handed out makes way for what is to come, and is made again only when it is asked for")
  func handedOut() {
    var rig = StateRig(frames: 10, hot: 2)
    let id = rig.add(readAhead: 4)
    rig.move(id, to: 0)
    #expect(rig.decodeAll() == [0, 1])
    #expect(rig.state.lookUp(0, for: id) == "0")
    rig.move(id, to: 0)
    // The picture shown gives its place to the one after the next; it is not wanted back.
    _ = rig.decodeAll()
    #expect(rig.hot.contains(1))
    #expect(rig.state.lookUp(1, for: id) == "1")
    if rig.state.lookUp(0, for: id) == nil {
      rig.move(id, to: 0)
      _ = rig.decodeAll()
    }
    #expect(rig.state.lookUp(0, for: id) == "0")
  }

  @Test("A picture refused for want of room is decoded when another player's move makes some")
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
    "Who leaves or is purged makes room for others, though the plan stays the same", arguments: [false, true])
  func roomAfterOthers(isPurge: Bool) {
    var rig = StateRig(frames: 90, hot: 2)
    let (first, second) = (rig.add(readAhead: 1), rig.add(readAhead: 1))
    rig.move(first, to: 0, due: 1_000)
    rig.move(second, to: 50, due: 2_000)
    _ = rig.decodeAll()
    #expect(rig.hot == [0, 50] && rig.begin() == nil)
    if isPurge { rig.state.purge(first) } else { rig.state.remove(first) }
    let turn = rig.turn(for: first)
    #expect(rig.state.beginDecoding(ticket: turn.ticket)?.frame == 51)
  }

  @Test("Two that want the same room do not drop each other's picture for ever, however long the ways are")
  func noPingPong() {
    var rig = StateRig(frames: 90, hot: 2)
    // The one is needed sooner by the clock, the other by the number of frames before it.
    let (fast, slow) = (rig.add(readAhead: 3), rig.add(readAhead: 3, milliseconds: 60_000))
    rig.move(fast, to: 0, due: 1_000)
    rig.move(slow, to: 50, due: 70_000_000_000)
    for (id, frame) in [(fast, 0), (slow, 50)] {
      _ = rig.decodeAll()
      _ = rig.state.lookUp(frame, for: id)
    }
    // Every picture takes two steps.
    var steps = 0
    while let frame = rig.begin(), steps < 100 {
      _ = rig.state.endDecoding(nil)
      guard rig.begin() == frame else { continue }
      _ = rig.end(frame)
      steps += 1
    }
    #expect(steps < 20)
    #expect(rig.hot == [1, 51])
  }

  @Test("A way begun for one player is finished before another's, and what was aimed at is shown in passing")
  func pursuit() {
    var rig = StateRig(frames: 90)
    let (far, near) = (rig.add(readAhead: 1), rig.add(readAhead: 1))
    rig.move(far, to: 40, due: 1_000_000_000)
    _ = rig.state.lookUp(40, for: far)
    #expect(rig.begin() == 40)
    #expect(rig.state.endDecoding(nil) == [])
    // More urgent by the clock: without the pursuit the two would undo each other's ways for ever.
    rig.move(near, to: 3, due: 900_000_000)
    var turn = rig.turn()
    #expect(rig.state.beginDecoding(ticket: turn.ticket) == .init(frame: 40, onTheWay: 40, client: far))
    _ = rig.state.endDecoding(nil)
    // The player goes on meanwhile.
    rig.move(far, to: 42, due: 1_200_000_000)
    turn = rig.turn()
    #expect(rig.state.beginDecoding(ticket: turn.ticket) == .init(frame: 42, onTheWay: 40, client: far))
    #expect(rig.state.endDecoding((40, "40")) == [far])
    #expect(rig.state.lookUp(42, for: far) == nil)
    #expect(rig.begin() == 42)
    _ = rig.end(42)
    #expect(rig.begin() == 3)
  }
}
