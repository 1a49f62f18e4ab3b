import Testing

@testable import TerminalDisplay

@Suite struct TerminalCapabilitiesTests {
  /// What ncurses says of some terminals; it has no entry for the others.
  private static let database = [
    "xterm": 8, "xterm-16color": 16, "xterm-88color": 88, "xterm-256color": 256, "xterm-direct": 1 << 24,
    "xterm-mono": 0, "xterm-color": 8, "linux": 8, "vt220": 0, "screen": 8, "screen-256color": 256, "tmux": 8,
    "tmux-256color": 256, "alacritty": 256,
  ]

  private func detect(
    _ environment: [String: String], isTerminal: Bool = true, choice: TerminalGraphics? = nil,
    database: [String: Int] = database
  ) -> TerminalCapabilities? {
    .detect(environment: environment, isTerminal: isTerminal, choice: choice) {
      database[$0].map { TerminfoEntry(colors: $0) }
    }
  }

  @Test(arguments: [
    (["TERM": "xterm-kitty"], TerminalGraphics.kitty),
    (["TERM": "xterm-ghostty"], .kitty),
    (["TERM": "xterm-256color", "TERM_PROGRAM": "ghostty"], .kitty),
    (["TERM": "foot"], .sixel),
    (["TERM": "mlterm"], .sixel),
    (["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"], .sixel),
    (["TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"], .iterm2),
    (["TERM": "xterm-256color", "LC_TERMINAL": "iTerm2"], .iterm2),
    (["TERM": "xterm-256color", "VTE_VERSION": "6800"], .symbols),
    (["TERM": "xterm"], .symbols),
    (["TERM": "linux"], .symbols),
    (["TERM": "no-such-terminal"], .symbols),
    // In a multiplexer what the terminal around it can do is of no use.
    (["TERM": "tmux-256color", "TMUX": "/tmp/s,1,0", "LC_TERMINAL": "iTerm2"], .symbols),
    (["TERM": "tmux-256color", "TERM_PROGRAM": "iTerm.app"], .symbols),
    (["TERM": "screen-256color", "STY": "1.pts", "TERM_PROGRAM": "WezTerm"], .symbols),
    (["TERM": "xterm-256color", "TMUX": "/tmp/s,1,0", "TERM_PROGRAM": "ghostty"], .symbols),
  ])
  func graphics(_ environment: [String: String], _ expected: TerminalGraphics) {
    #expect(detect(environment)?.graphics == expected)
  }

  @Test(arguments: [
    (["TERM": "xterm"], TerminalColors.palette256),
    (["TERM": "xterm", "COLORTERM": "truecolor"], .trueColor),
    (["TERM": "xterm", "COLORTERM": "24bit"], .trueColor),
    (["TERM": "xterm", "COLORTERM": "yes"], .palette256),
    (["TERM": "xterm-16color"], .ansi16),
    (["TERM": "xterm-88color"], .ansi16),
    (["TERM": "xterm-256color"], .palette256),
    (["TERM": "xterm-direct"], .trueColor),
    (["TERM": "xterm-color"], .ansi8),
    (["TERM": "xterm-mono"], .monochrome),
    (["TERM": "vt220"], .monochrome),
    (["TERM": "screen"], .palette256),
    (["TERM": "tmux"], .palette256),
    (["TERM": "alacritty"], .trueColor),
    (["TERM": "linux"], .ansi16),
    (["TERM": "tmux-256color", "TMUX": "/tmp/s,1,0"], .palette256),
    (["TERM": "tmux-256color", "TMUX": "/tmp/s,1,0", "COLORTERM": "truecolor"], .trueColor),
    (["TERM": "screen-256color", "STY": "1.pts"], .palette256),
  ])
  func colors(_ environment: [String: String], _ expected: TerminalColors) {
    #expect(detect(environment)?.colors == expected)
  }

  @Test(
    "Without an entry the name decides",
    arguments: [
      ("xterm-256color", TerminalColors.palette256), ("foo-16color", .ansi16), ("foo-direct", .trueColor),
      ("foo-mono", .monochrome), ("linux", .ansi16), ("foo", .palette256),
    ])
  func colorsOfNames(_ term: String, _ expected: TerminalColors) {
    #expect(detect(["TERM": term], database: [:])?.colors == expected)
  }

