public import GIFDecoding

/// Why a GIF could not be loaded, or not to its end: at which stage, from where, and which limit was passed.
public struct GIFLoadingError: Error, Sendable {
  /// How far a load had come; an open set.
  public struct Stage: RawRepresentable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The text was being read as a path or URL.
    public static let parsing = Stage(rawValue: "parsing")
    /// A file was being opened.
    public static let opening = Stage(rawValue: "opening")
    /// The host's name was being looked up.
    public static let resolving = Stage(rawValue: "resolving")
    /// The connection was being made.
    public static let connecting = Stage(rawValue: "connecting")
    /// TLS was being agreed on, the server's certificate checked.
    public static let securing = Stage(rawValue: "securing")
    /// The request was sent, the answer awaited.
    public static let requesting = Stage(rawValue: "requesting")
    /// The server sent the loader to another URL.
    public static let redirecting = Stage(rawValue: "redirecting")
    /// The server had answered with a status.
    public static let status = Stage(rawValue: "status")
    /// The file's bytes were arriving.
    public static let receiving = Stage(rawValue: "receiving")
    /// The bytes were being read as a GIF.
    public static let decoding = Stage(rawValue: "decoding")
  }

  /// What went wrong; an open set: a `switch` over it needs a `default`.
  public struct Code: RawRepresentable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The text is no URL that can be asked for.
    public static let malformedURL = Code(rawValue: "malformedURL")
    /// The URL's scheme is not one of `file`, `http`, `https`, `data`.
    public static let unsupportedScheme = Code(rawValue: "unsupportedScheme")
    /// The body of a `data:` URL cannot be decoded.
    public static let malformedData = Code(rawValue: "malformedData")
    /// A header of the options is none: its name or value holds what HTTP does not allow there.
    public static let malformedHeader = Code(rawValue: "malformedHeader")
    /// libcurl is not installed or gives no handle, so that nothing can be loaded over a network.
    public static let noTransport = Code(rawValue: "noTransport")
    /// The name of the host is not known.
    public static let hostNotFound = Code(rawValue: "hostNotFound")
    /// Nobody answers at the address.
    public static let connectionFailed = Code(rawValue: "connectionFailed")
    /// TLS failed: no agreement, or a certificate that is not trusted.
    public static let insecureConnection = Code(rawValue: "insecureConnection")
    /// The server closed the connection without an answer, or answered something that is no HTTP, or a body that its
    /// content coding does not fit.
    public static let badResponse = Code(rawValue: "badResponse")
    /// The answer's status is not a success; `value` is the status.
    public static let badStatus = Code(rawValue: "badStatus")
    /// More redirects than the limit allows; `limit` is their number.
    public static let tooManyRedirects = Code(rawValue: "tooManyRedirects")
    /// A redirect to a URL that must not be followed: from https to http, or to another scheme.
    public static let forbiddenRedirect = Code(rawValue: "forbiddenRedirect")
    /// A time limit was passed; `limit` is that time in milliseconds.
    public static let timedOut = Code(rawValue: "timedOut")
    /// The transfer broke off: `value` bytes came of the `limit` announced, where a number was announced.
    public static let cutOff = Code(rawValue: "cutOff")
    /// More bytes than the limit allows; `value` are those known of, `limit` those allowed.
    public static let tooLarge = Code(rawValue: "tooLarge")
    /// The file cannot be opened, or is no usable GIF: ``GIFLoadingError/underlying`` says why.
    public static let unusableFile = Code(rawValue: "unusableFile")
    /// The task was cancelled.
    public static let cancelled = Code(rawValue: "cancelled")
    /// The transport failed in a way of its own; ``GIFLoadingError/detail`` has its words.
    public static let transferFailed = Code(rawValue: "transferFailed")
  }

  public let stage: Stage
  public let code: Code
  /// The path or URL that was being loaded (after redirects: the last one), without credentials.
  public let source: String
  /// What more is known, in words, as part of a sentence.
  public let detail: String?
  /// The offending number: bytes or a status, by code.
  public let value: Int64?
  /// The limit that was passed, by code.
  public let limit: Int64?
  /// The decoder's error, where that is the reason.
  public let underlying: GIFError?
  /// The image so far, where the transfer broke off or stalled behind the first picture. As in browsers, it can be
  /// shown and played: what is there counts as the whole file, with ``GIFMetadata/isComplete`` false.
  public internal(set) var partialImage: GIFImage?

  public init(
    _ stage: Stage, _ code: Code, source: String, detail: String? = nil, value: Int64? = nil,
    limit: Int64? = nil, underlying: GIFError? = nil
  ) {
    self.stage = stage
    self.code = code
    self.source = source
    self.detail = detail
    self.value = value
    self.limit = limit
    self.underlying = underlying
  }

  /// What the decoder makes of a file or of bytes.
  init(_ error: GIFError, source: String) {
    switch error.code {
    case .unreadable, .isDirectory:
      self.init(.opening, .unusableFile, source: source, underlying: error)
    case .inputTooLarge:
      self.init(.receiving, .tooLarge, source: source, value: error.value, limit: error.limit)
    default:
      self.init(.decoding, .unusableFile, source: source, underlying: error)
    }
  }

  /// Whether what has come until then is worth showing: not where the user gave up or a limit of size was passed.
  var leavesPartialImage: Bool { stage == .receiving && code != .cancelled && code != .tooLarge }
}
