internal import CMemory

/// Memory for pixels and palette indices, which the system may refuse.
///
/// Pages of its own, so that what is released goes back to the system: in the heap a small object behind a
/// picture would keep the picture's memory. Few pages come from the heap. Some released pages are spare: see
/// ``SparePages``.
@safe package struct SystemMemory {
  let start: UnsafeMutableRawPointer
  package let byteCount: Int
  /// Bytes of its pages, which may be more; 0 for memory of the heap.
  private let pageBytes: Int
  /// Whether all bytes are 0. Writing that again would take the pages that nothing else needs.
  let isCleared: Bool

  /// From here on memory has pages of its own. For less, the system would spend more on the note than on the
  /// pages; and small pictures that all begin with a page share the processor's cache sets: 200 tiles took 3
  /// % longer.
  package static let leastPages = 1 << 16
  /// The same where the process's memory has a limit: the heap would give what is to be left, see
  /// ``headroom``.
  private static let leastLimitedPages = 1 << 14
  /// From here on the system is asked before Swift allocates, which takes microseconds. Without a limit of
  /// the process a system that refuses less ends it somewhere else.
  private static let leastAsked = 16 << 20
  /// What a limit of the process must leave for allocations that are never refused.
  static let headroom = 8 << 20
  private static let pageSize = memory_page_size()
  private static var now: Duration { .milliseconds(memory_milliseconds()) }

  private nonisolated(unsafe) static var spare = SparePages()

  /// Takes at least one byte, not initialised; nil where the system refuses it.
  ///
  /// - Parameter isWritten: whether the caller writes all of it at once.
  package init?(byteCount: Int, isWritten: Bool = false) {
    guard byteCount >= Self.leastPages || (byteCount >= Self.leastLimitedPages && memory_is_limited()) else {
      guard let start = unsafe malloc(max(1, byteCount)) else { return nil }
      unsafe self.start = unsafe start
      self.byteCount = byteCount
      (pageBytes, isCleared) = (0, false)
      return
    }
    guard byteCount <= Int.max - Self.pageSize else { return nil }
    self.byteCount = byteCount
    let size = Self.pageBytes(byteCount)
    let now = Self.now
    let (entry, expired) = Self.withSpare({ ($0.take(size), $0.dropExcess(at: now)) }) ?? (nil, [])
    for entry in expired { Self.unmap(entry) }
    if let entry,
      let start = unsafe UnsafeMutableRawPointer(bitPattern: entry.start)
    {
      unsafe self.start = unsafe start
      (pageBytes, isCleared) = (entry.size, false)
      return
    }
    guard let start = unsafe Self.map(size, isWritten: isWritten) else { return nil }
    unsafe self.start = unsafe start
    (pageBytes, isCleared) = (size, true)
  }

  /// Gives the memory back. Nothing reads or writes it from then on.
  package func release() {
    guard pageBytes > 0 else {
      unsafe free(start)
      return
    }
    let entry = SparePages.Entry(start: unsafe UInt(bitPattern: start), size: pageBytes, time: Self.now)
    for entry in Self.withSpare({ $0.give(entry) }) ?? [entry] { Self.unmap(entry) }
  }

  /// Whether the system would give this many bytes now: to be asked before Swift allocates them, as the
  /// program ends where those are refused. Takes no page: while the system fills many, other threads wait for
  /// theirs.
  package static func grants(_ byteCount: Int) -> Bool {
    guard byteCount >= (memory_is_limited() ? leastLimitedPages : leastAsked) else { return true }
    guard byteCount <= Int.max - pageSize else { return false }
    let size = pageBytes(byteCount)
    guard let start = unsafe memory_map(size, headroom, false) else { return false }
    unsafe memory_unmap(start, size)
    return true
  }

  /// Whether the system would give this many addresses, of which few get memory: they count under a limit of
  /// the process.
  package static func grantsAddresses(_ byteCount: Int) -> Bool { !memory_is_limited() || grants(byteCount) }

  /// Has all threads use one heap where the process's memory has a limit, and reserves some of it for small
  /// allocations, which are never refused; for programs, before their first thread.
  ///
  /// - Returns: false where the limit leaves no room for that.
  package static func prepareHeap() -> Bool { memory_prepare_heap(headroom / 2) }

  /// Keeps no more spare bytes than that from now on, and none for longer: for programs whose memory has a
  /// budget.
  package static func limitSpare(to byteCount: Int, for lifetime: Duration) {
    for entry in withSpare({ $0.limit(to: byteCount, for: lifetime) }) ?? [] { unmap(entry) }
  }

  /// Gives all spare pages back to the system.
  package static func trim() {
    for entry in withSpare({ $0.removeAll() }) ?? [] { unmap(entry) }
  }

  /// Gives back what the heap keeps free, but for what ``prepareHeap()`` reserves.
  package static func trimHeap() { memory_trim_heap(headroom / 2) }

  private static func map(_ size: Int, isWritten: Bool) -> UnsafeMutableRawPointer? {
    if let start = unsafe memory_map(size, headroom, isWritten) { return unsafe start }
    // What is spare may be what is missing.
    trim()
    return unsafe memory_map(size, headroom, isWritten)
  }

  private static func unmap(_ entry: SparePages.Entry) {
    guard let start = unsafe UnsafeMutableRawPointer(bitPattern: entry.start) else { return }
    unsafe memory_unmap(start, entry.size)
  }

  /// Bytes of whole pages for this many bytes.
  private static func pageBytes(_ byteCount: Int) -> Int {
    (byteCount + pageSize - 1) / pageSize * pageSize
  }

  /// Nil where another thread has the spare pages just now.
  private static func withSpare<Result>(_ body: (inout SparePages) -> Result) -> Result? {
    guard memory_try_lock() else { return nil }
    defer { memory_unlock() }
    return unsafe body(&spare)
  }
}

