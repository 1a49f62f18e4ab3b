internal import GIFStage
internal import Gallop

/// Which of several files plays where they play one after another, and when the next one follows.
struct PlaylistPosition {
  /// How long a still is shown.
  static let stillTime = Duration.seconds(3)

  /// How far the playback of a file is.
  enum Progress {
    /// It loads or plays.
    case playing
    /// All plays are over, or the first loop of an endless animation.
    case over(isStill: Bool)
    case failed
  }

  let count: Int
  /// The file, from 0.
  private(set) var current = 0
  /// When the file began to play.
  private var start: PlaybackInstant

  init(count: Int, at now: PlaybackInstant) {
    self.count = count
    start = now
  }

  /// When the next file follows, which may be in the past; nil if that depends on what comes.
  func end(_ progress: Progress, at now: PlaybackInstant) -> PlaybackInstant? {
    switch progress {
    case .playing: return nil
    case .over(isStill: true): return start + Self.stillTime
    case .over(isStill: false), .failed: return now
    }
  }

  /// Goes to another file; before the first one it begins the first again.
  ///
  /// - Returns: false if there is no further file.
  mutating func move(by offset: Int, at now: PlaybackInstant) -> Bool {
    guard current + offset < count else { return false }
    current = max(0, current + offset)
    start = now
    return true
  }

  /// How many files a key goes on, or back: one that selects in a grid, and has no meaning for a single GIF.
  static func offset(of key: StageKey) -> Int? {
    guard SceneCommand(key, in: .single) == nil, case .select(let offset) = SceneCommand(key, in: .wall)
    else {
      return nil
    }
    return offset
  }
}
