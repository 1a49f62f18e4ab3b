import GIFStage
import Testing

@testable import TerminalDisplay

@Suite struct CellGridTests {
  private func grid(_ columns: Int = 8, _ rows: Int = 3) -> CellGrid {
    CellGrid(TerminalSize(columns: columns, rows: rows))
  }

  /// A row as text: pixels as `?`, the right halves of wide characters left out.
  private func row(_ row: Int, of grid: CellGrid) -> String {
    var text = ""
    for column in 0..<grid.columns {
      switch grid[column, row].content {
      case .character(let scalar): text.unicodeScalars.append(scalar)
      case .pixels: text += "?"
      case .continuation: break
      }
    }
    return text
  }

  @Test func textIsCutOffAtItsRoomAndAtTheEdge() {
    var grid = grid()
    #expect(grid.write("abcdef", column: 0, row: 0, room: 4) == 4)
    #expect(grid.write("abcdef", column: 5, row: 1, room: 100) == 3)
    #expect(row(0, of: grid) == "abcd    ")
    #expect(row(1, of: grid) == "     abc")
  }

  @Test(arguments: [(-1, 0), (8, 0), (0, -1), (0, 3), (.max, .max), (.min, .min)])
  func textElsewhereIsNotWritten(_ column: Int, _ row: Int) {
    var grid = grid()
    let empty = grid
    #expect(grid.write("abc", column: column, row: row, room: 8) == 0)
    #expect(grid == empty)
    #expect(grid.write("abc", column: 0, row: 0, room: 0) == 0)
    #expect(grid.write("abc", column: 0, row: 0, room: -5) == 0)
    #expect(grid == empty)
  }

  @Test func wideCharactersTakeTwoCellsOrNone() {
    var grid = grid()
    #expect(grid.write("馬a", column: 0, row: 0, room: 8) == 3)
    #expect(grid[1, 0].content == .continuation)
    #expect(grid.write("a馬", column: 6, row: 1, room: 8) == 1)
    #expect(row(1, of: grid) == "      a ")
  }

  @Test func invisibleScalarsAreLeftOut() {
    var grid = grid()
    #expect(grid.write("a\u{1B}[31m\u{0301}\u{202E}\u{9B}b", column: 0, row: 0, room: 8) == 6)
    #expect(row(0, of: grid) == "a[31mb  ")
  }

  @Test func areasAreErasedAndReservedForPixels() {
    var grid = grid()
    for row in 0..<3 { grid.write("abcdefgh", column: 0, row: row, room: 8) }
    grid.erase(TerminalArea(column: 6, row: 1, columns: 65535, rows: 65535))
    grid.reserveForPixels(TerminalArea(column: 0, row: 0, columns: 2, rows: 2))
    #expect((0..<3).map { row($0, of: grid) } == ["??cdefgh", "??cdef  ", "abcdef  "])
    let before = grid
    grid.erase(TerminalArea(column: 8, row: 0, columns: 1, rows: 1))
    grid.erase(TerminalArea(column: 0, row: 3, columns: 1, rows: 1))
    #expect(grid == before)
  }

  @Test(arguments: [
    ("a", 1), ("é", 1), ("馬", 2), ("🐎", 2), ("▀", 1), ("가", 2), ("ｱ", 1), ("Ａ", 2), ("\u{0301}", 0),
    ("\u{7}", 0), ("\u{200B}", 0), ("\u{FEFF}", 0), ("\u{E000}", 0), ("\u{2028}", 0), ("", 0),
  ])
  func widths(_ text: String, _ columns: Int) { #expect(CellText.columns(of: text) == columns) }

  @Test(arguments: [
    ("horse", 5, "horse"), ("horse", 4, "hor~"), ("horse", 1, "~"), ("horse", 0, ""), ("horse", -3, ""),
    ("馬馬馬", 6, "馬馬馬"), ("馬馬馬", 5, "馬馬~"), ("馬馬馬", 4, "馬~"), ("馬馬馬", 2, "~"), ("", 0, ""),
  ])
  func truncated(_ text: String, _ columns: Int, _ expected: String) {
    #expect(CellText.truncated(text, columns: columns) == expected)
  }
}

@Suite struct CellUpdateTests {
  private func grid(_ lines: String..., columns: Int = 12) -> CellGrid {
    var grid = CellGrid(TerminalSize(columns: columns, rows: lines.count))
    for (row, line) in lines.enumerated() { grid.write(line, column: 0, row: row, room: columns) }
    return grid
  }

  private func update(_ old: CellGrid?, _ new: CellGrid, isASCII: Bool = false) -> String {
    String(decoding: new.update(from: old, isASCII: isASCII), as: UTF8.self)
  }

  @Test func anUnchangedGridHasNoUpdate() {
    let screen = grid("abc", "def")
    #expect(screen.update(from: screen).isEmpty)
    #expect(grid("", "").update(from: nil).isEmpty)
  }

