import EngineSupport
import GIFCaching
import GIFDecoding
import GIFLoading
import GIFTestSupport
import GIFTimeline
import Synchronization
import Testing

@testable import GIFFlashes
@testable import GIFPlayback

@Suite("GIFPlayer: flashes")
struct FlashPlayerTests {
  /// A clock moved by hand, and a judge whose thread the test runs.
  private final class Judged: Sendable {
    /// Jobs that ask for a thread.
    private final class Jobs: Sendable {
      let waiting = Mutex<[@Sendable () -> Void]>([])
    }

    let time = ManualTime(start: PlaybackInstant(nanoseconds: 9_000_000_000))
    let clock: PlaybackClock
    private let jobs = Jobs()

    init() {
      clock = PlaybackClock(
        drivenWith: time.now,
        judge: FlashJudge { [jobs] job in
          jobs.waiting.withLock { $0.append(job) }
          return true
        })
    }

    /// For a failure: one finds the verdicts, of the rate with its margin and without; one measures.
    static let threadsOfFailure = 2

    /// Judges and measures all that waits, and what is asked for then.
    ///
    /// - Returns: how many threads were asked for.
    @discardableResult
    func judge() -> Int {
      var count = 0
      while let job = jobs.waiting.withLock({ $0.popLast() }) {
        job()
        count += 1
      }
      return count
    }

    func run(_ duration: Duration) {
      let end = time.now() + duration
      while let next = clock.nextDeadline, next <= end {
        time.move(to: next)
        clock.tick()
      }
      time.move(to: end)
      clock.tick()
    }

    func player(
      _ image: GIFImage, _ policy: FlashPolicy, _ budget: FrameBudget = FrameBudget(),
      isComplete: Bool = true
    ) -> GIFPlayer {
      var options = GIFPlayer.Options(flashPolicy: policy, isComplete: isComplete, budget: budget)
      options.shownSize = PixelSize(width: 400, height: 300)
      return GIFPlayer(image, options: options, clock: clock, pool: .inline)
    }
  }

  /// Black and white in turn.
  private static func bytes(every delay: Int, frames: Int = 4) -> [UInt8] {
    var writer = GIFWriter(width: 8, height: 6, palette: [0x000000, 0xFFFFFF])
    writer.loop(0)
    for place in 0..<frames {
      writer.graphicsControl(disposal: 1, delay: delay)
      writer.image(width: 8, height: 6, indices: [UInt8](repeating: UInt8(place % 2), count: 48))
    }
    writer.trailer()
    return writer.bytes
  }

  private final class States: Sendable {
    let states = Mutex<[String]>([])

    init(_ player: GIFPlayer) {
      player.onFlashes { state in self.states.withLock { $0.append(state.name) } }
    }

    var names: [String] { states.withLock { $0 } }
  }

  @Test("A GIF that fails is held at its first frame until the policy allows it; events say so")
  func holds() throws {
    let judged = Judged()
    let player = judged.player(try GIFImage(bytes: Self.bytes(every: 5)), .hold)
    let (states, log) = (States(player), EventLog(player))
    player.play()
    #expect(states.names == ["judging"] && player.flashState == .judging)
    judged.run(.seconds(3))
    #expect(log.frames == [0])
    #expect(judged.judge() == Judged.threadsOfFailure)
    judged.run(.seconds(3))
    #expect(log.frames == [0] && states.names == ["judging", "held"])
    #expect(player.flashState.report?.general?.flashesPerSecond == 10)
    #expect(player.state == .playing)
    player.flashPolicy = .warn
    judged.run(.milliseconds(200))
    #expect(log.frames == [0, 1, 2, 3, 0] && states.names == ["judging", "held", "warned"])
  }

