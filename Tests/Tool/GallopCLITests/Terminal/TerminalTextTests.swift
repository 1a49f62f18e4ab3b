import GIFCaching
import GIFFlashes
import GIFStage
import GIFTimeline
import TerminalDisplay
import Testing

@testable import GallopCLI

@Suite("The frame bar")
struct FrameBarTests {
  private func text(
    _ tiers: [CacheMap.Tier], width: Int, playhead: Int? = nil, range: Range<Int>? = nil, count: Int? = nil
  ) -> String {
    let count = count ?? tiers.count
    return FrameBar(frameCount: count, width: width).text(
      tiers: tiers, playhead: playhead, range: range ?? 0..<count, glyphs: .ascii
    ).map(\.text).joined()
  }

  @Test("Each frame shows its cache tier")
  func tiers() {
    #expect(text([.hot, .warm, .inFlight, .cold], width: 4) == "#+*-")
    #expect(text([.hot, .warm, .inFlight, .cold], width: 8) == "##++**--")
    #expect(text([.hot, .hot, .hot, .hot], width: 4, playhead: 2) == "##O#")
    #expect(text([.hot, .hot, .hot, .hot], width: 4, range: 1..<3) == ".##.")
  }

  @Test("A shared cell shows frames in flight first, then the coldest")
  func shared() {
    #expect(text([.hot, .cold, .hot, .hot], width: 2) == "-#")
    #expect(text([.hot, .warm, .cold, .inFlight], width: 2) == "+*")
    #expect(text([.hot, .hot, .hot, .hot], width: 2, range: 3..<4) == ".#")
  }

  @Test("Frames missing in the map are cold")
  func unknown() {
    #expect(text([.hot], width: 3, count: 3) == "#--")
  }

  @Test("Without frames or room there is no bar")
  func empty() {
    #expect(text([], width: 5).isEmpty)
    #expect(text([.hot], width: 0).isEmpty)
    #expect(text([.hot], width: -4).isEmpty)
    #expect(FrameBar(frameCount: 0, width: 5).frame(at: 2) == nil)
    #expect(FrameBar(frameCount: 5, width: 0).frame(at: 0) == nil)
    #expect(FrameBar(frameCount: 5, width: 5).column(of: 5) == nil)
    #expect(FrameBar(frameCount: 5, width: 5).column(of: -1) == nil)
  }

  @Test("Each column maps to a frame, also beyond the ends")
  func places() {
    let bar = FrameBar(frameCount: 30, width: 100)
    #expect(bar.frame(at: 0) == 0 && bar.frame(at: 99) == 29 && bar.frame(at: 50) == 15)
    #expect(bar.frame(at: -5) == 0 && bar.frame(at: .max) == 29 && bar.frame(at: .min) == 0)
    #expect(FrameBar(frameCount: 30, width: 1).frame(at: 0) == 29)
  }

  @Test("The bar has its width and shows frames in order, for any numbers")
  func invariants() {
    for count in [1, 2, 3, 7, 30, 1000] {
      for width in [1, 2, 3, 7, 30, 100] {
        let bar = FrameBar(frameCount: count, width: width)
        #expect(text(Array(repeating: .hot, count: count), width: width, playhead: count / 2).count == width)
        let columns = (0..<count).compactMap { bar.column(of: $0) }
        #expect(columns.count == count && columns == columns.sorted())
        #expect((columns.last ?? 0) < width)
        let frames = (0..<width).compactMap { bar.frame(at: $0) }
        #expect(frames == frames.sorted() && frames.last == count - 1)
        // Where each frame has a cell of its own, going there and back is the same.
        if width >= count {
          #expect((0..<count).allSatisfy { bar.frame(at: bar.column(of: $0) ?? -1) == $0 })
        }
      }
    }
  }
}

@Suite("Sparklines")
struct SparklineTests {
  private func text(_ values: [Double], width: Int, least: Double = 0) -> String {
    Sparkline.text(values, width: width, least: least, steps: Array("012345678"))
  }

  @Test("Bars are as high as the values, the largest being full")
  func heights() {
    #expect(text([0, 1, 2, 4], width: 10) == "0248")
    #expect(text([1, 1], width: 2, least: 8) == "11")
  }

  @Test("With more values than room, each bar is the largest of its share")
  func shares() {
    #expect(text([8, 0, 0, 4], width: 2) == "84")
    #expect(text(Array(repeating: 0, count: 99) + [8], width: 3) == "008")
  }

