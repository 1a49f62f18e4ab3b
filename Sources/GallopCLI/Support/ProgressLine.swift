internal import GIFPlayback
internal import GIFTimeline

/// A progress line on standard error, shown only on a terminal.
struct ProgressLine {
  private let label: String
  private let unit: String
  private let time = MonotonicTimeSource()
  private let start: PlaybackInstant
  private var lastDrawn: PlaybackInstant
  private var isShown = false

  init(_ label: String, unit: String) {
    self.label = label
    self.unit = unit
    start = time.now()
    lastDrawn = start
  }

  /// Updates the line, which appears after half a second and changes ten times a second.
  ///
  /// - Parameter total: nil if it is unknown.
  mutating func update(_ done: Int, of total: Int?) {
    guard StandardError.isTerminal else { return }
    let now = time.now()
    guard now - start > .milliseconds(500), now - lastDrawn > .milliseconds(100) else { return }
    lastDrawn = now
    isShown = true
    let amount = total.map { "\(done) of \($0) \(unit) (\(Int(Double(done) / Double(max(1, $0)) * 100)) %)" }
    StandardError.write("\r\u{1B}[K\(label): \(amount ?? "\(done) \(unit)")")
  }

  mutating func end() {
    if isShown { StandardError.write("\r\u{1B}[K") }
    isShown = false
  }
}
