import GIFDecoding
import GIFTestSupport
import Testing

@testable import GIFCaching

/// A store's state with words for pictures and indices, and what drives it.
struct StateRig {
  var state: StoreState<String, String>
  private var requests = 0

  /// Pictures take ten bytes, the indices of a frame three, the renderer a hundred.
  init(frames: Int, hot: Int? = nil, warmBytes: Int64 = 0, checkpointBytes: Int64 = 0) {
    state = StoreState(
      shape: StoreShape(
        frameCount: frames, frameBytes: 10, rendererBytes: 100, planeBytes: Int64(frames) * 3, canvasBytes: 10
      ))
    state.apply(
      TierPlan(
        hotFrames: hot ?? frames, warmBytes: warmBytes, checkpointBytes: checkpointBytes, decodes: true))
  }

  var hot: [Int] { state.hot.indices.filter { state.hot[$0] != nil } }
  var warm: [Int] { state.warm.indices.filter { state.warm[$0] != nil } }

  mutating func add(readAhead: Int = 3, milliseconds: Int64 = 100, policy: CachePolicy? = nil)
    -> StoreClient.ID
  {
    let count = state.shape.frameCount
    return state.add(
      StoreClient(
        frameCount: count, durations: Array(repeating: milliseconds * 1_000_000, count: count),
        policy: policy ?? CachePolicy(readAhead: .seconds(1_000), readAheadFrames: readAhead)))
  }

  @discardableResult
  mutating func move(
    _ id: StoreClient.ID, to frame: Int, due: Int64? = nil, direction: Playhead.Direction = .forward,
    range: Range<Int>? = nil
  ) -> Bool {
    requests += 1
    let playhead = Playhead(
      frame: frame, direction: direction, range: range ?? 0..<state.shape.frameCount, nextDue: due)
    return state.move(id, to: playhead, request: requests)
  }

  /// The turn that the pool is to be given; one that does nothing where there is none.
  mutating func turn(for id: StoreClient.ID? = nil) -> PoolTurn {
    state.turnToQueue(for: id) ?? PoolTurn(urgency: .max, ticket: -1)
  }

  /// Begins the turn that is due.
  mutating func begin() -> Int? {
    guard let turn = state.turnToQueue() else { return nil }
    return state.beginDecoding(ticket: turn.ticket)?.frame
  }

  mutating func end(_ frame: Int) -> [StoreClient.ID] { state.endDecoding((frame, "\(frame)")) }

  /// Decodes to the end; the frames in the order in which they were made.
  mutating func decodeAll() -> [Int] {
    var made: [Int] = []
    while made.count < 1_000, let frame = begin() {
      made.append(frame)
      _ = end(frame)
    }
    return made
  }
}

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

  @Test("Room is made before a picture exists: the plan holds at every moment")
  func room() {
    var rig = StateRig(frames: 9, hot: 3)
    let id = rig.add(readAhead: 5)
    for frame in 0..<30 {
      rig.move(id, to: frame % 9)
      while let next = rig.begin() {
        #expect(rig.state.hotCount <= 2)
        #expect(rig.state.heldBytes <= 130)
        _ = rig.end(next)
      }
      #expect(rig.hot == [frame % 9, (frame + 1) % 9, (frame + 2) % 9].sorted())
    }
    let statistics = rig.state.statistics(of: id)
    #expect(statistics.peakBytes == 130)
    #expect(statistics.composedFrames == 32)
    #expect(statistics.evictions == 29)
  }

  @Test("The room of canvases and indices is taken before the step, and given back after it")
  func reservation() {
    var rig = StateRig(frames: 9, hot: 3, warmBytes: 7, checkpointBytes: 50)
    let id = rig.add()
    rig.move(id, to: 0)
    #expect(rig.begin() == 0)
    #expect(rig.state.heldBytes == 10 + 100 + 50)
    #expect(rig.state.reservePlane(of: 0, bytes: 3) == true)
    #expect(rig.state.heldBytes == 163)
    #expect(rig.state.reservePlane(of: 1, bytes: 5) == false)
    rig.state.insert("indices", of: 0, bytes: 3)
    #expect(rig.state.heldBytes == 163)
    _ = rig.end(0)
    rig.state.rendererExists(true, checkpointBytes: 20)
    #expect(rig.state.heldBytes == 133)
    #expect(rig.warm == [0])
  }

  @Test("Indices given up while they are in use count until the turn is over")
  func lentPlane() {
    var rig = StateRig(frames: 9, hot: 3, warmBytes: 9)
    let id = rig.add(readAhead: 1)
    rig.move(id, to: 0)
    _ = rig.begin()
    _ = rig.state.reservePlane(of: 0, bytes: 3)
    rig.state.insert("indices", of: 0, bytes: 3)
    _ = rig.end(0)
    rig.state.apply(TierPlan(hotFrames: 2, warmBytes: 9, checkpointBytes: 0, decodes: true))
    rig.move(id, to: 4)
    _ = rig.decodeAll()
    rig.move(id, to: 0)
    #expect(rig.begin() == 0)
    #expect(rig.state.lendPlane(of: 0) == "indices")
    rig.state.apply(TierPlan(hotFrames: 2, warmBytes: 0, checkpointBytes: 0, decodes: true))
    #expect(rig.state.warmBytes == 0)
    #expect(rig.state.heldBytes == 20 + 100 + 3)
    _ = rig.end(0)
    #expect(rig.state.heldBytes == 120)
  }

  @Test("A picture of which the indices stay is demoted, another evicted")
  func demotion() {
    var rig = StateRig(frames: 6, warmBytes: 6)
    let id = rig.add(readAhead: 5)
    rig.move(id, to: 0)
    while let frame = rig.begin() {
      if rig.state.reservePlane(of: frame, bytes: 3) { rig.state.insert("i\(frame)", of: frame, bytes: 3) }
      _ = rig.end(frame)
    }
    #expect(rig.warm == [0, 1])
    rig.state.apply(TierPlan(hotFrames: 0, warmBytes: 3, checkpointBytes: 0, decodes: false))
    #expect(rig.hot == [])
    #expect(rig.warm == [0])
    #expect(rig.state.totals.demotions == 2)
    #expect(rig.state.totals.evictions == 4)
  }

  @Test("A plan that shrinks while a picture is decoded counts it in; where nothing is left it is dropped")
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
    #expect(rig.state.beginDecoding(ticket: turn.ticket) == .init(frame: 40, onTheWay: 40))
    _ = rig.state.endDecoding(nil)
    // The player goes on meanwhile.
    rig.move(far, to: 42, due: 1_200_000_000)
    turn = rig.turn()
    #expect(rig.state.beginDecoding(ticket: turn.ticket) == .init(frame: 42, onTheWay: 40))
    #expect(rig.state.endDecoding((40, "40")) == [far])
    #expect(rig.state.lookUp(42, for: far) == nil)
    #expect(rig.begin() == 42)
    _ = rig.end(42)
    #expect(rig.begin() == 3)
  }
}
