import GIFCaching
import GIFDecoding
import GIFLoading
import GIFPlayback
import GIFTestSupport
import GIFTimeline
import Synchronization
import Testing

@Suite("GIFPlayer: images that load")
struct ProgressiveTests {
  private let stage = Stage()

  /// A GIF that comes in parts: each part ends with a whole frame, and the last one with the trailer.
  private struct Download: ~Copyable {
    private var stream = GIFStream()
    private var given = 0
    private let parts: [[UInt8]]
    private var next = 0

    init(delays: [Int], repetitions: Int? = 0) throws {
      let whole = try Sample.image(delays: delays, repetitions: repetitions)
      var bytes = Sample.bytes(delays: delays, repetitions: repetitions)
      var parts: [[UInt8]] = []
      for frame in whole.frames.dropFirst().reversed() {
        // The graphics control stands eight bytes before the image separator.
        parts.append(Array(bytes[(frame.offset - 8)...]))
        bytes.removeLast(bytes.count - (frame.offset - 8))
      }
      self.parts = [bytes] + parts.reversed()
    }

    /// The image with one frame more.
    mutating func more() throws -> GIFImage {
      try stream.append(Array(parts[next].dropFirst(given)))
      (next, given) = (next + 1, 0)
      return try #require(try stream.image)
    }

    /// The next frame up to this many bytes of its part.
    mutating func some(upTo count: Int) throws -> GIFImage? {
      try stream.append(Array(parts[next].prefix(count).dropFirst(given)))
      given = count
      return try stream.image
    }
  }

  private func player(
    _ image: GIFImage, _ change: (inout GIFPlayer.Options) -> Void = { _ in }
  ) -> GIFPlayer {
    var options = GIFPlayer.Options()
    options.isComplete = false
    // Frame by frame, which shows what each does; the rule for buffering has tests of its own.
    options.resumeBuffer = .zero
    change(&options)
    return stage.player(image, options: options)
  }

  /// Events in short words, with what they say of the number of frames.
  private final class EventWords: Sendable {
    private let words = Mutex<[String]>([])

    init(_ player: GIFPlayer) {
      player.onEvent { [weak self] event in
        let word: String? =
          switch event {
          case .frameChange(let change):
            "\(change.currentFrameIndex)/\(change.frameCount)\(change.isComplete ? "" : "+")"
          case .loopCompleted(let loop): "loop! \(loop.count)"
          case .finished: "finish"
          case .buffering(let change):
            change.reason != nil ? "waits at \(change.frameCount)\(change.isComplete ? "" : "+")" : "flows"
          default: nil
          }
        if let word { self?.words.withLock { $0.append(word) } }
      }
    }

    func take() -> [String] {
      words.withLock { words in
        defer { words = [] }
        return words
      }
    }
  }

  @Test(
    "Plays what is there, waits on the last whole frame, goes on when more comes, loops once the end is known"
  )
  func course() throws {
    var download = try Download(delays: [10, 20, 30, 40])
    let player = player(try download.more())
    let words = EventWords(player)
    player.play()
    #expect(words.take() == ["0/1+"])
    stage.run(to: .milliseconds(99))
    #expect(words.take() == [])
    stage.run(to: .seconds(2))
    #expect(words.take() == ["waits at 1+"])
    #expect(player.bufferingReason == .source && player.state == .playing && stage.clock.nextDeadline == nil)
    #expect(player.position == .milliseconds(100) && player.loopsLeft == nil)
    // The wait ends with the frame, which then has all its time.
    player.update(try download.more(), isComplete: false)
    #expect(words.take() == ["flows", "1/2+"])
    stage.run(to: .seconds(2) + .milliseconds(100))
    player.update(try download.more(), isComplete: false)
    #expect(words.take() == [])
    stage.run(to: .seconds(2) + .milliseconds(200))
    #expect(words.take() == ["2/3+"])
    player.update(try download.more(), isComplete: true)
    #expect(player.isComplete && player.timeline.totalDuration == nil)
    stage.run(to: .seconds(3) + .milliseconds(199))
    #expect(words.take() == ["3/4", "loop! 1", "0/4", "1/4"])
  }

