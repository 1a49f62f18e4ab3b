internal import Glibc

/// What the system's libraries print on standard error by themselves, such as those of Wayland and of fonts.
enum ForeignMessages {
  /// Runs `body` while standard error leads nowhere.
  ///
  /// `SDL_LOGGING` in the environment lets all messages through, as SDL itself then prints its own.
  static func withoutThem<Value>(_ body: () throws -> Value) rethrows -> Value {
    guard unsafe getenv("SDL_LOGGING") == nil else { return try body() }
    let former = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
    let nowhere = unsafe open("/dev/null", O_WRONLY | O_CLOEXEC)
    defer {
      if former >= 0 {
        dup2(former, STDERR_FILENO)
        close(former)
      }
    }
    if nowhere >= 0 {
      // Without a copy of standard error there would be no way back.
      if former >= 0 { dup2(nowhere, STDERR_FILENO) }
      close(nowhere)
    }
    return try body()
  }
}
