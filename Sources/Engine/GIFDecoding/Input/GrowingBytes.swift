/// Bytes that arrive piece by piece. What was handed out does not change.
///
/// Up to 1 MiB they stand in blocks, each twice as large as the one before. Beyond that they go to one
/// reservation for all bytes that may come: they are never copied again, and only bytes that have come take
/// memory. Without a reservation the blocks go on doubling.
package struct GrowingBytes: ~Copyable, Sendable {
  private let memory: GrowingMemory
  private let limit: Int
  private let reserve: MemoryReserver?

  /// Bytes of the largest heap block, where memory can be reserved.
  static let largestBlock = 1 << 20
  /// Bytes reserved at once at the most, whatever the limit.
  private static let largestReservation = Int(clamping: Int64(1) << 36)

  /// - Parameters:
  ///   - limit: how many bytes there will be at the most. The caller keeps to it.
  ///   - reserve: reserves memory beyond 1 MiB.
  package init(limit: Int = .max, reserve: MemoryReserver? = nil) {
    self.limit = limit
    self.reserve = reserve
    memory = GrowingMemory(HeapBlock())
  }

  /// How many bytes have arrived.
  package var count: Int { memory.count }

  /// What has arrived so far. Costs nothing: the memory is shared.
  package var storage: ByteStorage { ByteStorage(memory.region, count: memory.count) }

  /// Checks that the bytes so far can be the beginning of a GIF.
  package func checkSignature() throws(GIFError) { try RecordReader.checkSignature(storage.bytes) }

  /// Copies the bytes to the end.
  ///
  /// - Throws: ``GIFError/Code/outOfMemory``; the bytes before stay.
  mutating func append(_ bytes: Span<UInt8>) throws(GIFError) {
    try makeRoom(for: bytes.count)
    memory.region.write(bytes, at: count)
    memory.count += bytes.count
  }

  /// Has `body` write up to `length` bytes to the end; it says how many it has written.
  ///
  /// - Throws: what `body` throws, and ``GIFError/Code/outOfMemory``.
  package mutating func fill(
    upTo length: Int, _ body: (UnsafeMutableRawBufferPointer) throws(GIFError) -> Int
  ) throws(GIFError) -> Int {
    try makeRoom(for: length)
    let target = unsafe UnsafeMutableRawBufferPointer(start: memory.region.start + count, count: length)
    let written = try unsafe body(target)
    precondition(written >= 0 && written <= length)
    memory.count += written
    return written
  }

  private mutating func makeRoom(for length: Int) throws(GIFError) {
    guard length > memory.region.capacity - count else { return }
    let needed = count + length
    var larger: (any MemoryRegion)?
    if needed > Self.largestBlock {
      larger = reserve?(max(needed, min(limit, Self.largestReservation)))
    }
    let most = reserve == nil || needed > Self.largestBlock ? limit : Self.largestBlock
    let (double, overflows) = memory.region.capacity.multipliedReportingOverflow(by: 2)
    let next: any MemoryRegion
    if let larger {
      next = larger
    } else {
      next = try HeapBlock(capacity: max(needed, min(overflows ? .max : double, most)))
    }
    next.write(storage.bytes, at: 0)
    memory.region = next
  }
}

/// The region that bytes are written to, and how many there are. Releases the unused rest when the writing
/// ends.
///
/// A class, since other modules cannot see a `deinit` of a noncopyable struct where Swift is compiled as
/// Embedded. Belongs to one ``GrowingBytes``, whose mutating functions alone change it: hence the unchecked
/// sendability.
private final class GrowingMemory: @unchecked Sendable {
  var region: any MemoryRegion
  var count = 0

  init(_ region: any MemoryRegion) { self.region = region }

  deinit { region.trim(to: count) }
}
