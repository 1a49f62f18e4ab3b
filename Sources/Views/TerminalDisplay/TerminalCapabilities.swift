import CChafa
import Glibc

/// The capabilities of a terminal, by its environment variables and its own answers.
public struct TerminalCapabilities: Hashable, Sendable {
  /// How pictures are drawn.
  public var graphics: TerminalGraphics
  /// How many colours `symbols` may use; the pixel protocols bring their own.
  public var colors: TerminalColors
  /// Which characters `symbols` may use.
  public var glyphs: TerminalGlyphs
  /// The bytes that ask the terminal what it can show, for ``TerminalInput/ask(_:milliseconds:)``; empty if
  /// it should not be asked.
  public private(set) var questions = ""
  private var isMultiplexed = false
  private var areGraphicsChosen = true
  private var areGlyphsChosen = false

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

  /// The same for this many cells with pictures. Glyphs that the user has chosen stay.
  public func limited(toCells count: Int) -> TerminalCapabilities {
    var limited = self
    if count > Self.quarterBlockLimit, !areGlyphsChosen { limited.glyphs = min(glyphs, .halfBlocks) }
    return limited
  }

  /// Detects what this process's standard output can show.
  ///
  /// - Parameters:
  ///   - choice: the user's choice; it takes precedence.
  ///   - glyphs: the user's choice of characters.
  /// - Returns: nil if pictures should not be drawn: not a terminal, or a dumb one.
  public static func detect(
    choice: TerminalGraphics? = nil, glyphs: TerminalGlyphs? = nil
  ) -> TerminalCapabilities? {
    detect(
      environment: processEnvironment(), isTerminal: isatty(STDOUT_FILENO) == 1, choice: choice,
      glyphs: glyphs)
  }

  /// The same with what the terminal has answered, which is surer than the environment.
  ///
  /// A multiplexer answers for itself, and may promise sixels that the terminal around it does not show.
  public func refined(by replies: TerminalReplies) -> TerminalCapabilities {
    guard replies.isComplete, !isMultiplexed else { return self }
    var refined = self
    // A name such as xterm-256color says less than many of its terminals have, and ssh drops COLORTERM.
    if replies.hasDirectColor, colors == .palette256 { refined.colors = .trueColor }
    guard !areGraphicsChosen else { return refined }
    if replies.hasKittyGraphics {
      refined.graphics = .kitty
    } else if graphics != .iterm2 {
      // No question is known for the images of iTerm2.
      refined.graphics = replies.hasSixel ? .sixel : .symbols
    }
    return refined
  }

  /// Detects what a terminal with the given environment can show.
  ///
  /// The knowledge of graphics is chafa's, with two corrections. In a multiplexer (tmux, GNU screen)
  /// variables of the outer terminal are ignored, since the multiplexer does not pass its protocols on.
  /// Terminals newer than chafa's table are added.
  ///
  /// Colours are those that `COLORTERM` promises, else those of the terminfo database, else those that the
  /// name says; and none if `NO_COLOR` is set (no-color.org).
  ///
  /// - Parameters:
  ///   - environment: the environment variables.
  ///   - isTerminal: whether the output goes to a terminal.
  ///   - choice: the user's choice; nil for none.
  ///   - glyphs: the user's choice of characters; nil for none.
  /// - Returns: nil if nothing was asked for and the output is no terminal, or `TERM` is unset, empty or
  ///   `dumb`.
  public static func detect(
    environment: [String: String], isTerminal: Bool, choice: TerminalGraphics? = nil,
    glyphs: TerminalGlyphs? = nil
  ) -> TerminalCapabilities? {
    detect(environment: environment, isTerminal: isTerminal, choice: choice, glyphs: glyphs) {
      TerminfoEntry.read($0, environment: environment)
    }
  }

  /// The same with another database.
  ///
  /// - Parameter terminfo: the entry of a name; nil if there is none.
  static func detect(
    environment: [String: String], isTerminal: Bool, choice: TerminalGraphics? = nil,
    glyphs: TerminalGlyphs? = nil, terminfo: (String) -> TerminfoEntry?
  ) -> TerminalCapabilities? {
    let hints = TerminalHints(environment)
    guard choice != nil || (isTerminal && !hints.isDumb) else { return nil }

    let info = TermInfo(environment: hints.trusted)
    var capabilities = TerminalCapabilities(
      graphics: choice ?? info.bestGraphics ?? hints.knownGraphics ?? .symbols,
      colors: hints.colors(terminfo), glyphs: glyphs ?? hints.glyphs)
    capabilities.isMultiplexed = hints.isMultiplexed
    capabilities.areGraphicsChosen = choice != nil
    capabilities.areGlyphsChosen = glyphs != nil
    if hints.understandsQuestions {
      capabilities.questions = TerminalQuestions.text(isMultiplexed: hints.isMultiplexed)
    }
    return capabilities
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

  /// Whether questions that the terminal does not know leave nothing on its screen. The Linux console prints
  /// them.
  var understandsQuestions: Bool { !isDumb && term != "linux" && !term.hasPrefix("vt") && term != "ansi" }

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

  func colors(_ terminfo: (String) -> TerminfoEntry?) -> TerminalColors {
    if isSet("NO_COLOR") { return .monochrome }
    let promise = environment["COLORTERM"]
    if promise == "truecolor" || promise == "24bit" { return .trueColor }
    if !isMultiplexed && Self.trueColorTerms.contains(term) { return .trueColor }
    guard let entry = terminfo(term) else { return colorsOfName }
    let colors = TerminalColors(count: entry.colors)
    if term == "linux", colors == .ansi8 { return .ansi16 }
    return Self.oldNames.contains(term) ? max(colors, .palette256) : colors
  }

  /// The colours of a terminal that is not in the database.
  private var colorsOfName: TerminalColors {
    if isDumb { return .monochrome }
    if term.hasSuffix("-direct") { return .trueColor }
    if term.hasSuffix("-16color") || term.hasSuffix("-88color") || term == "linux" { return .ansi16 }
    return term.hasSuffix("-mono") || term.hasSuffix("-m") ? .monochrome : .palette256
  }

  /// Names whose entries have the eight colours of the first such terminals, where all have 256 by now.
  private static let oldNames: Set = ["xterm", "screen", "tmux"]

  /// Terminals that always have direct colours, also without `COLORTERM`, which ssh drops.
  static let trueColorTerms: Set = [
    "alacritty", "contour", "foot", "foot-extra", "wezterm", "xterm-ghostty", "xterm-kitty",
  ]

  var glyphs: TerminalGlyphs {
    if usesForeignEncoding { return .ascii }
    if term == "linux" { return .halfBlocks }
    return drawsSextants ? .sextants : .quarterBlocks
  }

  /// Whether the terminal draws sextants by itself, in every font.
  private var drawsSextants: Bool {
    guard !isMultiplexed else { return false }
    if Self.sextantTerms.contains(term) { return true }
    // VTE (GNOME Terminal and others) since 0.62.
    return environment["VTE_VERSION"].flatMap { Int($0) } ?? 0 >= 6200
  }

  private static let sextantTerms: Set = [
    "contour", "foot", "foot-extra", "wezterm", "xterm-ghostty", "xterm-kitty",
  ]

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
