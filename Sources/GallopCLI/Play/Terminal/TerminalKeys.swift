internal import GIFStage
internal import TerminalDisplay

extension SceneCommand {
  /// What a terminal's key asks for; nil for nothing.
  init?(_ key: Key, isWall: Bool) {
    guard let key = StageKey(key) else { return nil }
    self.init(key, isWall: isWall)
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
    // A window has no key of this name: the one that does the same.
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
