internal import GIFCaching
internal import GIFDecoding
internal import GIFTimeline

/// The part of a stage that shows a view, and the area near it, in the view's coordinates.
struct Viewport: Sendable, Hashable {
  /// The part of the view that is shown; empty if it is only near.
  let visible: PixelRect
  /// The area whose views may be shown soon.
  let near: PixelRect

  /// The viewport of a root view: views up to half a stage away are near.
  init(stage bounds: PixelRect) {
    visible = bounds
    near = bounds.inset(x: -bounds.width / 2, y: -bounds.height / 2)
  }

  private init(visible: PixelRect, near: PixelRect) {
    self.visible = visible
    self.near = near
  }

  /// The viewport of a child; nil for a child that is neither visible nor near.
  ///
  /// - Parameter margin: the distance within which the child's own children are near; nil for the same area
  ///   as here.
  func child(_ frame: PixelRect, margin: Int?) -> Viewport? {
    guard !frame.intersection(near).isEmpty else { return nil }
    let (x, y) = (-frame.x, -frame.y)
    let bounds = frame.offset(x: x, y: y)
    let visible = frame.intersection(visible)
    return Viewport(
      visible: visible.isEmpty ? .empty : visible.offset(x: x, y: y),
      near: margin.map { bounds.inset(-$0) } ?? near.offset(x: x, y: y))
  }

  /// The visibility of the view itself.
  var visibility: Visibility { visible.isEmpty ? .near : .visible }
}
