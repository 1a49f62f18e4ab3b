/// The loads under way and the images still in use, by what was asked for.
///
/// An entry begins as a load. It becomes an image when that ends well, and goes when the load fails or is
/// cancelled, or when the image is released.
struct LoadTable<Key: Hashable & Sendable>: Sendable {
  typealias ID = Int

  /// What a request is to do.
  enum Request: Sendable, Equatable {
    /// Begin the load of this number.
    case start(ID)
    /// Read along with a load under way.
    case join(ID)
    /// Take an image that is still in use.
    case reuse(ID)
  }

  private enum Entry: Sendable {
    case underWay(ID)
    case inUse(ID)

    var id: ID {
      switch self {
      case .underWay(let id), .inUse(let id): id
      }
    }
  }

  private var entries: [Key: Entry] = [:]
  private var lastID = 0

  var count: Int { entries.count }

  /// Decides how a request is served; one without an entry makes one.
  mutating func request(_ key: Key) -> Request {
    switch entries[key] {
    case .underWay(let id): return .join(id)
    case .inUse(let id): return .reuse(id)
    case nil:
      lastID += 1
      entries[key] = .underWay(lastID)
      return .start(lastID)
    }
  }

  /// Notes that a load has ended with an image. Returns false if another load has taken its place.
  mutating func finish(_ id: ID, _ key: Key) -> Bool {
    guard case .underWay(id) = entries[key] else { return false }
    entries[key] = .inUse(id)
    return true
  }

  /// Notes that a load under way has ended otherwise, or was cancelled. An image stays.
  mutating func drop(loadOf id: ID, _ key: Key) {
    if case .underWay(id) = entries[key] { entries[key] = nil }
  }

  /// Notes that an image, or whatever had this number, is gone.
  mutating func remove(_ id: ID, _ key: Key) {
    if entries[key]?.id == id { entries[key] = nil }
  }
}
