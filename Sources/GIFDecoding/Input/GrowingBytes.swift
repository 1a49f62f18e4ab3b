/// Bytes that arrive piece by piece. What was handed out stays as it was.
///
/// Up to 1 MiB they stand in heap blocks, each twice as large as the one before. Beyond that they go to one
/// reservation for all that may come: they are never copied again, and only what has come takes memory. Where none can
/// be had the blocks go on doubling.
struct GrowingBytes: ~Copyable, Sendable {
  private var region: any MemoryRegion
  private(set) var count = 0
  private let limit: Int
  private let reserve: MemoryReserver?

  /// Bytes of the largest heap block, where memory can be reserved.
  static let largestBlock = 1 << 20
  /// Bytes reserved at once at the most, whatever the limit.
  private static let largestReservation = 1 << 36

  /// - Parameters:
  ///   - limit: how many bytes there will be at the most. The caller keeps to it.
  ///   - expected: how many bytes will come, if that is known.
  ///   - reserve: how memory beyond 1 MiB is had.
  init(limit: Int = .max, expecting expected: Int = 0, reserve: MemoryReserver? = nil) {
    self.limit = limit
    self.reserve = reserve
    region = HeapBlock(capacity: min(max(1 << 12, expected), Self.largestBlock))
  }

  deinit { region.trim(to: count) }

  /// What has arrived so far. Costs nothing: the memory is shared.
  var storage: ByteStorage { ByteStorage(region, count: count) }

  /// Copies the bytes to the end.
  mutating func append(_ bytes: Span<UInt8>) {
    makeRoom(for: bytes.count)
    region.write(bytes, at: count)
    count += bytes.count
  }

  /// Has `body` write up to `length` bytes to the end; it says how many it has written.
  mutating func fill<Failure: Error>(
    upTo length: Int, _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
  ) throws(Failure) -> Int {
    makeRoom(for: length)
    let target = unsafe UnsafeMutableRawBufferPointer(start: region.start + count, count: length)
    let written = try unsafe body(target)
    precondition(written >= 0 && written <= length)
    count += written
    return written
  }

  private mutating func makeRoom(for length: Int) {
    guard length > region.capacity - count else { return }
    let needed = count + length
    var larger: (any MemoryRegion)?
    if needed > Self.largestBlock {
      larger = reserve?(max(needed, min(limit, Self.largestReservation)))
    }
    let most = reserve == nil || needed > Self.largestBlock ? limit : Self.largestBlock
    let next = larger ?? HeapBlock(capacity: max(needed, min(2 * region.capacity, most)))
    next.write(storage.bytes, at: 0)
    region = next
  }
}
