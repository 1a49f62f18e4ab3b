import GIFCaching
import GIFDecoding
import GIFPlayback
import GIFTestSupport
import GIFTimeline
import Synchronization
import Testing

@Suite("GIFPlayer: posters, scrubbing, settings, gaps")
struct GIFPlayerControlTests {
  private let stage = Stage()

  private func player(
    _ delays: [Int] = [10, 20, 30, 40], repetitions: Int? = 0,
    _ change: (inout GIFPlayer.Options) -> Void = { _ in }
  ) throws -> (GIFPlayer, EventLog) {
    var options = GIFPlayer.Options()
    change(&options)
    let player = stage.player(try Sample.image(delays: delays, repetitions: repetitions), options: options)
    return (player, EventLog(player))
  }

  @Test("A poster is shown without playing; play begins at the start")
  func poster() throws {
    let (player, log) = try player()
    player.showPoster(2)
    #expect(player.state == .stopped && player.currentFrame?.index == 2)
    #expect(stage.clock.nextDeadline == nil)
    player.showPoster(3)
    player.showPoster(99)
    player.showPoster(-1)
    stage.run(to: .seconds(1))
    player.play()
    #expect(log.take() == ["seek 2", "seek 3", "play 0"])
    player.showPoster()
    #expect(log.take() == [])
  }

  @Test("A poster that is the first frame is not shown again by play")
  func posterIsFirst() throws {
    let (player, log) = try player()
    player.showPoster()
    player.play()
    stage.run(to: .milliseconds(100))
    #expect(log.take() == ["seek 0", "play 1"])
    let (reverse, reverseLog) = try self.player { $0.mode = .reverse }
    reverse.showPoster()
    reverse.play()
    #expect(reverseLog.take() == ["seek 3"])
  }

  @Test("A poster may lie outside the range that is played")
  func posterOutside() throws {
    let (player, log) = try player { $0.range = 2..<4 }
    player.showPoster(0)
    player.play()
    #expect(log.take() == ["seek 0", "play 2"])
  }

  @Test("Scrubbing holds the time and goes on as before", arguments: [true, false])
  func scrubbing(plays: Bool) throws {
    let (player, log) = try player()
    player.scrub(toFrame: 3)
    #expect(log.take() == [])
    player.play()
    stage.run(to: .milliseconds(50))
    if !plays { player.pause() }
    _ = log.take()
    player.beginScrubbing()
    player.beginScrubbing()
    #expect(player.isScrubbing && player.state == .paused)
    stage.jump(to: .seconds(60))
    player.scrub(toFrame: 2)
    player.scrub(to: .milliseconds(150))
    player.scrub(toFrame: 3)
    stage.jump(to: .seconds(70))
    #expect(log.take() == ["seek 2", "seek 1", "seek 3"])
    player.endScrubbing()
    player.endScrubbing()
    #expect(!player.isScrubbing)
    #expect(player.state == (plays ? .playing : .paused))
    #expect(stage.clock.nextDeadline == (plays ? stage.time.now() + .milliseconds(400) : nil))
    #expect(player.position == .milliseconds(600))
  }

  @Test("Play and pause while scrubbing are for its end; stop ends it")
  func scrubbingCommands() throws {
    let (player, _) = try player()
    player.beginScrubbing()
    player.play()
    #expect(player.state == .stopped && player.snapshot.state == .playing)
    player.pause()
    player.scrub(toFrame: 1)
    player.play()
    player.endScrubbing()
    #expect(player.state == .playing)
    player.beginScrubbing()
    player.stop()
    #expect(!player.isScrubbing && player.state == .stopped)
  }

  @Test("A state that is saved and restored plays on as before", arguments: 0..<60)
  func restore(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let image = try Sample.image(delays: [10, 25, 7, 30, 12], repetitions: 5)
    var options = GIFPlayer.Options()
    options.mode = PlaybackMode.allCases.randomElement(using: &random) ?? .forward
    options.rate = [0.5, 1, 2].randomElement(using: &random) ?? 1
    options.range = Bool.random(using: &random) ? nil : 1..<4
    let player = stage.player(image, options: options)
    player.play()
    stage.jump(to: .microseconds(Int64.random(in: 0...1_500_000, using: &random)))
    if Bool.random(using: &random) { player.pause() }
    let state = player.snapshot
    #expect(state.state == player.state)

    let other = stage.player(image)
    let log = EventLog(other)
    other.restore(state)
    #expect(log.changes.map(\.currentFrameIndex) == [state.frame])
    #expect(other.snapshot == state)
    #expect(other.position == player.position)
    if state.state == .playing {
      #expect(stage.clock.nextDeadline == stage.time.now() + state.remainder * (1 / state.rate))
    }
    // Both go on alike.
    player.play()
    other.play()
    let first = EventLog(player)
    _ = log.take()
    stage.run(to: .seconds(4))
    #expect(log.take() == first.take())
  }

  @Test("Restored: stopped, finished, and what the image does not have")
  func restoreOthers() throws {
    let (player, log) = try player([10, 10], repetitions: nil)
    player.restore(PlaybackSnapshot(state: .stopped, rate: 3))
    #expect(player.state == .stopped && log.take() == [] && player.rate == 3)
    player.restore(PlaybackSnapshot(state: .finished))
    #expect(player.state == .finished && log.take() == ["seek 1"] && player.loopsLeft == 0)
    player.restore(
      PlaybackSnapshot(state: .paused, frame: 77, elapsed: .seconds(9), loop: 99, range: 70..<80, rate: .nan))
    #expect(player.state == .paused && log.take() == ["seek 0"] && player.rate == 1)
    player.restore(PlaybackSnapshot(state: .paused, frame: -1, elapsed: .seconds(Int64.max), loop: .min))
    #expect(log.take() == ["seek 0"])
    player.restore(PlaybackSnapshot(state: .paused, frame: 1, elapsed: .seconds(Int64.max)))
    #expect(log.take() == ["seek 1"] && player.position < .milliseconds(200))
    let (empty, _) = try self.player([])
    empty.restore(PlaybackSnapshot(state: .playing, frame: 3))
    #expect(empty.state == .failed && empty.error == GIFError(.noFrames))
  }

