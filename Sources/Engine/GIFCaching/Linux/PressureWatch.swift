internal import EngineSupport
internal import Glibc
internal import Synchronization

/// The thread that waits for reports of memory pressure and for the steps of recovery. It sleeps in between,
/// but polls every two seconds if what could be armed is not enough.
final class PressureWatch: Sendable {
  /// Wakes the thread when it is written to.
  private let wakeUp = WakeUpDescriptor.make()
  private let wakeTime = Atomic<Int64>(.max)

  deinit {
    if wakeUp >= 0 { close(wakeUp) }
  }

  /// - Parameter report: takes a level, or `.normal` when a step of recovery is due; gives when the next step
  ///   is.
  func start(_ report: @escaping @Sendable (MemoryPressure.Level) -> Int64?) {
    let found = PressureSources(cgroups: SystemFile.ownGroups)
    // Without a thread there is no recovery, but only simulated pressure would need one.
    _ = EngineThread.start { [self] in
      var sources = found
      while true { check(&sources, report) }
    }
  }

  /// Has the thread wake at an instant of the monotonic clock.
  func wake(at instant: Int64?) {
    wakeTime.store(instant ?? .max, ordering: .releasing)
    var one: UInt64 = 1
    unsafe _ = write(wakeUp, &one, 8)
  }

  private func check(_ sources: inout PressureSources, _ report: (MemoryPressure.Level) -> Int64?) {
    var descriptors = [pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0)]
    for source in sources.armed {
      descriptors.append(pollfd(fd: source.descriptor, events: source.events, revents: 0))
    }
    let count = descriptors.count
    let polls = sources.needsPolling() || wakeUp < 0
    let timeout = timeout(polls: polls)
    let ready = unsafe descriptors.withUnsafeMutableBufferPointer {
      unsafe poll($0.baseAddress, nfds_t(count), timeout)
    }
    if ready < 0 { return }
    if descriptors[0].revents != 0 {
      var count: UInt64 = 0
      unsafe _ = read(wakeUp, &count, 8)
    }
    var level = MemoryPressure.Level.normal
    let answers = Dictionary(
      zip(sources.armed.map(\.descriptor), descriptors.dropFirst().map(\.revents)), uniquingKeysWith: { $1 })
    sources.keep { source in
      let answer = answers[source.descriptor] ?? 0
      if source.isDead(answer) { return false }
      if answer & source.events != 0 { level = max(level, source.level()) }
      return true
    }
    if polls { level = max(level, sources.polledLevel()) }
    wakeTime.store(report(level) ?? .max, ordering: .releasing)
  }

  /// Milliseconds until the thread has to check again; -1 for ever.
  private func timeout(polls: Bool) -> Int32 {
    let polling: Int64 = polls ? 2_000 : .max
    let next = wakeTime.load(ordering: .acquiring)
    let recovery = next == .max ? .max : max(0, (next - MonotonicClock.nanoseconds) / 1_000_000 + 1)
    let shortest = min(polling, recovery)
    return shortest == .max ? -1 : Int32(min(shortest, 3_600_000))
  }
}
