internal import CCurl

/// The translation of libcurl's failures into errors.
struct TransferFault {
  /// The progress of the transfer when it failed.
  struct Progress {
    var isResolved = false
    var isConnected = false
    /// True from the start without TLS.
    var isSecured = false
    var hasHead = false
    var byteCount: Int64 = 0
    var announced: Int64?

    var stage: GIFLoadingError.Stage {
      if hasHead { return .receiving }
      if !isResolved { return .resolving }
      if !isConnected { return .connecting }
      return isSecured ? .requesting : .securing
    }
  }

  var code: CURLcode
  /// libcurl's message.
  var words: String
  var progress: Progress
  /// The limit for connecting.
  var connectMilliseconds: Int64

  func error(for plan: TransferPlan) -> GIFLoadingError {
    switch code {
    case CURLE_URL_MALFORMAT:
      return plan.error(.parsing, .malformedURL, detail: words)
    case CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_RESOLVE_HOST:
      return plan.error(.resolving, .hostNotFound, detail: words)
    case CURLE_COULDNT_CONNECT:
      return plan.error(.connecting, .connectionFailed, detail: words)
    case CURLE_OPERATION_TIMEDOUT:
      return plan.error(progress.stage, .timedOut, limit: connectMilliseconds)
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ENGINE_NOTFOUND,
      CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED,
      CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE,
      CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS:
      return plan.error(.securing, .insecureConnection, detail: words)
    case CURLE_PARTIAL_FILE:
      return cutOff(plan)
    case CURLE_RECV_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_GOT_NOTHING, CURLE_SEND_ERROR:
      return progress.hasHead ? cutOff(plan) : plan.error(progress.stage, .badResponse, detail: words)
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING:
      return plan.error(progress.stage, .badResponse, detail: words)
    default:
      return plan.error(progress.stage, .transferFailed, detail: words)
    }
  }

  private func cutOff(_ plan: TransferPlan) -> GIFLoadingError {
    guard let announced = progress.announced, announced > progress.byteCount else {
      return plan.error(.receiving, .cutOff, detail: words)
    }
    return plan.error(.receiving, .cutOff, value: progress.byteCount, limit: announced)
  }
}
