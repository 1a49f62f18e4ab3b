internal import GIFPlayback
package import GIFTimeline

/// What the user of a scene has chosen, in a window as in the terminal.
package struct SceneState: Sendable {
  private static let messageTime = Duration.seconds(3)

  package let itemCount: Int
  /// The item to which keys and the slider apply.
  package var selected = 0
  /// The item of a wall that is shown alone; nil for none.
  package var opened: Int?
  /// Whether the debug overlay is shown.
  package var showsOverlay: Bool
  /// Whether the keys are shown.
  package var showsHelp = false
  /// Whether the scene fills the screen.
  package var isFullscreen = false
  private var message: (text: String, end: PlaybackInstant)?

  package init(itemCount: Int, showsOverlay: Bool = false) {
    self.itemCount = itemCount
    self.showsOverlay = showsOverlay
  }

  /// The state for other items, in the same overlay and the same full screen.
  package func with(itemCount: Int) -> SceneState {
    var state = SceneState(itemCount: itemCount, showsOverlay: showsOverlay)
    (state.isFullscreen, state.message) = (isFullscreen, message)
    return state
  }

  /// What decides the commands of some keys.
  package var content: SceneCommand.Content { itemCount == 1 ? .single : opened == nil ? .wall : .opened }

  /// The item that has all the room; nil for a wall.
  package var alone: Int? { itemCount == 1 ? 0 : opened }

  /// The item a number of places on from the selected one, in a cycle; nil where there are not several.
  func item(by offset: Int) -> Int? {
    guard itemCount > 1 else { return nil }
    return ((selected + offset % itemCount) + itemCount) % itemCount
  }

  /// The item above or below the selected one; nil beyond the edge.
  func item(byRows rows: Int, columns: Int) -> Int? {
    let (distance, isTooFar) = rows.multipliedReportingOverflow(by: columns)
    let (item, isOverflow) = selected.addingReportingOverflow(distance)
    return !isTooFar && !isOverflow && (0..<itemCount).contains(item) ? item : nil
  }

  // MARK: Messages

  /// Shows a message for some seconds.
  package mutating func show(message: String, at now: PlaybackInstant) {
    self.message = (message, now + Self.messageTime)
  }

  /// The message that is shown; nil for none.
  package func message(at now: PlaybackInstant) -> String? {
    message.flatMap { now < $0.end ? $0.text : nil }
  }

  /// The instant at which the message disappears; nil without one.
  package var messageEnd: PlaybackInstant? { message?.end }
}
