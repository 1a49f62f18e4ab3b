import Gallop
import Measuring
import Synchronization

/// A GIF as bytes, of which an image can be loaded piece by piece.
struct Source: Sendable {
  let bytes: [UInt8]
  let whole: GIFImage
  /// The longest time of a frame, in seconds.
  let longestFrame: Double

  init(path: String) throws(GIFLoadingError) {
    whole = try GIFImage(contentsOfFile: path)
    bytes = fileBytes(path)
    longestFrame = (whole.frames.map { $0.delay() }.max() ?? .zero) / .seconds(1)
  }
}

/// A player, what it has reported, and the rest of its image while that loads.
final class Seat {
  let player: GIFPlayer
  let source: Source
  private let news: News
  private var stream: GIFStream?
  private var given = 0
  let born: Double
  /// The number of frames decoded for it, and since when it is the same.
  private var decoded = (count: 0, since: 0.0)
  /// Whether it gets no commands, as a command can hide a lost wake-up.
  let isLeftAlone: Bool

  /// What the player has reported.
  private final class News: Sendable {
    let shown = Atomic<Int>(0)
    /// In milliseconds.
    let lastShown = Atomic<Int>(Int(seconds * 1000))
    let failures = Atomic<Int>(0)

    func touch() { lastShown.store(Int(seconds * 1000), ordering: .relaxed) }
  }

  init(
    _ source: Source, options: GIFPlayer.Options, clock: PlaybackClock, pool: DecodePool, isLeftAlone: Bool,
    loads: Bool
  ) throws(GIFError) {
    self.source = source
    self.isLeftAlone = isLeftAlone
    born = seconds
    var image = source.whole
    var options = options
    if loads {
      var stream = GIFStream()
      while true {
        let piece = source.bytes[given...].prefix(512)
        try stream.append(Array(piece))
        given += piece.count
        if let start = try stream.image {
          image = start
          break
        }
      }
      self.stream = consume stream
      options.isComplete = false
    }
    let news = News()
    self.news = news
    player = GIFPlayer(image, options: options, clock: clock, pool: pool)
    player.onFrameChange { _ in
      news.shown.add(1, ordering: .relaxed)
      news.touch()
    }
    player.onFailure { _ in news.failures.add(1, ordering: .relaxed) }
  }

  /// Passes the next bytes of an image that loads; returns whether there were any.
  func load(_ count: Int) throws(GIFError) -> Bool {
    guard var stream = stream.take() else { return false }
    let piece = source.bytes[given...].prefix(count)
    try stream.append(Array(piece))
    given += piece.count
    if given == source.bytes.count {
      player.update(try stream.finish(), isComplete: true)
    } else {
      if let image = try stream.image { player.update(image, isComplete: false) }
      self.stream = consume stream
    }
    return true
  }

  var isLoading: Bool { stream != nil }
  var shown: Int { news.shown.load(ordering: .relaxed) }
  var hasFailed: Bool { news.failures.load(ordering: .relaxed) > 0 }

  /// The longest time that a frame is shown, at normal speed. Load shedding shows one of sixteen frames of a
  /// player with low priority.
  private var longestPicture: Double { source.longestFrame * (player.priority == .low ? 16 : 1) }

  /// Seconds in which nothing was decoded for it, as far as observed.
  func idle() -> Double {
    let statistics = player.cacheStatistics
    let count = statistics.decodedFrames + statistics.composedFrames
    if count != decoded.count || decoded.since == 0 { decoded = (count, seconds) }
    return seconds - decoded.since
  }

  /// Seconds beyond a frame's time in which it should have shown a frame and did not. Nil if nothing is due;
  /// the time then starts again.
  func overdue() -> Double? {
    guard player.state == .playing, player.visibility == .visible, player.isComplete,
      player.timeline.range.count > 1
    else {
      news.touch()
      return nil
    }
    return seconds - Double(news.lastShown.load(ordering: .relaxed)) / 1000 - longestPicture / player.rate
  }
}
