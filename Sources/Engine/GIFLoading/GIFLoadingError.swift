public import GIFDecoding

/// The reason that a GIF cannot be loaded, or not to its end.
public struct GIFLoadingError: Error, Sendable {
  /// The kind of fault, by its name in JSON. More may come: a `switch` needs an `@unknown default`.
  @nonexhaustive
  public enum Code: String, Sendable {
    /// The text is not a URL that can be requested or decoded.
    case malformedURL
    /// The URL's scheme is not `file`, `http`, `https` or `data`.
    case unsupportedScheme
    /// A header of the options holds characters that HTTP does not allow.
    case malformedHeader
    /// libcurl is not installed or returns no handle.
    case noTransport
    /// The host's name is unknown.
    case hostNotFound
    /// No connection to the host is possible.
    case connectionFailed
    /// TLS failed, or the certificate is not trusted.
    case insecureConnection
    /// The answer is missing, is not HTTP, or does not match its content coding.
    case badResponse
    /// The status is not a success; `value` is the status.
    case badStatus
    /// More redirects than the limit; `limit` is their number.
    case tooManyRedirects
    /// A redirect from https to http, or to another scheme.
    case forbiddenRedirect
    /// A time limit is exceeded; `limit` is in milliseconds.
    case timedOut
    /// The transfer was interrupted after `value` of `limit` bytes, if a length was announced.
    case cutOff
    /// The file has more bytes than the limit; `value` are those known, `limit` those allowed.
    case tooLarge
    /// The file cannot be opened or is no usable GIF; ``GIFLoadingError/underlying`` has the reason.
    case unusableFile
    /// The load was cancelled.
    case cancelled
    /// The transfer failed for another reason, which ``GIFLoadingError/description`` has in words.
    case transferFailed
  }

  /// The step of a load that failed.
  package enum Stage: String, Sendable, Hashable {
    /// Reading the text as a path or URL.
    case parsing
    /// Opening the file.
    case opening
    /// Looking up the host's name.
    case resolving
    /// Connecting.
    case connecting
    /// Agreeing on TLS, with the check of the certificate.
    case securing
    /// Waiting for the answer.
    case requesting
    /// Following a redirect.
    case redirecting
    /// Reading the answer's status.
    case status
    /// Receiving the file.
    case receiving
    /// Parsing the bytes as a GIF.
    case decoding
  }

  /// The kind of fault.
  public let code: Code
  package let stage: Stage
  /// The path or URL, after redirects the last one, without credentials.
  public let source: String
  /// More about the reason in words, as part of a sentence.
  package let detail: String?
  /// The offending number, bytes or a status, by code.
  public let value: Int64?
  /// The exceeded limit, by code.
  public let limit: Int64?
  /// The decoder's error, if that is the reason.
  public let underlying: GIFError?
  /// The image received before the fault, if it has frames; it can be shown and played, as in browsers.
  public internal(set) var partialImage: GIFImage?

  /// Creates an error for ``LoadingSink/fail(_:)``.
  public init(
    _ code: Code, source: String, detail: String? = nil, value: Int64? = nil, limit: Int64? = nil,
    underlying: GIFError? = nil
  ) {
    self.init(
      .receiving, code, source: source, detail: detail, value: value, limit: limit, underlying: underlying)
  }

  package init(
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

  /// The error for one of the decoder.
  package init(_ error: GIFError, source: String) {
    switch error.code {
    case .unreadable, .isDirectory, .notAFile, .noWriter:
      self.init(.opening, .unusableFile, source: source, underlying: error)
    case .cancelled:
      self.init(.receiving, .cancelled, source: source)
    case .inputTooLarge:
      self.init(.receiving, .tooLarge, source: source, value: error.value, limit: error.limit)
    default:
      self.init(.decoding, .unusableFile, source: source, underlying: error)
    }
  }

  /// Whether the frames received are of use: not if the file passes a limit or is no GIF.
  var leavesPartialImage: Bool {
    stage == .receiving && code != .tooLarge || underlying?.code == .outOfMemory
  }
}
