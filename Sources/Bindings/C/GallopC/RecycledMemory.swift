internal import EngineSupport
internal import Gallop
internal import Glibc

/// Mapped memory in huge pages, which is kept after its release for the next request: see ``SpareMemory``.
///
/// Measured on eight GIFs whose frames NumPy arrays keep, by processor time on a busy machine: fresh huge
/// pages take 1.72 times as long, fresh small ones 3.99, `malloc` 3.33; page faults go from 14 to 455 and
/// 222,000. skia-python takes 2.50 times as long as this, and 1.45 and 0.75 times as long as those.
///
/// A thread gives back what no request takes. It sleeps for a second at a time, and ends once nothing is
/// kept. Where there is none, as in a forked child, releases do its work: there, what the last one leaves
/// stays mapped.
enum RecycledMemory {
  static let hugePage = 2 << 20
  /// How long the thread sleeps, and how long a range lies idle before the system may have its pages.
  private static let purgeSeconds: UInt32 = 1

  /// What is kept, and whether the thread runs. Guarded by ``ProcessState``.
  struct State {
    var spare = SpareMemory(
      byteLimit: Int(clamping: MemoryAllowance.bytes / 4), pageSize: hugePage,
      purgeDelay: .seconds(Int(purgeSeconds)), lifetime: .seconds(10))
    var hasThread = false
    var mayStartThread = true
  }

  /// At least `byteCount` bytes: recycled, continued with fresh memory where that is too short, or fresh.
  ///
  /// - Returns: nil where the system has no such memory.
  static func map(_ byteCount: Int) -> Range<UInt>? {
    let (sum, overflows) = byteCount.addingReportingOverflow(hugePage - 1)
    guard !overflows else { return nil }
    let size = sum / hugePage * hugePage
    let recycled = ProcessState.shared.withMemory { state -> Range<UInt>? in
      if let range = state.spare.take(size) { return range }
      guard let longest = state.spare.longest, isContinued(longest, to: size) else { return nil }
      return state.spare.takeLongest().map { $0.lowerBound..<$0.lowerBound + UInt(size) }
    }
    return recycled ?? fresh(size)
  }

  /// Keeps mapped memory that is no longer used.
  static func recycle(_ range: Range<UInt>) {
    let (hasThread, excess) = ProcessState.shared.withMemory { state in
      if !state.hasThread && state.mayStartThread {
        state.hasThread = EngineThread.start(blocksSignals: true, sweepUntilEmpty)
      }
      // Before another thread can take it.
      if !state.hasThread { advise(range, MADV_FREE) }
      return (state.hasThread, state.spare.give(range, at: now, isPurged: !state.hasThread))
    }
    for range in excess { unmap(range) }
    if !hasThread { sweep() }
  }

  /// Gives all memory that is kept for later requests back.
  static func trim() {
    for range in ProcessState.shared.withMemory({ $0.spare.removeAll() }) { unmap(range) }
  }

  /// Gives memory back to the system.
  static func unmap(_ range: Range<UInt>) {
    guard !range.isEmpty else { return }
    let status = unsafe munmap(UnsafeMutableRawPointer(bitPattern: range.lowerBound), range.count)
    assert(status == 0, "memory that is no whole pages stays mapped")
  }

  // MARK: Idle memory

  private static func sweepUntilEmpty() {
    repeat {
      _ = sleep(purgeSeconds)
      sweep()
    } while ProcessState.shared.withMemory { state in
      // In one step with the question: a release either sees the thread or starts another one.
      state.hasThread = !state.spare.isEmpty
      return state.hasThread
    }
  }

  /// Lets the system have what is idle, and unmaps what has been for long.
  static func sweep() {
    let expired = ProcessState.shared.withMemory { state in
      let sweep = state.spare.sweep(at: now)
      // Before another thread can take them: the system may empty the pages from here on until they are
      // written.
      for range in sweep.purged { advise(range, MADV_FREE) }
      return sweep.expired
    }
    for range in expired { unmap(range) }
  }

  private static var now: Duration {
    var time = timespec()
    unsafe _ = clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  // MARK: Mapping

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

  private static func advise(_ range: Range<UInt>, _ advice: Int32) {
    unsafe _ = madvise(UnsafeMutableRawPointer(bitPattern: range.lowerBound), range.count, advice)
  }
}
