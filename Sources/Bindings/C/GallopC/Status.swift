// C has names of its own.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CGallop
internal import Gallop
internal import Glibc

/// A status of the header.
struct Status: Error, Hashable {
  let rawValue: gallop_status
  init(_ value: Int) { rawValue = gallop_status(value) }

  static let ok = Status(GALLOP_OK)
  static let end = Status(GALLOP_END)
  static let again = Status(GALLOP_AGAIN)
  static let invalidHandle = Status(GALLOP_INVALID_HANDLE)
  static let invalidArgument = Status(GALLOP_INVALID_ARGUMENT)
  static let outOfMemory = Status(GALLOP_OUT_OF_MEMORY)
  static let bufferTooSmall = Status(GALLOP_BUFFER_TOO_SMALL)
  static let busy = Status(GALLOP_BUSY)
  static let forked = Status(GALLOP_FORKED)
  static let cancelled = Status(GALLOP_CANCELLED)
  static let tooMany = Status(GALLOP_TOO_MANY)
  static let noSuchFrame = Status(GALLOP_NO_SUCH_FRAME)
  static let failedFrame = Status(GALLOP_FAILED_FRAME)
  static let canvasMismatch = Status(GALLOP_CANVAS_MISMATCH)
  static let tooManyColors = Status(GALLOP_TOO_MANY_COLORS)
  static let notExact = Status(GALLOP_NOT_EXACT)
  static let noLibrary = Status(GALLOP_NO_LIBRARY)
  static let otherError = Status(GALLOP_OTHER_ERROR)

  /// The status of an error of the engine.
  init(_ code: GIFError.Code) {
    switch code {
    case .unreadable: self.init(GALLOP_UNREADABLE)
    case .fileChanged: self.init(GALLOP_FILE_CHANGED)
    case .isDirectory: self.init(GALLOP_IS_DIRECTORY)
    case .notAFile: self.init(GALLOP_NOT_A_FILE)
    case .noWriter: self.init(GALLOP_NO_WRITER)
    case .emptyFile: self.init(GALLOP_EMPTY_FILE)
    case .notAGIF: self.init(GALLOP_NOT_A_GIF)
    case .truncatedHeader: self.init(GALLOP_TRUNCATED_HEADER)
    case .zeroCanvas: self.init(GALLOP_ZERO_CANVAS)
    case .canvasTooLarge: self.init(GALLOP_CANVAS_TOO_LARGE)
    case .tooManyDecodedBytes: self.init(GALLOP_TOO_MANY_DECODED_BYTES)
    case .inputTooLarge: self.init(GALLOP_INPUT_TOO_LARGE)
    case .malformedBeforeFirstFrame: self.init(GALLOP_MALFORMED_BEFORE_FIRST_FRAME)
    case .noFrames: self.init(GALLOP_NO_FRAMES)
    case .noSuchFrame: self.init(GALLOP_NO_SUCH_FRAME)
    case .cancelled: self = .cancelled
    case .outOfMemory: self = .outOfMemory
    case .notLoaded, .noThread: self = .otherError
    }
  }

  private static let ownNames: [Status: String] = [
    .ok: "ok", .end: "end", .again: "again", .invalidHandle: "invalidHandle",
    .invalidArgument: "invalidArgument", .bufferTooSmall: "bufferTooSmall", .busy: "busy",
    .forked: "forked", .tooMany: "tooMany", .otherError: "otherError", .failedFrame: "failedFrame",
    .canvasMismatch: "canvasMismatch", .tooManyColors: "tooManyColors", .notExact: "notExact",
    .noLibrary: "noLibrary",
  ]

  private static let names = GIFError.Code.allCases.reduce(into: ownNames) { names, code in
    let status = Status(code)
    if status != .otherError { names[status] = code.rawValue }
  }

  /// The name, as `gallop info --json` prints it.
  var name: String { Self.names[self] ?? "unknown" }

  /// Why a handle cannot be used, as the rest of a sentence.
  var reason: String {
    switch self {
    case .busy: "another call uses it"
    case .forked: "its threads stayed in the parent process"
    default: "the handle is NULL, released, or of another kind"
    }
  }
}

/// An error with all that C is told of it.
struct Failure: Error {
  let status: Status
  let message: String
  var frame: Int?
  var offset: Int?
  var value: Int64?
  var limit: Int64?

  init(_ status: Status, _ message: String, value: Int64? = nil, limit: Int64? = nil) {
    self.status = status
    self.message = message
    self.value = value
    self.limit = limit
  }

