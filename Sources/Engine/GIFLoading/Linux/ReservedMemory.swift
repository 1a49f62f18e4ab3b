public import GIFDecoding
internal import Glibc

/// A range of addresses that takes memory only for the pages written to.
///
/// The object owns the first `mapped` bytes from `start`; only the one writer changes `mapped`, in
/// ``trim(to:)``.
@safe package final class ReservedMemory: MemoryRegion, @unchecked Sendable {
  package let start: UnsafeMutableRawPointer
  package let capacity: Int
  private var mapped: Int

  /// Nil if the system has no such range.
  package init?(byteCount: Int) {
    let page = sysconf(Int32(_SC_PAGESIZE))
    guard byteCount > 0, byteCount <= Int.max - page else { return nil }
    let length = (byteCount + page - 1) / page * page
    guard SystemMemory.grantsAddresses(length) else { return nil }
    let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
    guard let start = unsafe mmap(nil, length, PROT_READ | PROT_WRITE, flags, -1, 0),
      unsafe start != MAP_FAILED
    else { return nil }
    unsafe self.start = start
    capacity = byteCount
    mapped = length
  }

  deinit {
    if mapped > 0 { unsafe _ = munmap(start, mapped) }
  }

  package func trim(to count: Int) {
    let page = sysconf(Int32(_SC_PAGESIZE))
    let kept = (max(0, count) + page - 1) / page * page
    guard kept < mapped else { return }
    unsafe _ = munmap(start + kept, mapped - kept)
    mapped = kept
  }

  /// The allocation function for ``GrowingBytes``.
  package static let reserver: MemoryReserver = { ReservedMemory(byteCount: $0) }
}

extension GIFStream {
  /// Creates an empty stream whose bytes stay in place as they arrive.
  public init(limits: DecodingLimits = .default) {
    self.init(limits: limits, reserve: ReservedMemory.reserver)
  }
}