  @Test("Any values are accepted")
  func odd() {
    #expect(text([], width: 5).isEmpty)
    #expect(text([1], width: 0).isEmpty && text([1], width: -1).isEmpty)
    #expect(text([0, 0], width: 2) == "00")
    #expect(text([-1, .nan, .infinity], width: 3).count == 3)
    #expect(Sparkline.text([1], width: 1, least: 1, steps: []).isEmpty)
  }
}

@Suite("The status line")
struct StatusLineTests {
  private var line: StatusLine {
    var line = StatusLine()
    line.name = "horse"
    line.isPlaying = true
    line.frame = 11
    line.frameCount = 30
    return line
  }

  @Test("It shows name, frame, speed and modes")
  func content() {
    #expect(line.text(columns: 50, glyphs: .ascii) == "> #11 of 30  horse  1.00x  forward  contain")
    var wall = line
    wall.tile = (2, 24)
    wall.properties.range = 3..<10
    wall.isPlaying = false
    #expect(
      wall.text(columns: 70, glyphs: .ascii)
        == "| #11 of 30  horse  tile 3/24  1.00x  forward  contain  range #3 - #9")
  }

  @Test("With enough room it lists the keys at the right")
  func keys() {
    let text = line.text(columns: 100, glyphs: .ascii)
    #expect(text.hasSuffix("  ? keys  q quit") && text.count == 100)
  }

  @Test("Why a GIF is held is said in ever fewer words, before all else")
  func flashes() {
    var held = line
    held.isPlaying = false
    held.flashes = FlashText.states(.held(nil))
    #expect(
      held.text(columns: 56, glyphs: .ascii) == "| #11 of 30  held: cannot be checked for flashes  horse")
    #expect(held.text(columns: 44, glyphs: .ascii) == "| #11 of 30  held: not checked  horse  1.00x")
    #expect(held.text(columns: 18, glyphs: .ascii) == "| #11 of 30  held")
    #expect(held.text(columns: 12, glyphs: .ascii) == "held")
  }

  @Test("Before the first frame, and with a picture that cannot be shown")
  func states() {
    var early = line
    early.frame = nil
    #expect(early.text(columns: 26, glyphs: .ascii) == ">   - of 30  horse  1.00x")
    early.state = "cannot be shown"
    #expect(early.text(columns: 30, glyphs: .ascii).hasPrefix("> cannot be shown  horse"))
  }

  @Test("A frame's number keeps its width, so that what follows stays in its place")
  func width() {
    var line = line
    let lines = [0, 9, 10, 29].map { frame in
      line.frame = frame
      return line.text(columns: 45, glyphs: .ascii)
    }
    #expect(lines[0].hasPrefix(">  #0 of 30  horse") && lines[3].hasPrefix("> #29 of 30  horse"))
    #expect(Set(lines.map(\.count)).count == 1)
  }

  @Test("While a GIF loads, more frames may follow, and it says how far it is")
  func loading() {
    var line = line
    line.isComplete = false
    line.frameCount = 12
    line.loading = "stalled, 45 %"
    #expect(line.text(columns: 45, glyphs: .ascii).hasPrefix("> #11 of 12+  stalled, 45 %  horse"))
  }

  @Test("A message takes the place of the line")
  func message() {
    var line = line
    line.message = "saved a\u{1B}.png"
    #expect(line.text(columns: 80, glyphs: .ascii) == "saved a\\x1B.png")
    #expect(line.text(columns: 6, glyphs: .ascii) == "saved~")
  }

  @Test("Control characters of a name are not printed")
  func names() {
    var hostile = line
    hostile.name = "a\u{1B}[2Jb"
    #expect(!hostile.text(columns: 80, glyphs: .ascii).unicodeScalars.contains("\u{1B}"))
  }

  @Test("It fits into every width")
  func widths() {
    var long = line
    long.name = String(repeating: "馬", count: 50)
    for columns in 0...200 {
      for line in [line, long] {
        for glyphs in [BarGlyphs.ascii, .blocks] {
          #expect(CellText.columns(of: line.text(columns: columns, glyphs: glyphs)) <= columns)
        }
      }
    }
    #expect(line.text(columns: 1, glyphs: .ascii) == "~")
  }
}

@Suite("The help as text")
struct SceneKeyTextTests {
  private func lines(_ columns: Int, _ rows: Int) -> [String] {
    SceneKeyText.lines(columns: columns, rows: rows).map { $0.map(\.text).joined() }
  }

