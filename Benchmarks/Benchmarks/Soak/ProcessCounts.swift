import Glibc

/// What this process holds, as the system counts it.
struct ProcessCounts {
  let residentBytes: Int
  let threads: Int
  let descriptors: Int

  static var now: ProcessCounts {
    ProcessCounts(
      residentBytes: field(of: "/proc/self/statm", at: 1) * sysconf(Int32(_SC_PAGESIZE)),
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

/// The bytes of a file; none where it cannot be read.
func fileBytes(_ path: String) -> [UInt8] {
  let descriptor = open(path, O_RDONLY)
  guard descriptor >= 0 else { return [] }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var piece = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = piece.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
    guard count > 0 else { return bytes }
    bytes += piece.prefix(count)
  }
}

/// The monotonic clock, in seconds.
var seconds: Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