  @Test(
    "A wait at the end that turns out to be the end begins the next loop, or finishes",
    arguments: [0, 1, nil])
  func endKnownLate(repetitions: Int?) throws {
    var download = try Download(delays: [10, 20], repetitions: repetitions)
    let player = player(try download.more())
    let words = EventWords(player)
    player.play()
    let all = try download.more()
    player.update(all, isComplete: false)
    stage.run(to: .seconds(9))
    #expect(words.take() == ["0/1+", "1/2+", "waits at 2+"])
    player.update(all, isComplete: true)
    if repetitions == nil {
      #expect(words.take() == ["loop! 1", "finish", "flows"])
      #expect(player.state == .finished)
    } else {
      #expect(words.take() == ["loop! 1", "0/2", "flows"])
      #expect(stage.clock.nextDeadline == stage.time.now() + .milliseconds(100))
    }
  }

  @Test("A range that is there loops while the rest loads")
  func closedRange() throws {
    var download = try Download(delays: [10, 10, 10, 10])
    let player = player(try download.more()) { $0.range = 0..<2 }
    let words = EventWords(player)
    player.play()
    stage.run(to: .seconds(1))
    player.update(try download.more(), isComplete: false)
    stage.run(to: .seconds(1) + .milliseconds(250))
    #expect(words.take() == ["0/1+", "waits at 1+", "flows", "1/2+", "loop! 1", "0/2+", "1/2+"])
  }

