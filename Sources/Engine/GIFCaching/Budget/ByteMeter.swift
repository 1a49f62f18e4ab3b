internal import Synchronization

/// Counts the bytes that are held now, and the most that ever were.
final class ByteMeter: Sendable {
  private let held = Atomic<Int64>(0)
  private let most = Atomic<Int64>(0)

  func change(by bytes: Int64) {
    guard bytes != 0 else { return }
    let now = held.wrappingAdd(bytes, ordering: .relaxed).newValue
    most.max(now, ordering: .relaxed)
  }

  var current: Int64 { held.load(ordering: .relaxed) }
  var peak: Int64 { most.load(ordering: .relaxed) }
}
