/// A user's command to a ``PlayerScene``, and to the terminal's wall, which has the same keys.
public enum SceneCommand: Sendable, Hashable {
  /// Plays or pauses.
  case togglePlayback
  /// Pauses and shows the frame this many steps on, or back if negative.
  case step(by: Int)
  /// Raises the speed by ``rateFactor``.
  case faster
  /// Lowers the speed by ``rateFactor``.
  case slower
  /// Plays at the file's own speed.
  case normalRate
  /// Plays in reverse, or forward again.
  case toggleReverse
  /// Plays back and forth, or forward again.
  case toggleBounce
  /// Starts the range at the current frame.
  case setRangeStart
  /// Ends the range at the current frame.
  case setRangeEnd
  /// Plays all frames again.
  case clearRange
  /// Goes on to the next of contain, cover and stretch.
  case nextResizeMode
  /// Shows or hides the debug overlay.
  case toggleOverlay
  /// Shows the first frame.
  case firstFrame
  /// Shows the last frame.
  case lastFrame
  /// Scrolls a grid by rows, down if positive.
  case scroll(rows: Int)
  /// Scrolls a grid by pages, down if positive.
  case scrollPage(Int)
  /// Scrolls a grid to its top.
  case scrollToStart
  /// Scrolls a grid to its end.
  case scrollToEnd
  /// Selects another item of a grid.
  case select(by: Int)
  /// Selects an item of a grid by rows, down if positive.
  case selectRow(by: Int)
  /// Shows the selected item of a grid large.
  case open
  /// Saves the current frame as a file.
  case saveFrame
  /// Saves the range of frames as a file.
  case saveRange
  /// Shows or hides the help.
  case toggleHelp
  /// Fills the screen, or ends that.
  case toggleFullscreen
  /// Closes the help or the large item, leaves the full screen, or quits.
  case back
  /// Ends the program.
  case quit

  /// The range after a command; commands that do not set an end keep it.
  package func range(at frame: Int, played: Range<Int>) -> Range<Int> {
    switch self {
    case .setRangeStart: frame..<max(frame + 1, played.upperBound)
    case .setRangeEnd: min(played.lowerBound, frame)..<frame + 1
    default: played
    }
  }

  /// The speed factor of one key press; three presses about double or halve the speed.
  public static let rateFactor = 1.25
}

/// What the user saves of an image.
public enum SavedPart: Sendable, Hashable {
  /// One frame.
  case frame(Int)
  /// The frames that are played.
  case range(Range<Int>)
}
