/// The reason why a file cannot be used at all.
///
/// Recoverable faults are diagnostics instead: ``GIFDiagnostic``.
public struct GIFError: Error, Sendable, Hashable {
  /// The kind of error, by its name in JSON. More may come: a `switch` needs an `@unknown default`.
  @nonexhaustive
  public enum Code: String, Sendable, CaseIterable {
    /// The file cannot be opened or read; `value` is the system's `errno`.
    case unreadable
    /// Another program has changed the file since it was opened.
    case fileChanged
    /// The path names a directory.
    case isDirectory
    /// The path names a device or a socket: neither a regular file nor a pipe.
    case notAFile
    /// No program has opened the named pipe for writing; `limit` is how long that was awaited, in
    /// milliseconds.
    case noWriter
    /// The file has no bytes.
    case emptyFile
    /// The file does not begin with `GIF87a` or `GIF89a`.
    case notAGIF
    /// The file ends inside the header, the logical screen descriptor or the global palette.
    case truncatedHeader
    /// Neither the logical screen nor the first frame has an area.
    case zeroCanvas
    /// The canvas, or the size asked for, has more pixels than the limit allows.
    case canvasTooLarge
    /// The canvas takes more memory than the limit allows; `value` and `limit` are bytes.
    case tooManyDecodedBytes
    /// The bytes to hold in memory pass the limit.
    case inputTooLarge
    /// A block before the first frame is so malformed that browsers show a broken image.
    case malformedBeforeFirstFrame
    /// The file has no frame.
    case noFrames
    /// No frame of the image could be loaded; the load has the reason.
    case notLoaded
    /// The requested frame does not exist.
    case noSuchFrame
    /// The caller no longer wants the result.
    case cancelled
    /// The system gives no thread to play with.
    case noThread
    /// The system gives no memory: for pixels or palette indices, `value` is how many bytes; else for
    /// giflib's state.
    case outOfMemory
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
