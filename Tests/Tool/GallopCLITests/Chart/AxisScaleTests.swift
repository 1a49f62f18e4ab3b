import Testing

@testable import GallopCLI

@Suite("Axis marks")
struct AxisScaleTests {
  @Test(
    "Marks are round and reach the largest value",
    arguments: [
      (10.0, 2.0, 5), (30, 10, 3), (100, 20, 5), (1, 0.2, 5), (0.003, 0.001, 3), (1999, 500, 4),
      (2001, 500, 5),
      (655_350, 200_000, 4), (7, 2, 4),
    ])
  func marks(largest: Double, step: Double, count: Int) {
    let scale = AxisScale(largest: largest, marks: 5)
    #expect(abs(scale.step - step) < step / 1e6)
    #expect(scale.markCount == count)
    #expect(scale.end >= largest * (1 - 1e-9))
    #expect(scale.values.count == count + 1)
    #expect(scale.values.first == 0)
  }

  @Test(
    "There are always marks, and never too many",
    arguments: [0, -1, .nan, .infinity, 1e300, 1e-9, 3.7e14])
  func extremes(largest: Double) {
    for marks in [-1, 2, 5, 10] {
      let scale = AxisScale(largest: largest, marks: marks)
      #expect(scale.step > 0 && scale.step.isFinite)
      #expect((1...max(2, marks)).contains(scale.markCount))
    }
  }

  @Test(
    "Labels are thinned out",
    arguments: [
      (1, 1, 1), (10, 10, 1), (11, 10, 2), (360, 12, 50), (131_072, 10, 20_000), (5, 0, 5), (0, 3, 1),
    ])
  func stride(count: Int, most: Int, expected: Int) {
    #expect(AxisScale.stride(of: count, most: most) == expected)
  }
}
