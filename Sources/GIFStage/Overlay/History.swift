/// The last values of a quantity, oldest first. Pure.
struct History: Sendable, Hashable {
  let capacity: Int
  private(set) var values: [Double] = []

  init(capacity: Int) { self.capacity = max(1, capacity) }

  mutating func add(_ value: Double) {
    if values.count == capacity { values.removeFirst() }
    values.append(value.isFinite ? value : 0)
  }

  var last: Double { values.last ?? 0 }

  var peak: Double { values.max() ?? 0 }

  /// The value that a part of all values do not exceed; 0 without any.
  func percentile(_ part: Double) -> Double {
    guard !values.isEmpty else { return 0 }
    let sorted = values.sorted()
    return sorted[min(sorted.count - 1, max(0, Int((Double(sorted.count) * part).rounded(.up)) - 1))]
  }
}
