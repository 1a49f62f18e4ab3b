package import GIFDecoding

/// Which size the finished frames of an image have.
package enum FrameSizing: Sendable, Hashable {
  /// That of the canvas.
  case canvas
  case exact(PixelSize)
  /// The canvas's shape within these bounds, never enlarged: known once there is a canvas.
  case fitting(PixelSize)

  /// - Parameter fitting: counts only where `size` is nil.
  package init(size: PixelSize?, fitting: PixelSize? = nil) {
    self = size.map { .exact($0) } ?? fitting.map { .fitting($0) } ?? .canvas
  }

  /// The size for an animation; nil for that of its canvas.
  package func size(of animation: Animation) -> PixelSize? {
    switch self {
    case .canvas: return nil
    case .exact(let size): return size
    case .fitting(let bounds):
      let size = animation.size.fitting(bounds)
      return animation.canvas.isEmpty || size == animation.size ? nil : size
    }
  }
}
