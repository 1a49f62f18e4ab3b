internal import GIFPlayback
public import GIFTimeline

/// An event of a ``PlayerScene``, for a log or a test; items are numbered from 0.
public enum SceneEvent: Sendable {
  /// An event of an item's image view, or of the slider while it moves the item's frames.
  case item(Int, ViewEvent.Kind)
  /// An item plays other frames.
  case rangeChanged(item: Int, Range<Int>)
  case rateChanged(Double)
  case modeChanged(PlaybackMode)
  case resizeModeChanged(ResizeMode)
  /// Other items are visible.
  case scrolled(visible: Range<Int>)
  /// Another item is selected.
  case selected(item: Int)
}

extension SceneEvent: CustomStringConvertible {
  public var description: String {
    switch self {
    case .item(let item, let kind): "item \(item) \(kind)"
    case .rangeChanged(let item, let range): "item \(item) range \(range)"
    case .rateChanged(let rate): "rate \(rate)"
    case .modeChanged(let mode): "mode \(mode.rawValue)"
    case .resizeModeChanged(let mode): "resize mode \(mode)"
    case .scrolled(let visible): "scrolled to items \(visible)"
    case .selected(let item): "selected item \(item)"
    }
  }
}
