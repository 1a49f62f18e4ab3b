/// A way to draw pictures in a terminal.
///
/// The cases stand in order of preference, best first. The raw value is the name a user may give to choose
/// one, as in `TerminalGraphics(rawValue: "sixel")`.
public enum TerminalGraphics: String, CaseIterable, Sendable {
  /// The kitty graphics protocol: true colour, real alpha, scaled by the terminal.
  case kitty
  /// DEC sixels: up to 256 colours, scaled by this module.
  case sixel
  /// The inline images of iTerm2 and compatible terminals: true colour, scaled by the terminal.
  case iterm2
  /// Coloured block characters, which work everywhere.
  case symbols

  /// Whether pictures are made of pixels rather than characters.
  public var isPixelExact: Bool { self != .symbols }
}

/// How many colours a terminal can show, or a user wants; ordered from few to many.
public enum TerminalColors: Int, Comparable, CaseIterable, Sendable {
  /// The terminal's text colour on its background.
  case monochrome
  /// The eight ANSI colours.
  case ansi8
  /// Those, and a bright one of each.
  case ansi16
  /// The 256-colour palette. The first 16, which themes change at will, are not used.
  case palette256
  /// 24 bits for each colour.
  case trueColor

  /// The case for a number of colours.
  init(count: Int) {
    self =
      switch count {
      case ..<8: .monochrome
      case ..<16: .ansi8
      case ..<256: .ansi16
      case ..<(1 << 24): .palette256
      default: .trueColor
      }
  }

  /// Orders by the number of colours.
  public static func < (left: TerminalColors, right: TerminalColors) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// Which characters `symbols` may draw with; ordered by the detail that they show.
///
/// The raw value is the name a user may give to choose one.
public enum TerminalGlyphs: String, Comparable, CaseIterable, Sendable {
  /// ASCII only: the locale names another encoding than UTF-8.
  case ascii
  /// The half blocks `▀` and `▄`, which the font of the Linux console has.
  case halfBlocks = "half"
  /// Also the quarter and vertical half blocks: 2 x 2 pixels a cell.
  case quarterBlocks = "quarter"
  /// Also the sextants of Unicode 13: 2 x 3 pixels a cell, which few fonts have.
  case sextants = "sextant"
  /// Braille dots: 2 x 4 a cell, in one colour on another.
  case braille
  /// Blocks, sextants, wedges, lines and dots.
  case all

  /// Orders by detail.
  public static func < (left: TerminalGlyphs, right: TerminalGlyphs) -> Bool {
    let all = Self.allCases
    return all.firstIndex(of: left) ?? 0 < all.firstIndex(of: right) ?? 0
  }
}
