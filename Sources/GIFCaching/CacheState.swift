/// What a cache holds and does next: a pure state machine around ``CacheWindow``; the pictures are opaque to it.
struct CacheState<Picture: Sendable>: Sendable {
  let window: CacheWindow
  private(set) var frames: [Int: Picture] = [:]
  private(set) var playhead: Playhead
  private(set) var statistics = CacheStatistics()
  /// Requests may overtake each other on their way here; only the newest counts.
  private var newestRequest = 0
  /// The frame somebody asked for in vain.
  private var awaited: Int?
  /// Whether the pool has this cache in its queue or at work.
  private var isSubmitted = false
  /// Whether anything is to be decoded at all.
  private var isActive = false

  init(window: CacheWindow) {
    self.window = window
    playhead = Playhead(frame: 0, range: 0..<window.frameCount)
  }

  mutating func lookUp(_ index: Int) -> Picture? {
    if let picture = frames[index] {
      statistics.hits += 1
      awaited = nil
      return picture
    }
    if awaited != index {
      awaited = index
      statistics.misses += 1
    }
    return nil
  }

  /// Takes a newer playhead. Returns how urgent the first missing picture is if the pool must be told.
  mutating func move(to playhead: Playhead, request: Int) -> Int? {
    guard request > newestRequest else { return nil }
    newestRequest = request
    self.playhead = playhead
    isActive = true
    guard !isSubmitted, let (_, urgency) = nextMissing() else { return nil }
    isSubmitted = true
    return urgency
  }

  /// Keeps the current picture only; nothing more is decoded until the playhead moves.
  mutating func purge() {
    let current = playhead.frame
    statistics.evictions += frames.keys.filter { $0 != current }.count
    frames = frames.filter { $0.key == current }
    isActive = false
    recount()
  }
}

// MARK: - Decoding

extension CacheState {
  /// The most urgent picture that is missing, and how many frames before it is needed.
  func nextMissing() -> (frame: Int, urgency: Int)? {
    guard isActive else { return nil }
    for (urgency, frame) in window.wanted(at: playhead).enumerated() where frames[frame] == nil {
      return (frame, urgency)
    }
    return nil
  }

  /// Chooses the frame to decode and makes room for it before it exists. Nil: the cache leaves the pool.
  mutating func beginDecoding() -> Int? {
    guard let (frame, _) = nextMissing() else {
      isSubmitted = false
      return nil
    }
    while let victim = window.victim(among: frames.keys, at: playhead) {
      frames[victim] = nil
      statistics.evictions += 1
    }
    recount()
    return frame
  }

  mutating func insert(_ picture: Picture, at index: Int) {
    frames[index] = picture
    statistics.decodedFrames += 1
    recount()
  }

  /// Gives up: no picture can be made.
  mutating func fail() { isActive = false }

  /// How urgent the next picture is; nil: the cache leaves the pool.
  mutating func continueDecoding() -> Int? {
    let next = nextMissing()
    isSubmitted = next != nil
    return next?.urgency
  }

  private mutating func recount() {
    statistics.residentFrames = frames.count
    statistics.residentBytes = frames.count * window.frameBytes
    statistics.peakBytes = max(statistics.peakBytes, statistics.residentBytes)
  }
}