  /// - Parameter source: the file's name for people; nil where the bytes came without one.
  init(_ error: GIFError, source: String? = nil) {
    let subject = source.map { $0.isEmpty ? "the empty path" : $0 } ?? "the GIF"
    self.init(Status(error.code), "\(subject) \(error.description)", value: error.value, limit: error.limit)
    frame = error.frame
    offset = error.offset
  }

  static func argument(_ message: String) -> Failure { Failure(.invalidArgument, message) }
}

// MARK: - Of the thread

/// The last error of a thread, with its message as C reads it. Freed with the thread.
@safe final class ThreadError {
  var failure: Failure?
  /// Allocated by `strdup`, freed with the next one.
  var message: UnsafeMutablePointer<CChar>?

  deinit { unsafe free(message) }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    unsafe pthread_key_create(&key) { pointer in
      if let pointer = unsafe pointer { unsafe Unmanaged<ThreadError>.fromOpaque(pointer).release() }
    }
    return key
  }()

  /// That of this thread, if any call has failed on it.
  static var present: ThreadError? {
    guard let pointer = unsafe pthread_getspecific(key) else { return nil }
    return unsafe Unmanaged<ThreadError>.fromOpaque(pointer).takeUnretainedValue()
  }

  /// Runs a body whose failed calls leave the last error of this thread as it is.
  static func withoutTrace(_ body: () -> Void) {
    let kept = unsafe pthread_getspecific(key)
    pthread_setspecific(key, nil)
    body()
    if let own = unsafe pthread_getspecific(key) { unsafe Unmanaged<ThreadError>.fromOpaque(own).release() }
    unsafe _ = pthread_setspecific(key, kept)
  }

  static func set(_ failure: Failure) {
    let own = present ?? ThreadError()
    if present == nil { unsafe _ = pthread_setspecific(key, Unmanaged.passRetained(own).toOpaque()) }
    unsafe free(own.message)
    own.failure = failure
    unsafe own.message = strdup(failure.message)
  }

  static var messageText: UnsafePointer<CChar> {
    if let message = unsafe present?.message { return unsafe UnsafePointer(message) }
    return unsafe ProcessState.shared.text("")
  }
}

/// Carries out a call from C: an error becomes a status, and the last one of the thread.
func answer(_ body: () throws(Failure) -> Void) -> gallop_status {
  do throws(Failure) {
    try body()
    return Status.ok.rawValue
  } catch {
    ThreadError.set(error)
    return error.status.rawValue
  }
}

/// The same for calls that answer with other statuses than ``Status/ok``, too.
func answerStatus(_ body: () throws(Failure) -> Status) -> gallop_status {
  var status = Status.ok
  let outcome = answer { () throws(Failure) in status = try body() }
  return outcome == Status.ok.rawValue ? status.rawValue : outcome
}

/// Runs what throws the engine's errors.
func decoding<Result>(
  _ source: String? = nil, _ body: () throws(GIFError) -> Result
) throws(Failure) -> Result {
  do throws(GIFError) {
    return try body()
  } catch {
    throw Failure(error, source: source)
  }
}

// MARK: - Exports

@c @implementation
public func gallop_version() -> UnsafePointer<CChar>! {
  unsafe ProcessState.shared.text("\(GALLOP_VERSION_MAJOR).\(GALLOP_VERSION_MINOR).\(GALLOP_VERSION_PATCH)")
}

@c @implementation
public func gallop_status_name(_ status: gallop_status) -> UnsafePointer<CChar>! {
  unsafe ProcessState.shared.text(Status(Int(status)).name)
}

@c @implementation
public func gallop_last_error(_ error: UnsafeMutablePointer<gallop_error>!) -> gallop_status {
  answer { () throws(Failure) in
    let failure = ThreadError.present?.failure
    let answer = unsafe gallop_error(
      struct_size: 0, status: (failure?.status ?? .ok).rawValue, frame: Int32(clamping: failure?.frame ?? -1),
      offset: Int64(failure?.offset ?? -1), value: failure?.value ?? 0, limit: failure?.limit ?? 0,
      has_value: failure?.value == nil ? 0 : 1, has_limit: failure?.limit == nil ? 0 : 1,
      message: ThreadError.messageText)
    try unsafe write(answer, to: error)
  }
}

@c @implementation
public func gallop_last_message() -> UnsafePointer<CChar>! { unsafe ThreadError.messageText }
