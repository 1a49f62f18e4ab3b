internal import EngineSupport
internal import Gallop
internal import Glibc

/// The peak resident memory over some time, as the kernel counts it.
///
/// `getrusage` covers the whole life of the process. So the kernel's peak is reset if that is permitted, and
/// otherwise the current amount is sampled.
struct ResidentMemory {
  private let isMarkReset: Bool
  private var largestSeen = 0

  /// Resets the peak.
  init() {
    isMarkReset = Self.resetMark()
    sample()
  }

  /// Samples the current amount.
  mutating func sample() { largestSeen = max(largestSeen, Self.bytes("VmRSS:") ?? 0) }

  var peakBytes: Int {
    let mark = isMarkReset ? Self.bytes("VmHWM:") : nil
    return max(largestSeen, mark ?? 0)
  }

  /// See proc(5), `/proc/pid/clear_refs`: 5 resets the peak to the current amount.
  private static func resetMark() -> Bool {
    let descriptor = unsafe open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var five = UInt8(ascii: "5")
    return unsafe write(descriptor, &five, 1) == 1
  }

  /// A figure of `/proc/self/status`, which gives it in units of 1024 bytes.
  private static func bytes(_ name: String) -> Int? {
    SystemFile.text("/proc/self/status").flatMap { kibibytes(name, in: $0) }.map { $0 * 1024 }
  }

  /// The number behind a name at the beginning of a line.
  static func kibibytes(_ name: String, in status: String) -> Int? {
    let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
    guard let line else { return nil }
    return line.dropFirst(name.count).split { $0 == " " || $0 == "\t" }.first.flatMap { Int($0) }
  }
}
