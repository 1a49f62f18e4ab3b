import Glibc

/// The bytes of a file; none where it cannot be read.
package func fileBytes(_ path: String) -> [UInt8] {
  guard let file = fopen(path, "rb") else { return [] }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var piece = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = fread(&piece, 1, piece.count, file)
    guard count > 0 else { return bytes }
    bytes += piece.prefix(count)
  }
}

/// The resident memory of this process, file pages included.
package var residentBytes: Int {
  guard let file = fopen("/proc/self/statm", "r") else { return 0 }
  defer { fclose(file) }
  var text = [CChar](repeating: 0, count: 256)
  guard fgets(&text, Int32(text.count), file) != nil else { return 0 }
  let fields = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    .split(separator: " ")
  return (fields.count > 1 ? Int(fields[1]) ?? 0 : 0) * sysconf(Int32(_SC_PAGESIZE))
}

/// The resident memory of this process without that of mapped files.
package var anonymousBytes: Int {
  let text = String(decoding: fileBytes("/proc/self/status"), as: UTF8.self)
  let line = text.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
  return (line?.split(whereSeparator: { !$0.isNumber }).first).flatMap { Int($0) }.map { $0 * 1024 } ?? 0
}

/// The monotonic clock, in seconds.
package var seconds: Double { clock(CLOCK_MONOTONIC) }

/// The CPU time of all threads of this process.
package var cpuSeconds: Double { clock(CLOCK_PROCESS_CPUTIME_ID) }

/// The CPU time of this thread.
package var threadSeconds: Double { clock(CLOCK_THREAD_CPUTIME_ID) }

private func clock(_ id: clockid_t) -> Double {
  var time = timespec()
  clock_gettime(id, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// How often a thread of this process has left its processor because it waits.
package var waits: Int {
  var usage = rusage()
  getrusage(RUSAGE_SELF.rawValue, &usage)
  return usage.ru_nvcsw
}

/// Writes a line at once, so that none is lost in a buffer.
package func say(_ line: String) {
  print(line)
  fflush(nil)
}

/// Ends the program with a line of what is wrong.
package func stop(_ line: String, status: Int32 = 1) -> Never {
  let text = Array((line + "\n").utf8)
  _ = write(STDERR_FILENO, text, text.count)
  exit(status)
}