  @Test("It has a line for each key that a terminal has")
  func content() {
    let lines = lines(80, 22)
    #expect(lines.contains("enter     open the selected GIF, or go back"))
    #expect(lines.contains("s         save the frame as PNG") && lines.last == "q         quit")
    #expect(!lines.contains { $0.hasPrefix("F11") })
  }

  @Test("With few rows it takes more columns if there is room")
  func columns() {
    #expect(lines(110, 9).count == 9)
    #expect(lines(110, 9).joined().contains("q         quit"))
    #expect(lines(110, 9)[0].contains("play or pause") && lines(110, 9)[0].contains("scroll several GIFs"))
  }

  @Test("It fits into every size")
  func sizes() {
    for columns in [1, 5, 11, 30, 80, 110, 300] {
      for rows in [0, 1, 3, 8, 15, 40] {
        let lines = lines(columns, rows)
        #expect(lines.count <= rows && lines.allSatisfy { CellText.columns(of: $0) <= columns })
      }
    }
  }
}

@Suite("Wrapped text")
struct WrappedTextTests {
  @Test("Texts wrap at spaces within the columns and rows")
  func wrapping() {
    #expect(WrappedText.lines("one two three", columns: 7, limit: 5) == ["one two", "three"])
    #expect(WrappedText.lines("one two three", columns: 7, limit: 1) == ["one tw~"])
    #expect(WrappedText.lines("abcdefgh ij", columns: 3, limit: 9) == ["abc", "def", "gh", "ij"])
    #expect(WrappedText.lines("", columns: 3, limit: 9).isEmpty)
    #expect(WrappedText.lines("a", columns: 0, limit: 9).isEmpty)
    #expect(WrappedText.lines("漢字", columns: 1, limit: 9).count == 1)
  }
}

@Suite("The overlay as text")
struct OverlayTextTests {
  private var overlay: OverlayText {
    var subject = OverlaySubject()
    subject.name = "horse"
    subject.canvas = "480x270"
    subject.delays = [30, 30, 30, 70]
    subject.tiers = [.hot, .warm, .inFlight, .cold]
    subject.playhead = 1
    var recorder = StatisticsRecorder()
    recorder.noteDropped(7)
    return OverlayText(statistics: SceneStatistics(subject: subject, recorder: recorder), range: 0..<4)
  }

  private func lines(_ columns: Int) -> [String] {
    overlay.lines(columns: columns, glyphs: .ascii).map { $0.map(\.text).joined() }
  }

  @Test("It shows the values of the window's overlay")
  func content() {
    let lines = lines(80)
    #expect(lines.count == TerminalLayout.overlayRows)
    #expect(lines[0] == "horse  480x270  frame #1 of 4")
    #expect(lines[1] == "cache     #O*-  1 hot, 1 warm, 1 decoding of 4")
    #expect(lines[2] == "delays    ===#  30 - 70 ms" || lines[2] == "delays    ---#  30 - 70 ms")
    #expect(lines[3].hasPrefix("lateness  ") && lines[3].hasSuffix("p50 0.0, p99 0.0, worst 0.0 ms"))
    #expect(lines[4].contains("frames"))
    #expect(lines[5].contains("dropped 7"))
  }

  @Test("Without room for graphs the numbers stay")
  func narrow() {
    #expect(lines(30)[1] == "cache     1 hot, 1 warm, 1 decoding of 4")
    for columns in 0...30 { #expect(lines(columns).count == TerminalLayout.overlayRows) }
  }
}

@Suite("Light and dark terminals")
struct TerminalColorTests {
  @Test("The playhead has the terminal's own text colour, which shows on any background")
  func playhead() {
    let runs = FrameBar(frameCount: 4, width: 4).text(tiers: [], playhead: 1, range: 0..<4, glyphs: .blocks)
    let mark = runs.first { $0.text == "◆" }
    #expect(mark?.style == CellStyle(isBold: true))
  }
}

@Suite("Keys of the terminal")
struct TerminalKeyTests {
  @Test(
    "They are those of a window; the ones that windows have not stand for others",
    arguments: [
      (Key.space, StageKey.space), (.character("x"), .character("x")), (.enter, .enter), (.left, .left),
      (.pageDown, .pageDown), (.character("Q"), .character("q")), (.control("c"), .character("q")),
      (.control("d"), .character("q")), (.backTab, .character("p")),
    ])
  func keys(_ key: Key, _ stageKey: StageKey) { #expect(StageKey(key) == stageKey) }

  @Test(
    "Others do nothing", arguments: [Key.insert, .delete, .backspace, .function(1), .alternate("q")])
  func others(_ key: Key) { #expect(StageKey(key) == nil) }
}
