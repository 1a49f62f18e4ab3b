/// The keys of a player and what they do, for its help.
package enum SceneHelp {
  /// A line of the help.
  package struct Line: Sendable, Hashable {
    package let key: String
    package let action: String
  }

  /// - Parameter fillsScreen: whether the player can fill the screen, as a window can.
  package static func lines(fillsScreen: Bool) -> [Line] {
    all.filter { fillsScreen || $0.key != fullscreenKey }
  }

  private static let fullscreenKey = "F11"

  private static let all = [
    Line(key: "space", action: "play or pause"),
    Line(key: ", .", action: "step (also left and right for one GIF)"),
    Line(key: "+ - 0", action: "faster, slower, normal speed"),
    Line(key: "r b", action: "reverse, back and forth"),
    Line(key: "i o x", action: "start, end and clear the range"),
    Line(key: "arrows", action: "select a GIF of several"),
    Line(key: "enter", action: "open the selected GIF, or go back"),
    Line(key: "n p", action: "next or previous GIF"),
    Line(key: "home end", action: "first and last frame, or row"),
    Line(key: "f", action: "resize mode"),
    Line(key: "s", action: "save the frame as PNG"),
    Line(key: "d", action: "debug overlay"),
    Line(key: fullscreenKey, action: "full screen"),
    Line(key: "h ?", action: "this help"),
    Line(key: "esc", action: "back, or quit"),
    Line(key: "q", action: "quit"),
  ]
}
