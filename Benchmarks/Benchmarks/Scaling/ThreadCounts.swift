import Glibc
import Synchronization

/// What the system counts of a thread or of the process.
struct Usage {
  /// Seconds of processors.
  var cpu = 0.0
  /// How often a thread left its processor of its own accord: for a lock, for work, for a file.
  var waits = 0

  /// Of the process so far.
  static var process: Usage { Usage(of: RUSAGE_SELF.rawValue) }

  /// Of the calling thread so far, by RUSAGE_THREAD, which Swift's Glibc module leaves out.
  static var thread: Usage { Usage(of: 1) }

  private init(of subject: Int32) {
    var usage = rusage()
    getrusage(subject, &usage)
    cpu = [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    waits = usage.ru_nvcsw
  }

  private init(cpu: Double, waits: Int) { (self.cpu, self.waits) = (cpu, waits) }

  static func - (left: Usage, right: Usage) -> Usage {
    Usage(cpu: left.cpu - right.cpu, waits: left.waits - right.waits)
  }
}

/// What each thread of one batch has done, from its first file on.
final class ThreadCounts: Sendable {
  struct Thread {
    let start: Usage
    var usage: Usage
    var files = 0
  }

  private let contents = Mutex<[UInt: Thread]>([:])

  var threads: [Thread] { contents.withLock { Array($0.values) } }

  /// This thread begins a file.
  func begin() {
    let now = Usage.thread
    contents.withLock {
      if $0[pthread_self()] == nil { $0[pthread_self()] = Thread(start: now, usage: now - now) }
    }
  }

  /// This thread has finished a file.
  func end() {
    let now = Usage.thread
    contents.withLock { threads in
      threads[pthread_self()]?.files += 1
      if let start = threads[pthread_self()]?.start { threads[pthread_self()]?.usage = now - start }
    }
  }
}
