/// The control sequences this module writes itself; what draws pictures by pixels comes from chafa.
public enum ControlSequence {
  /// Starts a synchronized update, which is shown at once (mode 2026); other terminals ignore it.
  public static let beginUpdate = "\u{1B}[?2026h"
  /// Shows what was written since ``beginUpdate``.
  public static let endUpdate = "\u{1B}[?2026l"
  static let resetAttributes = "\u{1B}[0m"
  /// Empties the screen, pictures of sixels and iTerm2 included.
  public static let clearScreen = "\u{1B}[0m\u{1B}[2J"

  /// Alternate screen, no cursor, no wrapping (else a picture in the last column could scroll), empty.
  static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[0m\u{1B}[2J\u{1B}[H"

  /// Undoes ``enter``. As it may interrupt an update, it first ends an unfinished picture and a synchronized
  /// update.
  static let leave = "\u{1B}\\\u{1B}[?2026l\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  /// Has presses, drags, releases and the wheel reported (1002), in the form that knows no limits (1006).
  static let mouseOn = "\u{1B}[?1002h\u{1B}[?1006h"
  /// As ``mouseOn``, and moves without a button, too (1003).
  static let mouseFollowingOn = "\u{1B}[?1003h\u{1B}[?1006h"
  static let mouseFollowingOff = "\u{1B}\\\u{1B}[?1006l\u{1B}[?1003l"
  /// Undoes ``mouseOn``. Like ``leave`` it may interrupt an update.
  static let mouseOff = "\u{1B}\\\u{1B}[?1006l\u{1B}[?1002l"

  /// Deletes the kitty images on the alternate screen, which was empty when we came, and frees their data.
  /// Like ``leave`` it may interrupt an update.
  static let deleteKittyImages = "\u{1B}\\\u{1B}_Ga=d,d=A,q=2\u{1B}\\"

  /// Deletes a kitty image and frees its data; `q=2` suppresses the terminal's answer.
  static func deleteKittyImage(_ id: Int) -> String { "\u{1B}_Ga=d,d=I,i=\(id),q=2\u{1B}\\" }
}

extension [UInt8] {
  /// Appends text as UTF-8.
  mutating func append(_ text: String) { append(contentsOf: text.utf8) }

  /// Appends a move of the cursor to a cell; 0, 0 is the top left.
  mutating func appendMove(column: Int, row: Int) { append("\u{1B}[\(row + 1);\(column + 1)H") }
}
