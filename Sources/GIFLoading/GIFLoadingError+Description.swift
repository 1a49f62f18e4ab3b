// The words for loading errors.

internal import GIFDecoding

extension GIFLoadingError: CustomStringConvertible {
  /// One sentence without a full stop and without the source: what failed, why, and the limit.
  public var description: String {
    if let underlying { return underlying.description }
    return reason + (detail.map { ": \($0)" } ?? "")
  }

  private var reason: String {
    switch code {
    case .malformedURL: "is not a URL that can be loaded"
    case .unsupportedScheme: "has a scheme that cannot be loaded"
    case .malformedData: "cannot be decoded"
    case .malformedHeader: "cannot be asked for: a header is malformed"
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
    case .cancelled: "was cancelled"
    case .transferFailed: "failed while \(activity)"
    default: code.rawValue
    }
  }

  private var activity: String {
    switch stage {
    case .resolving: "looking up the host's name"
    case .connecting: "connecting"
    case .securing: "securing the connection"
    case .requesting: "waiting for an answer"
    case .receiving: "receiving"
    default: stage.rawValue
    }
  }
}
