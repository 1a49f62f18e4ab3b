import Synchronization

@testable import GIFLoading

/// A transfer engine whose time the test moves.
final class EngineTime: Sendable {
  private let nanoseconds: Nanoseconds
  private let engine: TransferEngine

  private final class Nanoseconds: Sendable {
    let value = Mutex<Int64>(0)
  }

  init() {
    let nanoseconds = Nanoseconds()
    self.nanoseconds = nanoseconds
    engine = TransferEngine { nanoseconds.value.withLock { $0 } }
  }

  /// Connections are not kept longer; the thread ends.
  deinit { advance(by: .seconds(10)) }

  /// A loader of this engine, its silence limited to 30 seconds and the whole practically not.
  func loader(_ change: (inout GIFLoader.Options) -> Void = { _ in }) -> GIFLoader {
    var options = GIFLoader.Options.patient
    options.idleTimeout = .seconds(30)
    options.totalTimeout = .seconds(2_000_000)
    change(&options)
    return GIFLoader(options: options, engine: engine)
  }

  func advance(by duration: Duration) {
    nanoseconds.value.withLock { $0 += duration.components.seconds * 1_000_000_000 }
    engine.timeHasChanged()
  }
}
