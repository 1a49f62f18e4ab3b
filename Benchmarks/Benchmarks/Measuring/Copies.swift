import Glibc

/// Copies of GIFs in a folder of their own, each with a comment of its own: the engine shares the frames of
/// equal files.
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
      guard bytes.last == Self.trailer, Self.write(Self.marked(bytes, index), to: path) else {
        remove()
        return nil
      }
    }
  }

  private static let trailer = UInt8(ascii: ";")

  /// A GIF with a comment before its trailer.
  private static func marked(_ gif: [UInt8], _ number: Int) -> [UInt8] {
    let text = Array("\(number)".utf8)
    return gif.dropLast() + [0x21, 0xFE, UInt8(text.count)] + text + [0, trailer]
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
