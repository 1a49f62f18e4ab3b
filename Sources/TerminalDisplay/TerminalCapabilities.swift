import CChafa
import Glibc

/// The capabilities of a terminal, by its environment variables.
public struct TerminalCapabilities: Hashable, Sendable {
  /// How pictures are drawn.
  public var graphics: TerminalGraphics
  /// How many colours `symbols` may use; the pixel protocols bring their own.
  public var colors: TerminalColors
  /// Which characters `symbols` may use.
  public var glyphs: TerminalGlyphs

  /// Makes a set of capabilities by hand.
  public init(
    graphics: TerminalGraphics, colors: TerminalColors = .trueColor, glyphs: TerminalGlyphs = .quarterBlocks
  ) {
    self.graphics = graphics
    self.colors = colors
    self.glyphs = glyphs
  }

  /// Beyond this many cells `symbols` confines itself to half blocks.
  ///
  /// Matching quarter blocks exactly costs some 4 µs a cell, half blocks 1.4 µs. Where cells are many, each
  /// of them matters less, and frames must still come in time.
  static let quarterBlockLimit = 3000

  /// The same for so many cells with pictures.
  public func limited(toCells count: Int) -> TerminalCapabilities {
    var limited = self
    if count > Self.quarterBlockLimit { limited.glyphs = min(glyphs, .halfBlocks) }
    return limited
  }

  /// Detects what this process's standard output can show.
  ///
  /// - Parameter choice: the user's choice; it takes precedence.
  /// - Returns: nil if pictures should not be drawn: not a terminal, or a dumb one.
  public static func detect(choice: TerminalGraphics? = nil) -> TerminalCapabilities? {
    detect(environment: processEnvironment(), isTerminal: isatty(STDOUT_FILENO) == 1, choice: choice)
  }

  /// Detects what a terminal with the given environment can show.
  ///
  /// The knowledge is chafa's, with three corrections. In a multiplexer (tmux, GNU screen) variables of the outer
  /// terminal are ignored, since the multiplexer does not pass its protocols on. Terminals newer than chafa's table are added. And GNU screen gets direct colours only if
  /// `COLORTERM` promises them, because it garbles them otherwise.
  ///
  /// - Parameters:
  ///   - environment: the environment variables.
  ///   - isTerminal: whether the output goes to a terminal.
  ///   - choice: the user's choice; nil for none.
  /// - Returns: nil if nothing was asked for and the output is no terminal, or `TERM` is unset, empty or
  ///   `dumb`.
  public static func detect(
    environment: [String: String], isTerminal: Bool, choice: TerminalGraphics? = nil
  ) -> TerminalCapabilities? {
    let hints = TerminalHints(environment)
    guard choice != nil || (isTerminal && !hints.isDumb) else { return nil }

    let info = TermInfo(environment: hints.trusted)
    return TerminalCapabilities(
      graphics: choice ?? info.bestGraphics ?? hints.knownGraphics ?? .symbols,
      colors: hints.colors(info), glyphs: hints.glyphs)
  }
}

extension TermInfo {
  /// The best pixel protocol the terminal understands.
  fileprivate var bestGraphics: TerminalGraphics? {
    if has(CHAFA_TERM_SEQ_BEGIN_KITTY_IMMEDIATE_IMAGE_V1) { return .kitty }
    if has(CHAFA_TERM_SEQ_BEGIN_SIXELS) { return .sixel }
    if has(CHAFA_TERM_SEQ_BEGIN_ITERM2_IMAGE) { return .iterm2 }
    return nil
  }
}

/// The environment variables of a terminal, with known errors corrected.
private struct TerminalHints {
  let environment: [String: String]
  let term: String

  init(_ environment: [String: String]) {
    self.environment = environment
    term = environment["TERM"] ?? ""
  }

  var isDumb: Bool { term.isEmpty || term == "dumb" }

  var isScreen: Bool { isSet("STY") || (term.hasPrefix("screen") && !isSet("TMUX")) }

  var isMultiplexed: Bool { isScreen || isSet("TMUX") || term.hasPrefix("tmux") }

  /// The environment less what a multiplexer inherited from the terminal it was started in.
  var trusted: [String: String] {
    guard isMultiplexed else { return environment }
    return environment.filter { name, value in
      switch name {
      case "TERM", "COLORTERM", "TMUX", "STY": true
      case "TERM_PROGRAM", "TERM_PROGRAM_VERSION": environment["TERM_PROGRAM"] == "tmux"
      default: false
      }
    }
  }

  /// Pixel protocols of terminals which the chafa of Debian 12 does not know yet.
  var knownGraphics: TerminalGraphics? {
    guard !isMultiplexed else { return nil }
    return term == "xterm-ghostty" || environment["TERM_PROGRAM"] == "ghostty" ? .kitty : nil
  }

  func colors(_ info: borrowing TermInfo) -> TerminalColors {
    let promise = environment["COLORTERM"]
    if promise == "truecolor" || promise == "24bit" { return .trueColor }
    if term.hasSuffix("-direct") { return .trueColor }
    if !isMultiplexed && Self.trueColorTerms.contains(term) { return .trueColor }
    if info.has(CHAFA_TERM_SEQ_SET_COLOR_FGBG_DIRECT) && !isScreen { return .trueColor }
    return info.has(CHAFA_TERM_SEQ_SET_COLOR_FGBG_256) && !isDumb ? .palette256 : .ansi16
  }

  /// Terminals that always have direct colours, also without `COLORTERM`, which ssh drops.
  static let trueColorTerms: Set = [
    "alacritty", "contour", "foot", "foot-extra", "wezterm", "xterm-ghostty", "xterm-kitty",
  ]

  var glyphs: TerminalGlyphs {
    if usesForeignEncoding { return .ascii }
    return term == "linux" ? .halfBlocks : .quarterBlocks
  }

  /// Whether the locale names an encoding other than UTF-8.
  ///
  /// A locale naming none (`C`, or nothing at all as in most containers) says nothing about the terminal, and
  /// terminals have been UTF-8 for long.
  var usesForeignEncoding: Bool {
    // By POSIX the first variable that is set and not empty decides.
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    guard let locale, let dot = locale.firstIndex(of: ".") else { return false }
    let encoding = locale[locale.index(after: dot)...].prefix { $0 != "@" }.lowercased()
    return encoding != "utf-8" && encoding != "utf8"
  }

  private func isSet(_ name: String) -> Bool { environment[name].map { !$0.isEmpty } ?? false }
}
