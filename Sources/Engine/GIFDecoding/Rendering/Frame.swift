/// How a frame's decoding ended.
public enum FrameStatus: String, Sendable, Hashable {
  /// All pixels are there.
  case complete
  /// The file ends inside the frame; its decoded part shows and counts.
  case truncated
  /// The frame's data is damaged: its decoded part shows, and frames that build on it show nothing.
  case failed
  /// A frame that this one builds on failed: it shows nothing.
  case blank

  /// Whether later frames may build on it.
  var isUsable: Bool { self == .complete || self == .truncated }
}

/// A rendered frame: the whole canvas while the frame shows.
public struct Frame: Sendable {
  /// The frame's position in the animation.
  public let index: Int
  /// Whether the frame is complete, or why not.
  public let status: FrameStatus
  /// The composed pixels.
  public let pixels: PixelBuffer
  /// The part that may differ from frame `index - 1`, in pixels of this frame.
  public let changedRect: PixelRect

  /// Makes a frame of pixels from elsewhere, as tests do.
  package init(index: Int, status: FrameStatus = .complete, pixels: PixelBuffer, changedRect: PixelRect) {
    self.index = index
    self.status = status
    self.pixels = pixels
    self.changedRect = changedRect
  }
}
