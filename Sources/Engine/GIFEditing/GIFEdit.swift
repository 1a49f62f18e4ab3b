public import GIFDecoding

/// What is to become of the frames of one or several GIFs.
///
/// The operations apply in the order of these properties. Frames count from 0 through all images, one image
/// behind the other.
///
///     func reversed(_ image: GIFImage) throws -> [UInt8] {
///       var edit = GIFEdit()
///       edit.frames = Array(120...180)
///       edit.order = .reversed
///       return try image.edited(edit)
///     }
public struct GIFEdit: Sendable {
  /// The direction in which the frames are written.
  public enum Order: Sendable, Hashable {
    /// As chosen.
    case forward
    /// From the last to the first.
    case reversed
    /// Forward, then backward without the two frames at the ends.
    case bounced
  }

  /// The canvas of the output, where that is not the size of the images; each then stands in its middle.
  public var canvas: PixelSize?
  /// The part of the canvas to keep; nil for all of it.
  public var crop: PixelRect?
  /// Whether left and right change places.
  public var flipsHorizontally = false
  /// Whether top and bottom change places.
  public var flipsVertically = false
  /// Quarter turns, clockwise.
  public var quarterTurns = 0
  /// The frames to keep, in this order, also more than once; nil for all.
  public var frames: [Int]?
  /// Whether frames that are damaged are left out, with what builds on them. Otherwise they are an error.
  public var skipsFailedFrames = false
  /// Keeps every `step`-th frame, beginning with the first; the others' delays are added to it. At least 1.
  public var step = 1
  /// The direction in which the frames are written.
  public var order = Order.forward
  /// Whether neighbours that show the same become one frame with their delays added.
  public var mergesStills = false
  /// The factor by which the animation becomes faster, from 0.001 to 1000.
  public var rate = 1.0
  /// The delay of every frame; nil for its own. Whole hundredths of a second, from 20 ms on.
  public var delay: Duration?
  /// The delay of the last frame, whatever the others have.
  public var lastDelay: Duration?
  /// The total number of plays; nil for that of the first image.
  public var loopCount: LoopCount?
  /// Whether comments and application data of the first image are left out.
  public var stripsMetadata = false
  /// A comment to add.
  public var comment: String?
  /// Whether the same pictures are written in as few bytes as can be found: with other palettes, disposals
  /// and codes. Takes several times as long.
  public var makesSmaller = false

  /// The factors that ``rate`` may have.
  package static let rates = 0.001...1000.0

  /// Makes an edit that changes nothing.
  public init() {}
}

/// Why an edit cannot be made.
public struct GIFEditError: Error, Sendable, Hashable {
  /// The kind of error, by its name on the web. More may come: a `switch` needs an `@unknown default`.
  @nonexhaustive
  public enum Code: String, Sendable {
    /// No frame is left to write.
    case noFrames
    /// A frame is asked for that is not there; `limit` is how many there are.
    case noSuchFrame
    /// A frame is damaged, or builds on a damaged one.
    case failedFrame
    /// The canvases of the images differ in size, and the edit names none.
    case canvasMismatch
    /// The canvas is larger than a GIF's logical screen can be, or has more pixels than the limits allow.
    case canvasTooLarge
    /// The part to keep is not all on the canvas.
    case cropOutsideCanvas
    /// A frame would have to be written anew in more colours than a palette holds; `value` is how many.
    case tooManyColors
    /// A delay is not a number of hundredths of a second that browsers keep; `value` is in milliseconds.
    case delayOutOfRange
    /// The rate, the step or the number of plays is not in its range.
    case ruleOutOfRange
    /// The image can no longer be read, or its canvas passes its limits: see ``GIFEditError/reason``.
    case unreadable
    /// The caller no longer wants the result.
    case cancelled
    /// What was written does not show what was chosen: a fault of the editor.
    case notExact
  }

  /// The kind of error.
  public let code: Code
  /// The frame concerned, counted through all images.
  public let frame: Int?
  /// The offending number, by code.
  public let value: Int64?
  /// The limit that the value passes, if that is the reason.
  public let limit: Int64?
  /// The place in ``GIFEdit/frames``, or among all, of the frame that cannot be written.
  package let place: Int?
  /// The nearest frames, before and after, at which a run of frames could begin: they can be drawn there,
  /// with the one behind each.
  ///
  /// None within a run, beyond 500 frames, or where frames run backwards, are left out or merged. Frames
  /// further behind may be refused all the same.
  public let nearest: [Int]
  /// Why the image cannot be read.
  public let reason: GIFError?

  init(
    _ code: Code, frame: Int? = nil, value: Int64? = nil, limit: Int64? = nil, place: Int? = nil,
    nearest: [Int] = [], reason: GIFError? = nil
  ) {
    self.code = code
    self.frame = frame
    self.value = value
    self.limit = limit
    self.place = place
    self.nearest = nearest
    self.reason = reason
  }
}
