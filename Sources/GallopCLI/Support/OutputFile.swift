internal import GIFLoading
internal import Glibc

/// Output files: existing files are kept without --force, and unfinished files are removed.
enum OutputFile {
  /// Writes a file by way of `body`. What is not a regular file (a device, a pipe) is written in place.
  ///
  /// - Throws: ``CommandFailure`` with the path and the reason; an unfinished file is removed.
  static func write(to path: String, force: Bool, _ body: (OutputDescriptor) throws -> Void) throws {
    switch try check(path, force: force) {
    case .inPlace: try writeInPlace(path, body)
    case .new: try writeNew(path, replacing: force, body)
    }
  }

  enum Way {
    case new, inPlace
  }

  /// The way a file is written, checked before its content is made.
  ///
  /// - Throws: ``CommandFailure`` if it may not be written.
  @discardableResult
  static func check(_ path: String, force: Bool) throws -> Way {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return .new }
    switch status.st_mode & S_IFMT {
    case S_IFDIR:
      throw CommandFailure(subject: path, reason: "is a directory")
    case S_IFREG:
      guard force else {
        throw CommandFailure(subject: path, reason: "exists already; --force overwrites it")
      }
      return .new
    default:
      return .inPlace
    }
  }

  /// Writes beside the target and puts the whole in its place at the end, so that a reader never sees half a file.
  private static func writeNew(_ path: String, replacing: Bool, _ body: (OutputDescriptor) throws -> Void)
    throws
  {
    let draft = path + ".part\(getpid())"
    let descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw CommandFailure.system(path, "cannot be written", error: errno) }
    do {
      try body(OutputDescriptor(descriptor, name: path))
      // Some file systems report a full disk only here.
      guard close(descriptor) == 0 else {
        throw CommandFailure.system(path, "cannot be written", error: errno)
      }
      // A link fails where the target has appeared meanwhile; a rename replaces it.
      let isPlaced =
        unsafe replacing ? rename(draft, path) == 0 : link(draft, path) == 0 || renameNew(draft, path)
      guard isPlaced else { throw CommandFailure.system(path, "cannot be written", error: errno) }
      unsafe _ = unlink(draft)
    } catch {
      close(descriptor)
      unsafe _ = unlink(draft)
      throw error
    }
  }

  /// For file systems without hard links.
  private static func renameNew(_ draft: String, _ path: String) -> Bool {
    guard errno == EPERM || errno == ENOTSUP else { return false }
    return unsafe access(path, F_OK) != 0 && rename(draft, path) == 0
  }

  private static func writeInPlace(_ path: String, _ body: (OutputDescriptor) throws -> Void) throws {
    let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw CommandFailure.system(path, "cannot be written", error: errno) }
    defer { close(descriptor) }
    try body(OutputDescriptor(descriptor, name: path))
  }

  /// Whether a path names a directory now.
  static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Whether there is anything at a path now.
  static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  /// Makes a directory, with those above it, if it is not there.
  static func makeDirectory(_ path: String) throws {
    guard !path.isEmpty, !isDirectory(path) else { return }
    if let slash = path.dropLast().lastIndex(of: "/"), slash != path.startIndex {
      try makeDirectory(String(path[..<slash]))
    }
    guard unsafe mkdir(path, 0o777) == 0 || errno == EEXIST && isDirectory(path) else {
      throw CommandFailure.system(path, "cannot be made", error: errno)
    }
  }

  /// The last part of a path or URL without its `.gif`: what outputs are named after.
  static func baseName(of argument: String) -> String { (try? GIFSource(argument))?.baseName ?? "gif" }
}
