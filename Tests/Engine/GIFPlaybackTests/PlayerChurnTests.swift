import GIFCaching
import GIFDecoding
import GIFPlayback
import GIFTestSupport
import GIFTimeline
import Glibc
import Synchronization
import Testing

/// What the process holds, as the system counts it.
private enum ProcessCounts {
  /// Threads of this process.
  static var threads: Int { field(of: "/proc/self/stat", at: 17) }

  /// Resident bytes.
  static var memory: Int { field(of: "/proc/self/statm", at: 1) * 4096 }

  /// A number in a line of fields, those of `stat` counted from behind the name in brackets.
  private static func field(of path: String, at place: Int) -> Int {
    let descriptor = unsafe open(path, O_RDONLY)
    guard descriptor >= 0 else { return 0 }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
    let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    let fields = (text.split(separator: ")").last ?? "").split(separator: " ")
    return Int(fields.dropFirst(place).first ?? "") ?? 0
  }
}

@Suite("GIFPlayer: very many, and very much at once", .serialized, .timeLimit(.minutes(20)))
struct PlayerChurnTests {
  #if DEBUG
    static let players = 5_000
  #else
    static let players = 100_000
  #endif

  @Test("Players that come and go leave neither memory nor threads nor deadlines behind")
  func churn() async throws {
    let image = try Sample.image(delays: [2, 3, 4])
    let clock = PlaybackClock()
    let pool = DecodePool(threadCount: 1)
    let group = SyncGroup(clock: clock)
    func use(_ count: Int) {
      for number in 0..<count {
        var options = GIFPlayer.Options()
        options.priority = number % 2 == 0 ? .low : .high
        let player = GIFPlayer(image, options: options, clock: clock, pool: pool)
        player.onFrameChange(deliverOn: .mainActor) { _ in }
        player.onEvent(for: player) { _ in }
        _ = player.frameChanges
        if number % 3 == 0 { group.add(player) }
        player.play()
        if number % 5 == 0 { player.seek(toFrame: 2) }
      }
    }
    // Warm: whatever is made once is there.
    use(Self.players / 5)
    let (threads, memory) = (ProcessCounts.threads, ProcessCounts.memory)
    use(Self.players)
    // A thread of the clock or the pool may still hold the last ones.
    while !group.players.isEmpty || clock.nextDeadline != nil { await Task.yield() }
    // Other tests run beside this one: a leak of one page or thread in a hundred players would show.
    #expect(ProcessCounts.threads - threads < Self.players / 100)
    #expect(ProcessCounts.memory - memory < 400 << 20)
  }

  @Test("A hundred thousand players made and released, with and without playing, leave nothing behind")
  func hundredThousand() throws {
    let images = [try Sample.image(delays: [2, 3, 4]), try Sample.image(delays: [5, 6])]
    let clock = PlaybackClock()
    let pool = DecodePool(threadCount: 1)
    var options = GIFPlayer.Options()
    let budget = FrameBudget(limit: 1 << 20)
    options.budget = budget
    func use(_ count: Int) {
      for number in 0..<count {
        let player = GIFPlayer(images[number % 2], options: options, clock: clock, pool: pool)
        if number % 10 == 0 { player.play() }
      }
    }
    use(1_000)
    let (threads, memory) = (ProcessCounts.threads, ProcessCounts.memory)
    use(100_000)
    // Other tests run beside this one, and sanitizers hold on to what is freed: a leak of a page a player
    // would show.
    #expect(ProcessCounts.threads - threads < 1_000)
    #expect(ProcessCounts.memory - memory < 400 << 20)
    #expect(budget.snapshot.stores.count <= 2)
  }

  @Test("Commands, listeners, groups and more of the image from many tasks at once, on real time")
  func storm() async throws {
    let bytes = Sample.bytes(delays: [2, 2, 3, 2], repetitions: nil)
    let whole = try GIFImage(bytes: bytes)
    let clock = PlaybackClock()
    let pool = DecodePool(threadCount: 2)
    let group = SyncGroup(clock: clock)
    let recorder = TraceRecorder(limit: 1_000)
    let players = (0..<12).map { number in
      var options = GIFPlayer.Options()
      options.latePolicy = [.skip, .wait, .catchUp(max: 2)][number % 3]
      options.isComplete = number % 4 != 0
      options.priority = number % 2 == 0 ? .low : .high
      return GIFPlayer(whole, options: options, clock: clock, pool: pool)
    }
    await withTaskGroup(of: Void.self) { tasks in
      for seed in UInt64(0)..<6 {
        tasks.addTask {
          var random = SeededGenerator(seed: seed)
          for round in 0..<800 {
            let player = players[Int.random(in: 0..<players.count, using: &random)]
            Self.command(player, group, recorder, whole, &random)
            if round % 40 == 0 { await Task.yield() }
          }
        }
      }
    }
    // Whatever has been done to them, all come to their end.
    for player in players { group.remove(player) }
    for player in players {
      player.update(whole, isComplete: true)
      player.visibility = .visible
      player.reducedMotion = .off
      player.endScrubbing()
      player.mode = .forward
      player.setRange(nil)
      player.rate = 20
      let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
      player.onFinish { _ in continuation.yield() }
      player.restart()
      for await _ in ends where player.state == .finished { break }
      #expect(player.currentFrame?.index == 3)
    }
  }

  private static func command(
    _ player: GIFPlayer, _ group: SyncGroup, _ recorder: TraceRecorder, _ image: GIFImage,
    _ random: inout SeededGenerator
  ) {
    switch Int.random(in: 0..<24, using: &random) {
    case 0...3: player.play()
    case 4: player.pause()
    case 5: player.seek(toFrame: .random(in: 0..<4, using: &random))
    case 6: player.step(by: .random(in: -2...2, using: &random))
    case 7: player.mode = PlaybackMode.allCases.randomElement(using: &random) ?? .forward
    case 8: player.setRange(Bool.random(using: &random) ? nil : 1..<3)
    case 9: player.rate = .random(in: 0.5...20, using: &random)
    case 10: player.visibility = player.visibility == .visible ? .hidden : .visible
    case 11: player.priority = Bool.random(using: &random) ? .low : .high
    case 12: player.reducedMotion = [.off, .firstFrame, .slow(0.5)].randomElement(using: &random) ?? .off
    case 13:
      player.beginScrubbing()
      player.scrub(to: .milliseconds(Int64.random(in: 0...90, using: &random)))
    case 14: player.endScrubbing()
    case 15: player.restore(player.snapshot)
    case 16: group.add(player, offset: .milliseconds(Int64.random(in: -50...50, using: &random)))
    case 17: group.remove(player)
    case 18: if Bool.random(using: &random) { group.play() } else { group.pause() }
    case 19: group.seek(to: .milliseconds(Int64.random(in: 0...90, using: &random)))
    case 20: player.update(image, isComplete: Bool.random(using: &random))
    case 21: recorder.record(player, as: "p").cancel()
    case 22: player.onEvent(deliverOn: .mainActor) { _ in }.cancel()
    default: player.onFrameChange { [weak player] _ in player?.seek(toFrame: 0) }.cancel()
    }
  }
}
