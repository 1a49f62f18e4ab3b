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

/// How many colours a terminal can show; ordered from few to many.
public enum TerminalColors: Int, Comparable, CaseIterable, Sendable {
  /// The 16 ANSI colours.
  case ansi16
  /// The 256-colour palette. The first 16, which themes change at will, are not used.
  case palette256
  /// 24 bits for each colour.
  case trueColor

  /// Orders by the number of colours.
  public static func < (left: TerminalColors, right: TerminalColors) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// Which characters `symbols` may draw with; ordered from few to many.
public enum TerminalGlyphs: Int, Comparable, CaseIterable, Sendable {
  /// ASCII only: the locale names another encoding than UTF-8.
  case ascii
  /// Also the half blocks `▀` and `▄`, which the font of the Linux console has.
  case halfBlocks
  /// Also the quarter and vertical half blocks.
  case quarterBlocks

  /// Orders by the number of characters.
  public static func < (left: TerminalGlyphs, right: TerminalGlyphs) -> Bool {
    left.rawValue < right.rawValue
  }
}
