import GIFTestSupport
import Testing

@testable import GallopCLI

@Suite("Constant rate")
struct ConstantRateTests {
  @Test(
    "The rate is the lowest at which each delay is a whole number of pictures",
    arguments: [
      ([10, 10, 10], 10, 1, [1, 1, 1]),
      ([3, 3], 100, 3, [1, 1]),
      ([4, 6, 10], 50, 1, [2, 3, 5]),
      ([3, 7], 100, 1, [3, 7]),
      ([2, 65535], 100, 1, [2, 65535]),
      ([200], 1, 2, [1]),
      ([65535], 20, 13107, [1]),
      ([100, 50], 2, 1, [2, 1]),
      ([250, 100], 2, 1, [5, 2]),
    ])
  func rates(delays: [Int], numerator: Int, denominator: Int, repeats: [Int]) {
    let rate = ConstantRate(centiseconds: delays)
    #expect((rate.numerator, rate.denominator) == (numerator, denominator))
    #expect(rate.repeats == repeats)
    #expect(rate.pictureCount == repeats.reduce(0, +))
  }

  @Test("Without frames there is a default rate")
  func noFrames() {
    let rate = ConstantRate(centiseconds: [])
    #expect((rate.numerator, rate.denominator) == (10, 1))
    #expect(rate.pictureCount == 0)
  }

  @Test("Delays of 0 count as the shortest delay")
  func zero() {
    #expect(ConstantRate(centiseconds: [0, 2]) == ConstantRate(centiseconds: [1, 2]))
    #expect(ConstantRate(centiseconds: [-5, 0]).repeats == [1, 1])
  }

  @Test("Times are exact and the fraction is in lowest terms, for any delays", arguments: 0..<50)
  func exact(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let step = Int.random(in: 1...40, using: &generator)
    let delays = (0..<Int.random(in: 1...20, using: &generator)).map { _ in
      step * Int.random(in: 1...1600, using: &generator)
    }
    let rate = ConstantRate(centiseconds: delays)
    // A picture lasts denominator / numerator seconds.
    for (delay, count) in zip(delays, rate.repeats) {
      #expect(count * rate.denominator * 100 == delay * rate.numerator)
    }
    #expect((2...100).allSatisfy { rate.numerator % $0 != 0 || rate.denominator % $0 != 0 })
    // No lower rate would do: the counts have no common divisor.
    #expect(!(2...1600).contains { divisor in rate.repeats.allSatisfy { $0 % divisor == 0 } })
  }
}
