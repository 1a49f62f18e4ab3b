package import GIFCaching
internal import GIFDecoding
internal import GIFPlayback

/// What the debug overlay says, in a window as in the terminal.
package struct SceneStatistics: Sendable {
  /// A number with its name.
  package struct Counter: Sendable, Hashable {
    package let name: String
    package let value: String
    /// Whether it tells of something that should not be.
    package var isBad = false
  }

  package var subject = OverlaySubject()
  package var recorder = StatisticsRecorder()

  package init(
    subject: OverlaySubject = OverlaySubject(), recorder: StatisticsRecorder = StatisticsRecorder()
  ) {
    self.subject = subject
    self.recorder = recorder
  }

  /// The frame shown among all; nil before the first one.
  package var place: String? {
    subject.playhead.map { FrameText.place($0, of: subject.delays.count, isComplete: subject.isComplete) }
  }

  /// The size of the canvas, and that of the frames where they are decoded at another.
  package var size: String {
    subject.decoded.isEmpty || subject.decoded == subject.canvas
      ? subject.canvas : "\(subject.canvas) > \(subject.decoded)"
  }

  package var cache: String {
    func count(_ tier: CacheMap.Tier) -> Int { subject.tiers.count { $0 == tier } }
    return "\(count(.hot)) hot, \(count(.warm)) warm, \(count(.inFlight)) decoding of \(subject.tiers.count)"
  }

  package var delays: String {
    guard let least = subject.delays.min(), let most = subject.delays.max() else { return "" }
    return least == most ? "\(least) ms each" : "\(least) - \(most) ms"
  }

  package var lateness: String {
    let numbers = [
      recorder.lateness.percentile(0.5), recorder.lateness.percentile(0.99), recorder.worstLateness.peak,
    ].map { NumberFormat.decimal($0, places: $0 < 100 ? 1 : 0) }
    return "p50 \(numbers[0]), p99 \(numbers[1]), worst \(numbers[2]) ms"
  }

  package var memory: String {
    let (all, frames) = (Int64(recorder.memory.last), Int64(recorder.resident.last))
    return "\(NumberFormat.bytes(all)), \(NumberFormat.bytes(frames)) frames"
  }

  package var budget: Counter {
    let totals = recorder.totals
    return Counter(
      name: "budget", value: "\(NumberFormat.bytes(totals.heldBytes)) of \(NumberFormat.bytes(totals.limit))",
      isBad: totals.heldBytes > totals.limit)
  }

  /// The counters, the most telling first.
  ///
  /// - Parameter updates: what an update of the display is.
  package func counters(updates: String) -> [Counter] {
    let totals = recorder.totals
    return [
      Counter(name: "players", value: "\(totals.playing)/\(totals.players)"),
      Counter(name: "frames/s", value: "\(recorder.framesPerSecond)"),
      Counter(name: "shown", value: "\(recorder.shownFrames)"),
      Counter(name: "skipped", value: "\(recorder.skippedFrames)", isBad: recorder.skippedFrames > 0),
      recorder.droppedFrames.map { Counter(name: "dropped", value: "\($0)", isBad: $0 > 0) },
      Counter(name: "decoded", value: "\(totals.decodedFrames)"),
      Counter(name: "misses", value: "\(totals.misses)"),
      Counter(name: "held", value: "\(totals.residentFrames)"),
      Counter(name: "\(updates)/s", value: "\(recorder.ticksPerSecond)"),
    ].compactMap { $0 }
  }
}

/// The image that the overlay inspects.
package struct OverlaySubject: Sendable {
  package var name = ""
  package var delays: [Int] = []
  package var playhead: Int?
  /// Whether all frames are known.
  package var isComplete = true
  package var tiers: [CacheMap.Tier] = []
  package var canvas = ""
  package var decoded = ""

  package init() {}

  /// - Parameter playback: that of the image; nil while it is out of sight.
  package init(name: String, playback: ImagePlayback?) {
    self.name = name
    guard let playback, let image = playback.image else { return }
    delays = image.frames.map { $0.delayMilliseconds(playback.properties.delayPolicy) }
    playhead = playback.shown?.index
    isComplete = playback.isComplete
    tiers = playback.player?.cacheMap.tiers ?? []
    canvas = "\(image.width)x\(image.height)"
    decoded = playback.shown.map { "\($0.pixels.width)x\($0.pixels.height)" } ?? ""
  }
}
