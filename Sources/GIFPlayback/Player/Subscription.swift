internal import Synchronization

/// A listener's place; ``cancel()`` ends it. Letting go of the value changes nothing: the listener then stays as
/// long as its player.
public final class Subscription: Sendable {
  private let cancelled = Atomic<Bool>(false)
  private let onCancel: @Sendable () -> Void

  init(onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }

  /// Ends the subscription. A call that has begun on another thread may still come to its end; none begins after.
  public func cancel() {
    guard !cancelled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    onCancel()
  }

  public var isCancelled: Bool { cancelled.load(ordering: .acquiring) }
}

/// The listeners for one kind of event, in the order they came. A plain value, to be kept under a lock.
struct Listeners<Event>: Sendable {
  typealias Handler = @Sendable (Event) -> Void

  private var entries: [(id: Int, handler: Handler)] = []
  private var nextID = 0

  mutating func add(_ handler: @escaping Handler) -> Int {
    nextID += 1
    entries.append((nextID, handler))
    return nextID
  }

  /// Returns the handler, so that what it holds is let go of outside the lock.
  mutating func remove(_ id: Int) -> Handler? {
    guard let place = entries.firstIndex(where: { $0.id == id }) else { return nil }
    return entries.remove(at: place).handler
  }

  var ids: [Int] { entries.map(\.id) }

  func handler(_ id: Int) -> Handler? { entries.first { $0.id == id }?.handler }
}
