internal import Gallop

extension InfoReport {
  /// The report as text.
  ///
  /// - Parameter shown: the frames that have a line each.
  func table(name: String, frames shown: [Int]?, style: TextStyle = .plain) -> String {
    var lines = [style.bold(Printable.text(name))]
    func add(_ title: String, _ text: String) {
      lines.append("  " + style.faint(title) + String(repeating: " ", count: 10 - title.count) + text)
    }
    let isStill = frameCount < 2
    add("canvas", "\(width) x \(height)")
    add(
      "frames", "\(frameCount)" + (isStill ? "" : ", \(playsText)") + (isComplete ? "" : ", file incomplete"))
    if !isStill { add("duration", "\(seconds(durationMs)) a loop (\(delays))") }
    if let framesPerSecond { add("rate", "\(framesPerSecond.rounded(to: 1)) frames a second on average") }
    let decoded = Double(width) * Double(height) * 4 * Double(frameCount)
    add("size", "\(amount(Double(bytes))), \(amount(decoded)) decoded")
    add("palette", palettes)
    add("version", "GIF" + Printable.text(version) + (applications.map { ", \($0)" } ?? ""))
    if let traits { add("contains", traits) }
    for (place, line) in (flashes?.lines ?? []).enumerated() { add(place == 0 ? "flashes" : "", line) }
    for (comment, count) in countedComments {
      add("comment", comment + (count > 1 ? style.faint("  (\(count) times)") : ""))
    }
    for diagnostic in diagnostics {
      let place = diagnostic.frame.map { "frame #\($0): " } ?? ""
      lines.append(
        "  " + style.warning("warning") + "   \(place)\(diagnostic.message) (byte \(diagnostic.offset))")
    }
    if let shown { lines += frameLines(shown, style) }
    return lines.joined(separator: "\n") + "\n"
  }

  private var playsText: String {
    switch plays {
    case .forever: "plays forever"
    case .times(1): "plays once"
    case .times(let count): "plays \(count) times"
    }
  }

  private var delays: String {
    let all = frames.map(\.delayMs)
    guard let shortest = all.min(), let longest = all.max() else { return "" }
    return shortest == longest ? "\(shortest) ms each" : "\(shortest) - \(longest) ms"
  }

  private var palettes: String {
    let local = frames.compactMap(\.paletteSize)
    let global =
      globalPaletteSize.map { "\($0) colours, background \(backgroundIndex)" } ?? "none for all frames"
    guard let least = local.min(), let most = local.max() else { return global }
    let sizes = least == most ? "\(least)" : "\(least) - \(most)"
    return global + ", \(local.count) local with \(sizes) colours"
  }

  /// The programs that left extensions, each once.
  private var applications: String? {
    let names = applicationExtensions.map { Self.printable($0.identifier) }
    var seen: Set<String> = []
    let once = names.filter { seen.insert($0).inserted }
    return once.isEmpty ? nil : "extensions of " + once.joined(separator: ", ")
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

  /// The comments in order, each once, and how often it occurs.
  private var countedComments: [(text: String, count: Int)] {
    var counts: [String: Int] = [:]
    let texts = comments.map(Self.printable)
    for text in texts { counts[text, default: 0] += 1 }
    return texts.compactMap { text in counts.removeValue(forKey: text).map { (text, $0) } }
  }

  private func frameLines(_ shown: [Int], _ style: TextStyle) -> [String] {
    let hasHashes = shown.contains { frames[$0].md5 != nil }
    let header =
      ["frame", "delay ms", "stored", "x", "y", "width", "height", "disposal", "flags", "status"]
      + (hasHashes ? ["md5"] : [])
    let rows = shown.map { index in
      let frame = frames[index]
      let flags =
        (frame.keyframe ? "k" : "-") + (frame.transparent ? "t" : "-") + (frame.interlaced ? "i" : "-")
        + (frame.localPalette ? "p" : "-")
      return [
        "\(frame.index)", "\(frame.delayMs)", "\(frame.rawDelayMs)", "\(frame.x)", "\(frame.y)",
        "\(frame.width)",
        "\(frame.height)", "\(frame.disposal)", flags, frame.status ?? "",
      ] + (hasHashes ? [frame.md5 ?? ""] : [])
    }
    let widths = header.indices.map { column in ([header] + rows).map { $0[column].count }.max() ?? 0 }
    let lines = ([header] + rows).map { row in
      "  "
        + zip(row, widths).map { cell, width in
          String(repeating: " ", count: width - cell.count) + cell
        }.joined(separator: "  ")
    }
    return lines.prefix(1).map(style.bold) + lines.dropFirst() + [
      "  flags: k key frame, t transparency, i interlaced, p palette of its own"
    ]
  }

  /// A comment on one line: what could command the terminal becomes spaces.
  static func printable(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { Printable.isEscaped($0) ? " " : $0 }))
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
