internal import GIFCaching
internal import Glibc

/// The most memory that the process held over some time, as the kernel counts it.
///
/// `getrusage` knows only the whole life of the process, and counts what was there before its program was started. So the
/// kernel's own mark is put back where that is permitted, and the present amount is looked at now and then where not.
struct ResidentMemory {
  private let isMarkReset: Bool
  private var largestSeen = 0

  /// Begins anew.
  init() {
    isMarkReset = Self.resetMark()
    look()
  }

  /// To be called now and then.
  mutating func look() { largestSeen = max(largestSeen, Self.bytes("VmRSS:") ?? 0) }

  /// Bytes at the most since the beginning.
  var peakBytes: Int {
    let mark = isMarkReset ? Self.bytes("VmHWM:") : nil
    return max(largestSeen, mark ?? 0)
  }

  /// See proc(5), `/proc/pid/clear_refs`: 5 sets the mark to the present amount.
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
