// The sentences for loading errors.

internal import GIFDecoding

extension GIFLoadingError: CustomStringConvertible {
  /// One sentence without a full stop: the path or URL, the reason, and the limit.
  public var description: String { "\(source) \(reason)" }

  /// The sentence without its subject, for messages that name the file themselves.
  package var reason: String {
    if let underlying { return underlying.description }
    // The reasons of other modules are whole predicates.
    if code == .unusableFile, let detail { return detail }
    return summary + (detail.map { ": \($0)" } ?? "")
  }

  /// The reason for a message about a source, with the target of a redirect.
  package func reason(for source: String) -> String {
    source == self.source ? reason : "\(reason) (redirected to \(self.source))"
  }

  private var summary: String {
    switch code {
    case .malformedURL: "is not a URL that can be loaded"
    case .unsupportedScheme: "has a scheme that cannot be loaded"
    case .malformedHeader: "cannot be requested: a header is malformed"
    case .noTransport: "cannot be loaded: libcurl cannot be used"
    case .hostNotFound: "cannot be loaded: the host's name is not known"
    case .connectionFailed: "cannot be loaded: no connection"
    case .insecureConnection: "cannot be loaded: no secure connection"
    case .badResponse: "cannot be loaded: the server gave no proper answer"
    case .badStatus: "cannot be loaded: the server answered with status \(value ?? 0)"
    case .tooManyRedirects: "cannot be loaded: more than \(limit ?? 0) redirects"
    case .forbiddenRedirect: "cannot be loaded: a redirect is not followed"
    case .timedOut: "timed out after \(limit ?? 0) ms while \(activity)"
    case .cutOff: "was cut off" + (limit.map { " after \(value ?? 0) of \($0) bytes" } ?? "")
    case .tooLarge: "has too many bytes: \(value ?? 0), the limit is \(limit ?? 0)"
    case .unusableFile: "cannot be used"
    case .cancelled: "was cancelled"
    case .transferFailed: "failed while \(activity)"
    }
  }

  private var activity: String {
    switch stage {
    case .resolving: "looking up the host's name"
    case .connecting: "connecting"
    case .securing: "securing the connection"
    case .requesting: "waiting for an answer"
    default: stage.rawValue
    }
  }
}
