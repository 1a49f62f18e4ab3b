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
    var writer = GIFWriter(width: 40, height: 30, palette: [0x000000, 0xFFFFFF])
    for place in 0..<2 {
      writer.graphicsControl(disposal: 1, delay: 5)
      writer.image(width: 40, height: 30, indices: [UInt8](repeating: UInt8(place), count: 1_200))
    }
    writer.trailer()
    let image = try GIFImage(bytes: writer.bytes)
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
}
