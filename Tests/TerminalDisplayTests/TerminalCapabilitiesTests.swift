import Testing

@testable import TerminalDisplay

@Suite struct TerminalCapabilitiesTests {
  private func detect(
    _ environment: [String: String], isTerminal: Bool = true, choice: TerminalGraphics? = nil
  ) -> TerminalCapabilities? {
    .detect(environment: environment, isTerminal: isTerminal, choice: choice)
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
    (["TERM": "xterm-256color"], .trueColor),
    (["TERM": "xterm-direct"], .trueColor),
    (["TERM": "alacritty"], .trueColor),
    (["TERM": "linux"], .ansi16),
    (["TERM": "tmux-256color", "TMUX": "/tmp/s,1,0"], .palette256),
    (["TERM": "tmux-256color", "TMUX": "/tmp/s,1,0", "COLORTERM": "truecolor"], .trueColor),
    (["TERM": "screen-256color", "STY": "1.pts"], .palette256),
  ])
  func colors(_ environment: [String: String], _ expected: TerminalColors) {
    #expect(detect(environment)?.colors == expected)
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

  @Test func orders() {
    #expect(TerminalColors.ansi16 < .palette256 && TerminalColors.palette256 < .trueColor)
    #expect(TerminalGlyphs.ascii < .halfBlocks && TerminalGlyphs.halfBlocks < .quarterBlocks)
  }

  @Test func theProcessHasAnEnvironment() {
    #expect(processEnvironment()["PATH"]?.isEmpty == false)
  }
}