  @Test func onlyDifferencesAreWritten() {
    #expect(update(grid("abcdefghijkl"), grid("abcdefgXijkl")) == "\u{1B}[1;8HX")
    #expect(update(grid("aaa", "bbb"), grid("aaa", "bXb")) == "\u{1B}[2;2HX")
    #expect(update(nil, grid("", " ab")) == "\u{1B}[2;2Hab")
  }

  @Test func shortGapsAreWrittenAndLongOnesSkipped() {
    #expect(update(grid("abcdefghijkl"), grid("XbcXefghijkl")) == "\u{1B}[1;1HXbcX")
    #expect(update(grid("abcdefghijkl"), grid("XbcdefghijkX")) == "\u{1B}[1;1HX\u{1B}[10CX")
  }

  @Test func gapsOfAnotherStyleAreSkipped() {
    var old = grid("abc")
    old.write("b", column: 1, row: 0, room: 1, style: CellStyle(foreground: .palette(1)))
    var new = old
    new.write("X", column: 0, row: 0, room: 1)
    new.write("Y", column: 2, row: 0, room: 1)
    #expect(update(old, new) == "\u{1B}[1;1HX\u{1B}[CY")
  }

  @Test func anotherSizeIsDrawnWhole() {
    #expect(update(grid("abc", columns: 5), grid("abc", columns: 6)) == "\u{1B}[1;1Habc")
  }

  @Test func blanksReplaceFormerText() {
    #expect(update(grid("abc"), grid("a")) == "\u{1B}[1;2H  ")
  }

  private func styled(_ styles: CellStyle...) -> String {
    var screen = CellGrid(TerminalSize(columns: 12, rows: 1))
    for (column, style) in styles.enumerated() {
      screen.write("x", column: column, row: 0, room: 1, style: style)
    }
    return String(update(nil, screen).dropFirst("\u{1B}[1;1H".count))
  }

  @Test func attributesAreSetWhereTheyChangeAndResetAtTheEnd() {
    let red = CellStyle(foreground: .palette(1))
    #expect(styled(red, red) == "\u{1B}[31mxx\u{1B}[0m")
    #expect(styled(red, CellStyle()) == "\u{1B}[31mx\u{1B}[39mx")
    #expect(
      styled(red, CellStyle(foreground: .palette(1), background: .palette(12)))
        == "\u{1B}[31mx\u{1B}[104mx\u{1B}[0m")
  }

  @Test func colorsHaveTheirNames() {
    #expect(styled(CellStyle(foreground: .palette(9), background: .palette(7))).hasPrefix("\u{1B}[91;47m"))
    #expect(
      styled(CellStyle(foreground: .palette(16), background: .palette(255)))
        .hasPrefix("\u{1B}[38;5;16;48;5;255m"))
    let rgb = CellColor.rgb(Color(red: 1, green: 2, blue: 255))
    #expect(
      styled(CellStyle(foreground: rgb, background: rgb)).hasPrefix("\u{1B}[38;2;1;2;255;48;2;1;2;255m"))
  }

  @Test func boldAndInverseEndWithAReset() {
    let bold = CellStyle(foreground: .palette(2), isBold: true)
    #expect(styled(bold, CellStyle(foreground: .palette(2))) == "\u{1B}[1;32mx\u{1B}[0;32mx\u{1B}[0m")
    #expect(styled(CellStyle(isInverse: true), CellStyle()) == "\u{1B}[7mx\u{1B}[0mx")
    #expect(
      styled(CellStyle(isBold: true), CellStyle(isBold: true, isInverse: true))
        == "\u{1B}[1mx\u{1B}[7mx\u{1B}[0m")
  }

  @Test func afterAWideCharacterTheCursorIsPlaced() {
    #expect(update(nil, grid("馬a")) == "\u{1B}[1;1H馬\u{1B}[1;2H\u{1B}[1;3Ha")
  }

  @Test func asciiTerminalsGetQuestionMarks() {
    #expect(update(nil, grid("é"), isASCII: true) == "\u{1B}[1;1H?")
    #expect(update(nil, grid("馬"), isASCII: true).hasPrefix("\u{1B}[1;1H??"))
  }

  @Test func pixelsAreNeverWrittenOver() {
    var new = grid("abcdef")
    new.reserveForPixels(TerminalArea(column: 1, row: 0, columns: 4, rows: 1))
    let bytes = update(nil, new)
    #expect(bytes.contains("a") && bytes.contains("f"))
    #expect(!bytes.contains(" ") && !bytes.contains("b") && !bytes.contains("X"))
    #expect(update(new, new).isEmpty)
    // And where they end, characters come back.
    #expect(update(new, grid("abcdef")).contains("bcde"))
  }

  /// Whatever two screens hold, the update makes the one of the other; read back by a terminal that knows
  /// only what is written.
  @Test(arguments: 0..<40) func updatesTransformOneGridIntoAnother(_ seed: Int) {
    var generator = Numbers(state: UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1)
    let size = TerminalSize(columns: 1 + generator.next(20), rows: 1 + generator.next(6))
    var (old, new) = (CellGrid(size), CellGrid(size))
    for _ in 0..<generator.next(60) { scribble(&old, &generator) }
    new = old
    for _ in 0..<generator.next(30) { scribble(&new, &generator) }
    var screen = PlainScreen(size)
    screen.read(old.update(from: nil))
    #expect(screen.cells == old.cells)
    screen.read(new.update(from: old))
    #expect(screen.cells == new.cells)
  }

  private func scribble(_ grid: inout CellGrid, _ generator: inout Numbers) {
    let letters = Array("ab█▀ ")
    let style = CellStyle(
      foreground: generator.next(2) == 0 ? .standard : .palette(UInt8(generator.next(20))),
      background: generator.next(2) == 0 ? .standard : .palette(UInt8(generator.next(20))),
      isBold: generator.next(4) == 0, isInverse: generator.next(4) == 0)
    grid.write(
      String(letters[generator.next(letters.count)]), column: generator.next(grid.columns),
      row: generator.next(grid.rows), room: 1, style: style)
  }
}