  @Test("NO_COLOR takes the colours of characters, unless it is empty; pictures of pixels stay")
  func noColor() {
    for term in ["xterm", "xterm-kitty", "linux"] {
      let environment = ["TERM": term, "COLORTERM": "truecolor", "NO_COLOR": "1"]
      #expect(detect(environment)?.colors == .monochrome)
    }
    #expect(detect(["TERM": "xterm-kitty", "NO_COLOR": "1"])?.graphics == .kitty)
    #expect(detect(["TERM": "xterm-direct", "NO_COLOR": ""])?.colors == .trueColor)
    let plain = detect(["TERM": "xterm-256color", "NO_COLOR": "1"])
    #expect(plain?.refined(by: replies(.directColor(true))).colors == .monochrome)
  }

  @Test("A terminal with 256 colours by its name may answer that it has all; fewer are a choice")
  func answeredColors() {
    let plain = detect(["TERM": "xterm-256color"])
    #expect(plain?.refined(by: replies(.directColor(true))).colors == .trueColor)
    #expect(plain?.refined(by: replies(.directColor(false))).colors == .palette256)
    #expect(plain?.refined(by: replies()).colors == .palette256)
    let few = detect(["TERM": "xterm-16color"])
    #expect(few?.refined(by: replies(.directColor(true))).colors == .ansi16)
    let chosen = detect(["TERM": "xterm-256color"], choice: .symbols)
    #expect(chosen?.refined(by: replies(.directColor(true))).colors == .trueColor)
  }

  @Test(arguments: [
    ([:], TerminalGlyphs.quarterBlocks),
    (["LANG": "C"], .quarterBlocks),
    (["LANG": "de_DE.UTF-8"], .quarterBlocks),
    (["LANG": "de_DE.utf8@euro"], .quarterBlocks),
    (["LANG": "de_DE.ISO-8859-15@euro"], .ascii),
    (["LANG": "de_DE.UTF-8", "LC_CTYPE": "de_DE.ISO-8859-1"], .ascii),
    (["LANG": "de_DE.ISO-8859-1", "LC_ALL": "en_GB.UTF-8"], .quarterBlocks),
    (["LANG": "de_DE.ISO-8859-1", "LC_ALL": ""], .ascii),
    (["TERM": "linux"], .halfBlocks),
    // Terminals that draw sextants by themselves; a multiplexer hides them.
    (["TERM": "xterm-kitty"], .sextants),
    (["VTE_VERSION": "6800"], .sextants),
    (["VTE_VERSION": "6003"], .quarterBlocks),
    (["VTE_VERSION": "6800", "TMUX": "/tmp/s,1,0"], .quarterBlocks),
    (["TERM": "linux", "LC_ALL": "ja_JP.EUC-JP"], .ascii),
  ])
  func glyphs(_ environment: [String: String], _ expected: TerminalGlyphs) {
    let full = environment.merging(["TERM": "xterm"]) { given, _ in given }
    #expect(detect(full)?.glyphs == expected)
  }

  @Test func noPicturesWhereTheyCannotBeShown() {
    #expect(detect(["TERM": "dumb"]) == nil)
    #expect(detect(["TERM": ""]) == nil)
    #expect(detect([:]) == nil)
    #expect(detect(["TERM": "xterm-kitty"], isTerminal: false) == nil)
  }

  @Test(arguments: TerminalGraphics.allCases) func theUsersChoiceTakesPrecedence(_ choice: TerminalGraphics) {
    #expect(detect(["TERM": "dumb"], choice: choice)?.graphics == choice)
    #expect(detect(["TERM": "xterm-kitty"], choice: choice)?.graphics == choice)
    #expect(detect([:], isTerminal: false, choice: choice)?.graphics == choice)
    #expect(TerminalGraphics(rawValue: choice.rawValue) == choice)
  }

  /// The answers of a terminal, the last one included.
  private func replies(_ replies: TerminalReply..., sixel: Bool = false) -> TerminalReplies {
    var all = TerminalReplies()
    for reply in replies + [.attributes(hasSixel: sixel)] { all.take(reply, size: .assumed) }
    return all
  }

