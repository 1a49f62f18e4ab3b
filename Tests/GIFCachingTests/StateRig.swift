import GIFTimeline

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
