/// How a frame's decoding ended.
public enum FrameStatus: String, Sendable, Hashable {
  /// All pixels are there.
  case complete
  /// The file ends inside the frame; what is there is shown and counts.
  case truncated
  /// The frame's data is damaged: shown as far as it goes, and frames that build on it show nothing.
  case failed
  /// A frame that this one builds on failed: it shows nothing.
  case blank

  /// Whether later frames may build on it.
  var isUsable: Bool { self == .complete || self == .truncated }
}

/// A finished picture of the animation: the whole canvas while one frame shows.
public struct Frame: Sendable {
  /// The frame's position in the animation.
  public let index: Int
  public let status: FrameStatus
  public let pixels: PixelBuffer
  /// Where the picture may differ from that of frame `index - 1`, in its own pixels.
  public let changedRect: PixelRect
}
