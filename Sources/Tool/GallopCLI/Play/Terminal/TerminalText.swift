internal import GIFStage
internal import Gallop
internal import TerminalDisplay

/// The text of the status line.
struct StatusLine {
  var name = ""
  var isPlaying = false
  /// A text that replaces playing or paused.
  var state: String?
  /// The frame shown; nil before the first one.
  var frame: Int?
  var frameCount = 0
  /// Whether those are all.
  var isComplete = true
  /// The progress of loading; nil if it does not load.
  var loading: String?
  /// What became of a GIF that flashes, in ever fewer words: one of them always has room.
  var flashes: [String] = []
  /// A text that takes the place of the line.
  var message: String?
  /// How the GIF is shown and played.
  var properties = ImageProperties()
  /// The number of the tile and of all; nil for a single one.
  var tile: (index: Int, count: Int)?

  /// The line for a number of cells; parts that do not fit are left out, the least important first.
  func text(columns: Int, glyphs: BarGlyphs) -> String {
    if let message { return CellText.truncated(Printable.text(message), columns: columns) }
    var line = ""
    let room = columns - CellText.columns(of: place(glyphs)) - 2
    let flashes = flashes.first { CellText.columns(of: $0) <= room } ?? flashes.last
    if let flashes, CellText.columns(of: flashes) > room {
      return CellText.truncated(flashes, columns: columns)
    }
    for part in [place(glyphs), flashes].compactMap(\.self) + details {
      let longer = line.isEmpty ? part : line + "  " + part
      guard CellText.columns(of: longer) <= columns else { continue }
      line = longer
    }
    if line.isEmpty { return CellText.truncated(place(glyphs), columns: columns) }
    let rest = columns - CellText.columns(of: line) - CellText.columns(of: SceneKey.hints)
    return rest >= 2 ? line + String(repeating: " ", count: rest) + SceneKey.hints : line
  }

  private func place(_ glyphs: BarGlyphs) -> String {
    let sign = isPlaying ? glyphs.playing : glyphs.paused
    if let state { return "\(sign) \(state)" }
    let text = FrameText.place(frame, of: frameCount, isComplete: isComplete)
    // What follows keeps its place while frames of one, two and three digits pass.
    let widest = FrameText.place(max(0, frameCount - 1), of: frameCount, isComplete: isComplete)
    return sign + String(repeating: " ", count: 1 + max(0, widest.count - text.count)) + text
  }

  private var details: [String] {
    var parts = [loading, Printable.text(name)].compactMap { $0 }
    if let tile { parts.append("tile \(tile.index + 1)/\(tile.count)") }
    parts += [
      "\(NumberFormat.decimal(properties.rate, places: 2))x", properties.mode.rawValue,
      properties.resizeMode.rawValue,
    ]
    if let range = properties.range?.clamped(to: 0..<frameCount) {
      parts.append("range \(FrameText.range(range))")
    }
    return parts
  }
}

/// A text in lines of a width, broken at spaces.
enum WrappedText {
  /// - Parameter limit: the largest number of lines; the last one is cut if there are more.
  static func lines(_ text: String, columns: Int, limit: Int) -> [String] {
    guard columns > 0 else { return [] }
    var lines: [String] = []
    var words = text.split(separator: " ")[...]
    while !words.isEmpty, lines.count < limit {
      if lines.count == limit - 1 {
        return lines + [CellText.truncated(words.joined(separator: " "), columns: columns)]
      }
      var line = cut(&words, columns: columns)
      while let word = words.first, CellText.columns(of: line + " " + word) <= columns {
        line += " " + word
        words.removeFirst()
      }
      lines.append(line)
    }
    return lines
  }

  /// The first word, or as much of it as fits; the rest stays.
  private static func cut(_ words: inout ArraySlice<Substring>, columns: Int) -> String {
    let word = words.removeFirst()
    var used = 0
    let end = word.unicodeScalars.firstIndex { scalar in
      used += CellText.columns(of: scalar)
      return used > columns
    }
    guard let end, end > word.startIndex else { return String(word) }
    words = [word[end...]] + words
    return String(word[..<end])
  }
}

/// The help as lines of text.
enum SceneKeyText {
  private static let keyColumns = 10
  private static let gap = 3

