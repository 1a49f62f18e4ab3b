internal import EngineSupport

/// All sources of memory pressure here: those that could be armed, and files to read where that is not
/// enough.
struct PressureSources: Sendable {
  private(set) var armed: [PressureSource]
  /// Those of ``armed`` that watch the process's own groups.
  private var own: Set<Int32>
  private let cgroups: String

  /// Arms what this process is allowed: the stall information and the events of its own control group,
  /// version 1's notification, and the stall information of the machine.
  ///
  /// - Parameter cgroups: the text of `/proc/self/cgroup`.
  init(cgroups: String) {
    self.cgroups = cgroups
    let groups = MemoryGroup.lineages(cgroups).compactMap(\.last)
    let own = groups.flatMap { group -> [PressureSource] in
      if !group.isUnified { return [PressureSource.counter(group.path)].compactMap(\.self) }
      if group.isRoot { return [] }
      return [
        PressureSource.stall(group.path + "/memory.pressure"),
        PressureSource.events(group.path + "/memory.events"),
      ].compactMap(\.self)
    }
    self.own = Set(own.map(\.descriptor))
    armed = own + [PressureSource.stall("/proc/pressure/memory")].compactMap(\.self)
  }

  /// Whether the files have to be polled: nothing is armed, or nothing that would report a limit of the
  /// process's own.
  func needsPolling(read: (String) -> String? = { SystemFile.text($0) }) -> Bool {
    if armed.isEmpty { return true }
    guard own.isEmpty else { return false }
    return MemoryGroup.lineages(cgroups).joined().contains {
      $0.limit(read: read).map { $0 < 1 << 50 } ?? false
    }
  }

  /// Goes on without sources that will report nothing more.
  mutating func keep(_ isAlive: (PressureSource) -> Bool) {
    armed = armed.filter(isAlive)
    own.formIntersection(armed.map(\.descriptor))
  }

  /// How hard it is to get memory, by the files alone: stall averages, and what the groups use of their
  /// limits.
  func polledLevel(read: (String) -> String? = { SystemFile.text($0) }) -> MemoryPressure.Level {
    let lineages = MemoryGroup.lineages(cgroups)
    let stalls =
      lineages.compactMap { $0.last }.filter { $0.isUnified && !$0.isRoot }.map {
        $0.path + "/memory.pressure"
      }
      + ["/proc/pressure/memory"]
    let stalled = stalls.compactMap(read).map { PressureStatus($0).level }
    return (stalled + lineages.joined().map { $0.level(read: read) }).max() ?? .normal
  }
}
