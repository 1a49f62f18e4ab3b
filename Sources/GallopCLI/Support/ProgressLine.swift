internal import GIFPlayback

/// One line on a terminal's standard error that shows how far long work is; nothing where that is no terminal.
struct ProgressLine {
  private let label: String
  private let total: Int
  private let time = MonotonicTimeSource()
  private let start: PlaybackInstant
  private var lastDrawn: PlaybackInstant
  private var isShown = false

  init(_ label: String, total: Int) {
    self.label = label
    self.total = total
    start = time.now()
    lastDrawn = start
  }

  /// Short work shows nothing: the line appears after half a second and moves ten times a second.
  mutating func update(_ done: Int) {
    guard StandardError.isTerminal else { return }
    let now = time.now()
    guard now - start > .milliseconds(500), now - lastDrawn > .milliseconds(100) else { return }
    lastDrawn = now
    isShown = true
    StandardError.write("\r\u{1B}[K\(label): \(done) of \(total) frames (\(done * 100 / max(1, total)) %)")
  }

  mutating func end() {
    if isShown { StandardError.write("\r\u{1B}[K") }
    isShown = false
  }
}
