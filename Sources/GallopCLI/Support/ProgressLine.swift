internal import GIFPlayback
internal import GIFTimeline

/// One line on a terminal's standard error that shows how far long work is; nothing where that is no terminal.
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

  /// Short work shows nothing: the line appears after half a second and moves ten times a second.
  ///
  /// - Parameter total: nil where it is not known.
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
