import GIFDecoding
import GIFTimeline

@testable import GIFCaching

/// A store's state with words for finished frames and palette indices, and what drives it.
struct StateRig {
  var state: StoreState<String, String>
  private var requests = 0
  /// What the pool was given last.
  private var submitted: PoolTurn?

  /// Finished frames take ten bytes, the indices of a frame three, the renderer a hundred.
  init(
    frames: Int, hot: Int? = nil, warmBytes: Int64 = 0, checkpointBytes: Int64 = 0, isComplete: Bool = true
  ) {
    state = StoreState(costs: Self.costs(frames), isComplete: isComplete)
    state.apply(
      TierPlan(
        hotFrames: hot ?? frames, warmBytes: warmBytes, checkpointBytes: checkpointBytes, decodes: true))
  }

  static func costs(_ frames: Int, renderer: Int64 = 100) -> DecodingCosts {
    DecodingCosts(
      frameCount: frames, frameBytes: 10, rendererBytes: renderer, planeBytes: Int64(frames) * 3,
      canvasBytes: 10)
  }

  var hot: [Int] { state.held.heldFrames }
  var warm: [Int] { (0..<state.held.frameCount).filter { state.held.isWarm($0) } }

  mutating func add(readAhead: Int = 3, milliseconds: Int64 = 100, policy: CachePolicy? = nil)
    -> StorePlayer.ID
  {
    let count = state.costs.frameCount
    return state.add(
      StorePlayer(
        durations: Array(repeating: milliseconds * 1_000_000, count: count),
        policy: policy ?? CachePolicy(readAhead: .seconds(1_000), readAheadFrames: readAhead)))
  }

  /// Moves a player as the store does.
  ///
  /// - Returns: whether the budget is to be asked.
  @discardableResult
  mutating func move(
    _ id: StorePlayer.ID, to frame: Int, due: Int64? = nil, direction: Playhead.Direction = .forward,
    range: Range<Int>? = nil, isFinished: Bool = false, visibility: Visibility = .visible
  ) -> Bool {
    var playhead = Playhead(
      frame: frame, direction: direction, range: range ?? 0..<state.costs.frameCount, nextDue: due,
      visibility: visibility)
    playhead.isFinished = isFinished
    return move(id, to: playhead)
  }

  /// Hides a player where it stands, or shows it again.
  @discardableResult
  mutating func show(_ id: StorePlayer.ID, as visibility: Visibility) -> Bool {
    guard var playhead = state.players[id]?.playhead else { return false }
    playhead.visibility = visibility
    return move(id, to: playhead)
  }

  private mutating func move(_ id: StorePlayer.ID, to playhead: Playhead) -> Bool {
    requests += 1
    let action = state.move(id, to: playhead, request: requests)
    if case .submit(let turn) = action { submitted = turn }
    return action == .askBudget
  }

  /// The turn that the pool has in its queue; one that does nothing where there is none.
  mutating func turn(for id: StorePlayer.ID? = nil) -> PoolTurn {
    submitted = state.turnToQueue(for: id) ?? submitted
    return submitted ?? PoolTurn(urgency: .max, ticket: -1)
  }

  /// Begins the turn that is due.
  mutating func begin() -> Int? { state.begin(ticket: turn().ticket)?.frame }

  mutating func end(_ frame: Int) -> [StorePlayer.ID] { state.end((frame, "\(frame)")) }

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
