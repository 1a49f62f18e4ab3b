internal import Glibc
internal import Synchronization

/// The thread that waits for reports of memory pressure and for the steps of recovery. Sleeps all other time, unless
/// no source could be armed: then it looks every two seconds.
final class PressureWatch: Sendable {
  /// Wakes the thread when it is written to.
  private let bell = EventCounter.make()
  private let wakeTime = Atomic<Int64>(.max)

  deinit {
    if bell >= 0 { close(bell) }
  }

  /// - Parameter report: told of a level, or of `.normal` when a step of recovery is due; gives when the next one is.
  func start(_ report: @escaping @Sendable (MemoryPressure.Level) -> Int64?) {
    let armed = PressureSource.open(cgroups: SystemFile.text("/proc/self/cgroup") ?? "")
    // Without a thread there is no recovery either, and nothing that would need it but simulated pressure.
    _ = EngineThread.start { [self] in
      var sources = armed
      while true { look(&sources, report) }
    }
  }

  /// Has the thread wake at an instant of the monotonic clock.
  func wake(at instant: Int64?) {
    wakeTime.store(instant ?? .max, ordering: .releasing)
    var one: UInt64 = 1
    unsafe _ = write(bell, &one, 8)
  }

  private func look(_ sources: inout [PressureSourceBox], _ report: (MemoryPressure.Level) -> Int64?) {
    var descriptors = [pollfd(fd: bell, events: Int16(POLLIN), revents: 0)]
    for box in sources {
      descriptors.append(pollfd(fd: box.source.descriptor, events: box.source.events, revents: 0))
    }
    let count = descriptors.count
    let timeout = timeout(hasSources: !sources.isEmpty && bell >= 0)
    let ready = unsafe descriptors.withUnsafeMutableBufferPointer {
      unsafe poll($0.baseAddress, nfds_t(count), timeout)
    }
    if ready < 0 { return }
    if descriptors[0].revents != 0 {
      var count: UInt64 = 0
      unsafe _ = read(bell, &count, 8)
    }
    var level = MemoryPressure.Level.normal
    var working: [PressureSourceBox] = []
    for (box, polled) in zip(sources, descriptors.dropFirst()) {
      // A control group that was removed reports an error for ever, and priority events with it.
      if polled.revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 { continue }
      if polled.revents & box.source.events != 0 { level = max(level, box.source.level()) }
      working.append(box)
    }
    sources = working
    if sources.isEmpty, let text = SystemFile.text("/proc/pressure/memory") {
      level = max(level, PressureStatus(text).level)
    }
    wakeTime.store(report(level) ?? .max, ordering: .releasing)
  }

  /// Milliseconds until the thread has to look again; -1 for ever.
  private func timeout(hasSources: Bool) -> Int32 {
    let polling: Int64 = hasSources ? .max : 2_000
    let next = wakeTime.load(ordering: .acquiring)
    let recovery = next == .max ? .max : max(0, (next - SystemClock.nanoseconds) / 1_000_000 + 1)
    let shortest = min(polling, recovery)
    return shortest == .max ? -1 : Int32(min(shortest, 3_600_000))
  }
}
