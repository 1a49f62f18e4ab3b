import Foundation
import GIFLoading

/// A directory of its own for the files of one test, removed with it.
final class TemporaryFiles {
  private let directory: URL

  init() throws {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent("gallop-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: directory) }

  /// The path of the directory itself.
  var path: String { directory.path }

  /// A path in the directory; nothing is there yet.
  func path(_ name: String) -> String { directory.appendingPathComponent(name).path }

  /// Writes a file and gives its path.
  func file(_ name: String, _ bytes: [UInt8], permissions: Int = 0o600) throws -> String {
    let path = path(name)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
    return path
  }

  /// Makes a symbolic link and gives its path.
  func link(_ name: String, to target: String) throws -> String {
    let path = path(name)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    return path
  }
}

extension TemporaryFiles {
  /// Overwrites a file in place: cut to nothing first, as most programs do, or not.
  func overwrite(_ path: String, with bytes: [UInt8], at offset: Int = 0, isCut: Bool = true) {
    let descriptor = unsafe open(path, O_WRONLY | (isCut ? O_TRUNC : 0))
    defer { close(descriptor) }
    let count = unsafe bytes.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, offset) }
    precondition(count == bytes.count)
  }
}

extension FileOpening {
  /// Leaves every regular file where it is, with files of its own.
  static func onDisk(limit: Int = 100) -> FileOpening {
    FileOpening(files: OpenFiles(limit: { limit }), memoryThreshold: 0)
  }
}
