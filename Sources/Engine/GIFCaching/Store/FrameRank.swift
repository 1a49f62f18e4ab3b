internal import GIFTimeline

/// How soon a frame is needed: the lower, the sooner.
///
/// A store evicts its frames of the highest rank first. How much each store may hold is ``BudgetPlan``'s.
/// A rank counts the frames that a playing, visible player shows before the one in question. Players that can
/// wait begin to count further on.
struct FrameRank: Comparable, Hashable, Sendable {
  private let value: Int

  /// A player waits for the frame.
  static let now = FrameRank(value: 0)
  /// A player that is hidden or finished still shows the frame: what others show soon comes before it.
  static let shownAtRest = FrameRank(value: 32)
  /// No player needs the frame.
  static let never = FrameRank(value: .max)

  /// Which player needs the frame: every frame of a later case comes after all of the cases before.
  enum PlayerKind: Int {
    /// Its next frame is due at a known time.
    case playing
    /// It is visible, and no frame of it is due.
    case paused
    /// It may be seen soon, but is not yet.
    case near
  }

  private init(value: Int) { self.value = value }

  /// A player shows the frame after this many others, at least one.
  init(after frames: Int, _ player: PlayerKind) { self.init(2 * frames, player) }

  /// A player has been given the frame and shows it. Only the frame after it comes before it, or two players
  /// with room for two frames would wait for each other.
  static func shown(_ player: PlayerKind) -> FrameRank { FrameRank(3, player) }

  private init(_ value: Int, _ player: PlayerKind) { self.value = value + player.rawValue << 27 }

  static func < (left: FrameRank, right: FrameRank) -> Bool { left.value < right.value }
}

/// The players of a store in the order-free form that ranking many frames takes.
struct FrameRanking: Sendable {
  private let players: [StorePlayer]

  init(_ players: some Sequence<StorePlayer>) { self.players = Array(players) }

  /// How soon any player needs a frame. Takes time in proportion to the number of players.
  func rank(of frame: Int) -> FrameRank {
    players.reduce(.never) { min($0, $1.rank(of: frame)) }
  }

  /// The one of these frames that is needed last.
  func last(of frames: some Sequence<Int>) -> (frame: Int, rank: FrameRank)? {
    var last: (frame: Int, rank: FrameRank)?
    for frame in frames {
      let rank = rank(of: frame)
      if last.map({ rank > $0.rank }) ?? true { last = (frame, rank) }
    }
    return last
  }

  /// These frames, the one that is needed last first, and of equals the last in the file.
  func lastFirst(_ frames: some Sequence<Int>) -> [Int] {
    frames.map { (rank: rank(of: $0), frame: $0) }
      .sorted { ($1.rank, $1.frame) < ($0.rank, $0.frame) }
      .map(\.frame)
  }
}