  @Test("A verdict serves all players of a content")
  func sharedVerdict() throws {
    let judged = Judged()
    let budget = FrameBudget()
    let bytes = Self.bytes(every: 5)
    let players = try (0..<3).map { _ in judged.player(try GIFImage(bytes: bytes), .slow, budget) }
    for player in players { player.play() }
    #expect(judged.judge() == Judged.threadsOfFailure)
    for player in players { #expect(player.flashState.slowedRate != nil) }
    let later = judged.player(try GIFImage(bytes: bytes), .slow, budget)
    later.play()
    #expect(judged.judge() == 0 && later.flashState == players[0].flashState)
  }

  @Test("What a player has shown counts for the one that replaces it")
  func replaced() throws {
    let judged = Judged()
    // Three flashes in a second, then none: each play passes, two that meet do not.
    var writer = GIFWriter(width: 8, height: 6, palette: [0x000000, 0xFFFFFF])
    writer.loop(0)
    for place in 0..<7 {
      writer.graphicsControl(disposal: 1, delay: place == 6 ? 1_000 : 10)
      writer.image(width: 8, height: 6, indices: [UInt8](repeating: UInt8(place % 2), count: 48))
    }
    writer.trailer()
    let image = try GIFImage(bytes: writer.bytes)
    func play(replacing former: GIFPlayer?) -> (GIFPlayer, EventLog) {
      let player = judged.player(image, .hold)
      if let former {
        for one in [former, player] { one.shownSize = PixelSize(width: 380, height: 285) }
        player.replaceFlashes(of: former)
      }
      let log = EventLog(player)
      player.play()
      judged.judge()
      return (player, log)
    }
    let (first, _) = play(replacing: nil)
    judged.run(.milliseconds(650))
    first.pause()
    let (second, log) = play(replacing: first)
    judged.run(.milliseconds(900))
    #expect(second.flashState == .passes && log.frames.isEmpty)
    judged.run(.milliseconds(700))
    #expect(log.frames == [0, 1, 2, 3, 4, 5, 6])
  }

  @Test("Nothing is judged for a player that is gone, nor under `allow`")
  func unneeded() throws {
    let judged = Judged()
    var player: GIFPlayer? = judged.player(try GIFImage(bytes: Self.bytes(every: 5)), .hold)
    player?.play()
    let states = States(try #require(player))
    player = nil
    // The thread that was asked for finds nothing to do: nothing fails, so nothing is measured.
    #expect(judged.judge() == 1)
    #expect(states.names.isEmpty)
    let allowed = judged.player(try GIFImage(bytes: Self.bytes(every: 5)), .allow)
    allowed.play()
    judged.run(.seconds(1))
    #expect(judged.judge() == 0 && allowed.flashState == .unjudged)
  }

  @Test("An image that loads is held until all of it is there and judged", arguments: [5, 40])
  func loading(delay: Int) throws {
    let judged = Judged()
    let bytes = Self.bytes(every: delay)
    var stream = GIFStream()
    try stream.append(Array(bytes.prefix(bytes.count - 20)))
    let part = try stream.image
    let player = judged.player(try #require(part), .hold, isComplete: false)
    let log = EventLog(player)
    player.play()
    judged.run(.seconds(2))
    #expect(judged.judge() == 0 && log.frames == [0] && player.flashState == .judging)
    try stream.append(Array(bytes.suffix(20)))
    player.update(try stream.finish(), isComplete: true)
    judged.judge()
    judged.run(.milliseconds(delay * 10))
    #expect(log.frames == (delay == 5 ? [0] : [0, 1]))
    #expect(player.flashState.name == (delay == 5 ? "held" : "passes"))
  }

  @Test("The rate and the size at which it is shown decide, while it plays")
  func follows() throws {
    let judged = Judged()
    let player = judged.player(try GIFImage(bytes: Self.bytes(every: 40)), .hold)
    player.play()
    judged.judge()
    judged.run(.milliseconds(400))
    #expect(player.flashState == .passes && player.currentFrameIndex == 1)
    player.rate = 8
    judged.judge()
    judged.run(.seconds(2))
    #expect(player.flashState.name == "held" && player.currentFrameIndex == 1)
    player.shownSize = PixelSize(width: 40, height: 30)
    #expect(player.flashState == .passes)
    judged.run(.milliseconds(50))
    #expect(player.currentFrameIndex == 2)
  }
}