  /// The keys and what they do, in as many columns as the rows ask for and fit.
  ///
  /// - Returns: at most `rows` lines, each at most `columns` wide.
  static func lines(columns: Int, rows: Int) -> [[StyledText]] {
    let all = SceneKey.ofTerminal
    let width = keyColumns + (all.map { CellText.columns(of: $0.action) }.max() ?? 0)
    let wanted = rows > 0 ? (all.count + rows - 1) / rows : 1
    let count = max(1, min(wanted, (columns + gap) / (width + gap)))
    let height = min(max(0, rows), (all.count + count - 1) / count)
    return (0..<height).map { row in
      stride(from: row, to: min(all.count, count * height), by: height).flatMap { index in
        let isLast = index + height >= min(all.count, count * height)
        let room = isLast ? columns - index / height * (width + gap) : width + gap
        return cells(all[index], columns: room, fills: !isLast)
      }
    }
  }

  private static func cells(_ line: SceneKey, columns: Int, fills: Bool) -> [StyledText] {
    let key = CellText.truncated(padded(line.names, to: keyColumns), columns: columns)
    let action = CellText.truncated(line.action, columns: columns - keyColumns)
    return [
      StyledText(text: key, style: CellStyle(foreground: .palette(6))),
      StyledText(text: fills ? padded(action, to: columns - keyColumns) : action),
    ]
  }

  private static func padded(_ text: String, to columns: Int) -> String {
    text + String(repeating: " ", count: max(0, columns - CellText.columns(of: text)))
  }
}

/// The debug overlay as lines of text.
struct OverlayText {
  var statistics: SceneStatistics
  /// The frames that are played.
  var range: Range<Int>

  private var subject: OverlaySubject { statistics.subject }
  private var recorder: StatisticsRecorder { statistics.recorder }

  private static let labelColumns = 10
  private static let faint = CellStyle(foreground: .palette(8))

  /// The lines, each for about this number of cells.
  func lines(columns: Int, glyphs: BarGlyphs) -> [[StyledText]] {
    [
      title,
      graph("cache", statistics.cache, columns) { width in
        FrameBar(frameCount: subject.delays.count, width: min(width, max(1, subject.delays.count))).text(
          tiers: subject.tiers, playhead: subject.playhead, range: range, glyphs: glyphs)
      },
      graph("delays", statistics.delays, columns) {
        bars(subject.delays.map(Double.init), $0, least: 1, glyphs)
      },
      graph("lateness", statistics.lateness, columns) { width in
        bars(recorder.worstLateness.values.suffix(width), width, least: StatisticsRecorder.refresh, glyphs)
      },
      graph("memory", statistics.memory, columns) { width in
        bars(recorder.memory.values.suffix(width), width, least: 1, glyphs)
      },
      counters,
    ]
  }

  private func bars(_ values: [Double], _ width: Int, least: Double, _ glyphs: BarGlyphs) -> [StyledText] {
    let text = Sparkline.text(values, width: width, least: least, steps: glyphs.steps)
    return [StyledText(text: text, style: CellStyle(foreground: .palette(6)))]
  }

  /// A label, a graph in the remaining room, and a value.
  private func graph(
    _ label: String, _ value: String, _ columns: Int, _ draw: (Int) -> [StyledText]
  ) -> [StyledText] {
    let padded = label + String(repeating: " ", count: max(1, Self.labelColumns - label.count))
    let room = columns - Self.labelColumns - CellText.columns(of: value) - 2
    let runs = room >= 4 ? draw(room) : []
    return [StyledText(text: padded, style: Self.faint)] + runs
      + [StyledText(text: runs.isEmpty ? value : "  " + value)]
  }

  private var title: [StyledText] {
    let place = statistics.place.map { "frame " + $0 } ?? "no frame yet"
    let name = Printable.text(subject.name)
    return [StyledText(text: "\(name)  \(statistics.size)  \(place)", style: CellStyle(isBold: true))]
  }

  private var counters: [StyledText] {
    statistics.counters(updates: "draws").flatMap { counter in
      [StyledText(text: counter.name + " ", style: Self.faint), StyledText(text: counter.value + "  ")]
    }
  }
}
