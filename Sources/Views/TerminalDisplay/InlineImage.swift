/// The sequences of terminals that take pictures as files.
enum InlineImage {
  /// The most bytes of text that one kitty command may carry.
  private static let chunk = 4096

  /// A file for the kitty graphics protocol, drawn over an area at the cursor.
  ///
  /// `C=1` leaves the cursor alone, so that a picture on the last row does not scroll; `q=2` forbids answers,
  /// which would come in with the keys.
  /// - Parameter image: the number of the image.
  static func kitty(_ file: [UInt8], image: Int, in area: TerminalArea) -> [UInt8] {
    let text = base64(file)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count + text.count / 256 + 128)
    var start = 0
    repeat {
      let end = min(text.count, start + chunk)
      let more = end < text.count ? 1 : 0
      let head =
        start == 0 ? "a=T,f=100,c=\(area.columns),r=\(area.rows),i=\(image),C=1,q=2,m=\(more)" : "m=\(more)"
      bytes.append("\u{1B}_G\(head);")
      bytes.append(contentsOf: text[start..<end])
      bytes.append("\u{1B}\\")
      start = end
    } while start < text.count
    return bytes
  }

  /// A file for iTerm2 and compatible terminals, drawn over an area at the cursor.
  static func iterm2(_ file: [UInt8], in area: TerminalArea) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(
      "\u{1B}]1337;File=inline=1;width=\(area.columns);height=\(area.rows);preserveAspectRatio=0:")
    bytes.append(contentsOf: base64(file))
    bytes.append(0x07)
    return bytes
  }

  /// Bytes as text (RFC 4648), with padding.
  static func base64(_ bytes: [UInt8]) -> [UInt8] {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let rest = bytes.count - start
      let group =
        Int(bytes[start]) << 16 | (rest > 1 ? Int(bytes[start + 1]) << 8 : 0)
        | (rest > 2 ? Int(bytes[start + 2]) : 0)
      text.append(letters[group >> 18])
      text.append(letters[group >> 12 & 63])
      text.append(rest > 1 ? letters[group >> 6 & 63] : UInt8(ascii: "="))
      text.append(rest > 2 ? letters[group & 63] : UInt8(ascii: "="))
    }
    return text
  }
}
