import GIFDecoding
import GIFFlashes
import GIFTestSupport
import Synchronization
import Testing

@testable import GIFPlayback

@Suite("Judging flashes on two threads")
struct FlashJudgeTests {
  /// Large enough for what blinks to fail.
  private static let options = FlashOptions(size: PixelSize(width: 400, height: 300))

  @Test("A player that asks while an unwanted judgement ends gets its verdict")
  func askedAtTheEnd() throws {
    let image = try Self.blinking(every: 5)
    let threads = Threads()
    let judge = FlashJudge(startThread: threads.start)
    let questions = Mutex(0)
    let results = Mutex<[FlashReport.Result?]>([])
    judge.judge(
      image, Self.options,
      isWaiting: {
        let number = questions.withLock { questions in
          questions += 1
          return questions
        }
        // The first answer cancels the judgement; another player asks before it is given up.
        if number == 2 {
          judge.judge(image, Self.options, isWaiting: { true }) { report in
            results.withLock { $0.append(report?.result) }
          }
        }
        return false
      }, handler: { _ in Issue.record("it is not wanted") })
    while threads.runNext() {}
    #expect(results.withLock { $0 } == [.fails])
  }

  @Test("A verdict holds for the rules by which an image is read")
  func damagePolicies() throws {
    var image = try Self.blinking(every: 5)
    let threads = Threads()
    let judge = FlashJudge(startThread: threads.start)
    for policy in [DamagePolicy.chromium, .resilient] {
      image.damagePolicy = policy
      judge.judge(image, Self.options, isWaiting: { true }, handler: { _ in })
      #expect(threads.count == 1)
      while threads.runNext() {}
    }
    // The same again is known.
    judge.judge(image, Self.options, isWaiting: { true }, handler: { _ in })
    #expect(threads.count == 0)
  }

  @Test("What passes does not wait for what fails to be measured")
  func order() throws {
    let rig = Rig()
    for delay in [5, 50, 6] { try rig.ask(delay) }
    // The thread of the verdicts; then one waits that measures.
    #expect(rig.threads.runNext())
    #expect(rig.verdicts == ["50: passes"])
    try rig.ask(60)
    // Asked again, it is the same work.
    try rig.ask(5)
    #expect(rig.threads.count == 2)
    #expect(rig.threads.runLast())
    #expect(rig.verdicts == ["50: passes", "60: passes"])
    #expect(rig.threads.runNext())
    #expect(rig.verdicts.dropFirst(2) == ["5: fails, 0.3", "5: fails, 0.3", "6: fails, 0.36"])
    #expect(rig.threads.count == 0)
    try rig.ask(6)
    #expect(rig.verdicts.last == "6: fails, 0.36" && rig.verdicts.count == 6)
  }

  @Test("Without threads the caller gets its verdict at once", arguments: [0, 1])
  func withoutThreads(threadCount: Int) throws {
    let rig = Rig(threadCount: threadCount)
    try rig.ask(5)
    if threadCount == 1 { #expect(rig.threads.runNext()) }
    #expect(rig.verdicts == ["5: fails, 0.3"])
  }

  @Test("What is no longer wanted is not measured")
  func unwanted() throws {
    let rig = Rig()
    try rig.ask(5)
    #expect(rig.threads.runNext())
    rig.isWaiting.withLock { $0 = false }
    #expect(rig.threads.runNext())
    #expect(rig.verdicts.isEmpty && rig.threads.count == 0)
    rig.isWaiting.withLock { $0 = true }
    try rig.ask(5)
    #expect(rig.threads.count == 1)
    // A thread that never runs would keep the judge, which has it started.
    while rig.threads.runNext() {}
    #expect(rig.verdicts == ["5: fails, 0.3"])
  }

  /// Threads that the test runs, each until it has nothing more to do.
  private final class Threads: Sendable {
    private let waiting = Mutex<[@Sendable () -> Void]>([])
    /// How many may still be started.
    private let room: Mutex<Int>

    init(_ count: Int = .max) { room = Mutex(count) }

    var count: Int { waiting.withLock { $0.count } }

    @Sendable func start(_ body: @escaping @Sendable () -> Void) -> Bool {
      let mayStart = room.withLock { room in
        guard room > 0 else { return false }
        room -= 1
        return true
      }
      if mayStart { waiting.withLock { $0.append(body) } }
      return mayStart
    }

    func runNext() -> Bool { run(waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }) }

    func runLast() -> Bool { run(waiting.withLock { $0.popLast() }) }

    private func run(_ body: (@Sendable () -> Void)?) -> Bool {
      body?()
      return body != nil
    }
  }

  /// A judge, and what it has told.
  private final class Rig: Sendable {
    let threads: Threads
    let isWaiting = Mutex(true)
    private let judge: FlashJudge
    private let told = Mutex<[String]>([])
    /// By their delays.
    private let images = Mutex<[Int: GIFImage]>([:])

    init(threadCount: Int = .max) {
      threads = Threads(threadCount)
      judge = FlashJudge(startThread: threads.start)
    }

    var verdicts: [String] { told.withLock { $0 } }

    func ask(_ delay: Int) throws {
      let known = images.withLock { $0[delay] }
      let image = try known ?? FlashJudgeTests.blinking(every: delay)
      images.withLock { $0[delay] = image }
      judge.judge(
        image, FlashJudgeTests.options,
        isWaiting: { [self] in isWaiting.withLock { $0 } },
        handler: { [self] report in
          let rate = report?.safeRate.map { ", \($0)" } ?? ""
          told.withLock { $0.append("\(delay): \(report?.result.rawValue ?? "none")\(rate)") }
        })
    }
  }

  /// Black and white in turn, as many centiseconds each.
  private static func blinking(every delay: Int) throws -> GIFImage {
    var writer = GIFWriter(width: 40, height: 30, palette: [0x000000, 0xFFFFFF])
    for place in 0..<2 {
      writer.graphicsControl(disposal: 1, delay: delay)
      writer.image(width: 40, height: 30, indices: [UInt8](repeating: UInt8(place), count: 1_200))
    }
    writer.trailer()
    return try GIFImage(bytes: writer.bytes)
  }
}
