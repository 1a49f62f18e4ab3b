/// The reason why a file cannot be used at all.
///
/// Recoverable faults are diagnostics instead: ``GIFDiagnostic``.
public struct GIFError: Error, Sendable, Hashable {
  /// The kind of error. An open set: a `switch` over codes needs a `default`.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The code's name, as `gallop info --json` prints it.
    public let rawValue: String
    /// Makes a code of any name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The file cannot be opened or read; `value` is the system's `errno`.
    public static let unreadable = Code(rawValue: "unreadable")
    /// Another program has changed the file since it was opened.
    public static let fileChanged = Code(rawValue: "fileChanged")
    /// The path names a directory.
    public static let isDirectory = Code(rawValue: "isDirectory")
    /// The path names a device or a socket: neither a regular file nor a pipe.
    public static let notAFile = Code(rawValue: "notAFile")
    /// No program has opened the named pipe for writing; `limit` is how long that was awaited, in
    /// milliseconds.
    public static let noWriter = Code(rawValue: "noWriter")
    /// The file has no bytes.
    public static let emptyFile = Code(rawValue: "emptyFile")
    /// The file does not begin with `GIF87a` or `GIF89a`.
    public static let notAGIF = Code(rawValue: "notAGIF")
    /// The file ends inside the header, the logical screen descriptor or the global palette.
    public static let truncatedHeader = Code(rawValue: "truncatedHeader")
    /// Neither the logical screen nor the first frame has an area.
    public static let zeroCanvas = Code(rawValue: "zeroCanvas")
    /// The canvas, or the size asked for, has more pixels than the limit allows.
    public static let canvasTooLarge = Code(rawValue: "canvasTooLarge")
    /// The canvas takes more memory than the limit allows; `value` and `limit` are bytes.
    public static let tooManyDecodedBytes = Code(rawValue: "tooManyDecodedBytes")
    /// The bytes to hold in memory pass the limit.
    public static let inputTooLarge = Code(rawValue: "inputTooLarge")
    /// A block before the first frame is so malformed that browsers show a broken image.
    public static let malformedBeforeFirstFrame = Code(rawValue: "malformedBeforeFirstFrame")
    /// The file has no frame.
    public static let noFrames = Code(rawValue: "noFrames")
    /// No frame of the image could be loaded; the load has the reason.
    public static let notLoaded = Code(rawValue: "notLoaded")
    /// The requested frame does not exist.
    public static let noSuchFrame = Code(rawValue: "noSuchFrame")
    /// The caller no longer wants the result.
    public static let cancelled = Code(rawValue: "cancelled")
    /// The system gives no thread to play with.
    public static let noThread = Code(rawValue: "noThread")
    /// The system gives no memory: for pixels or palette indices, `value` is how many bytes; else for
    /// giflib's state.
    public static let outOfMemory = Code(rawValue: "outOfMemory")
  }

  /// The kind of error.
  public let code: Code
  /// The frame concerned, if any.
  public let frame: Int?
  /// The byte offset of the fault in the file, if it is known.
  public let offset: Int?
  /// The offending number: pixels, bytes, a frame index or an `errno`, by code.
  public let value: Int64?
  /// The limit that the value passes, if that is the reason.
  public let limit: Int64?

  /// Makes an error, for example in a client's own tests.
  public init(_ code: Code, frame: Int? = nil, offset: Int? = nil, value: Int64? = nil, limit: Int64? = nil) {
    self.code = code
    self.frame = frame
    self.offset = offset
    self.value = value
    self.limit = limit
  }
}

extension GIFError {
  /// Why an image of this many frames cannot show one of them.
  package static func missingFrame(_ index: Int64, of count: Int) -> GIFError {
    count == 0 ? GIFError(.noFrames) : GIFError(.noSuchFrame, value: index, limit: Int64(count))
  }
}
