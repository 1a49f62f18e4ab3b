internal import CEventFD
internal import Glibc

/// A place where Linux tells of memory pressure: a descriptor that polls ready, and what it means when it does.
struct PressureSource: ~Copyable, Sendable {
  let descriptor: Int32
  /// What to poll for: priority events for stall information, input for a control group's event counter.
  let events: Int16
  private let isCounter: Bool
  /// The file whose averages tell how bad it is; nil where the event itself says so.
  private let statusPath: String?
  /// Held open as long as the trigger is to live.
  private let companion: Int32

  deinit {
    close(descriptor)
    if companion >= 0 { close(companion) }
  }

  /// The sources that this process is allowed: the stall information of its own control group where there is one, of
  /// the machine else, and version 1's pressure notifications.
  static func open(cgroups: String) -> [PressureSourceBox] {
    var sources: [PressureSourceBox] = []
    let groups = cgroups.split(separator: "\n").map {
      $0.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    }
    for fields in groups where fields.count == 3 {
      if fields[0] == "0", fields[1].isEmpty, fields[2] != "/" {
        if let source = stall("/sys/fs/cgroup\(fields[2])/memory.pressure") { sources.append(source) }
      }
      if fields[1].split(separator: ",").contains("memory") {
        if let source = counter("/sys/fs/cgroup/memory\(fields[2])") { sources.append(source) }
      }
    }
    if let source = stall("/proc/pressure/memory") { sources.append(source) }
    return sources
  }

  /// Arms a trigger on a stall information file: any task stalled for 150 ms within 2 s. Windows that are no multiple of
  /// 2 s need a privilege.
  static func stall(_ path: String) -> PressureSourceBox? {
    let descriptor = unsafe Glibc.open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    guard write("some 150000 2000000\n", to: descriptor) else {
      close(descriptor)
      return nil
    }
    return PressureSourceBox(
      PressureSource(
        descriptor: descriptor, events: Int16(POLLPRI), isCounter: false, statusPath: path, companion: -1))
  }

  /// Arms version 1's notification: the group reclaims memory with effort.
  static func counter(_ group: String) -> PressureSourceBox? {
    let level = unsafe Glibc.open(group + "/memory.pressure_level", O_RDONLY | O_CLOEXEC)
    guard level >= 0 else { return nil }
    let control = unsafe Glibc.open(group + "/cgroup.event_control", O_WRONLY | O_CLOEXEC)
    guard control >= 0 else {
      close(level)
      return nil
    }
    defer { close(control) }
    let counter = EventCounter.make()
    guard counter >= 0, write("\(counter) \(level) medium", to: control) else {
      if counter >= 0 { close(counter) }
      close(level)
      return nil
    }
    return PressureSourceBox(
      PressureSource(
        descriptor: counter, events: Int16(POLLIN), isCounter: true, statusPath: nil, companion: level))
  }

  /// What an event means, which it takes from the queue.
  func level() -> MemoryPressure.Level {
    if isCounter {
      var count: UInt64 = 0
      unsafe _ = read(descriptor, &count, 8)
    }
    guard let statusPath, let text = SystemFile.text(statusPath) else { return .warning }
    return PressureStatus(text).isFullStall ? .critical : .warning
  }

  private static func write(_ text: String, to descriptor: Int32) -> Bool {
    let bytes = Array(text.utf8)
    return unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
      == bytes.count
  }
}

/// Linux's event counters.
enum EventCounter {
  /// A descriptor that polls ready after a write to it; -1 where there is none.
  static func make() -> Int32 { eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC)) }
}

/// Holds a source in an array.
final class PressureSourceBox: Sendable {
  let source: PressureSource

  init(_ source: consuming PressureSource) { self.source = source }
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

  /// What the averages mean where no trigger tells.
  var level: MemoryPressure.Level { isFullStall ? .critical : some >= 7.5 ? .warning : .normal }
}
