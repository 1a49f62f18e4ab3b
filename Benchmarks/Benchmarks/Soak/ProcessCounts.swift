import Glibc
import Measuring

/// What this process holds, as the system counts it.
struct ProcessCounts {
  let residentBytes: Int
  let threads: Int
  let descriptors: Int

  static var now: ProcessCounts {
    ProcessCounts(
      residentBytes: Measuring.residentBytes,
      // Counted from behind the name in brackets.
      threads: field(of: "/proc/self/stat", at: 17), descriptors: descriptorCount)
  }

  private static func field(of path: String, at place: Int) -> Int {
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { return 0 }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
    let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    let fields = (text.split(separator: ")").last ?? "").split(separator: " ")
    return Int(fields.dropFirst(place).first ?? "") ?? 0
  }

  private static var descriptorCount: Int {
    guard let folder = opendir("/proc/self/fd") else { return 0 }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    // Not itself, nor the two entries that every folder has.
    return count - 3
  }
}
