/// Round marks for an axis that begins at 0.
struct AxisScale: Equatable {
  /// From one mark to the next: 1, 2 or 5 times a power of ten.
  let step: Double
  let markCount: Int

  /// - Parameters:
  ///   - largest: the value that the axis must reach; what is no positive number counts as 1.
  ///   - marks: how many marks there may be above 0; at least 2.
  init(largest: Double, marks: Int) {
    let largest = largest.isFinite && largest > 0 ? min(largest, 1e15) : 1
    let marks = max(2, marks)
    var power = 1e-6
    // Ends: the powers grow beyond any value that is let through.
    while power * 10 * Double(marks) < largest { power *= 10 }
    let steps = [1.0, 2, 5, 10].map { ($0 * power) }
    step = steps.first { $0 * Double(marks) >= largest } ?? 10 * power
    markCount = max(1, Int((largest / step - 1e-9).rounded(.up)))
  }

  /// The value at the axis's end.
  var end: Double { step * Double(markCount) }

  /// The marks' values, 0 among them.
  var values: [Double] { (0...markCount).map { Double($0) * step } }

  /// A whole number of things between labels, so that at most `most` of `count` bear one: 1, 2 or 5 times a
  /// power of ten.
  static func stride(of count: Int, most: Int) -> Int {
    var power = 1
    while true {
      for factor in [1, 2, 5] where (count - 1) / (factor * power) < max(1, most) { return factor * power }
      power *= 10
    }
  }
}
