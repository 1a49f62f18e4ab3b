/// The names of PNG files, with the number of the frame in each. Pure.
struct NumberedName: Hashable {
  private let prefix: String
  /// The least number of digits.
  private let digits: Int
  private let padding: Character
  private let suffix: String

  /// `STEM-0000.png` on.
  init(stem: String) {
    prefix = stem + "-"
    digits = 4
    padding = "0"
    suffix = ".png"
  }

  /// A pattern as in C: one `%d`, `%3d` or `%03d`, and `%%` for a percent sign. Nil for any other text.
  init?(pattern: String) {
    var texts = [""]
    var rest = pattern[...]
    var format: (digits: Int, padding: Character)?
    while let character = rest.popFirst() {
      guard character == "%" else {
        texts[texts.count - 1].append(character)
        continue
      }
      if rest.first == "%" {
        rest.removeFirst()
        texts[texts.count - 1].append("%")
        continue
      }
      let width = rest.prefix { "0123456789".contains($0) }
      rest = rest.dropFirst(width.count)
      guard format == nil, width.count <= 3, rest.popFirst() == "d" else { return nil }
      format = (Int(width) ?? 0, width.hasPrefix("0") ? "0" : " ")
      texts.append("")
    }
    guard let format, format.digits <= 64 else { return nil }
    prefix = texts[0]
    (digits, padding) = format
    suffix = texts[1]
  }

  func name(_ index: Int) -> String {
    let number = "\(index)"
    return prefix + String(repeating: padding, count: max(0, digits - number.count)) + number + suffix
  }

  /// The folder of the files, with its slash; empty for the current one.
  var folder: String { prefix.lastIndex(of: "/").map { String(prefix[...$0]) } ?? "" }
}
