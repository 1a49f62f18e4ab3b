internal import Synchronization

/// An action that runs at most once, from any thread.
final class Once: Sendable {
  private let isDone = Atomic<Bool>(false)
  private let action: @Sendable () -> Void

  init(_ action: @escaping @Sendable () -> Void) { self.action = action }

  func run() {
    if !isDone.exchange(true, ordering: .acquiringAndReleasing) { action() }
  }
}