/// Numbers that are the same in every run.
private struct Numbers {
  var state: UInt64

  mutating func next(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % bound
  }
}

/// A terminal that knows moves, attributes of the 256 colours and characters, each one cell wide.
private struct PlainScreen {
  let columns: Int
  var cells: [ScreenCell]
  private var place = 0
  private var style = CellStyle()

  init(_ size: TerminalSize) {
    columns = size.columns
    cells = Array(repeating: .blank, count: size.columns * size.rows)
  }

  mutating func read(_ bytes: [UInt8]) {
    var rest = Substring(String(decoding: bytes, as: UTF8.self)).unicodeScalars
    while let scalar = rest.popFirst() {
      guard scalar == "\u{1B}" else {
        cells[place] = ScreenCell(content: .character(scalar), style: style)
        place += 1
        continue
      }
      rest.removeFirst()
      let end = rest.firstIndex { $0.properties.isAlphabetic } ?? rest.startIndex
      let numbers = String(rest[..<end]).split(separator: ";").compactMap { Int($0) }
      control(rest[end], numbers)
      rest = rest[rest.index(after: end)...]
    }
  }

  private mutating func control(_ final: Unicode.Scalar, _ numbers: [Int]) {
    switch final {
    case "H": place = (numbers[0] - 1) * columns + numbers[1] - 1
    case "C": place += numbers.first ?? 1
    case "m": attributes(numbers)
    default: Issue.record("unknown sequence \(final)")
    }
  }

  private mutating func attributes(_ numbers: [Int]) {
    var rest = numbers[...]
    while let number = rest.popFirst() {
      switch number {
      case 0: style = CellStyle()
      case 1: style.isBold = true
      case 7: style.isInverse = true
      case 30..<38: style.foreground = .palette(UInt8(number - 30))
      case 90..<98: style.foreground = .palette(UInt8(number - 82))
      case 40..<48: style.background = .palette(UInt8(number - 40))
      case 100..<108: style.background = .palette(UInt8(number - 92))
      case 39: style.foreground = .standard
      case 49: style.background = .standard
      case 38:
        style.foreground = .palette(UInt8(rest.dropFirst().first ?? 0))
        rest = rest.dropFirst(2)
      case 48:
        style.background = .palette(UInt8(rest.dropFirst().first ?? 0))
        rest = rest.dropFirst(2)
      default: Issue.record("unknown attribute \(number)")
      }
    }
  }
}

@Suite("Terminals with few colours")
struct LimitedColorTests {
  private func text(_ style: CellStyle, _ colors: TerminalColors) -> String {
    var grid = CellGrid(TerminalSize(columns: 4, rows: 1))
    grid.write("ab", column: 0, row: 0, room: 4, style: style)
    return String(decoding: grid.update(from: nil, colors: colors), as: UTF8.self)
  }

  @Test("Of eight colours, bright ones are plain, and grey is the text's own")
  func eight() {
    #expect(text(CellStyle(foreground: .palette(9)), .ansi8) == "\u{1B}[1;1H\u{1B}[31mab\u{1B}[0m")
    #expect(text(CellStyle(foreground: .palette(8)), .ansi8) == "\u{1B}[1;1Hab")
    #expect(text(CellStyle(foreground: .palette(6)), .ansi8) == "\u{1B}[1;1H\u{1B}[36mab\u{1B}[0m")
    #expect(text(CellStyle(foreground: .palette(9)), .ansi16) == "\u{1B}[1;1H\u{1B}[91mab\u{1B}[0m")
  }

  @Test("Without colours, bold and inverse stay")
  func monochrome() {
    let style = CellStyle(foreground: .palette(9), background: .palette(4), isBold: true, isInverse: true)
    #expect(text(style, .monochrome) == "\u{1B}[1;1H\u{1B}[1;7mab\u{1B}[0m")
    #expect(text(CellStyle(foreground: .rgb(Color(0x123456))), .monochrome) == "\u{1B}[1;1Hab")
  }
}
