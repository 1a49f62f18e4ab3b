internal import EngineSupport
internal import GIFDecoding

/// Loads that several readers share, and images that are found again while they are in use.
///
/// Nothing is kept alive here: loads and images hold this object, which refers to them weakly. The decisions
/// are those of ``LoadTable`` and ``LoadingReaders``. No load and no image is released under the lock, as
/// their end takes it.
final class SharedLoads: Sendable {
  static let shared = SharedLoads()

  /// What must be equal for two requests to share.
  struct Key: Hashable, Sendable {
    let address: WebAddress
    let options: GIFLoader.Options
    let engine: ObjectIdentifier
  }

  // Classes, as in ``OpenFiles``: a weak reference within a dictionary's value is not safe while its last
  // owner goes.
  private final class WeakSink: Sendable {
    weak let sink: LoadingSink?

    init(sink: LoadingSink) { self.sink = sink }
  }

  private final class WeakBytes: Sendable {
    weak let bytes: SharedBytes?

    init(bytes: SharedBytes) { self.bytes = bytes }
  }

  private struct State: Sendable {
    var table = LoadTable<Key>()
    var sinks: [LoadTable<Key>.ID: WeakSink] = [:]
    var images: [LoadTable<Key>.ID: WeakBytes] = [:]
  }

  private enum Found: Sendable {
    case start(LoadingSink)
    case join(LoadingSink, LoadTable<Key>.ID)
    case reuse(SharedBytes)
    /// Released just now, and about to say so.
    case gone(LoadTable<Key>.ID)
  }

  private let state = Lock(State())

  /// The loads and images that are known, for tests.
  var count: Int { state.withLock { $0.table.count } }

  /// Reads along with an equal load, or gives an image in use; begins a load where there is neither.
  func open(
    _ key: Key, limits: DecodingLimits, onNews: (@Sendable () -> Void)?, start: (LoadingSink) -> Void
  ) -> (LoadingSink, LoadingReaders.ID) {
    while true {
      switch find(key, limits: limits) {
      case .start(let sink):
        guard let reader = sink.join(onNews: onNews) else { continue }
        start(sink)
        return (sink, reader)
      case .join(let sink, let id):
        if let reader = sink.join(onNews: onNews) { return (sink, reader) }
        drop(id, key)
      case .reuse(let bytes):
        let sink = LoadingSink(source: key.address.description, limits: limits)
        guard let reader = sink.join(onNews: onNews) else { continue }
        sink.finish(with: bytes.sharedImage)
        return (sink, reader)
      case .gone(let id): remove(id, key)
      }
    }
  }

  private func find(_ key: Key, limits: DecodingLimits) -> Found {
    state.withLock { state in
      switch state.table.request(key) {
      case .start(let id):
        let share = LoadShare(keep: { self.keep($0, id, key) }, end: { self.drop(id, key) })
        let sink = LoadingSink(source: key.address.description, limits: limits, share: share)
        state.sinks[id] = WeakSink(sink: sink)
        return .start(sink)
      case .join(let id): return state.sinks[id]?.sink.map { .join($0, id) } ?? .gone(id)
      case .reuse(let id): return state.images[id]?.bytes.map { .reuse($0) } ?? .gone(id)
      }
    }
  }

  /// Remembers the image of a load for as long as it is in use.
  private func keep(_ image: GIFImage, _ id: LoadTable<Key>.ID, _ key: Key) -> GIFImage {
    // A file without its end may have been cut off: the next request asks the server again.
    guard image.metadata.isComplete, let memory = image.fileMemory else { return image }
    let bytes = SharedBytes(image, memory: memory) { self.remove(id, key) }
    let isKept = state.withLock { state in
      guard state.table.finish(id, key) else { return false }
      state.sinks[id] = nil
      state.images[id] = WeakBytes(bytes: bytes)
      return true
    }
    return isKept ? bytes.sharedImage : image
  }

  private func drop(_ id: LoadTable<Key>.ID, _ key: Key) {
    state.withLock { state in
      state.table.drop(loadOf: id, key)
      state.sinks[id] = nil
    }
  }

  private func remove(_ id: LoadTable<Key>.ID, _ key: Key) {
    state.withLock { state in
      state.table.remove(id, key)
      (state.sinks[id], state.images[id]) = (nil, nil)
    }
  }
}

/// What a load tells those that share it.
struct LoadShare: Sendable {
  /// Changes the complete image before any reader gets it, so that it can be found again.
  let keep: @Sendable (GIFImage) -> GIFImage
  /// Called once when the load has ended or is cancelled.
  let end: @Sendable () -> Void
}

/// The bytes of an image, which tell when the last image of them is released.
///
/// `start` is valid as long as `memory`, which is held.
@safe private final class SharedBytes: MemoryRegion, @unchecked Sendable {
  let start: UnsafeMutableRawPointer
  let capacity: Int
  private let memory: any MemoryRegion
  private let image: GIFImage
  private let onRelease: @Sendable () -> Void

  init(_ image: GIFImage, memory: any MemoryRegion, onRelease: @escaping @Sendable () -> Void) {
    unsafe start = memory.start
    capacity = memory.capacity
    self.memory = memory
    self.image = image
    self.onRelease = onRelease
  }

  deinit { onRelease() }

  func trim(to count: Int) {}

  /// The image itself does not hold these bytes; this one does.
  var sharedImage: GIFImage { image.held(by: self) }

  /// The same for those that held the bytes while they arrived.
  var identity: ObjectIdentifier { memory.identity }
}
