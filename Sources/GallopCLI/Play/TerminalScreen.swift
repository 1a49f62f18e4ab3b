internal import GIFDecoding
internal import GIFPlayback
internal import TerminalDisplay

/// What stands on the terminal: the picture, and a status line in the last row.
struct TerminalScreen {
  private let session: TerminalSession
  private let capabilities: TerminalCapabilities
  private let renderer: TerminalRenderer
  private var drawnFrame: Int?
  private var drawnStatus = ""

  init(session: TerminalSession, capabilities: TerminalCapabilities) {
    self.session = session
    self.capabilities = capabilities
    renderer = TerminalRenderer(capabilities: capabilities)
  }

  var waker: TerminalWaker { session.waker }

  /// Nothing of what was drawn counts any more: the next drawing begins with an empty screen.
  mutating func forget() {
    drawnFrame = nil
    drawnStatus = ""
    try? session.output.write(renderer.clearScreen())
  }

  /// Draws what has changed since the last time.
  ///
  /// - Parameter place: which of how many files is shown.
  mutating func draw(_ player: GIFPlayer, name: String, place: (index: Int, count: Int)) throws {
    let size = session.size
    if let frame = player.currentFrame, frame.index != drawnFrame {
      let picture = try PictureSize(width: frame.pixels.width, height: frame.pixels.height)
      let placement = TerminalPlacement.fit(
        picture, into: size.area(for: .symbols).leaving(rows: 1), cell: size.cell,
        graphics: capabilities.graphics)
      try session.output.write(renderer.render(frame.pixels.span, at: placement))
      drawnFrame = frame.index
    }
    let status = StatusLine(player, name: name, place: place, columns: size.columns).text
    guard status != drawnStatus else { return }
    drawnStatus = status
    // To the last row, in reverse video, and the rest of the row cleared.
    try session.output.write(Array("\u{1B}[\(size.rows);1H\u{1B}[7m\(status)\u{1B}[0m\u{1B}[K".utf8))
  }
}

/// The line below the picture.
struct StatusLine {
  let text: String

  init(_ player: GIFPlayer, name: String, place: (index: Int, count: Int), columns: Int) {
    let state =
      switch player.state {
      case .playing: "playing"
      case .paused: "paused"
      case .stopped: "stopped"
      case .finished: "finished"
      case .failed: "cannot be shown"
      }
    let frame = player.currentFrame.map { "\($0.index + 1)/\(player.image.frameCount)" } ?? "loading"
    var parts = [name, frame, state, "\(player.rate.rounded(to: 2))x"]
    if place.count > 1 { parts.insert("\(place.index + 1) of \(place.count)", at: 0) }
    parts.append("space arrows + - r " + (place.count > 1 ? "n p " : "") + "q")
    text = Self.fitted(" " + parts.map(InfoReport.printable).joined(separator: "  ") + " ", columns: columns)
  }

  /// Cut to the terminal's width, one column kept free so that no terminal wraps the line.
  static func fitted(_ text: String, columns: Int) -> String { String(text.prefix(max(0, columns - 1))) }
}
