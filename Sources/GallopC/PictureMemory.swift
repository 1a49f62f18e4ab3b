// C has names of its own.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CGallop
internal import EngineSupport
internal import Glibc

/// Memory for pixels: in huge pages where the system has them, and recycled.
///
/// Its bound: `bytes` are allocated or mapped with the object, and end with it. They are not initialised: recycled
/// memory has older pixels.
@safe final class PictureMemory: HandleObject, @unchecked Sendable {
  static let kind = HandleKind.memory
  static let hasThreads = false

  let bytes: UnsafeMutableRawBufferPointer
  /// What is mapped; nil for memory of the heap.
  private let range: Range<UInt>?

  /// Whether it is mapped; then it also outlasts the processor's caches while it is filled.
  var isLarge: Bool { range != nil }

  /// Smaller requests are the heap's: a huge page more would be too much for them.
  static let leastMapped = 4 << 20
  static let hugePage = 2 << 20

  /// - Throws: ``Status/outOfMemory``.
  init(byteCount: Int) throws(Failure) {
    let size = max(1, byteCount)
    let start: UnsafeMutableRawPointer?
    if size < Self.leastMapped {
      range = nil
      unsafe start = aligned_alloc(64, (size + 63) / 64 * 64)
    } else {
      let (sum, overflows) = size.addingReportingOverflow(Self.hugePage - 1)
      range = overflows ? nil : Self.map(sum / Self.hugePage * Self.hugePage)
      unsafe start = range.flatMap { unsafe UnsafeMutableRawPointer(bitPattern: $0.lowerBound) }
    }
    guard let start = unsafe start else {
      throw Failure(.outOfMemory, "there is no memory for \(byteCount) bytes", value: Int64(byteCount))
    }
    unsafe bytes = UnsafeMutableRawBufferPointer(start: start, count: size)
  }

  deinit {
    if let range { Self.recycle(range) } else { unsafe free(bytes.baseAddress) }
    Self.expire()
  }

  /// Gives memory back that no request has taken for long. Called at releases, so it costs no thread.
  private static func expire() {
    let ranges = ProcessState.shared.withSpareMemory { $0.isEmpty ? [] : $0.expire(at: now) }
    for range in ranges { unmap(range) }
  }

  private static var now: Duration {
    var time = timespec()
    unsafe _ = clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// Gives all memory that is kept for later requests back.
  static func trim() {
    for range in ProcessState.shared.withSpareMemory({ $0.removeAll() }) { unmap(range) }
  }

  // MARK: Mapping

  /// A range of recycled memory, continued with fresh memory where it is too short, or a fresh one.
  private static func map(_ size: Int) -> Range<UInt>? {
    let spare = ProcessState.shared.withSpareMemory { $0.take(size) }
    guard let spare else { return fresh(size) }
    if spare.range.count == size || isContinued(spare.range, to: size) {
      return spare.range.lowerBound..<spare.range.lowerBound + UInt(size)
    }
    // For a smaller request. Unmapped, it would be missing at each turn of several sizes.
    give(spare.range, at: spare.time)
    return fresh(size)
  }

  private static func give(_ range: Range<UInt>, at time: Duration) {
    for range in ProcessState.shared.withSpareMemory({ $0.give(range, at: time) }) { unmap(range) }
  }

  private static func fresh(_ size: Int) -> Range<UInt>? {
    // As much more as a huge page may have to be moved on.
    let (room, overflows) = size.addingReportingOverflow(hugePage)
    guard !overflows, let start = unsafe mapped(at: nil, room, 0) else { return nil }
    let end = start + UInt(room)
    let page = UInt(hugePage)
    let first = (start + page - 1) / page * page
    let range = first..<first + UInt(size)
    unmap(start..<range.lowerBound)
    unmap(range.upperBound..<end)
    advise(range, MADV_HUGEPAGE)
    return range
  }

  /// Maps what lies behind a range, if nothing is there yet.
  private static func isContinued(_ range: Range<UInt>, to size: Int) -> Bool {
    let missing = range.upperBound..<range.lowerBound + UInt(size)
    let wanted = unsafe UnsafeMutableRawPointer(bitPattern: missing.lowerBound)
    let flag = Int32(MAP_FIXED_NOREPLACE)
    guard let start = unsafe mapped(at: wanted, missing.count, flag) else { return false }
    // A kernel that does not know the flag takes the address as a hint.
    guard start == missing.lowerBound else {
      unmap(start..<start + UInt(missing.count))
      return false
    }
    advise(missing, MADV_HUGEPAGE)
    return true
  }

  private static func mapped(at place: UnsafeMutableRawPointer?, _ size: Int, _ flags: Int32) -> UInt? {
    let start = unsafe mmap(
      place, size, PROT_READ | PROT_WRITE, Int32(MAP_PRIVATE) | Int32(MAP_ANONYMOUS) | flags, -1, 0)
    return unsafe start == MAP_FAILED ? nil : start.map { UInt(bitPattern: $0) }
  }

  private static func recycle(_ range: Range<UInt>) {
    // Before others can take it. The system may have the pages whenever it needs them.
    advise(range, MADV_FREE)
    give(range, at: now)
  }

  private static func advise(_ range: Range<UInt>, _ advice: Int32) {
    unsafe _ = madvise(UnsafeMutableRawPointer(bitPattern: range.lowerBound), range.count, advice)
  }

  /// Gives memory back to the system.
  static func unmap(_ range: Range<UInt>) {
    guard !range.isEmpty else { return }
    let status = unsafe munmap(UnsafeMutableRawPointer(bitPattern: range.lowerBound), range.count)
    assert(status == 0, "memory that is no whole pages stays mapped")
  }
}

@c @implementation
public func gallop_memory_new(
  _ size: Int, _ address: UnsafeMutablePointer<UnsafeMutableRawPointer?>!,
  _ out: UnsafeMutablePointer<OpaquePointer?>!
) -> gallop_status {
  answer { () throws(Failure) in
    let out = try unsafe emptied(out)
    let address = try unsafe given(address, "the pointer to the address")
    guard size >= 0 else { throw Failure(.outOfMemory, "no system has so much memory") }
    let memory = try PictureMemory(byteCount: size)
    unsafe address.pointee = memory.bytes.baseAddress
    try unsafe Handles.add(memory, to: out)
  }
}

@c @implementation
public func gallop_memory_release(_ memory: OpaquePointer!) -> gallop_status {
  answer { () throws(Failure) in try unsafe Handles.release(memory, PictureMemory.self) }
}

@c @implementation
public func gallop_memory_trim() -> gallop_status {
  answer { PictureMemory.trim() }
}
