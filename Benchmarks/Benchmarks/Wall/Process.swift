import Glibc
import Synchronization

/// Counts calls from any thread.
final class WakeCounter: Sendable {
  private let count = Atomic<Int>(0)
  var value: Int { count.load(ordering: .relaxed) }
  func add() { count.add(1, ordering: .relaxed) }
}

/// Copies of files in a folder of their own.
struct Copies {
  private let folder: String
  private(set) var paths: [String] = []

  /// Copies the files in turn; nil if one cannot be read or written.
  init?(of files: [String], count: Int) {
    var template = Array("/tmp/wall-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return nil }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let contents = files.map { Self.bytes(of: $0) }
    for index in 0..<count {
      let path = "\(folder)/\(index).gif"
      paths.append(path)
      guard let bytes = contents[index % files.count], Self.write(bytes, to: path) else {
        remove()
        return nil
      }
    }
  }

  func remove() {
    for path in paths { unlink(path) }
    rmdir(folder)
  }

  private static func bytes(of path: String) -> [UInt8]? {
    guard let file = fopen(path, "rb") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&piece, 1, piece.count, file)
      guard count > 0 else { return bytes }
      bytes += piece.prefix(count)
    }
  }

  private static func write(_ bytes: [UInt8], to path: String) -> Bool {
    guard let file = fopen(path, "wbx") else { return false }
    let written = fwrite(bytes, 1, bytes.count, file)
    return fclose(file) == 0 && written == bytes.count
  }
}

/// The resident memory of this process, file pages included.
var residentBytes: Int {
  guard let file = fopen("/proc/self/statm", "r") else { return 0 }
  defer { fclose(file) }
  var text = [CChar](repeating: 0, count: 256)
  guard fgets(&text, Int32(text.count), file) != nil else { return 0 }
  let fields = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    .split(separator: " ")
  return (fields.count > 1 ? Int(fields[1]) ?? 0 : 0) * sysconf(Int32(_SC_PAGESIZE))
}

/// The monotonic clock, in seconds.
var seconds: Double { clock(CLOCK_MONOTONIC) }

/// The CPU time of all threads of this process.
var cpuSeconds: Double { clock(CLOCK_PROCESS_CPUTIME_ID) }

private func clock(_ id: clockid_t) -> Double {
  var time = timespec()
  clock_gettime(id, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

func say(_ line: String) {
  print(line)
  fflush(nil)
}

func stop(_ line: String, status: Int32 = 1) -> Never {
  let text = Array((line + "\n").utf8)
  _ = write(STDERR_FILENO, text, text.count)
  exit(status)
}
