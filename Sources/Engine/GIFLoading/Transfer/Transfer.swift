internal import CCurl
internal import GIFDecoding

/// A transfer's address and options, and the sink for its bytes.
struct TransferRequest: Sendable {
  let address: WebAddress
  let options: GIFLoader.Options
  let sink: LoadingSink

  /// The first header that HTTP does not allow (RFC 9110, 5.1 and 5.5), by name.
  var malformedHeader: String? {
    options.headers.first { name, value in
      let isName =
        !name.isEmpty
        && name.utf8.allSatisfy {
          ASCII.isLetter($0) || ASCII.isDigit($0) || "!#$%&'*+-.^_`|~".utf8.contains($0)
        }
      return !isName || value.utf8.contains { ASCII.isControl($0) && $0 != 0x09 }
    }?.key
  }
}

/// One transfer with its redirects: performs the decisions of ``TransferPlan`` with libcurl. Confined to the
/// engine's thread.
final class Transfer {
  private let request: TransferRequest
  private let library: CurlLibrary
  private let now: () -> Int64
  private var plan: TransferPlan
  private var deadlines: TransferDeadlines
  private var head = ResponseHead()
  private var byteCount: Int64 = 0
  private var next: WebAddress?
  /// Whether libcurl decodes the content; it fails on codings that it does not know.
  private var decodesContent = true
  /// The request for the current address.
  private(set) var easy: CurlEasy?

  init(_ request: TransferRequest, library: CurlLibrary, now: @escaping () -> Int64) {
    self.request = request
    self.library = library
    self.now = now
    let options = request.options
    plan = TransferPlan(
      address: request.address, byteLimit: min(options.byteLimit, Int64(options.limits.streamBytes)),
      redirectLimit: options.redirectLimit)
    deadlines = TransferDeadlines(start: now(), idle: options.idleTimeout, total: options.totalTimeout)
  }

  private var sink: LoadingSink { request.sink }

  // MARK: Requests

  /// Starts the request for the current address.
  ///
  /// - Returns: nil if it cannot start; the sink then has the error.
  func begin(on multi: CurlMulti) -> CurlEasy.ID? {
    if let name = request.malformedHeader {
      sink.fail(plan.error(.requesting, .malformedHeader, detail: "'\(name)'"))
      return nil
    }
    guard let easy = CurlEasy(library, receiver: self) else {
      sink.fail(plan.error(.requesting, .noTransport))
      return nil
    }
    configure(easy)
    guard multi.add(easy) else {
      sink.fail(plan.error(.requesting, .noTransport, detail: "it takes no more requests"))
      return nil
    }
    self.easy = easy
    return easy.id
  }

  private func configure(_ easy: CurlEasy) {
    let address = plan.address
    easy.set(CURLOPT_URL, address.requestText)
    easy.set(CURLOPT_PROTOCOLS_STR, "http,https")
    easy.set(CURLOPT_CONNECTTIMEOUT_MS, Int(connectMilliseconds))
    easy.set(CURLOPT_USERAGENT, "Gallop")
    easy.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    // A name look-up does not delay a cancellation.
    easy.set(CURLOPT_QUICK_EXIT, 1)
    if address.isLoopback { easy.set(CURLOPT_PROXY, "") }
    if plan.sendsOwnHeaders {
      for (name, value) in request.options.headers.sorted(by: { $0.key < $1.key }) {
        // The syntax of libcurl for a header without a value.
        easy.addHeader(value.isEmpty ? name + ";" : "\(name): \(value)")
      }
    }
    if decodesContent { decodeContent(easy) }
  }

  /// Lets libcurl decode content codings. None is requested, as a coded GIF is no smaller and its length is
  /// unknown.
  private func decodeContent(_ easy: CurlEasy) {
    easy.set(CURLOPT_ACCEPT_ENCODING, "")
    let requestsCoding = request.options.headers.keys.contains { $0.lowercased() == "accept-encoding" }
    // libcurl leaves out a header that ends in a colon.
    if !requestsCoding || !plan.sendsOwnHeaders { easy.addHeader("Accept-Encoding:") }
  }

  private var connectMilliseconds: Int64 { request.options.connectTimeout.limitMilliseconds }

  // MARK: Time limits

  /// The instant of the next check; nil if a limit is exceeded, and the sink then has the error.
  func deadline(now: Int64) -> Int64? {
    if !deadlines.isConnected, let easy, easy.time(CURLINFO_PRETRANSFER_TIME_T) > 0 {
      deadlines.activity(at: now)
    }
    let limit = deadlines.next
    guard limit.instant <= now else { return limit.instant }
    sink.fail(plan.error(progress.stage, .timedOut, limit: limit.milliseconds))
    return nil
  }

  private var progress: TransferFault.Progress {
    var progress = TransferFault.Progress()
    progress.isResolved = easy.map { $0.time(CURLINFO_NAMELOOKUP_TIME_T) > 0 } ?? false
    // libcurl has the time to connect only after TLS, and the local port at once.
    progress.isConnected = easy.map { $0.number(CURLINFO_LOCAL_PORT) > 0 } ?? false
    progress.isSecured =
      !plan.address.isSecure || easy.map { $0.time(CURLINFO_APPCONNECT_TIME_T) > 0 } ?? false
    progress.hasHead = head.isWhole
    progress.byteCount = byteCount
    progress.announced = head.announcedLength
    return progress
  }

  // MARK: Ending

  /// Handles the end of the current request.
  ///
  /// - Returns: whether another request follows: a redirect, or the same without content decoding.
  func ended(_ code: CURLcode) -> Bool {
    if let next {
      plan.follow(next)
      self.next = nil
      beginAnew()
      return true
    }
    if code == CURLE_BAD_CONTENT_ENCODING, head.hasUnknownCoding, decodesContent {
      decodesContent = false
      beginAnew()
      return true
    }
    if code == CURLE_OK {
      sink.finish()
    } else {
      let fault = TransferFault(
        code: code, words: easy?.words(for: code) ?? "", progress: progress,
        connectMilliseconds: connectMilliseconds)
      // Has no effect if the sink has ended the load.
      sink.fail(fault.error(for: plan))
    }
    return false
  }

  private func beginAnew() {
    deadlines.disconnected()
    head = ResponseHead()
  }
}

extension Transfer: CurlEasy.Receiver {
  func receiveHeader(_ line: Span<UInt8>) -> Bool {
    deadlines.activity(at: now())
    let wasWhole = head.isWhole
    unsafe line.withUnsafeBytes { unsafe head.consume($0) }
    guard head.isWhole, !wasWhole else { return true }
    switch plan.answer(to: head) {
    case .receive(let announced):
      sink.announce(byteCount: announced)
    case .follow(let address):
      next = address
    case .fail(let error):
      sink.fail(error)
      return false
    }
    return true
  }

  func receiveBody(_ bytes: Span<UInt8>) -> Bool {
    deadlines.activity(at: now())
    // The body of a redirect is ignored.
    guard next == nil else { return false }
    byteCount += Int64(bytes.count)
    return sink.receive(bytes)
  }
}
