internal import GIFDecoding

extension InfoReport {
  /// The report as text.
  func table(showsFrames: Bool) -> String {
    var lines = [path]
    let plays =
      switch self.plays {
      case .forever: "plays forever"
      case .times(1): "plays once"
      case .times(let count): "plays \(count) times"
      }
    let isStill = frameCount < 2
    lines.append("  canvas    \(width) x \(height)")
    lines.append(
      "  frames    \(frameCount)" + (isStill ? "" : ", \(plays)") + (isComplete ? "" : ", file incomplete"))
    if !isStill { lines.append("  duration  \(seconds(durationMs)) a loop (\(delays))") }
    let decoded = Double(width) * Double(height) * 4 * Double(frameCount)
    lines.append("  size      \(amount(Double(bytes))), \(amount(decoded)) decoded")
    if let traits { lines.append("  contains  \(traits)") }
    for comment in comments { lines.append("  comment   \(Self.printable(comment))") }
    for diagnostic in diagnostics {
      let place = diagnostic.frame.map { "frame \($0): " } ?? ""
      lines.append("  warning   \(place)\(diagnostic.message) (byte \(diagnostic.offset))")
    }
    if showsFrames { lines += frameLines }
    return lines.joined(separator: "\n") + "\n"
  }

  private var delays: String {
    let all = frames.map(\.delayMs)
    guard let shortest = all.min(), let longest = all.max() else { return "" }
    return shortest == longest ? "\(shortest) ms each" : "\(shortest) - \(longest) ms"
  }

  private var traits: String? {
    let named: [(String, Int)] = [
      ("local palettes", frames.count(where: \.localPalette)),
      ("transparency", frames.count(where: \.transparent)),
      ("interlace", frames.count(where: \.interlaced)), ("key frames", frames.count(where: \.keyframe)),
    ]
    let present = named.filter { $0.1 > 0 }.map { "\($0.0) (\($0.1))" }
    return present.isEmpty ? nil : present.joined(separator: ", ")
  }

  private var frameLines: [String] {
    let header = ["frame", "delay ms", "stored", "x", "y", "width", "height", "disposal", "flags", "status"]
    let rows = frames.map { frame in
      let flags =
        (frame.keyframe ? "k" : "-") + (frame.transparent ? "t" : "-") + (frame.interlaced ? "i" : "-")
        + (frame.localPalette ? "p" : "-")
      return [
        "\(frame.index)", "\(frame.delayMs)", "\(frame.rawDelayMs)", "\(frame.x)", "\(frame.y)",
        "\(frame.width)",
        "\(frame.height)", "\(frame.disposal)", flags, frame.status ?? "",
      ]
    }
    let widths = header.indices.map { column in ([header] + rows).map { $0[column].count }.max() ?? 0 }
    return ([header] + rows).map { row in
      "  "
        + zip(row, widths).map { cell, width in
          String(repeating: " ", count: width - cell.count) + cell
        }.joined(separator: "  ")
    } + ["  flags: k key frame, t transparency, i interlaced, p palette of its own"]
  }

  /// A comment on one line: control characters, which could command the terminal, become spaces.
  static func printable(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
  }
}

/// Milliseconds as seconds with three decimals.
func seconds(_ milliseconds: Int) -> String {
  let rest = "\(milliseconds % 1000)"
  return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest + " s"
}

/// Bytes in a suitable unit, with one decimal from kilobytes on.
func amount(_ bytes: Double) -> String {
  var value = bytes
  var units = ["bytes", "KB", "MB", "GB", "TB"][...]
  while value >= 1000, units.count > 1 {
    value /= 1000
    units.removeFirst()
  }
  if units.count == 5 { return "\(Int(bytes)) bytes" }
  return "\((value * 10).rounded() / 10) \(units.first ?? "")"
}
