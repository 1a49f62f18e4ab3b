internal import ArgumentParser
internal import EngineSupport
internal import Gallop
internal import Glibc

/// A benchmark that plays images for some time.
struct PlaybackBench {
  /// The image of each player, and the name of its file.
  let images: [(name: String, image: GIFImage)]
  /// Collects the players that fail.
  let failures: PlayerFailures
  let seconds: Double
  /// The size at which each player is drawn.
  let tile: PixelSize
  /// Bytes that all players share.
  let budget: Int

  struct Report: Encodable {
    struct Lateness: Encodable {
      var p50: Double
      var p95: Double
      var p99: Double
      var max: Double
    }

    var players: Int
    /// Of them, those that could not make any picture.
    var playersFailed = 0
    var seconds: Double
    var framesDue: Int
    var framesShown: Int
    var framesDropped: Int
    var latenessMs: Lateness
    var cpuSeconds: Double
    /// Of one processor.
    var cpuPercent: Double
    var peakCacheBytes: Int
    /// Of this run alone.
    var peakResidentBytes: Int
    var wakeupsPerSecond: Double
    var decodedFrames: Int
  }

  /// Totals of the players' events.
  private struct Totals: Sendable {
    var shown = 0
    var dropped = 0
    var failed = 0
    var latenesses: [Int64] = []
  }

  /// - Parameter recorder: records a trace of all players; nil for none.
  func run(_ recorder: TraceRecorder? = nil) throws -> Report {
    let totals = Lock(Totals())
    let clock = PlaybackClock()
    var options = GIFPlayer.Options()
    options.size = tile
    let budget = FrameBudget(limit: Int64(budget))
    options.budget = budget
    let players = images.map { GIFPlayer($0.image, options: options, clock: clock) }
    let wall = TileWall(tile: tile, count: players.count)
    for (place, player) in players.enumerated() {
      player.onFrameChange { change in
        wall.draw(change, at: place)
        totals.withLock {
          $0.shown += 1
          $0.dropped += change.skippedFrames
          $0.latenesses.append(change.lateness.wholeMicroseconds)
        }
      }
      recorder?.record(player, as: "player \(player.id)")
      player.onFailure { _ in totals.withLock { $0.failed += 1 } }
      failures.watch(player, name: images[place].name)
    }
    var progress = ProgressLine("\(players.count) players", unit: "seconds")
    defer { progress.end() }
    var memory = ResidentMemory()
    let cpuBefore = Self.cpuSeconds
    let start = PlaybackInstant.now
    let end = start + .seconds(seconds)
    for player in players { player.play() }
    // This monitor only waits; it wakes ten times a second to check for signals.
    let pause = Monitor(())
    while PlaybackInstant.now < end {
      try Interruption.check()
      let next = min(end, PlaybackInstant.now + .milliseconds(100)).nanoseconds
      pause.waitingWithLock { _ -> MonitorStep<Void> in
        PlaybackInstant.now.nanoseconds >= next ? .done(()) : .wait(until: next)
      }
      memory.sample()
      progress.update(
        Int((PlaybackInstant.now - start).wholeMicroseconds / 1_000_000), of: Int(seconds.rounded(.up)))
    }
    let elapsed = Double((PlaybackInstant.now - start).wholeMicroseconds) / 1e6
    let cpu = Self.cpuSeconds - cpuBefore
    let stores = budget.snapshot.stores.map(\.store)
    for player in players { player.pause() }
    let sum = totals.withLock { $0 }
    // Frames that are due and late at the end count as dropped only when a later one is shown instead of
    // them.
    return Report(
      players: players.count, playersFailed: sum.failed, seconds: elapsed.rounded(to: 3),
      framesDue: sum.shown + sum.dropped, framesShown: sum.shown, framesDropped: sum.dropped,
      latenessMs: Self.percentiles(sum.latenesses),
      cpuSeconds: cpu.rounded(to: 3), cpuPercent: (cpu / elapsed * 100).rounded(to: 1),
      peakCacheBytes: Int(budget.peakBytes), peakResidentBytes: memory.peakBytes,
      wakeupsPerSecond: (Double(clock.wakeUps) / elapsed).rounded(to: 1),
      decodedFrames: stores.reduce(0) { $0 + $1.decodedFrames })
  }

  private static func percentiles(_ microseconds: [Int64]) -> Report.Lateness {
    let sorted = microseconds.sorted()
    func value(_ fraction: Double) -> Double {
      guard let last = sorted.indices.last else { return 0 }
      return Double(sorted[Int((Double(last) * fraction).rounded(.up))]) / 1000
    }
    return Report.Lateness(p50: value(0.5), p95: value(0.95), p99: value(0.99), max: value(1))
  }

  private static var cpuSeconds: Double {
    var usage = rusage()
    unsafe getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
    return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
      + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
  }
}

extension PlaybackBench.Report {
  /// The report as text.
  var table: String {
    """
    players    \(players), \(seconds) s\(playersFailed == 0 ? "" : ", \(playersFailed) failed")
    frames     \(framesDue) due, \(framesShown) shown, \(framesDropped) dropped, \(decodedFrames) decoded
    lateness   p50 \(latenessMs.p50) ms, p95 \(latenessMs.p95) ms, p99 \(latenessMs.p99) ms, max \(latenessMs.max) ms
    cpu        \(cpuSeconds) s, \(cpuPercent) % of one processor, \(wakeupsPerSecond) wake-ups a second
    memory     \(amount(Double(peakCacheBytes))) cached at the most, \(amount(Double(peakResidentBytes))) resident

    """
  }
}
