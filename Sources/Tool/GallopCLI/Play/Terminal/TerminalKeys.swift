internal import GIFStage
internal import TerminalDisplay

extension SceneCommand {
  /// The command of a terminal's key; nil if it has none.
  init?(_ key: Key, in content: Content) {
    guard let key = StageKey(key) else { return nil }
    self.init(key, in: content)
  }
}

extension StageKey {
  fileprivate init?(_ key: Key) {
    switch key {
    case .character("Q"), .control("c"), .control("d"): self = .character("q")
    case .character(let character): self = .character(character)
    case .space: self = .space
    case .enter: self = .enter
    case .escape: self = .escape
    case .tab: self = .tab
    // Windows have no such key, so it maps to the key of the same command.
    case .backTab: self = .character("p")
    case .left: self = .left
    case .right: self = .right
    case .up: self = .up
    case .down: self = .down
    case .pageUp: self = .pageUp
    case .pageDown: self = .pageDown
    case .home: self = .home
    case .end: self = .end
    case .alternate, .control, .backspace, .insert, .delete, .function: return nil
    }
  }
}