  @Test("A bounce turns round only at the end; reverse waits for it")
  func otherModes() throws {
    for mode in [PlaybackMode.bounce, .reverse] {
      let stage = Stage()
      var download = try Download(delays: [10, 10, 10])
      var options = GIFPlayer.Options()
      (options.isComplete, options.mode, options.resumeBuffer) = (false, mode, .zero)
      let player = stage.player(try download.more(), options: options)
      let words = EventWords(player)
      player.play()
      player.update(try download.more(), isComplete: false)
      player.update(try download.more(), isComplete: false)
      stage.run(to: .seconds(1))
      #expect(words.take() == (mode == .bounce ? ["0/1+", "1/3+", "2/3+", "waits at 3+"] : ["waits at 1+"]))
      player.update(player.image, isComplete: true)
      stage.run(to: .seconds(1) + .milliseconds(200))
      let last = words.take()
      #expect(
        last.filter { $0 != "flows" }
          == (mode == .bounce ? ["1/3", "loop! 1", "0/3", "1/3"] : ["2/3", "1/3", "0/3"]))
    }
  }

  @Test("The first frame shows as far as it has come; its time begins once it is whole")
  func partialFirst() throws {
    var download = try Download(delays: [10, 20])
    // All but the frame, then a part of its pixels, then the rest.
    let player = player(try #require(try download.some(upTo: 52)))
    let log = EventLog(player)
    player.play()
    #expect(player.bufferingReason == .source && log.changes.isEmpty)
    player.update(try #require(try download.some(upTo: 65)), isComplete: false)
    stage.run(to: .seconds(3))
    #expect(log.changes.map(\.frame.status) == [.truncated])
    #expect(player.position == .zero && player.bufferingReason == .source)
    player.update(try download.more(), isComplete: false)
    #expect(log.changes.map(\.frame.status) == [.truncated, .complete])
    #expect(log.changes.last?.cause == .play && log.changes.last?.scheduledAt == stage.time.now())
    #expect(player.bufferingReason == nil)
    #expect(stage.clock.nextDeadline == stage.time.now() + .milliseconds(100))
  }

  @Test("A first frame that a player showed in part without playing is shown again until it is whole")
  func poster() throws {
    var download = try Download(delays: [10, 10])
    let player = player(try #require(try download.some(upTo: 60)))
    let log = EventLog(player)
    player.showPoster()
    for count in [62, 65, 66] {
      if let image = try download.some(upTo: count) { player.update(image, isComplete: false) }
    }
    #expect(log.changes.count > 1 && log.changes.allSatisfy { $0.frame.status == .truncated })
    player.update(try download.more(), isComplete: false)
    #expect(log.changes.last?.frame.status == .complete && player.state == .stopped)
    let count = log.changes.count
    // What is whole is not shown again.
    player.update(try download.more(), isComplete: true)
    #expect(log.changes.count == count && player.currentFrameIndex == 0)
  }

  @Test(
    "Until the frame with which playback begins has come, the first one stands in for it",
    arguments: [(PlaybackMode.forward, 1), (.reverse, 2), (.bounce, 1)])
  func standIn(mode: PlaybackMode, expected: Int) throws {
    var download = try Download(delays: [10, 10, 10])
    let player = player(try #require(try download.some(upTo: 65))) {
      $0.mode = mode
      $0.range = 1..<3
    }
    let log = EventLog(player)
    player.showPoster()
    #expect(log.changes.map(\.currentFrameIndex) == [0])
    for isLast in [false, false, true] { player.update(try download.more(), isComplete: isLast) }
    #expect(log.changes.map(\.currentFrameIndex).dropLast().allSatisfy { $0 == 0 })
    #expect(log.changes.last?.currentFrameIndex == expected && log.changes.count >= 2)
  }

  @Test("A player without a command shows nothing while its image grows")
  func noCommand() throws {
    var download = try Download(delays: [10, 10])
    let player = player(try #require(try download.some(upTo: 60)))
    let log = EventLog(player)
    player.update(try download.more(), isComplete: false)
    player.update(try download.more(), isComplete: true)
    #expect(log.changes.isEmpty)
  }

  @Test("Seeks, steps and pauses stay within what is there")
  func commands() throws {
    var download = try Download(delays: [10, 20, 30])
    let player = player(try download.more())
    let words = EventWords(player)
    player.update(try download.more(), isComplete: false)
    player.seek(to: .seconds(100))
    player.seek(toFrame: 2)
    player.step(by: 5)
    #expect(words.take() == ["1/2+", "1/2+"])
    player.play()
    stage.run(to: .seconds(1))
    player.pause()
    #expect(words.take() == ["waits at 2+", "flows"])
    player.update(try download.more(), isComplete: false)
    #expect(words.take() == [])
    player.step()
    #expect(words.take() == ["2/3+"])
    player.restart()
    stage.run(to: .seconds(9))
    #expect(words.take() == ["0/3+", "1/3+", "2/3+", "waits at 3+"])
  }

  @Test("Each frame is decoded once, in any number of parts", arguments: [1, 2, 40])
  func decodings(count: Int) throws {
    var download = try Download(delays: Array(repeating: 5, count: count))
    let player = player(try download.more())
    let log = EventLog(player)
    player.play()
    for frame in 1..<max(2, count) where frame < count {
      stage.run(to: .milliseconds(70 * frame))
      player.update(try download.more(), isComplete: false)
    }
    player.update(player.image, isComplete: true)
    stage.run(to: .seconds(20))
    #expect(log.frames.prefix(count) == Array(0..<count)[...])
    #expect(player.cacheStatistics.decodedFrames == count)
    #expect(player.cacheStatistics.composedFrames == count)
    #expect(player.cacheStatistics.evictions == 0)
  }

  @Test("Players whose loads of the same GIF end share frames, also without decoding threads")
  func joined() throws {
    let budget = FrameBudget()
    var first = try Download(delays: [5, 5, 5])
    var second = try Download(delays: [5, 5, 5])
    let players = [
      player(try first.more()) { $0.budget = budget }, player(try second.more()) { $0.budget = budget },
    ]
    defer { withExtendedLifetime(players) {} }
    for player in players { player.play() }
    players[0].update(try first.more(), isComplete: false)
    players[1].update(try second.more(), isComplete: false)
    #expect(budget.snapshot.animationCount == 2)
    players[0].update(try first.more(), isComplete: true)
    players[1].update(try second.more(), isComplete: true)
    #expect(budget.snapshot.animationCount == 1)
    let logs = players.map { EventLog($0) }
    stage.run(to: .seconds(1))
    #expect(logs[0].frames.count > 10 && logs[0].frames == logs[1].frames)
  }

  @Test("Downloads that alone pass the limit are reported when they end, also those of hidden players")
  func overLimit() throws {
    let budget = FrameBudget(limit: 1 << 22)
    let calls = Mutex(0)
    budget.onOverLimit { if $0.isOverLimit { calls.withLock { $0 += 1 } } }
    var download = try Download(delays: [5, 5])
    let player = player(.empty) {
      $0.budget = budget
      $0.visibility = .hidden
    }
    budget.limit = budget.snapshot.floorBytes + 10
    #expect(calls.withLock { $0 } == 0)
    player.update(try download.more(), isComplete: false)
    player.update(try download.more(), isComplete: true)
    #expect(calls.withLock { $0 } == 1)
  }

  @Test("Once it is whole, another player of the same GIF finds its frames")
  func shared() throws {
    let budget = FrameBudget()
    var download = try Download(delays: [5, 5, 5])
    let player = player(try download.more()) { $0.budget = budget }
    player.play()
    for frame in 1..<3 { player.update(try download.more(), isComplete: frame == 2) }
    stage.run(to: .seconds(1))
    var options = GIFPlayer.Options()
    options.budget = budget
    let other = stage.player(try Sample.image(delays: [5, 5, 5]), options: options)
    other.play()
    stage.run(to: .seconds(2))
    #expect(other.cacheStatistics.decodedFrames == 3 && budget.snapshot.stores.count == 1)
  }

  @Test("Images after the end, or with fewer frames, are not taken")
  func odd() throws {
    var download = try Download(delays: [10, 20, 30])
    let one = try download.more()
    let two = try download.more()
    let player = player(two)
    player.play()
    player.update(one, isComplete: false)
    #expect(player.image.frameCount == 2)
    player.update(one, isComplete: true)
    #expect(player.image.frameCount == 2 && player.isComplete)
    player.update(try download.more(), isComplete: false)
    #expect(player.image.frameCount == 2 && player.isComplete)
    stage.run(to: .seconds(1))
    #expect(player.state == .playing)
  }

  @Test("Parts at any time give the frames of the whole file in order", arguments: 0..<40)
  func random(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let delays = (0..<Int.random(in: 1...8, using: &random)).map { _ in Int.random(in: 2...9, using: &random)
    }
    var download = try Download(delays: delays, repetitions: nil)
    let late: LatePolicy = [.skip, .wait, .catchUp(max: 2)].randomElement(using: &random) ?? .skip
    let player = player(try download.more()) { $0.latePolicy = late }
    let log = EventLog(player)
    player.play()
    var time = 0
    for frame in 1..<max(1, delays.count) {
      time += Int.random(in: 0...120, using: &random)
      stage.run(to: .milliseconds(time))
      player.update(try download.more(), isComplete: frame == delays.count - 1 && Bool.random(using: &random))
    }
    stage.run(to: .milliseconds(time + 40))
    player.update(player.image, isComplete: true)
    stage.run(to: .seconds(20))
    #expect(log.frames == Array(0..<delays.count))
    #expect(log.finishes == 1)
    for (change, next) in zip(log.changes, log.changes.dropFirst()) {
      // No frame's time is cut short.
      #expect(next.shownAt - change.shownAt >= .milliseconds(10 * delays[change.currentFrameIndex]))
    }
  }
}
