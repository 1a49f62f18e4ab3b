import Glibc

/// Copies of files in a folder of their own.
package struct Copies {
  private let folder: String
  package private(set) var paths: [String] = []

  /// Copies the files in turn; nil if one cannot be read or written.
  package init?(of files: [String], count: Int) {
    var template = Array("/tmp/gallop-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return nil }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let contents = files.map { fileBytes($0) }
    for index in 0..<count {
      let path = "\(folder)/\(index).gif"
      paths.append(path)
      let bytes = contents[index % files.count]
      guard !bytes.isEmpty, Self.write(bytes, to: path) else {
        remove()
        return nil
      }
    }
  }

  package func remove() {
    for path in paths { unlink(path) }
    rmdir(folder)
  }

  private static func write(_ bytes: [UInt8], to path: String) -> Bool {
    guard let file = fopen(path, "wbx") else { return false }
    let written = fwrite(bytes, 1, bytes.count, file)
    return fclose(file) == 0 && written == bytes.count
  }
}
