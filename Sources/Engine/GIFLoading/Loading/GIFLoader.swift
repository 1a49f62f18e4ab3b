internal import EngineSupport
public import GIFDecoding

/// Loads GIFs from files, over HTTP and from `data:` URLs, any number at once.
///
/// Files open as ``GIFImage/init(contentsOfFile:firstFrames:limits:)`` does, on a few threads. HTTP bodies
/// are parsed as they arrive, on one thread for all transfers. The first bytes, not the `Content-Type`,
/// decide whether a body is a GIF; the load of anything else ends there. libcurl is loaded with the first
/// transfer. The proxies of the environment (`https_proxy` and so on) apply, except for this machine itself.
public struct GIFLoader: ImageLoader {
  /// The limits of loads, and additions to their requests.
  public struct Options: Sendable, Hashable {
    /// The largest size of a file in bytes, after content decoding; regular files on disk have no limit.
    public var byteLimit: Int64 = 256 << 20
    /// The time to connect, with name look-up and TLS, for each redirect again; in whole milliseconds, at
    /// least one. For a named pipe the time until a program opens it for writing.
    public var connectTimeout = Duration.seconds(15)
    /// The time without a byte of the answer; only whole lines of its head count.
    public var idleTimeout = Duration.seconds(30)
    /// The time from the start to the last byte.
    public var totalTimeout = Duration.seconds(600)
    /// The largest number of redirects; a redirect from https to http is never followed.
    public var redirectLimit = 20
    /// Additional request headers by name. They are sent only to the scheme, host and port of the original
    /// URL.
    public var headers: [String: String] = [:]
    /// The limits of the decoder.
    public var limits = DecodingLimits.default
    /// Whether equal loads of a URL share one transfer, and an image that is still in use is found again
    /// without one.
    ///
    /// Loads are equal if their URLs and all their options are. False asks the server each time.
    public var sharesLoads = true

    /// Creates the standard options.
    public init() {}
  }

  private let options: Options
  private let engine: TransferEngine
  private let threads: OpeningThreads
  private let shared: SharedLoads

  /// Creates a loader; all loaders share their threads, and loads of the same URL under the same options.
  public init(options: Options = Options()) {
    self.init(options: options, engine: .shared)
  }

  /// Opens libcurl now, for a process that can open no library later.
  package static func openLibrary() { _ = CurlLibrary.shared }

  /// A loader with its own clock, threads or table of shared loads.
  init(
    options: Options, engine: TransferEngine, threads: OpeningThreads = .shared, shared: SharedLoads = .shared
  ) {
    self.options = options
    self.engine = engine
    self.threads = threads
    self.shared = shared
  }

  /// The states of a load, which starts when the sequence is iterated.
  ///
  /// Files and `data:` URLs have one state, the last one. An interrupted transfer leaves its image so far in
  /// the error, as browsers show it. A transfer that several readers share goes on until the last of them
  /// cancels; its time limits count from its start. Bytes beyond the announced length are no part of the
  /// answer (RFC 9112, 6.3) and are ignored.
  public func states(of source: GIFSource) -> LoadingStates {
    let (options, engine, threads) = (options, engine, threads)
    var limits = options.limits
    limits.streamBytes = min(limits.streamBytes, Int(clamping: max(0, options.byteLimit)))
    if case .web(let address) = source.kind, options.sharesLoads {
      let key = SharedLoads.Key(address: address, options: options, engine: ObjectIdentifier(engine))
      return LoadingStates(source: source.description) { [limits, shared] onNews in
        shared.open(key, limits: limits, onNews: onNews) { sink in
          engine.start(TransferRequest(address: address, options: options, sink: sink))
        }
      }
    }
    return LoadingStates(source: source.description, limits: limits) { [limits] sink in
      switch source.kind {
      case .file(let path):
        let opening = FileOpening(
          writerTimeout: Int(clamping: options.connectTimeout.limitMilliseconds),
          isCancelled: { sink.isCancelled }
        )
        threads.run { Self.open(path, limits: limits, opening, into: sink) }
      case .data(let url):
        threads.run { Self.decode(url, limits: limits, into: sink) }
      case .web(let address):
        engine.start(TransferRequest(address: address, options: options, sink: sink))
      }
    }
  }

  /// Opens a file; a pipe, which may wait for another program, on a thread of its own.
  private static func open(
    _ path: String, limits: DecodingLimits, _ opening: FileOpening, into sink: LoadingSink
  ) {
    // A grid that scrolls fast cancels many loads before they start.
    guard !sink.isCancelled else { return }
    let open: @Sendable () -> Void = {
      do throws(GIFError) {
        sink.finish(with: try GIFImage(contentsOfFile: path, limits: limits, opening: opening))
      } catch {
        sink.fail(GIFLoadingError(error, source: sink.source))
      }
    }
    if !FileReading.mayBlock(path) || !EngineThread.start(open) { open() }
  }

  private static func decode(_ url: DataURL, limits: DecodingLimits, into sink: LoadingSink) {
    guard !sink.isCancelled else { return }
    do throws(GIFLoadingError) {
      let bytes = try url.bytes(limit: limits.streamBytes)
      sink.announce(byteCount: Int64(bytes.count))
      sink.receive(bytes.span)
      sink.finish()
    } catch {
      sink.fail(error)
    }
  }
}
