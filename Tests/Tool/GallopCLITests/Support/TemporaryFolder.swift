import Foundation

/// A folder of one test: what the commands see is `path`; it goes when the test is over.
final class TemporaryFolder: Sendable {
  /// Where commands run and fixtures lie.
  let url: URL
  /// Where commands' output is kept, out of the way of tests that list `url`.
  private let captures: URL
  private let root: URL

  init() throws {
    root = FileManager.default.temporaryDirectory.appending(path: "gallop-cli-\(UUID().uuidString)")
    url = root.appending(path: "work")
    captures = root.appending(path: "captures")
    for folder in [url, captures] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
  }

  deinit { try? FileManager.default.removeItem(at: root) }

  /// Puts a file into the folder.
  func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: url.appending(path: name))
  }

  func read(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: url.appending(path: name)))
  }

  func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(at: url.appending(path: name), withIntermediateDirectories: false)
  }

  /// The names of everything in the folder, or in one inside it, sorted.
  func names(in folder: String = ".") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.appending(path: folder).path).sorted()
  }

  /// A new empty file for a command's output.
  func capture() throws -> URL {
    let file = captures.appending(path: UUID().uuidString)
    try Data().write(to: file)
    return file
  }
}
