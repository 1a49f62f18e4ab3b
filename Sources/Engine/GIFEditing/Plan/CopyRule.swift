internal import GIFDecoding

/// What the canvas of the output shows before a frame is drawn, as far as is known without pixels.
enum OutputState: Equatable {
  /// Nothing: every pixel is transparent.
  case cleared
  /// What an image's canvas shows before it draws a frame.
  case before(image: Int, frame: Int)
  /// A picture that no image has at that place.
  case other
}

/// Decides which frames may be copied as they are compressed.
///
/// A copied frame shows its picture only on a canvas that shows the same as in its image: wherever it draws
/// nothing, and where its disposal brings that back.
struct CopyRule {
  struct Image {
    /// The frames where they stand in the output.
    var frames: [FrameInfo]
    /// The canvas of the output.
    var canvas: PixelRect
    /// Whether a frame's rectangle is all within the image's own canvas.
    var isWhole: [Bool]
    var hasGlobalPalette: Bool
  }

  let images: [Image]

  /// Whether a frame can be copied anywhere: without a diagnostic, and no part of it is missing.
  func isCopyable(image: Int, frame: Int) -> Bool {
    let (image, isWhole) = (images[image], images[image].isWhole[frame])
    let frame = image.frames[frame]
    guard isWhole, !frame.isTruncated, !frame.rect.isEmpty, let codeSize = frame.codeSize, codeSize <= 8
    else { return false }
    return frame.paletteSize != nil || image.hasGlobalPalette
  }

  /// Whether a copied frame surely shows its picture.
  func copies(image: Int, frame: Int, on state: OutputState) -> Bool {
    guard isCopyable(image: image, frame: frame) else { return false }
    let info = images[image].frames[frame]
    if info.transparentIndex == nil, info.rect == images[image].canvas { return true }
    switch state {
    case .cleared: return info.isKeyframe
    case .before(image, frame): return true
    case .before, .other: return false
    }
  }

  /// What the canvas shows when a frame's picture is over and its own disposal was done.
  ///
  /// - Parameter rect: the rectangle that is cleared; that of the frame where it is copied.
  func state(
    afterImage image: Int, frame: Int, disposal: Disposal, rect: PixelRect, from state: OutputState
  ) -> OutputState {
    let info = images[image].frames[frame]
    switch disposal {
    case .previous:
      return state == .before(image: image, frame: frame) && info.disposal == .previous
        ? .before(image: image, frame: frame + 1) : state
    case .keep: return info.disposal == .keep ? .before(image: image, frame: frame + 1) : .other
    case .background:
      let isAsInImage =
        info.disposal == .background && rect == info.rect.intersection(images[image].canvas)
      return isAsInImage ? .before(image: image, frame: frame + 1) : .other
    }
  }
}
