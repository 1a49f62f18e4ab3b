internal import Gallop
internal import TerminalDisplay

/// The characters of bars and graphs.
struct BarGlyphs: Equatable {
  let hot: Character
  let warm: Character
  let inFlight: Character
  let cold: Character
  let playhead: Character
  let outside: Character
  /// From low to high.
  let steps: [Character]
  let playing: String
  let paused: String

  /// For terminals with all block characters.
  static let blocks = BarGlyphs(
    hot: "█", warm: "▓", inFlight: "▒", cold: "░", playhead: "◆", outside: "·", steps: Array("▁▂▃▄▅▆▇█"),
    playing: "▶", paused: "‖")
  /// For other terminals.
  static let ascii = BarGlyphs(
    hot: "#", warm: "+", inFlight: "*", cold: "-", playhead: "O", outside: ".", steps: Array("_.:-=+*#"),
    playing: ">", paused: "|")

  static func matching(_ glyphs: TerminalGlyphs) -> BarGlyphs { glyphs >= .quarterBlocks ? blocks : ascii }
}

/// A text of one style.
struct StyledText: Equatable {
  var text: String
  var style = CellStyle()
}

/// A bar of all frames: their cache tiers, the playhead, and the range.
struct FrameBar: Equatable {
  let frameCount: Int
  /// Cells of the row.
  let width: Int

  init(frameCount: Int, width: Int) {
    self.frameCount = max(0, frameCount)
    self.width = max(0, width)
  }

  /// The frame at a column, clamped to the bar; nil without frames.
  func frame(at column: Int) -> Int? {
    guard frameCount > 0, width > 0 else { return nil }
    let column = min(max(0, column), width - 1)
    // The last cell means the last frame, also if several frames share it.
    return column == width - 1 ? frameCount - 1 : column * frameCount / width
  }

  /// The cell of a frame; nil if there is no such frame.
  func column(of frame: Int) -> Int? {
    guard (0..<frameCount).contains(frame), width > 0 else { return nil }
    // The middle of the frame's cells.
    return (2 * frame + 1) * width / (2 * frameCount)
  }

  /// The frames that share a cell.
  private func frames(at column: Int) -> Range<Int> {
    let first = min(frameCount - 1, column * frameCount / width)
    return first..<max(first + 1, min(frameCount, (column + 1) * frameCount / width))
  }

  /// - Parameters:
  ///   - tiers: the cache tiers of the frames; missing frames are cold.
  ///   - range: the frames that are played.
  func text(
    tiers: [CacheMap.Tier], playhead: Int?, range: Range<Int>, glyphs: BarGlyphs
  ) -> [StyledText] {
    guard frameCount > 0 else { return [] }
    let mark = playhead.flatMap { column(of: $0) }
    var runs: [StyledText] = []
    for column in 0..<width {
      let frames = frames(at: column)
      let (character, style) =
        column == mark
        ? (glyphs.playhead, CellStyle(isBold: true))
        : frames.overlaps(range)
          ? Self.mark(Self.tier(of: frames, in: tiers), glyphs)
          : (glyphs.outside, CellStyle(foreground: .palette(8)))
      if runs.last?.style == style {
        runs[runs.count - 1].text.append(character)
      } else {
        runs.append(StyledText(text: String(character), style: style))
      }
    }
    return runs
  }

  /// The tier of frames that share a cell: in flight if any is, otherwise the coldest.
  private static func tier(of frames: Range<Int>, in tiers: [CacheMap.Tier]) -> CacheMap.Tier {
    let held = frames.map { tiers.indices.contains($0) ? tiers[$0] : .cold }
    if held.contains(.inFlight) { return .inFlight }
    if held.contains(.cold) { return .cold }
    return held.contains(.warm) ? .warm : .hot
  }

  private static func mark(_ tier: CacheMap.Tier, _ glyphs: BarGlyphs) -> (Character, CellStyle) {
    switch tier {
    case .hot: (glyphs.hot, CellStyle(foreground: .palette(6)))
    case .warm: (glyphs.warm, CellStyle(foreground: .palette(3)))
    case .inFlight: (glyphs.inFlight, CellStyle(foreground: .palette(2)))
    case .cold: (glyphs.cold, CellStyle(foreground: .palette(8)))
    }
  }
}

/// Values over time or frames as a row of bars.
enum Sparkline {
  /// - Parameters:
  ///   - values: not negative; if there are more than fit, each bar shows the largest of its share.
  ///   - least: the smallest value for the full height.
  static func text(_ values: [Double], width: Int, least: Double, steps: [Character]) -> String {
    guard width > 0, !values.isEmpty, let top = steps.indices.last else { return "" }
    let bars = shares(of: values, count: min(width, values.count))
    let highest = max(least, bars.max() ?? 0)
    return String(
      bars.map { value in
        let part = highest > 0 && value.isFinite ? min(1, max(0, value / highest)) : 0
        return steps[Int((part * Double(top)).rounded())]
      })
  }

  private static func shares(of values: [Double], count: Int) -> [Double] {
    (0..<count).map { place in
      values[place * values.count / count..<(place + 1) * values.count / count].max() ?? 0
    }
  }
}
