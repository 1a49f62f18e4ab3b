internal import GIFDecoding
internal import Synchronization

/// Memory that is no longer used, but that the process still has.
enum ReleasedMemory {
  private static let stores = Atomic(0)

  /// Has less kept for later pictures, and not for long: a program that plays has a budget for its memory.
  static func storeAdded() {
    stores.add(1, ordering: .relaxed)
    SystemMemory.limitSpare(to: 16 << 20, for: .milliseconds(40))
  }

  /// Gives spare pages back to the system after the last store: no later request would.
  static func storeRemoved() {
    if stores.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { SystemMemory.trim() }
  }

  /// Gives it back to the system: spare pages of pictures, and what the heap keeps free. Takes some
  /// milliseconds.
  static func trim() {
    SystemMemory.trim()
    SystemMemory.trimHeap()
  }
}
