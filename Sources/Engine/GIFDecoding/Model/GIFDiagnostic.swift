/// A recoverable fault of a file, treated as browsers treat it.
public struct GIFDiagnostic: Sendable, Hashable {
  /// The kind of fault, by its name in JSON. More may come: a `switch` needs an `@unknown default`.
  @nonexhaustive
  public enum Code: String, Sendable, CaseIterable {
    /// The file ends without a trailer.
    case missingTrailer
    /// The file ends inside a frame.
    case truncatedFrame
    /// The file ends inside an extension or an image descriptor.
    case truncatedBlock
    /// A byte stands where a block should begin; it ends the animation like a trailer.
    case unknownBlock
    /// A graphics control extension has the wrong size; it ends the animation.
    case malformedGraphicsControl
    /// More than one graphics control extension before an image; the last one counts.
    case repeatedGraphicsControl
    /// A loop extension that browsers ignore.
    case malformedLoopExtension
    /// The minimum code size is above 8: the frame is blank and the last one.
    case codeSizeOutOfRange
    /// A frame has no area.
    case emptyFrame
    /// A frame reaches beyond the canvas, in part or as a whole, and is clipped.
    case frameOutsideCanvas
    /// A frame has neither a palette of its own nor a global one: it is drawn black.
    case missingPalette
    /// The first frame reaches beyond the logical screen, so the canvas was grown.
    case canvasGrown
    /// The file has no frame.
    case noFrames
    /// More frames than the limit allows; the rest is ignored.
    case frameLimit
    /// The frames have more pixels in all than the limit allows; the rest is ignored.
    case workLimit
    /// More comment bytes than the limit allows; the rest is ignored.
    case commentLimit
    /// A frame's rectangle has more pixels than the limit allows; it is not drawn.
    case frameTooLarge
    /// A frame's code stream holds an invalid code: the frame is drawn up to there and counts as failed.
    case invalidLZW
    /// A frame's code stream ends before the frame is full; it counts as failed.
    case notEnoughPixels
    /// A frame builds on a failed one and shows nothing.
    case requiredFrameFailed
    /// The file has changed or can no longer be read; the frame shows nothing.
    case unreadableFrame
    /// Bytes follow the trailer.
    case trailingBytes
  }

  /// The kind of fault.
  public let code: Code
  /// The frame concerned, if any.
  public let frame: Int?
  /// The byte offset in the file.
  public let offset: Int

  package init(_ code: Code, frame: Int? = nil, offset: Int) {
    self.code = code
    self.frame = frame
    self.offset = offset
  }
}
