/// A fixed-width bitmap font for printable ASCII: 5 x 7 pixels, and two rows below the baseline.
///
/// At even sizes the steps of slanted strokes are smoothed.
public enum BitmapFont {
  /// The distance from one letter to the next, at size 1.
  public static let advance = 6
  /// The height of a capital letter, at size 1.
  public static let height = 7
  /// The rows below the baseline, for letters such as g, at size 1.
  public static let descent = 2
  static let width = 5
  static let rowCount = height + descent

  /// The columns of a text, without the gap after the last letter.
  public static func width(of text: String, size: Int) -> Int {
    let letters = text.unicodeScalars.count
    return letters == 0 ? 0 : (letters * advance - 1) * size
  }

  /// A text shortened to a width, with two dots at its end if it is cut.
  public static func fitted(_ text: String, width: Int, size: Int) -> String {
    let room = max(0, (width / max(1, size) + 1) / advance)
    guard text.unicodeScalars.count > room else { return text }
    guard room > 2 else { return String(text.unicodeScalars.prefix(room)) }
    return String(text.unicodeScalars.prefix(room - 2)) + ".."
  }

  /// The lines of a text in a width, broken at spaces; the last one is shortened if there are more than `limit`.
  static func lines(_ text: String, width: Int, size: Int, limit: Int) -> [String] {
    let room = max(1, (width / max(1, size) + 1) / advance)
    var lines: [String] = []
    var rest = Substring(text)
    while !rest.isEmpty, lines.count < limit {
      guard lines.count < limit - 1, rest.unicodeScalars.count > room else {
        lines.append(fitted(String(rest), width: width, size: size))
        break
      }
      let line = rest.prefix(room + 1)
      let end = line.lastIndex(of: " ").flatMap { $0 > line.startIndex ? $0 : nil }
      lines.append(String(end.map { line[..<$0] } ?? line.dropLast()))
      rest = rest[(end ?? rest.index(rest.startIndex, offsetBy: room))...].drop { $0 == " " }
    }
    return lines
  }

  /// Whether a pixel of a letter is set; missing letters show as a box.
  static func isSet(_ letter: Unicode.Scalar, x: Int, y: Int) -> Bool {
    guard (0..<width).contains(x), (0..<rowCount).contains(y) else { return false }
    let code = (32..<127).contains(letter.value) ? Int(letter.value) : 127
    return rows[(code - 32) * rowCount + y] >> UInt8(width - 1 - x) & 1 == 1
  }

  /// Whether a pixel of a letter at twice its size is set, by the EPX rule.
  ///
  /// A corner between two set neighbours is filled, and one between two unset neighbours is cut.
  static func isSetDoubled(_ letter: Unicode.Scalar, x: Int, y: Int) -> Bool {
    let (column, row) = (x >> 1, y >> 1)
    let isRight = x & 1 == 1
    let isLower = y & 1 == 1
    let beside = isSet(letter, x: column + (isRight ? 1 : -1), y: row)
    let across = isSet(letter, x: column + (isRight ? -1 : 1), y: row)
    let vertical = isSet(letter, x: column, y: row + (isLower ? 1 : -1))
    let opposite = isSet(letter, x: column, y: row + (isLower ? -1 : 1))
    let own = isSet(letter, x: column, y: row)
    guard beside == vertical, beside != opposite, vertical != across else { return own }
    return beside
  }

  /// Nine rows for each letter, the leftmost pixel in the highest of five bits.
  private static let rows: [UInt8] = {
    var rows = [UInt8](repeating: 0, count: 96 * rowCount)
    let lines = drawing.split(separator: "\n")
    for (number, line) in lines.enumerated() {
      for (place, letter) in line.split(separator: " ").enumerated() {
        let index = (number / rowCount * 16 + place) * rowCount + number % rowCount
        for pixel in letter { rows[index] = rows[index] << 1 | (pixel == "#" ? 1 : 0) }
      }
    }
    return rows
  }()