  @Test func answersAreSurerThanTheEnvironment() {
    let plain = detect(["TERM": "xterm-256color"])
    #expect(plain?.refined(by: replies()).graphics == .symbols)
    #expect(plain?.refined(by: replies(sixel: true)).graphics == .sixel)
    #expect(plain?.refined(by: replies(.kittyGraphics(true), sixel: true)).graphics == .kitty)
    #expect(plain?.refined(by: replies(.kittyGraphics(false), sixel: true)).graphics == .sixel)
    // A name inherited by another terminal.
    #expect(detect(["TERM": "xterm-kitty"])?.refined(by: replies()).graphics == .symbols)
    #expect(detect(["TERM": "foot"])?.refined(by: replies(.kittyGraphics(false))).graphics == .symbols)
    let iterm = detect(["TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"])
    #expect(iterm?.refined(by: replies(sixel: true)).graphics == .iterm2)
    // Without the last answer the environment decides.
    var some = TerminalReplies()
    some.take(.kittyGraphics(true), size: .assumed)
    #expect(plain?.refined(by: some) == plain)
  }

  @Test func choicesAndMultiplexersAreNotOverruled() {
    let chosen = detect(["TERM": "xterm"], choice: .symbols)
    #expect(chosen?.refined(by: replies(.kittyGraphics(true))).graphics == .symbols)
    let tmux = detect(["TERM": "tmux-256color", "TMUX": "/tmp/s,1,0"])
    #expect(tmux?.refined(by: replies(sixel: true)).graphics == .symbols)
    #expect(TerminalCapabilities(graphics: .sixel).refined(by: replies()).graphics == .sixel)
  }

  @Test func questionsEndWithTheOneThatEveryTerminalAnswers() {
    let plain = detect(["TERM": "xterm"])?.questions
    #expect(
      plain?.hasPrefix("\u{1B}]11;?\u{1B}\\\u{1B}_Gi=31,") == true && plain?.hasSuffix("\u{1B}[c") == true)
    // tmux and screen take the kitty question for a title.
    let tmux = detect(["TERM": "screen", "TMUX": "/tmp/s,1,0"])?.questions
    #expect(tmux?.contains("_G") == false && tmux?.contains("P$q") == false)
    #expect(tmux?.hasSuffix("\u{1B}[c") == true)
    // These would print it.
    for term in ["linux", "vt100", "ansi"] { #expect(detect(["TERM": term])?.questions == "") }
    #expect(TerminalCapabilities(graphics: .kitty).questions == "")
  }

  @Test func cellSizesAreThoseAnsweredOrThoseOfTheArea() {
    #expect(replies().cell == nil)
    #expect(replies(.area(width: 800, height: 480)).cell == TerminalCell(width: 10, height: 20))
    let both = replies(.cell(TerminalCell(width: 9, height: 18)), .area(width: 800, height: 480))
    #expect(both.cell == TerminalCell(width: 9, height: 18))
    // An absurd area gives the assumed cell.
    #expect(replies(.area(width: 1, height: 1)).cell == .assumed)
  }

  @Test(arguments: TerminalGlyphs.allCases) func theUserMayChooseTheCharacters(_ glyphs: TerminalGlyphs) {
    let chosen = TerminalCapabilities.detect(
      environment: ["TERM": "linux"], isTerminal: true, glyphs: glyphs)
    #expect(chosen?.glyphs == glyphs)
    // Also where there are many cells.
    #expect(chosen?.limited(toCells: 100_000).glyphs == glyphs)
    #expect(TerminalGlyphs(rawValue: glyphs.rawValue) == glyphs)
  }

  @Test func orders() {
    #expect(TerminalColors.monochrome < .ansi8 && TerminalColors.ansi8 < .ansi16)
    #expect(TerminalColors.ansi16 < .palette256 && TerminalColors.palette256 < .trueColor)
    #expect(TerminalGlyphs.allCases == TerminalGlyphs.allCases.sorted())
    #expect(TerminalGlyphs.ascii < .halfBlocks && TerminalGlyphs.quarterBlocks < .sextants)
  }

  @Test func theProcessHasAnEnvironment() {
    #expect(processEnvironment()["PATH"]?.isEmpty == false)
  }
}
