/// The last values of a quantity, oldest first.
package struct History: Sendable, Hashable {
  package let capacity: Int
  package private(set) var values: [Double] = []

  package init(capacity: Int) { self.capacity = max(1, capacity) }

  package mutating func add(_ value: Double) {
    if values.count == capacity { values.removeFirst() }
    values.append(value.isFinite ? value : 0)
  }

  package var last: Double { values.last ?? 0 }

  package var peak: Double { values.max() ?? 0 }

  /// A percentile, for a fraction of 0 - 1; 0 without values.
  package func percentile(_ part: Double) -> Double {
    guard !values.isEmpty else { return 0 }
    let sorted = values.sorted()
    return sorted[min(sorted.count - 1, max(0, Int((Double(sorted.count) * part).rounded(.up)) - 1))]
  }
}