  /// The letters from the space on, sixteen in a row; the last one replaces missing letters.
  private static let drawing = """
    ..... ..#.. .#.#. .#.#. ..#.. ##..# .#... ..#.. ...#. .#... ..... ..... ..... ..... ..... ....#
    ..... ..#.. .#.#. .#.#. .#### ##..# #.#.. ..#.. ..#.. ..#.. .#.#. ..#.. ..... ..... ..... ....#
    ..... ..#.. .#.#. ##### #.#.. ...#. #.#.. .#... .#... ...#. ..#.. ..#.. ..... ..... ..... ...#.
    ..... ..#.. ..... .#.#. .###. ..#.. .#... ..... .#... ...#. ##### ##### ..... .###. ..... ..#..
    ..... ..#.. ..... ##### ..#.# .#... #.#.# ..... .#... ...#. ..#.. ..#.. ..... ..... ..... .#...
    ..... ..... ..... .#.#. ####. #..## #..#. ..... ..#.. ..#.. .#.#. ..#.. .##.. ..... .##.. #....
    ..... ..#.. ..... .#.#. ..#.. #..## .##.# ..... ...#. .#... ..... ..... .##.. ..... .##.. #....
    ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..#.. ..... ..... .....
    ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... .#... ..... ..... .....

    .###. ..#.. .###. .###. ...#. ##### ..##. ##### .###. .###. ..... ..... ...#. ..... .#... .###.
    #...# .##.. #...# #...# ..##. #.... .#... ....# #...# #...# .##.. .##.. ..#.. ..... ..#.. #...#
    #...# #.#.. ....# ....# .#.#. ####. #.... ...#. #...# #...# .##.. .##.. .#... .###. ...#. ....#
    #...# ..#.. ..##. ..##. #..#. ....# ####. ...#. .###. .#### ..... ..... #.... ..... ....# ...#.
    #...# ..#.. .#... ....# ##### ....# #...# ..#.. #...# ....# .##.. ..... .#... .###. ...#. ..#..
    #...# ..#.. #.... #...# ...#. #...# #...# ..#.. #...# ...#. .##.. .##.. ..#.. ..... ..#.. .....
    .###. ##### ##### .###. ...#. .###. .###. ..#.. .###. .##.. ..... .##.. ...#. ..... .#... ..#..
    ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..#.. ..... ..... ..... .....
    ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... .#... ..... ..... ..... .....

    .###. ..#.. ####. .###. ###.. ##### ##### .###. #...# .###. ..### #...# #.... #...# #...# .###.
    #...# .#.#. #...# #...# #..#. #.... #.... #...# #...# ..#.. ...#. #..#. #.... ##.## #...# #...#
    #.### #...# #...# #.... #...# #.... #.... #.... #...# ..#.. ...#. #.#.. #.... #.#.# ##..# #...#
    #.#.# #...# ####. #.... #...# ####. ####. #.### ##### ..#.. ...#. ##... #.... #.#.# #.#.# #...#
    #.### ##### #...# #.... #...# #.... #.... #...# #...# ..#.. ...#. #.#.. #.... #...# #..## #...#
    #.... #...# #...# #...# #..#. #.... #.... #...# #...# ..#.. #..#. #..#. #.... #...# #...# #...#
    .#### #...# ####. .###. ###.. ##### #.... .#### #...# .###. .##.. #...# ##### #...# #...# .###.
    ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... .....
    ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... .....

    ####. .###. ####. .#### ##### #...# #...# #...# #...# #...# ##### .###. #.... .###. ..#.. .....
    #...# #...# #...# #.... ..#.. #...# #...# #...# #...# #...# ....# .#... #.... ...#. .#.#. .....
    #...# #...# #...# #.... ..#.. #...# #...# #...# .#.#. .#.#. ...#. .#... .#... ...#. #...# .....
    ####. #...# ####. .###. ..#.. #...# #...# #.#.# ..#.. ..#.. ..#.. .#... ..#.. ...#. ..... .....
    #.... #.#.# #.#.. ....# ..#.. #...# .#.#. #.#.# .#.#. ..#.. .#... .#... ...#. ...#. ..... .....
    #.... #..#. #..#. ....# ..#.. #...# .#.#. #.#.# #...# ..#.. #.... .#... ....# ...#. ..... .....
    #.... .##.# #...# ####. ..#.. .###. ..#.. .#.#. #...# ..#.. ##### .###. ....# .###. ..... .....
    ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... #####
    ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... .....

    .#... ..... #.... ..... ....# ..... ..##. ..... #.... ..#.. ...#. #.... .##.. ..... ..... .....
    ..#.. ..... #.... ..... ....# ..... .#..# ..... #.... ..... ..... #.... ..#.. ..... ..... .....
    ..... .###. ####. .#### .#### .###. .#... .#### ####. .##.. ..##. #..#. ..#.. ##.#. ####. .###.
    ..... ....# #...# #.... #...# #...# ###.. #...# #...# ..#.. ...#. #.#.. ..#.. #.#.# #...# #...#
    ..... .#### #...# #.... #...# ##### .#... #...# #...# ..#.. ...#. ##... ..#.. #.#.# #...# #...#
    ..... #...# #...# #.... #...# #.... .#... #...# #...# ..#.. ...#. #.#.. ..#.. #.#.# #...# #...#
    ..... .#### ####. .#### .#### .###. .#... .#### #...# .###. ...#. #..#. .###. #.#.# #...# .###.
    ..... ..... ..... ..... ..... ..... ..... ....# ..... ..... #..#. ..... ..... ..... ..... .....
    ..... ..... ..... ..... ..... ..... ..... .###. ..... ..... .##.. ..... ..... ..... ..... .....

    ..... ..... ..... ..... .#... ..... ..... ..... ..... ..... ..... ...## ..#.. ##... ..... #####
    ..... ..... ..... ..... .#... ..... ..... ..... ..... ..... ..... ..#.. ..#.. ..#.. ..... #...#
    ####. .#### #.##. .#### ###.. #...# #...# #...# #...# #...# ##### ..#.. ..#.. ..#.. .#... #...#
    #...# #...# ##..# #.... .#... #...# #...# #...# .#.#. #...# ...#. .#... ..#.. ...#. #.#.# #...#
    #...# #...# #.... .###. .#... #...# #...# #.#.# ..#.. #...# ..#.. ..#.. ..#.. ..#.. ...#. #...#
    #...# #...# #.... ....# .#..# #...# .#.#. #.#.# .#.#. #...# .#... ..#.. ..#.. ..#.. ..... #...#
    ####. .#### #.... ####. ..##. .#### ..#.. .#.#. #...# .#### ##### ...## ..#.. ##... ..... #####
    #.... ....# ..... ..... ..... ..... ..... ..... ..... ....# ..... ..... ..... ..... ..... .....
    #.... ....# ..... ..... ..... ..... ..... ..... ..... .###. ..... ..... ..... ..... ..... .....
    """
}
