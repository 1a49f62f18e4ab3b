internal import ArgumentParser
internal import EngineSupport
internal import Glibc

/// An open file to write to; a write is complete or throws.
struct OutputDescriptor {
  let descriptor: Int32
  let name: String

  init(_ descriptor: Int32, name: String) {
    self.descriptor = descriptor
    self.name = name
  }

  static let standardOutput = OutputDescriptor(STDOUT_FILENO, name: "standard output")

  /// Runs `body`, and ends the command silently if the reader of standard output has left, as `head` does
  /// when it has all that it wants.
  ///
  /// - Throws: the exit status of a program that the signal ends, in that case.
  static func endingWithReader(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch let failure as CommandFailure
      where failure.systemError == EPIPE && failure.subject == standardOutput.name
    {
      throw ExitCode(128 + SIGPIPE)
    }
  }

  /// Makes the buffer of a pipe larger, if it is one: then its reader and this program wait for each other
  /// less often.
  func enlargePipe() {
    // The system's limit for programs without privileges, in /proc/sys/fs/pipe-max-size; more is refused.
    _ = fcntl(descriptor, Self.setPipeSize, 1 << 20)
  }

  /// F_SETPIPE_SZ of Linux, which Glibc's module does not have.
  private static let setPipeSize: Int32 = 1031

  /// Empties a file that was begun, to write it from its beginning.
  func removeAll() throws {
    // ext4 writes a file that was made shorter, if only in name, to its disk when it is closed.
    guard lseek(descriptor, 0, SEEK_END) != 0 else { return }
    guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
      throw CommandFailure.system(name, "cannot be written", error: errno)
    }
  }

  func write(_ bytes: [UInt8]) throws {
    try unsafe bytes.withUnsafeBytes { try unsafe write($0) }
  }

  /// The one place where output memory is handed to the system; `bytes` stays valid for the call.
  func write(_ bytes: UnsafeRawBufferPointer) throws {
    var rest = unsafe bytes
    while unsafe !rest.isEmpty {
      try Interruption.check()
      let count = unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
      if count < 0 {
        if errno == EINTR { continue }
        throw CommandFailure.system(name, "cannot be written", error: errno)
      }
      unsafe rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
    }
  }
}

/// SIGINT, SIGTERM, SIGHUP and SIGQUIT as a flag, so that long work cleans up before the program ends.
enum Interruption {
  /// The handler may touch nothing but these two; a plain word is written and read whole on every Linux.
  nonisolated(unsafe) private static var caught: Int32 = 0
  /// When the first signal came, on the monotonic clock; 0 before it.
  nonisolated(unsafe) private static var firstAt: Int64 = 0

  /// Nanoseconds after the first signal in which others are the same wish: `timeout` sends its signal to the
  /// program and then to its group, and a closed terminal several. Two presses of a key are further apart.
  static let repeatWindow: Int64 = 100_000_000

  /// Installs handlers that set the flag. A second signal ends the program at once, unless it comes with the
  /// first.
  ///
  /// Further hang-ups are ignored, as a closed terminal sends several.
  static func watch() {
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
      var former = sigaction()
      unsafe sigaction(number, nil, &former)
      // Ignored under nohup, and so it stays.
      let isIgnored = unsafe unsafeBitCast(former.__sigaction_handler.sa_handler, to: Int.self) == 1
      if isIgnored, number == SIGHUP || number == SIGQUIT { continue }
      var action = sigaction()
      unsafe action.__sigaction_handler.sa_handler = { Interruption.take($0, at: MonotonicClock.nanoseconds) }
      // No restart, so that a blocking write returns.
      unsafe sigaction(number, &action, nil)
    }
  }

  /// Takes a signal, in its handler: calls nothing that such a handler may not.
  static func take(_ number: Int32, at now: Int64) {
    if unsafe firstAt == 0 {
      unsafe (caught, firstAt) = (number, now)
    } else if unsafe now - firstAt > repeatWindow, number != SIGHUP {
      _ = Glibc.signal(number, SIG_DFL)
      raise(number)
    }
  }

  static var signal: Int32? { unsafe caught == 0 ? nil : caught }

  /// Throws after a signal: exit status 128 plus the signal's number, as in shells.
  static func check() throws {
    if let signal { throw ExitCode(128 + signal) }
  }

  /// Runs `body` even after a signal, such as to save a trace; only a further signal interrupts it.
  static func ignoringEarlierSignal<Value>(_ body: () throws -> Value) rethrows -> Value {
    let earlier = unsafe caught
    unsafe caught = 0
    defer { if unsafe caught == 0 { unsafe caught = earlier } }
    return try body()
  }
}
