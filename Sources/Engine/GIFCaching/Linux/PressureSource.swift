internal import CLinux
internal import EngineSupport
internal import Glibc

/// A place where Linux reports memory pressure: a descriptor that polls ready, and what that means.
final class PressureSource: Sendable {
  private enum Meaning: Sendable {
    /// Stall information; the file's averages say how bad it is.
    case stall
    /// Version 1's notification, whose counter has to be emptied. The group's file is held open as long as it
    /// lives.
    case counter(level: Int32)
    /// Version 2's count of what has happened to a group; what was seen last.
    case events(Lock<MemoryEvents>)
  }

  let descriptor: Int32
  private let meaning: Meaning

  private init(descriptor: Int32, _ meaning: Meaning) {
    self.descriptor = descriptor
    self.meaning = meaning
  }

  deinit {
    close(descriptor)
    if case .counter(let level) = meaning { close(level) }
  }

  /// What to poll for: input for a counter, priority events else.
  var events: Int16 {
    if case .counter = meaning { Int16(POLLIN) } else { Int16(POLLPRI) }
  }

  /// Whether a poll's answer says that no event will ever come.
  ///
  /// A control group that was removed reports an error for ever, and priority events with it. Version 2's
  /// files report an error with every event, and can no longer be read when their group is gone.
  func isDead(_ answer: Int16) -> Bool {
    if case .events = meaning, answer & Int16(POLLNVAL) == 0 {
      return answer != 0 && SystemFile.text(of: descriptor) == nil
    }
    return answer & Int16(POLLERR | POLLHUP | POLLNVAL) != 0
  }

  /// What an event means, which it takes from the queue.
  func level() -> MemoryPressure.Level {
    switch meaning {
    case .stall:
      guard let text = SystemFile.text(of: descriptor) else { return .warning }
      return PressureStatus(text).isFullStall ? .critical : .warning
    case .counter:
      var count: UInt64 = 0
      unsafe _ = read(descriptor, &count, 8)
      return .warning
    case .events(let seen):
      guard let text = SystemFile.text(of: descriptor) else { return .normal }
      let new = MemoryEvents(text)
      return seen.withLock { old in
        defer { old = new }
        return new.level(since: old)
      }
    }
  }

  // MARK: Arming

  /// Arms a trigger on a stall information file, for any task that stalls for 150 ms within 2 s. Windows that
  /// are no multiple of 2 s need a privilege.
  static func stall(_ path: String) -> PressureSource? {
    let descriptor = unsafe Glibc.open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    guard write("some 150000 2000000\n", to: descriptor) else {
      close(descriptor)
      return nil
    }
    return PressureSource(descriptor: descriptor, .stall)
  }

  /// Watches version 2's count of a group's events.
  static func events(_ path: String) -> PressureSource? {
    let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    // The first reading also sets from when on an event is new to the file.
    guard let text = SystemFile.text(of: descriptor) else {
      close(descriptor)
      return nil
    }
    return PressureSource(descriptor: descriptor, .events(Lock(MemoryEvents(text))))
  }

  /// Arms version 1's notification: the group reclaims memory with effort.
  static func counter(_ group: String) -> PressureSource? {
    let level = unsafe Glibc.open(group + "/memory.pressure_level", O_RDONLY | O_CLOEXEC)
    guard level >= 0 else { return nil }
    let control = unsafe Glibc.open(group + "/cgroup.event_control", O_WRONLY | O_CLOEXEC)
    guard control >= 0 else {
      close(level)
      return nil
    }
    defer { close(control) }
    let counter = WakeUpDescriptor.make()
    guard counter >= 0, write("\(counter) \(level) medium", to: control) else {
      if counter >= 0 { close(counter) }
      close(level)
      return nil
    }
    return PressureSource(descriptor: counter, .counter(level: level))
  }

  private static func write(_ text: String, to descriptor: Int32) -> Bool {
    let bytes = Array(text.utf8)
    return unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
      == bytes.count
  }
}

/// A descriptor that wakes a thread which polls, by a write from another one: an event counter of Linux.
enum WakeUpDescriptor {
  /// A descriptor that polls ready after a write to it; -1 where there is none.
  static func make() -> Int32 { eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC)) }
}

/// The averages of a stall information file.
struct PressureStatus: Sendable, Hashable {
  /// Percent of the last ten seconds in which some, or all, tasks waited for memory.
  var some = 0.0
  var full = 0.0

  /// Reads lines as `some avg10=0.00 avg60=0.00 avg300=0.00 total=0`; what is not there counts as none.
  init(_ text: String) {
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard let word = words.first(where: { $0.hasPrefix("avg10=") }), let value = Double(word.dropFirst(6))
      else { continue }
      if words.first == "some" { some = value }
      if words.first == "full" { full = value }
    }
  }

  /// Whether the machine does little else but wait for memory.
  var isFullStall: Bool { full >= 10 }

  /// What the averages mean where there is no trigger.
  var level: MemoryPressure.Level { isFullStall ? .critical : some >= 7.5 ? .warning : .normal }
}
