internal import Synchronization

/// An event count: threads sleep until a condition of atomic values holds. A notification costs next to
/// nothing while no thread sleeps.
package final class EventCount: Sendable {
  private let sleepers = Atomic<Int>(0)
  /// The number of notifications while threads slept; of use only as something to change under the lock.
  private let monitor = Monitor(0)

  package init() {}

  /// How often a condition is checked before the thread sleeps, first on end, then giving way to others after
  /// each check: some hundred microseconds at the most. Falling asleep and waking up take about as long.
  private static let spins = 500
  private static let patientSpins = 200

  /// Wakes the sleeping threads; to be called after every change that a thread may wait for.
  ///
  /// Both sides change the same counter between their two steps: this one after the change and before it
  /// looks for sleepers, the other one before it checks the condition. The later of the two sees what the
  /// earlier one did.
  package func notify() {
    guard sleepers.add(0, ordering: .sequentiallyConsistent).newValue > 0 else { return }
    // A sleeper holds the lock from its last check until it sleeps.
    monitor.withLock { $0 &+= 1 }
    monitor.broadcast()
  }

  /// Waits until a condition holds, of which every change is followed by ``notify()``.
  package func wait(until condition: () -> Bool) {
    if Self.spin(until: condition) { return }
    sleepers.add(1, ordering: .sequentiallyConsistent)
    monitor.waitingWithLock { _ -> MonitorStep<Void> in condition() ? .done(()) : .wait(until: nil) }
    sleepers.subtract(1, ordering: .sequentiallyConsistent)
  }

  /// Checks a condition for a while without sleeping; returns whether it came to hold.
  package static func spin(until condition: () -> Bool) -> Bool {
    for _ in 0..<spins where condition() { return true }
    for _ in 0..<patientSpins {
      if condition() { return true }
      EngineThread.yield()
    }
    return false
  }
}
