internal import GIFStage
internal import TerminalDisplay

extension StageKey {
  /// The key of a window that stands for a terminal's; nil if there is none.
  init?(_ key: Key) {
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
