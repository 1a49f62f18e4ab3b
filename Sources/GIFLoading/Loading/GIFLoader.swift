internal import EngineSupport
public import GIFDecoding

/// Loads GIFs from files, the web and `data:` URLs.
///
/// Files are opened as ``GIFImage/init(contentsOf:limits:)`` does. What comes over HTTP is read as it arrives; the first
/// bytes, never the `Content-Type`, tell whether it is a GIF, and a load that is none ends there. libcurl does the
/// transfers, on one thread for all loads; it is opened with the first of them. Proxies are those of the environment
/// (`https_proxy` and so on), but none for this machine itself.
public struct GIFLoader: GIFSourceLoader {
  public struct Options: Sendable, Hashable {
    /// Bytes of one file at the most, for all but regular files on disk. Where a server sends a content coding, the
    /// decoded bytes count.
    public var byteLimit = 256 << 20
    /// From the request until the connection is there, name look-up and TLS included, for each redirect anew. Times are
    /// counted in whole milliseconds, at least one.
    public var connectTimeout = Duration.seconds(15)
    /// Without a byte of the answer; of its head whole lines count. However it drips, ``totalTimeout`` holds.
    public var idleTimeout = Duration.seconds(30)
    /// From the start to the last byte.
    public var totalTimeout = Duration.seconds(600)
    /// Redirects followed at the most. From https to http none is.
    public var redirectLimit = 20
    /// More headers of the request, by name. They are sent to the scheme, host and port of the URL given, and not to
    /// others that it redirects to.
    public var headers: [String: String] = [:]
    /// What a file may ask for.
    public var limits = DecodingLimits.default

    public init() {}
  }

  public let options: Options

  private let engine: TransferEngine

  public init(options: Options = Options()) { self.init(options: options, engine: .shared) }

  /// A loader with a clock of its own.
  init(options: Options, engine: TransferEngine) {
    self.options = options
    self.engine = engine
  }

  /// A load, which begins when the sequence is iterated.
  ///
  /// Files and `data:` URLs give one state, the finished one. The image so far of a transfer that breaks off goes with
  /// the error, as browsers show it. Bytes beyond the length that a server announces are no part of the answer (RFC 9112,
  /// 6.3): they are not looked at.
  public func states(of source: GIFSource) -> LoadingStates {
    let (options, engine) = (options, engine)
    var limits = options.limits
    limits.streamBytes = min(limits.streamBytes, max(0, options.byteLimit))
    return LoadingStates(source: source.description, limits: limits) { [limits] sink in
      switch source {
      case .file(let path):
        Self.inBackground { Self.open(path, limits: limits, into: sink) }
      case .data(let url):
        Self.inBackground { Self.decode(url, limits: limits, into: sink) }
      case .web(let address):
        engine.start(TransferRequest(address: address, options: options, sink: sink))
      }
    }
  }

  /// Reading a large file, or a pipe that nobody writes to, takes its time: no task waits for it on a shared thread.
  private static func inBackground(_ body: @escaping @Sendable () -> Void) {
    if !EngineThread.start(body) { body() }
  }

  private static func open(_ path: String, limits: DecodingLimits, into sink: LoadingSink) {
    do throws(GIFError) {
      sink.finish(with: try GIFImage(contentsOf: path, limits: limits))
    } catch {
      sink.fail(GIFLoadingError(error, source: sink.source))
    }
  }

  private static func decode(_ url: DataURL, limits: DecodingLimits, into sink: LoadingSink) {
    do throws(GIFLoadingError) {
      let bytes = try url.bytes(limit: limits.streamBytes)
      sink.announce(byteCount: bytes.count)
      sink.receive(bytes.span)
      sink.finish()
    } catch {
      sink.fail(error)
    }
  }
}
