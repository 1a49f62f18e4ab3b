/// A recoverable fault of a file, treated as browsers treat it.
public struct GIFDiagnostic: Sendable, Hashable {
  /// The kind of fault. An open set: a `switch` over codes needs a `default`.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The code's name, as `gallop info --json` prints it.
    public let rawValue: String
    /// Makes a code of any name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The file ends without a trailer.
    public static let missingTrailer = Code(rawValue: "missingTrailer")
    /// The file ends inside a frame.
    public static let truncatedFrame = Code(rawValue: "truncatedFrame")
    /// The file ends inside an extension or an image descriptor.
    public static let truncatedBlock = Code(rawValue: "truncatedBlock")
    /// A byte stands where a block should begin; it ends the animation like a trailer.
    public static let unknownBlock = Code(rawValue: "unknownBlock")
    /// A graphics control extension has the wrong size; it ends the animation.
    public static let malformedGraphicsControl = Code(rawValue: "malformedGraphicsControl")
    /// More than one graphics control extension before an image; the last one counts.
    public static let repeatedGraphicsControl = Code(rawValue: "repeatedGraphicsControl")
    /// A loop extension that browsers ignore.
    public static let malformedLoopExtension = Code(rawValue: "malformedLoopExtension")
    /// The minimum code size is above 8: the frame is blank and the last one.
    public static let codeSizeOutOfRange = Code(rawValue: "codeSizeOutOfRange")
    /// A frame has no area.
    public static let emptyFrame = Code(rawValue: "emptyFrame")
    /// A frame reaches beyond the canvas and is clipped.
    public static let frameOutsideCanvas = Code(rawValue: "frameOutsideCanvas")
    /// A frame has neither a palette of its own nor a global one: it is drawn black.
    public static let missingPalette = Code(rawValue: "missingPalette")
    /// The first frame reaches beyond the logical screen, so the canvas was grown.
    public static let canvasGrown = Code(rawValue: "canvasGrown")
    /// The file has no frame.
    public static let noFrames = Code(rawValue: "noFrames")
    /// More frames than the limit allows; the rest is ignored.
    public static let frameLimit = Code(rawValue: "frameLimit")
    /// The frames have more pixels in all than the limit allows; the rest is ignored.
    public static let workLimit = Code(rawValue: "workLimit")
    /// More comment bytes than the limit allows; the rest is ignored.
    public static let commentLimit = Code(rawValue: "commentLimit")
    /// A frame's rectangle has more pixels than the limit allows; it is not drawn.
    public static let frameTooLarge = Code(rawValue: "frameTooLarge")
    /// A frame's code stream holds an invalid code: the frame is drawn up to there and counts as failed.
    public static let invalidLZW = Code(rawValue: "invalidLZW")
    /// A frame's code stream ends before the frame is full; it counts as failed.
    public static let notEnoughPixels = Code(rawValue: "notEnoughPixels")
    /// A frame builds on a failed one and shows nothing.
    public static let requiredFrameFailed = Code(rawValue: "requiredFrameFailed")
    /// The file has changed or cannot be read any more; the frame shows nothing.
    public static let unreadableFrame = Code(rawValue: "unreadableFrame")
    /// Bytes follow the trailer.
    public static let trailingBytes = Code(rawValue: "trailingBytes")
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
