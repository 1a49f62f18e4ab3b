import Foundation
import GIFDecoding
import GIFFlashes
import GIFTestSupport
import Testing

/// `GALLOP_FLASH_COUNT` asks for another number of GIFs.
@Suite("Flashes around the limits of the rule")
struct KnownFlashTests {
  @Test("Generated GIFs get the verdict that follows from how they were made")
  func known() throws {
    let count = ProcessInfo.processInfo.environment["GALLOP_FLASH_COUNT"].flatMap(Int.init) ?? 80
    var verdicts: [Bool: Int] = [:]
    for number in 0..<count {
      var generator = SeededGenerator(seed: UInt64(number))
      let known = KnownFlashes.make(number, using: &generator)
      var options = FlashOptions(size: known.shown, rate: known.rate)
      options.secret = 0
      let image = try GIFImage(bytes: known.bytes)
      let report = try image.flashes(options)
      options.isVerdictOnly = true
      let verdict = try image.flashes(options)
      let comment: Comment = "\(number): \(known.kind), \(known.rate)x, \(report)"
      #expect(verdict.result == report.result, comment)
      if let fails = known.failsGeneral { #expect((report.general != nil) == fails, comment) }
      if let fails = known.failsRed { #expect((report.red != nil) == fails, comment) }
      verdicts[known.failsGeneral ?? known.failsRed ?? false, default: 0] += 1
    }
    #expect(verdicts.values.allSatisfy { $0 > count / 5 }, "\(verdicts)")
    #expect(verdicts.count == 2)
  }
}
