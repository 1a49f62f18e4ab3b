import GIFDecoding
import GIFFlashes
import GIFTestSupport
import Synchronization
import Testing

@testable import GIFPlayback

@Suite("Judging flashes on one thread")
struct FlashJudgeTests {
  @Test("A player that asks while an unwanted judgement ends gets its verdict")
  func askedAtTheEnd() throws {
    let image = try Self.blinking(every: 5)
    let options = FlashOptions(size: PixelSize(width: 400, height: 300))
    let thread = Mutex<(@Sendable () -> Void)?>(nil)
    let judge = FlashJudge { job in
      thread.withLock { $0 = job }
      return true
    }
    let questions = Mutex(0)
    let results = Mutex<[FlashReport.Result?]>([])
    judge.judge(
      image, options,
      isWaiting: {
        let number = questions.withLock { questions in
          questions += 1
          return questions
        }
        // The first answer cancels the judgement; another player asks before it is given up.
        if number == 2 {
          judge.judge(image, options, isWaiting: { true }) { report in
            results.withLock { $0.append(report?.result) }
          }
        }
        return false
      }, handler: { _ in Issue.record("it is not wanted") })
    thread.withLock { $0.take() }?()
    #expect(results.withLock { $0 } == [.fails])
  }

  @Test("What passes is known before what fails is measured, in the order of the questions")
  func order() throws {
    let options = FlashOptions(size: PixelSize(width: 400, height: 300))
    let thread = Mutex<(@Sendable () -> Void)?>(nil)
    let judge = FlashJudge { job in
      thread.withLock { $0 = job }
      return true
    }
    let verdicts = Mutex<[String]>([])
    for (number, delay) in [5, 50, 6, 60].enumerated() {
      judge.judge(
        try Self.blinking(every: delay), options, isWaiting: { true },
        handler: { report in
          let rate = report?.safeRate.map { " \($0)" } ?? ""
          verdicts.withLock { $0.append("\(number) \(report?.result.rawValue ?? "none")\(rate)") }
        })
    }
    thread.withLock { $0.take() }?()
    #expect(verdicts.withLock { $0 } == ["1 passes", "3 passes", "0 fails 0.3", "2 fails 0.36"])
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
