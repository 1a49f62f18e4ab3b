import GIFDecoding
import GIFPlayback
import GIFTestSupport
import GIFTimeline
import Synchronization
import Testing

/// Where the delays of a long-running animation lead, in whole hundredths of a second.
private struct Hundredths {
  let delays: [Int]

  var loop: Int { delays.reduce(0, +) }

  /// How many steps have begun at a time, the first one included.
  func begun(at time: Int) -> Int {
    var rest = time % loop
    var count = time / loop * delays.count + 1
    for delay in delays {
      rest -= delay
      guard rest >= 0 else { break }
      count += 1
    }
    return count
  }
}

@Suite("GIFPlayer: exact over days")
struct GIFPlayerAccuracyTests {
  private static let schedule = Hundredths(delays: [503, 1_999, 777, 1_301, 65, 1_607, 911])

  /// The last change and sums over all before, so that days fit into memory.
  private struct Tally {
    var changes = 0
    var skipped = 0
    var lateness = Duration.zero
    var last: FrameChange?
    var faults: [String] = []
  }

  private final class Counter: Sendable {
    let tally = Mutex(Tally())

    init(_ player: GIFPlayer, steps: Int) {
      player.onFrameChange { [tally = Weak(self)] change in
        tally.value?.count(change, steps: steps)
      }
    }

    private func count(_ change: FrameChange, steps: Int) {
      tally.withLock { tally in
        tally.changes += 1
        tally.skipped += change.skippedFrames
        tally.lateness += change.lateness
        let step = tally.changes + tally.skipped - 1
        if change.loop != step / steps || change.currentFrameIndex != step % steps {
          tally.faults.append("step \(step): loop \(change.loop) frame \(change.currentFrameIndex)")
        }
        if change.scheduledAt - Stage.start != change.mediaTime {
          tally.faults.append("step \(step): drifted")
        }
        tally.last = change
      }
    }
  }

  private final class Weak: Sendable {
    private let reference: Mutex<Reference>

    private struct Reference {
      weak var counter: Counter?
    }

    init(_ counter: Counter) { reference = Mutex(Reference(counter: counter)) }

    var value: Counter? { reference.withLock { $0.counter } }
  }

  @Test("1,000,000 seconds, deadline by deadline, end on exactly the right frame")
  func million() throws {
    let schedule = Self.schedule
    let stage = Stage()
    let player = stage.player(try Sample.image(delays: schedule.delays))
    let counter = Counter(player, steps: schedule.delays.count)
    player.play()
    let wakeUps = stage.run(to: .seconds(1_000_000))

    let begun = schedule.begun(at: 100_000_000)
    let tally = counter.tally.withLock { $0 }
    #expect(tally.faults.isEmpty, "\(tally.faults.prefix(3))")
    #expect(tally.changes == begun)
    #expect(wakeUps == begun - 1)
    #expect(stage.clock.wakeUps == begun - 1)
    #expect(tally.skipped == 0)
    #expect(tally.lateness == .zero)
    #expect(tally.last?.currentFrameIndex == (begun - 1) % schedule.delays.count)
    #expect(tally.last?.loop == (begun - 1) / schedule.delays.count)
    #expect(player.currentFrame?.index == (begun - 1) % schedule.delays.count)
    #expect(player.position == .seconds(1_000_000))
  }

  @Test("1,000,000 seconds in irregular steps end there, too, and every step is shown or counted as skipped")
  func irregular() throws {
    let schedule = Self.schedule
    let stage = Stage()
    let player = stage.player(try Sample.image(delays: schedule.delays))
    let counter = Counter(player, steps: schedule.delays.count)
    player.play()
    var random = SeededGenerator(seed: 1_000_000)
    var time: Int64 = 0
    while time < 1_000_000_000_000_000 {
      time = min(1_000_000_000_000_000, time + Int64.random(in: 1...90_000_000_000, using: &random))
      stage.jump(to: .nanoseconds(time))
    }

    let begun = schedule.begun(at: 100_000_000)
    let tally = counter.tally.withLock { $0 }
    #expect(tally.faults.isEmpty, "\(tally.faults.prefix(3))")
    #expect(tally.changes + tally.skipped == begun)
    #expect(tally.skipped > begun / 4)
    #expect(player.currentFrame?.index == (begun - 1) % schedule.delays.count)
    #expect(player.position == .seconds(1_000_000))
  }

  @Test("A day at odd rates keeps to the media time", arguments: [0.35, 1.15, 3.7])
  func rates(rate: Double) throws {
    let schedule = Self.schedule
    var options = GIFPlayer.Options()
    options.rate = rate
    let stage = Stage()
    let player = stage.player(try Sample.image(delays: schedule.delays), options: options)
    let log = Mutex<(count: Int, worst: Duration)>((0, .zero))
    player.onFrameChange { change in
      let real = (change.shownAt - Stage.start) * rate
      let error = max(real - change.mediaTime, change.mediaTime - real)
      log.withLock { $0 = ($0.count + 1, max($0.worst, error)) }
    }
    player.play()
    stage.run(to: .seconds(86_400))
    let begun = schedule.begun(at: Int(8_640_000 * rate))
    let (count, worst) = log.withLock { $0 }
    #expect(count == begun)
    #expect(worst < .microseconds(1))
    #expect(player.currentFrame?.index == (begun - 1) % schedule.delays.count)
  }

  @Test("A clock that jumps 10 s ahead skips to the right frame and reports how many were skipped")
  func jump() throws {
    let stage = Stage()
    let player = stage.player(try Sample.image(delays: [10, 20, 5, 30, 15, 7, 13]))
    let log = EventLog(player)
    player.play()
    stage.run(to: .milliseconds(120))
    #expect(log.frames == [0, 1])
    stage.jump(to: .milliseconds(10_120))
    // A loop takes a second: ten loops later, 20 ms into frame 1 again.
    let change = try #require(log.changes.last)
    #expect(log.changes.count == 3)
    #expect(change.currentFrameIndex == 1)
    #expect(change.loop == 10)
    #expect(change.skippedFrames == 69)
    #expect(change.lateness == .milliseconds(20))
    #expect(change.cause == .loop)
    #expect(change.scheduledAt - Stage.start == .milliseconds(10_100))
    #expect(log.loops.map(\.count) == Array(1...10))
    stage.run(to: .milliseconds(10_300))
    #expect(log.frames == [0, 1, 1, 2])
    #expect(log.changes.last?.skippedFrames == 0)
    #expect(log.changes.last?.lateness == .zero)
  }
}
