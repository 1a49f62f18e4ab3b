internal import CGallop
internal import Gallop
internal import Glibc

// The options of an edit, as the header has them.

extension GIFEdit {
  /// The longest comment.
  private static let mostCommentBytes = 1 << 24

  init(_ options: gallop_edit) throws(Failure) {
    self.init()
    frames = try unsafe frameList(options.frames, count: options.frame_count)
    canvas = try unsafe PixelSize(canvas: options.canvas_width, options.canvas_height)
    let part = unsafe options.crop
    if part.width != 0 || part.height != 0 {
      crop = PixelRect(x: Int(part.x), y: Int(part.y), width: Int(part.width), height: Int(part.height))
    }
    unsafe (flipsHorizontally, flipsVertically) = (options.flips_columns != 0, options.flips_rows != 0)
    quarterTurns = unsafe Int(options.quarter_turns)
    order = try unsafe Order(options.order)
    let step = unsafe options.step
    guard step >= 0 else { throw .argument("a step of \(step): it is at least 1") }
    self.step = step == 0 ? 1 : Int(step)
    let rate = unsafe options.rate
    self.rate = rate == 0 ? 1 : rate
    delay = unsafe Self.delay(options.delay_ms)
    lastDelay = unsafe Self.delay(options.last_delay_ms)
    loopCount = try unsafe LoopCount(plays: options.plays)
    skipsFailedFrames = unsafe options.skips_failed_frames != 0
    mergesStills = unsafe options.merges_stills != 0
    stripsMetadata = unsafe options.strips_metadata != 0
    makesSmaller = unsafe options.makes_smaller != 0
    if let text = unsafe options.comment { comment = try unsafe Self.comment(text) }
  }

  /// Clipped to what no GIF has either, so that no sum overflows.
  private static func delay(_ milliseconds: Int64) -> Duration? {
    milliseconds == 0 ? nil : .milliseconds(max(-1 << 40, min(1 << 40, milliseconds)))
  }

  private static func comment(_ text: UnsafePointer<CChar>) throws(Failure) -> String {
    let length = unsafe strnlen(text, mostCommentBytes + 1)
    guard length <= mostCommentBytes else {
      throw .argument("the comment has more than \(mostCommentBytes) bytes")
    }
    guard let comment = unsafe String(validatingCString: text) else {
      throw .argument("the comment is not UTF-8")
    }
    return comment
  }
}

/// A copy of a list of frames, of which C guarantees that it has `count`; nil for all frames.
func frameList(_ numbers: UnsafePointer<Int64>?, count: Int) throws(Failure) -> [Int]? {
  // As many as a GIF may have, a few times over.
  let most = 1 << 22
  guard let numbers = unsafe numbers else {
    guard count == 0 else { throw .argument("the list of \(count) frames is NULL") }
    return nil
  }
  guard (1...most).contains(count) else {
    throw .argument("a list of \(count) frames: it may have 1 to \(most)")
  }
  return unsafe UnsafeBufferPointer(start: numbers, count: count).map { Int(clamping: $0) }
}

extension GIFEdit.Order {
  init(_ number: Int32) throws(Failure) {
    switch Int(number) {
    case GALLOP_ORDER_FORWARD: self = .forward
    case GALLOP_ORDER_REVERSED: self = .reversed
    case GALLOP_ORDER_BOUNCED: self = .bounced
    default: throw .argument("there is no order \(number)")
    }
  }
}

extension PixelSize {
  /// A canvas; nil where both sides are 0.
  init?(canvas width: UInt32, _ height: UInt32) throws(Failure) {
    if width == 0, height == 0 { return nil }
    guard width > 0, height > 0 else { throw .argument("a canvas of \(width) x \(height)") }
    self.init(clampingWidth: Int(width), height: Int(height))
  }
}

// MARK: - Errors

extension Status {
  /// The status of an edit that cannot be made.
  init(_ code: GIFEditError.Code) {
    switch code {
    case .noFrames: self.init(GALLOP_NO_FRAMES)
    case .noSuchFrame: self = .noSuchFrame
    case .failedFrame: self = .failedFrame
    case .canvasMismatch: self = .canvasMismatch
    case .canvasTooLarge: self.init(GALLOP_CANVAS_TOO_LARGE)
    case .tooManyColors: self = .tooManyColors
    case .cropOutsideCanvas, .delayOutOfRange, .ruleOutOfRange: self = .invalidArgument
    case .cancelled: self = .cancelled
    case .notExact: self = .notExact
    case .unreadable: self = .otherError
    }
  }
}

extension Failure {
  /// - Parameter source: the name of the one image, for messages.
  init(_ error: GIFEditError, source: String?) {
    if error.code != .notExact, let reason = error.reason {
      self.init(reason, source: source)
      frame = frame ?? error.frame
      return
    }
    self.init(
      Status(error.code), "\(source ?? "the edit"): \(error.description)", value: error.value,
      limit: error.limit)
    frame = error.frame
  }
}

/// Runs what throws the errors of edits.
func editing<Result>(
  _ source: String?, _ body: () throws(GIFEditError) -> Result
) throws(Failure) -> Result {
  do throws(GIFEditError) {
    return try body()
  } catch {
    throw Failure(error, source: source)
  }
}
