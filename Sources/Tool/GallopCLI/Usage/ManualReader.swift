internal import ArgumentParser
internal import Glibc

extension ManualPage {
  /// Whether the arguments are `help --man`.
  static func isAsked(by arguments: [String]) -> Bool { arguments == ["help", "--man"] }

  /// Shows the page: by `man` on a terminal, and as its source elsewhere.
  static func show() throws {
    guard let tool = ToolHelp.standard else {
      throw CommandFailure(reason: "the manual page cannot be written")
    }
    let page = ManualPage(tool: tool, version: GallopCommand.version, date: today)
    let bytes = Array(page.text.utf8)
    if isatty(STDOUT_FILENO) == 1, let pager = ManualReader() { return try pager.show(bytes) }
    try OutputDescriptor.endingWithReader { try OutputDescriptor.standardOutput.write(bytes) }
  }

  /// Today, or the date of `SOURCE_DATE_EPOCH`, so that packages can be built again byte for byte.
  private static var today: String {
    var moment = time(nil)
    if let text = unsafe getenv("SOURCE_DATE_EPOCH"), let seconds = unsafe Int(String(cString: text)) {
      moment = seconds
    }
    var parts = unsafe tm()
    _ = unsafe gmtime_r(&moment, &parts)
    func digits(_ number: Int32) -> String { (number < 10 ? "0" : "") + "\(number)" }
    let (year, month, day) = unsafe (1900 + Int(parts.tm_year), parts.tm_mon + 1, parts.tm_mday)
    return "\(year)-\(digits(month))-\(digits(day))"
  }
}

/// The program `man`, which shows a page on the terminal.
private struct ManualReader {
  private let process: pid_t
  private let input: Int32

  /// Starts it; nil if it is not installed.
  init?() {
    var ends: [Int32] = [0, 0]
    guard unsafe pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO)
    var process: pid_t = 0
    let words = ["man", "-l", "-"]
    var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { for place in unsafe arguments.indices { unsafe free(arguments[place]) } }
    // Programs behind man expect that a closed pipe ends them.
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for number in [SIGPIPE, SIGXFSZ] { unsafe sigaddset(&signals, number) }
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    let status = unsafe posix_spawnp(&process, "man", &actions, &attributes, &arguments, environ)
    close(ends[0])
    guard status == 0 else {
      close(ends[1])
      return nil
    }
    self.process = process
    input = ends[1]
  }

  /// Gives it the page, and waits for its end.
  func show(_ page: [UInt8]) throws {
    // A reader that is quit early needs no more.
    try? OutputDescriptor(input, name: "man").write(page)
    close(input)
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    guard status == 0 else {
      throw CommandFailure(reason: "man has failed; gallop help --man | less shows the source")
    }
  }
}
