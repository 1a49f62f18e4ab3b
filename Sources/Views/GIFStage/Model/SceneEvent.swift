public import GIFTimeline

/// A change of a ``PlayerScene`` by its user, for a log or a test; items are numbered from 0.
public enum SceneEvent: Sendable {
  /// An item plays other frames.
  case rangeChanged(item: Int, Range<Int>)
  /// All items play at another speed.
  case rateChanged(Double)
  /// All items play in another order.
  case modeChanged(PlaybackMode)
  /// All images are fitted in another way.
  case resizeModeChanged(ResizeMode)
  /// Other items are visible.
  case scrolled(visible: Range<Int>)
  /// Another item is selected.
  case selected(item: Int)
  /// An item is shown large, or again in the grid (nil).
  case opened(item: Int?)
}

extension SceneEvent: CustomStringConvertible {
  public var description: String {
    switch self {
    case .rangeChanged(let item, let range): "item \(item) range \(range)"
    case .rateChanged(let rate): "rate \(rate)"
    case .modeChanged(let mode): "mode \(mode.rawValue)"
    case .resizeModeChanged(let mode): "resize mode \(mode)"
    case .scrolled(let visible): "scrolled to items \(visible)"
    case .selected(let item): "selected item \(item)"
    case .opened(let item): item.map { "opened item \($0)" } ?? "closed the opened item"
    }
  }
}
