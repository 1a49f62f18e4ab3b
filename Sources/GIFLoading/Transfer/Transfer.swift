internal import CCurl
internal import GIFDecoding

/// What is to be transferred, and where to.
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

/// One transfer with its redirects: carries out on libcurl what ``TransferPlan`` says. Confined to the engine's thread.
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
  /// The request of the present address.
  private(set) var easy: CurlEasy?

  init(_ request: TransferRequest, library: CurlLibrary, now: @escaping () -> Int64) {
    self.request = request
    self.library = library
    self.now = now
    let options = request.options
    plan = TransferPlan(
      address: request.address, byteLimit: min(options.byteLimit, options.limits.streamBytes),
      redirectLimit: options.redirectLimit)
    deadlines = TransferDeadlines(start: now(), idle: options.idleTimeout, total: options.totalTimeout)
  }

  private var sink: LoadingSink { request.sink }

  // MARK: Asking

  /// Begins the request for the present address.
  ///
  /// - Returns: nil where there can be none; the sink knows why.
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
    // A name that is being looked up does not keep a cancelled transfer waiting.
    easy.set(CURLOPT_QUICK_EXIT, 1)
    if address.isLoopback { easy.set(CURLOPT_PROXY, "") }
    if plan.sendsOwnHeaders {
      for (name, value) in request.options.headers.sorted(by: { $0.key < $1.key }) {
        // So libcurl writes a header without a value.
        easy.addHeader(value.isEmpty ? name + ";" : "\(name): \(value)")
      }
    }
    if decodesContent { decodeContent(easy) }
  }

  /// Has libcurl decode what servers send unasked. No coding is asked for: it makes a GIF no smaller, and the file's
  /// length is lost.
  private func decodeContent(_ easy: CurlEasy) {
    easy.set(CURLOPT_ACCEPT_ENCODING, "")
    let asksItself = request.options.headers.keys.contains { $0.lowercased() == "accept-encoding" }
    // A header without a value is one that libcurl leaves out.
    if !asksItself || !plan.sendsOwnHeaders { easy.addHeader("Accept-Encoding:") }
  }

  private var connectMilliseconds: Int64 { request.options.connectTimeout.wholeMilliseconds }

  // MARK: Watching

  /// When to look again at the latest; nil where a limit was passed, which the sink then knows.
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
    // The time to connect is told only when TLS is agreed on, the own port as soon as there is a connection.
    progress.isConnected = easy.map { $0.number(CURLINFO_LOCAL_PORT) > 0 } ?? false
    progress.isSecured =
      !plan.address.isSecure || easy.map { $0.time(CURLINFO_APPCONNECT_TIME_T) > 0 } ?? false
    progress.hasHead = head.isWhole
    progress.byteCount = byteCount
    progress.announced = head.announcedLength
    return progress
  }

  // MARK: Ending

  /// The present request has ended.
  ///
  /// - Returns: whether another one is to be made: for a redirect, or for the body as it is.
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
      // Without effect where the sink itself wanted no more.
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
    // What a redirect says beside its address is for people.
    guard next == nil else { return false }
    byteCount += Int64(bytes.count)
    return sink.receive(bytes)
  }
}