  @Test("Mode, range and loops left through the player")
  func settings() throws {
    let (player, log) = try player(repetitions: 1)
    player.play()
    stage.run(to: .milliseconds(350))
    player.mode = .reverse
    #expect(player.mode == .reverse && player.loopsLeft == 2)
    stage.run(to: .milliseconds(600))
    #expect(log.take() == ["play 0", "play 1", "play 2", "play 1"])
    player.setRange(0..<2)
    #expect(player.range == 0..<2)
    stage.run(to: .seconds(5))
    #expect(log.take() == ["play 0", "loop! 1", "loop 1", "play 0", "loop! 2", "finish"])
    #expect(player.loopsLeft == 0)
  }

  @Test("After minutes without the clock a player goes on where it was, unless it keeps its schedule")
  func suspension() throws {
    let (player, log) = try player()
    let (strict, strictLog) = try self.player { $0.suspensionPolicy = .keepSchedule }
    player.play()
    strict.play()
    stage.jump(to: .seconds(400))
    #expect(log.take() == ["play 0", "play 1"])
    #expect(strictLog.take().count == 1 + 64 + 1)
    #expect(strict.position == .seconds(400))
    stage.run(to: .seconds(400) + .milliseconds(200))
    #expect(log.take() == ["play 2"])
  }

  @Test("What is not there is refused, and nothing changes")
  func refused() throws {
    let (player, log) = try player { $0.range = 1..<4 }
    player.seek(toFrame: 2)
    _ = log.take()
    for frame in [0, 4, -1, .max, .min] {
      #expect(!player.seek(toFrame: frame) && !player.scrub(toFrame: frame))
    }
    for range in [4..<9, 2..<2, -5..<0, (Int.max - 1)..<Int.max] { #expect(!player.setRange(range)) }
    #expect(!player.showPoster(player.image.frameCount) && !player.showPoster(-1))
    #expect(!player.scrub(toFrame: 2) && !player.scrub(to: .zero), "scrubbing has not begun")
    player.rate = .nan
    #expect(player.range == 1..<4 && player.rate == 1 && log.take() == [])
    player.beginScrubbing()
    #expect(player.scrub(toFrame: 3) && player.scrub(to: .zero) && !player.scrub(toFrame: 0))
    player.endScrubbing()
    #expect(player.seek(toFrame: 3) && player.showPoster() && player.setRange(nil))
  }

  @Test("A quantity is clipped, and reads back as what holds")
  func clipped() throws {
    let (player, _) = try player { $0.range = 2..<99 }
    #expect(player.range == 2..<4)
    #expect(player.setRange(-7..<3) && player.range == 0..<3)
    #expect(player.setRange(Int.min..<Int.max) && player.range == 0..<4)
    for (rate, expected) in [(100, 20), (0, 0.05), (-3, 0.05), (Double.infinity, 20)] {
      player.rate = rate
      #expect(player.rate == expected)
    }
    player.seek(to: .seconds(-9))
    #expect(player.position == .zero && player.currentFrame?.index == 0)
    player.step(by: .max)
    player.step(by: .min)
    #expect(player.position == .zero)
    let (other, _) = try self.player { ($0.range, $0.rate) = (7..<9, 1000) }
    #expect(other.range == nil && other.rate == 20)
    var saved = other.snapshot
    (saved.range, saved.rate) = (3..<70, -1)
    player.restore(saved)
    #expect(player.range == 3..<4 && player.rate == 0.05)
    #expect(FrameBudget(limit: -5).limit == 0)
  }

  @Test("While an image loads a range may name frames that are yet to come; in the end only those there are")
  func rangeWhileLoading() throws {
    let (player, _) = try player {
      $0.isComplete = false
      $0.range = 3..<9
    }
    #expect(player.range == 3..<9 && player.setRange(5..<7) && !player.setRange(-2..<0))
    #expect(player.range == 5..<7)
    let whole = player.image
    player.update(whole, isComplete: true)
    #expect(player.range == nil && player.timeline.range == 0..<4)
  }

  @Test("Hidden players cause no wake-up and decode nothing")
  func hidden() throws {
    let (player, log) = try player()
    player.visibility = .hidden
    player.play()
    #expect(stage.clock.nextDeadline == nil && player.cacheStatistics.decodedFrames == 0)
    stage.jump(to: .seconds(9))
    #expect(log.take() == [] && player.state == .playing)
    player.visibility = .visible
    #expect(log.take() == ["play 0"])
    #expect(stage.clock.nextDeadline != nil)
  }

  @Test("Reduced motion shows the first frame only")
  func reducedMotion() throws {
    let (player, log) = try player { $0.reducedMotion = .firstFrame }
    player.play()
    stage.jump(to: .seconds(60))
    #expect(log.take() == ["play 0"] && stage.clock.nextDeadline == nil)
    player.reducedMotion = .slow(7)
    #expect(player.reducedMotion == .slow(1))
    player.reducedMotion = .slow(.nan)
    #expect(player.reducedMotion == .slow(1))
    player.reducedMotion = .slow(-1)
    #expect(player.reducedMotion == .slow(0.05))
    player.reducedMotion = .firstFrame
    player.reducedMotion = .slow(0.5)
    stage.run(to: .seconds(60) + .milliseconds(200))
    #expect(log.take() == ["play 1"])
  }
}
