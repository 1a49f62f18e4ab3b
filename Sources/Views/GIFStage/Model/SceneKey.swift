/// A line of the keys: what they do, and where.
///
/// The commands of keys come from ``all``, and so do the help of window and terminal, the terminal's status
/// line, and the help and manual of `gallop play`.
package struct SceneKey: Sendable {
  private typealias Commands = [StageKey: SceneCommand]

  /// As texts name the keys: `+ - 0`.
  package let names: String
  /// What they do, in a few words.
  package let action: String
  /// Whether the terminal has them, too.
  package let isInTerminal: Bool
  /// What a status line says of them; nil for most.
  private let hint: String?
  private let commands: [SceneCommand.Content: Commands]
  /// Keys that stand for others of the line, which texts name instead.
  private let aliases: [StageKey: StageKey]

  /// - Parameters:
  ///   - everywhere: the keys that do the same whatever is shown.
  ///   - frames: those for one GIF, alone or of a wall.
  ///   - wall: those in a wall, and `opened` for one of its GIFs shown alone.
  private init(
    _ names: String, _ action: String, _ everywhere: Commands = [:], frames: Commands = [:],
    wall: Commands = [:], opened: Commands = [:], aliases: [StageKey: StageKey] = [:],
    isInTerminal: Bool = true, hint: String? = nil
  ) {
    (self.names, self.action, self.aliases) = (names, action, aliases)
    (self.isInTerminal, self.hint) = (isInTerminal, hint)
    let single = everywhere.merging(frames) { $1 }
    commands = [
      .single: single, .wall: everywhere.merging(wall) { $1 }, .opened: single.merging(opened) { $1 },
    ]
  }

  /// The keys, without those that stand for others.
  package var keys: Set<StageKey> { Set(commands.values.flatMap(\.keys)) }

  func command(of key: StageKey, in content: SceneCommand.Content) -> SceneCommand? {
    commands[content]?[aliases[key] ?? key]
  }

  /// The keys of the terminal.
  package static let ofTerminal = all.filter(\.isInTerminal)

  /// What a status line names: the keys that lead to the others, and out.
  package static let hints = all.compactMap(\.hint).joined(separator: "  ")

  private static let others: Commands = ["n": .select(by: 1), .tab: .select(by: 1), "p": .select(by: -1)]

  /// All keys, in the order of the help.
  package static let all = [
    SceneKey("space", "play or pause", [.space: .togglePlayback]),
    SceneKey(
      ", .", "step (also left and right for one GIF)", [",": .step(by: -1), ".": .step(by: 1)],
      frames: [.left: .step(by: -1), .right: .step(by: 1)]),
    SceneKey(
      "+ - 0", "faster, slower, normal speed", ["+": .faster, "-": .slower, "0": .normalRate],
      aliases: ["=": "+"]),
    SceneKey("r b", "reverse, back and forth", ["r": .toggleReverse, "b": .toggleBounce]),
    SceneKey(
      "i o x", "start, end and clear the range", ["i": .setRangeStart, "o": .setRangeEnd, "x": .clearRange]),
    SceneKey(
      "arrows", "select a GIF of several",
      wall: [
        .left: .select(by: -1), .right: .select(by: 1), .up: .selectRow(by: -1), .down: .selectRow(by: 1),
      ]),
    SceneKey("enter", "open the selected GIF, or go back", wall: [.enter: .open], opened: [.enter: .back]),
    SceneKey("n p tab", "next or previous GIF", wall: others, opened: others),
    SceneKey(
      "home end", "first and last frame, or row", frames: [.home: .firstFrame, .end: .lastFrame],
      wall: [.home: .scrollToStart, .end: .scrollToEnd]),
    SceneKey(
      "pgup pgdn", "scroll several GIFs", wall: [.pageUp: .scrollPage(-1), .pageDown: .scrollPage(1)]),
    SceneKey("f", "resize mode", ["f": .nextResizeMode]),
    SceneKey("s", "save the frame as PNG", ["s": .saveFrame]),
    SceneKey("g", "save the range as GIF", ["g": .saveRange]),
    SceneKey("d", "debug overlay", ["d": .toggleOverlay]),
    SceneKey("F11", "full screen", [.function(11): .toggleFullscreen], isInTerminal: false),
    // A window reports the question mark as the slash that it shares a key with.
    SceneKey(
      "h ?", "this help", ["h": .toggleHelp, "?": .toggleHelp], aliases: ["/": "?"], hint: "? keys"),
    SceneKey("esc", "back, or quit", [.escape: .back]),
    SceneKey("q", "quit", ["q": .quit], hint: "q quit"),
  ]
}

extension SceneCommand {
  /// What a scene shows, which decides the commands of some keys.
  public enum Content: Sendable {
    /// One image.
    case single
    /// A grid of several.
    case wall
    /// One of several, shown large.
    case opened
  }

  /// The command of a key; nil if it has none. An item shown large has the keys of a single one, and those
  /// that select another.
  public init?(_ key: StageKey, in content: Content) {
    guard let command = SceneKey.all.lazy.compactMap({ $0.command(of: key, in: content) }).first else {
      return nil
    }
    self = command
  }
}

extension StageKey: ExpressibleByExtendedGraphemeClusterLiteral {
  /// The key with a letter, a digit or a sign.
  public init(extendedGraphemeClusterLiteral character: Character) { self = .character(character) }
}
