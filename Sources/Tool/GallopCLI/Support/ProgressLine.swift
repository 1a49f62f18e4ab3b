internal import Gallop
internal import Glibc
internal import TerminalDisplay

/// The place of a file among those of a command.
struct ProgressPlace {
  /// From 1.
  let number: Int
  let count: Int
  /// When the first file began.
  let start: PlaybackInstant
}

/// A progress line on standard error, shown only on a terminal.
struct ProgressLine {
  private var label: String
  private let unit: String
  private var place: ProgressPlace?
  private var start: PlaybackInstant
  private var lastDrawn: PlaybackInstant
  private var isShown = false
  private let isSilent: Bool

  init(
    _ label: String = "", unit: String = "", place: ProgressPlace? = nil,
    isSilent: Bool = !StandardError.isTerminal
  ) {
    self.isSilent = isSilent
    self.label = label
    self.unit = unit
    self.place = place
    lastDrawn = PlaybackInstant.now
    start = place?.start ?? lastDrawn
  }

  /// Updates the line, which appears after half a second and changes ten times a second.
  ///
  /// - Parameter total: nil if it is unknown.
  mutating func update(_ done: Int, of total: Int?) { draw(done, of: total) }

  /// Updates the line for the next file of a command.
  mutating func begin(_ label: String, at place: ProgressPlace) {
    self.label = label
    self.place = place
    start = place.start
    draw(nil, of: nil)
  }

  private mutating func draw(_ done: Int?, of total: Int?) {
    guard !isSilent, !StandardError.isQuiet else { return }
    let now = PlaybackInstant.now
    guard now - start > .milliseconds(500), now - lastDrawn > .milliseconds(100) else { return }
    lastDrawn = now
    isShown = true
    let text = ProgressText(
      label: label, unit: unit, number: place?.number ?? 1, count: place?.count ?? 1, done: done,
      total: total,
      elapsed: now - start)
    StandardError.write("\r\u{1B}[K" + text.line(columns: Self.columns))
  }

  mutating func end() {
    if isShown { StandardError.write("\r\u{1B}[K") }
    isShown = false
  }

  private static var columns: Int {
    var size = winsize()
    guard unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }
}

/// The text of a progress line.
struct ProgressText {
  var label: String
  var unit: String
  /// Which file it is, from 1, and of how many.
  var number = 1
  var count = 1
  /// Nil if only the file is known.
  var done: Int?
  /// Nil if it is unknown.
  var total: Int?
  /// Since the first file began.
  var elapsed: Duration

  /// The line, which never reaches the last column. The label is cut first.
  func line(columns: Int) -> String {
    let head = count > 1 ? "file \(number) of \(count): " : ""
    let part = total.map { " of \($0) \(unit) (\(Int(share * 100)) %)" } ?? " \(unit)"
    let tail = (done.map { ": \($0)" + part } ?? "") + (secondsLeft.map { ", \(Self.clock($0)) left" } ?? "")
    let room = columns - 1 - CellText.columns(of: head) - CellText.columns(of: tail)
    let name = CellText.truncated(Printable.text(label), columns: max(8, room))
    return CellText.truncated(head + name + tail, columns: columns - 1)
  }

  /// The share of the present file that is done.
  private var share: Double { min(1, Double(done ?? 0) / Double(max(1, total ?? 1))) }

  /// An estimate by what is done; nil at the beginning.
  private var secondsLeft: Int? {
    guard total != nil || done == nil else { return nil }
    let part = (Double(number - 1) + share) / Double(max(1, count))
    let seconds = Double(elapsed.components.seconds)
    guard part >= 0.02, seconds >= 1 else { return nil }
    return Int((seconds * (1 - part) / part).rounded(.up))
  }

  private static func clock(_ seconds: Int) -> String {
    "\(seconds / 60):" + (seconds % 60 < 10 ? "0" : "") + "\(seconds % 60)"
  }
}
