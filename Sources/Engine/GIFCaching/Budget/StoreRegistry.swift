internal import EngineSupport
internal import GIFDecoding

/// What stores of the same content have in common.
struct StoreKey: Hashable, Sendable {
  private let hash: Int
  private let size: PixelSize?
  private let pool: ObjectIdentifier

  init(_ image: GIFImage, size: PixelSize?, pool: DecodePool) {
    hash = image.contentHash
    self.size = size
    self.pool = ObjectIdentifier(pool)
  }
}

/// A store that is not kept alive.
struct WeakStore: Sendable {
  let id: ObjectIdentifier
  private(set) weak var store: FrameStore?

  init(_ store: FrameStore) {
    id = ObjectIdentifier(store)
    self.store = store
  }
}

/// The stores of a budget by their content, so that players of the same content find the same store.
final class StoreRegistry: Sendable {
  private let stores = Lock<[StoreKey: [WeakStore]]>([:])

  /// A store with the image's content, or a new one.
  func store(for image: GIFImage, _ key: StoreKey, make: (StoreKey) -> FrameStore) -> FrameStore {
    var compared: [FrameStore] = []
    while true {
      // Compared without the lock: a comparison may read megabytes. Made under it, so that two callers at the
      // same time do not make one each.
      let (candidates, made) = stores.withLock { stores -> ([FrameStore], FrameStore?) in
        let candidates = stores[key, default: []].compactMap(\.store).filter { store in
          !compared.contains { $0 === store }
        }
        guard candidates.isEmpty else { return (candidates, nil) }
        let store = make(key)
        stores[key, default: []].append(WeakStore(store))
        return ([], store)
      }
      if let made { return made }
      if let same = candidates.first(where: { $0.image.hasSameContent(as: image) }) { return same }
      compared += candidates
    }
  }

  /// A store with the image's content; nil if there is none. May read as many bytes as the image has.
  func find(_ image: GIFImage, _ key: StoreKey) -> FrameStore? {
    let candidates = stores.withLock { $0[key, default: []].compactMap(\.store) }
    return candidates.first { $0.image.hasSameContent(as: image) }
  }

  func add(_ store: FrameStore, _ key: StoreKey) {
    stores.withLock { $0[key, default: []].append(WeakStore(store)) }
  }

  func remove(_ id: ObjectIdentifier, _ key: StoreKey) {
    stores.withLock { stores in
      stores[key]?.removeAll { $0.id == id }
      if stores[key]?.isEmpty == true { stores[key] = nil }
    }
  }
}
