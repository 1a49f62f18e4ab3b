internal import CGallop
internal import EngineSupport
internal import Gallop
internal import Glibc

/// A batch, as C holds it. Used by one call at a time: see ``Handles/withExclusive(_:_:_:)``.
@safe final class BatchObject: HandleObject, @unchecked Sendable {
  static let kind = HandleKind.batch
  static let hasThreads = true

  /// A file to decode.
  enum Source: Sendable {
    case path([CChar])
    case bytes([UInt8])
    case image(ImageObject)
  }

  /// Wide enough that a long file holds up no thread while others are finished behind it.
  private static let windowOfJob = 8
  private static let waitingBytes = 256 << 20

  /// A file, what is wanted of it, and the caller's number.
  struct Order: Sendable {
    let source: Source
    let choice: FrameChoice
    let tag: UInt64
  }

  private let work: OrderedWork<Order, BatchResult>
  private let rules: BatchRules
  /// The frames of the files that are added from now on; nil for those of the options.
  var choice: FrameChoice?
  private(set) var diagnostics: [GIFDiagnostic] = []
  /// The sentence of the last error; allocated by `strdup`, freed with the next result.
  private var message: UnsafeMutablePointer<CChar>?

  /// - Parameter hasThreads: false where threads stayed in a parent process and no longer work: the
  ///   caller works.
  init(_ options: gallop_batch_options, hasThreads: Bool) throws(Failure) {
    let rules = try unsafe BatchRules(options)
    let (jobs, window) = unsafe (Int(options.jobs), Int(options.window))
    let bytes = unsafe options.waiting_bytes
    guard (0...1024).contains(jobs), (0...65_536).contains(window) else {
      throw .argument("\(jobs) jobs with a window of \(window)")
    }
    let threads = jobs > 0 ? jobs : EngineThread.processorCount
    let waitingBytes = bytes > 0 ? Int(clamping: bytes) : Self.waitingBytes
    let (sum, overflows) = waitingBytes.addingReportingOverflow(Int(clamping: rules.itemBytes))
    let waiting = WaitingLimit<BatchResult>(bytes: waitingBytes, bytesBehindOldest: overflows ? .max : sum) {
      $0.byteCount
    }
    self.rules = rules
    work = OrderedWork(
      jobs: hasThreads ? threads : 1, window: window > 0 ? window : Self.windowOfJob * threads + 1,
      waits: hasThreads, waiting: waiting
    ) { rules.result(of: $0.source, $0.choice, tag: $0.tag) }
  }

  deinit { unsafe free(message) }

  /// Adds a file; answers ``Status/again`` if the window is full.
  func add(_ source: @autoclosure () throws(Failure) -> Source, tag: UInt64) throws(Failure) -> Status {
    guard !work.isFull else { return .again }
    work.add(Order(source: try source(), choice: choice ?? rules.choice, tag: tag))
    return .ok
  }

  /// Waits for the oldest result, up to this many milliseconds; without end if less than 0.
  func next(waiting milliseconds: Int64) -> OrderedWork<Order, BatchResult>.Arrival {
    guard milliseconds >= 0 else { return work.next(until: nil) }
    // A thousand years are long enough, and every sum is a number.
    let wait = min(milliseconds, 31_536_000_000_000) &* 1_000_000
    let (instant, overflows) = MonotonicClock.nanoseconds.addingReportingOverflow(max(0, wait))
    return work.next(until: overflows ? .max : instant)
  }

  /// Keeps what C reads of a result until the next one.
  func keep(_ result: BatchResult) -> UnsafePointer<CChar>? {
    diagnostics = result.diagnostics
    unsafe free(message)
    unsafe message = result.failure.flatMap { unsafe strdup($0.message) }
    return unsafe message.map { unsafe UnsafePointer($0) }
  }
}

/// Throws where the system has no memory for this many bytes: a Swift allocation would end the process.
func checkMemory(bytes: Int) throws(Failure) {
  guard bytes >= 1 << 20 else { return }
  guard let probe = unsafe malloc(bytes) else {
    throw Failure(.outOfMemory, "there is no memory for \(bytes) bytes", value: Int64(bytes))
  }
  unsafe free(probe)
}
