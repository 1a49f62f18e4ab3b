import GIFTimeline
import Testing

@testable import GIFCaching

@Suite("StoreState: memory")
struct StoreStateMemoryTests {
  @Test("Room is made before a frame exists, so the plan holds at every moment")
  func room() {
    var rig = StateRig(frames: 9, hot: 3)
    let id = rig.add(readAhead: 5)
    for frame in 0..<30 {
      rig.move(id, to: frame % 9)
      while let next = rig.begin() {
        #expect(rig.state.held.hotCount <= 2)
        #expect(rig.state.held.bytes <= 130)
        _ = rig.end(next)
      }
      #expect(rig.hot == [frame % 9, (frame + 1) % 9, (frame + 2) % 9].sorted())
    }
    let totals = rig.state.held.totals
    #expect(totals.peakBytes == 130)
    #expect(totals.composedFrames == 32)
    #expect(totals.evictions == 29)
  }

  @Test("The frame before the shown one makes room, also after a jump: only its memory can serve again")
  func reuse() {
    var rig = StateRig(frames: 9, hot: 2)
    let id = rig.add(readAhead: 1)
    for frame in [0, 1, 2, 3, 4, 5, 6, 8, 0, 1, 4, 5] {
      let before = rig.hot
      if rig.state.lookUp(frame, for: id) == nil {
        rig.move(id, to: frame)
        _ = rig.decodeAll()
        #expect(rig.state.lookUp(frame, for: id) != nil)
      } else {
        rig.move(id, to: frame)
        let next = rig.begin()
        #expect(next == (frame + 1) % 9)
        let spare = rig.state.takeSpare()
        #expect(before.filter { $0 != frame }.map { "\($0)" } == [spare])
        if let next { _ = rig.end(next) }
      }
      #expect(rig.hot == [frame, (frame + 1) % 9].sorted())
    }
  }

  @Test("In loops of any length and order the shown frame stays, as long as the next one finds another place")
  func shownStays() {
    for frames in 3...6 {
      for hot in 2..<frames {
        for direction in [Playhead.Direction.forward, .reverse] {
          var rig = StateRig(frames: frames, hot: hot)
          let id = rig.add(readAhead: frames)
          for step in 0..<40 {
            let frame = direction == .forward ? step % frames : frames - 1 - step % frames
            rig.move(id, to: frame, direction: direction)
            if rig.state.lookUp(frame, for: id) == nil {
              _ = rig.decodeAll()
              #expect(rig.state.lookUp(frame, for: id) != nil)
            }
            rig.move(id, to: frame, direction: direction)
            _ = rig.decodeAll()
            #expect(rig.hot.contains(frame))
          }
        }
      }
    }
  }

  @Test("Players out of step, with room for two frames, all go on")
  func outOfStep() {
    for count in 2...5 {
      var rig = StateRig(frames: 20, hot: 2)
      let players = (0..<count).map { _ in rig.add(readAhead: 1) }
      for step in 0..<60 {
        for (place, id) in players.enumerated() {
          let frame = (step + 4 * place) % 20
          if rig.state.lookUp(frame, for: id) == nil {
            rig.move(id, to: frame)
            _ = rig.decodeAll()
            #expect(rig.state.lookUp(frame, for: id) != nil)
          }
          rig.move(id, to: frame)
          _ = rig.decodeAll()
        }
      }
    }
  }

  @Test("The room of canvases and indices is taken before the step, and given back after it")
  func reservation() {
    var rig = StateRig(frames: 9, hot: 3, warmBytes: 7, checkpointBytes: 50)
    let id = rig.add()
    rig.move(id, to: 0)
    #expect(rig.begin() == 0)
    #expect(rig.state.held.bytes == 10 + 100 + 50)
    #expect(rig.state.reserveIndices(of: 0, bytes: 3) == true)
    #expect(rig.state.held.bytes == 163)
    #expect(rig.state.reserveIndices(of: 1, bytes: 5) == false)
    rig.state.insertIndices("indices", of: 0, bytes: 3)
    #expect(rig.state.held.bytes == 163)
    _ = rig.end(0)
    rig.state.setRenderer(isOpen: true, packedBytes: nil, checkpointBytes: 20)
    #expect(rig.state.held.bytes == 133)
    #expect(rig.warm == [0])
  }

  @Test("Indices that are evicted while they are in use count until the turn is over")
  func lentIndices() {
    var rig = StateRig(frames: 9, hot: 3, warmBytes: 9)
    let id = rig.add(readAhead: 1)
    rig.move(id, to: 0)
    _ = rig.begin()
    _ = rig.state.reserveIndices(of: 0, bytes: 3)
    rig.state.insertIndices("indices", of: 0, bytes: 3)
    _ = rig.end(0)
    rig.state.apply(TierPlan(hotFrames: 2, warmBytes: 9, checkpointBytes: 0, decodes: true))
    rig.move(id, to: 4)
    _ = rig.decodeAll()
    rig.move(id, to: 0)
    #expect(rig.begin() == 0)
    #expect(rig.state.lendIndices(of: 0) == "indices")
    rig.state.apply(TierPlan(hotFrames: 2, warmBytes: 0, checkpointBytes: 0, decodes: true))
    #expect(rig.state.held.warmBytes == 0)
    #expect(rig.state.held.bytes == 20 + 100 + 3)
    _ = rig.end(0)
    #expect(rig.state.held.bytes == 120)
  }

  @Test("A frame of which the indices stay is demoted, another one evicted")
  func demotion() {
    var rig = StateRig(frames: 6, warmBytes: 6)
    let id = rig.add(readAhead: 5)
    rig.move(id, to: 0)
    while let frame = rig.begin() {
      if rig.state.reserveIndices(of: frame, bytes: 3) {
        rig.state.insertIndices("i\(frame)", of: frame, bytes: 3)
      }
      _ = rig.end(frame)
    }
    #expect(rig.warm == [0, 1])
    rig.state.apply(TierPlan(hotFrames: 0, warmBytes: 3, checkpointBytes: 0, decodes: false))
    #expect(rig.hot == [])
    #expect(rig.warm == [0])
    #expect(rig.state.held.totals.demotions == 2)
    #expect(rig.state.held.totals.evictions == 4)
  }

  @Test("A plan that shrinks counts the frame being decoded, and drops it where nothing is left")
  func shrinkInFlight() {
    var rig = StateRig(frames: 9)
    let id = rig.add(readAhead: 8)
    rig.move(id, to: 0)
    for frame in 0..<5 {
      #expect(rig.begin() == frame)
      _ = rig.end(frame)
    }
    #expect(rig.begin() == 5)
    rig.state.apply(TierPlan(hotFrames: 3, warmBytes: 0, checkpointBytes: 0, decodes: true))
    #expect(rig.hot == [0, 1])
    _ = rig.end(5)
    #expect(rig.hot == [0, 1, 5])
    #expect(rig.begin() == 2)
    rig.state.apply(.nothing)
    #expect(rig.hot == [])
    #expect(rig.end(2) == [])
    #expect(rig.hot == [])
    #expect(rig.state.turnToQueue() == nil)
  }
}