/// Which released pages are kept for the next request of about their size. Its owner maps and unmaps.
///
/// The system clears fresh pages one by one, which takes longer than drawing into them.
struct SparePages {
  /// Mapped pages by their address.
  struct Entry: Equatable {
    let start: UInt
    let size: Int
    /// When they were released.
    var time = Duration.zero
  }

  /// The most entries that are kept: a request looks through all.
  static let mostEntries = 64

  /// The most bytes that are kept.
  private(set) var limit = 32 << 20
  /// For how long pages are kept that no request takes; nil for any time. Each request and release looks at
  /// it.
  private var lifetime: Duration?
  /// What was released first in front.
  private var entries: [Entry] = []
  private(set) var byteCount = 0

  /// Takes the smallest pages that have room for a request and are at most a quarter larger; of equal ones
  /// those released last, which the processor's caches may still have.
  mutating func take(_ size: Int) -> Entry? {
    var best: Int?
    for place in entries.indices where entries[place].size >= size && entries[place].size <= size + size / 4 {
      if best.map({ entries[place].size <= entries[$0].size }) ?? true { best = place }
    }
    guard let best else { return nil }
    byteCount -= entries[best].size
    return entries.remove(at: best)
  }

  /// Keeps pages; returns those that are to be unmapped instead.
  mutating func give(_ entry: Entry) -> [Entry] {
    // One entry leaves room for others.
    guard entry.size <= limit / 2 else { return [entry] }
    entries.append(entry)
    byteCount += entry.size
    return dropExcess(at: entry.time)
  }

  /// Keeps no more bytes than that from now on, and none for longer; returns what is to be unmapped.
  mutating func limit(to byteCount: Int, for lifetime: Duration?) -> [Entry] {
    (limit, self.lifetime) = (byteCount, lifetime)
    return dropExcess(at: entries.last?.time ?? .zero)
  }

  /// From now on keeps nothing; returns what is to be unmapped.
  mutating func removeAll() -> [Entry] {
    defer { (entries, byteCount) = ([], 0) }
    return entries
  }

  /// Takes out what is over the limits, or was released longer ago than its lifetime; returns it, to be
  /// unmapped.
  mutating func dropExcess(at now: Duration) -> [Entry] {
    var excess: [Entry] = []
    while let first = entries.first, isOverLimit || isExpired(first, at: now) {
      entries.removeFirst()
      byteCount -= first.size
      excess.append(first)
    }
    return excess
  }

  private var isOverLimit: Bool { byteCount > limit || entries.count > Self.mostEntries }

  private func isExpired(_ entry: Entry, at now: Duration) -> Bool {
    lifetime.map { now - entry.time > $0 } ?? false
  }
}
