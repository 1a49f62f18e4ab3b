internal import Synchronization

/// Something that is done the first time it is asked for, and never again.
final class Once: Sendable {
  private let isDone = Atomic<Bool>(false)
  private let action: @Sendable () -> Void

  init(_ action: @escaping @Sendable () -> Void) { self.action = action }

  func run() {
    if !isDone.exchange(true, ordering: .acquiringAndReleasing) { action() }
  }
}
