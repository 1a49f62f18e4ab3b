internal import CGallop
internal import EngineSupport
internal import GIFBatch
internal import GIFDecoding
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

  private let work: OrderedWork<(source: Source, tag: UInt64), BatchResult>
  private(set) var diagnostics: [GIFDiagnostic] = []
  /// The sentence of the last error; allocated by `strdup`, freed with the next result.
  private var message: UnsafeMutablePointer<CChar>?

  /// - Parameter hasThreads: false where threads stayed in a parent process and do nothing any more: the caller works.
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
      $0.frames?.byteCount ?? 0
    }
    work = OrderedWork(
      jobs: hasThreads ? threads : 1, window: window > 0 ? window : Self.windowOfJob * threads + 1,
      waits: hasThreads, waiting: waiting
    ) { rules.result(of: $0.source, tag: $0.tag) }
  }

  deinit { unsafe free(message) }

  /// Adds a file; answers ``Status/again`` if the window is full.
  func add(_ source: @autoclosure () throws(Failure) -> Source, tag: UInt64) throws(Failure) -> Status {
    guard !work.isFull else { return .again }
    work.add((try source(), tag))
    return .ok
  }

  /// Waits for the oldest result, up to so many milliseconds; without end if less than 0.
  func next(waiting milliseconds: Int64) -> OrderedWork<(source: Source, tag: UInt64), BatchResult>.Arrival {
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

/// What became of a file.
struct BatchResult: Sendable {
  let tag: UInt64
  var failure: Failure?
  var image: ImageObject?
  var frames: FrameObject?
  var statuses: StatusList?
  var size = PixelSize(clampingWidth: 1, height: 1)
  var diagnostics: [GIFDiagnostic] = []
}

/// How each file of a batch is decoded.
struct BatchRules: Sendable {
  let opening: OpenOptions
  let format: PixelFormat
  let (width, height, fit): (UInt32, UInt32, Int32)
  let firstFrame: Int
  /// Nil for all that follow.
  let frameCount: Int?
  let itemBytes: Int64

  init(_ options: gallop_batch_options) throws(Failure) {
    opening = try unsafe OpenOptions(
      limits: DecodingLimits(options.limits), damage: DamagePolicy(options.damage),
      isCancelled: CancelObject.question(options.cancel))
    format = try unsafe PixelFormat(options.format)
    unsafe (width, height, fit) = (options.width, options.height, options.fit)
    let (first, count) = unsafe (options.first_frame, options.frame_count)
    guard first >= 0, count >= -1 else { throw .argument("frames from \(first) on, \(count) of them") }
    firstFrame = Int(first)
    frameCount = count == 0 ? nil : Int(max(0, count))
    let bytes = unsafe options.item_bytes
    itemBytes = bytes > 0 ? bytes : 1 << 30
  }

  /// Opens and decodes a file; an error is a result, too.
  func result(of source: BatchObject.Source, tag: UInt64) -> BatchResult {
    var result = BatchResult(tag: tag)
    do throws(Failure) {
      let object = try open(source)
      result.image = object
      try decode(object, into: &result)
    } catch {
      result.failure = error
    }
    return result
  }

  private func open(_ source: BatchObject.Source) throws(Failure) -> ImageObject {
    if let isCancelled = opening.isCancelled, isCancelled() { throw Failure(GIFError(.cancelled)) }
    switch source {
    case .path(let path): return try ImageObject(path: path, opening)
    case .bytes(let bytes): return try ImageObject(bytes: bytes, opening)
    case .image(let object): return object
    }
  }

  private func decode(_ object: ImageObject, into result: inout BatchResult) throws(Failure) {
    let image = object.image
    // The index alone.
    guard frameCount != 0 else { return }
    guard firstFrame < image.frameCount else {
      throw Failure(.missingFrame(Int64(firstFrame), of: image.frameCount), source: object.name)
    }
    let first = firstFrame
    let count = min(frameCount ?? .max, image.frameCount - first)
    let size = try PixelSize(of: image, width: width, height: height, fit: fit)
    var picture = size ?? image.size
    let (bytes, overflows) = (picture.area * 4).multipliedReportingOverflow(by: Int64(count))
    guard !overflows, bytes <= itemBytes else {
      throw Failure(
        GIFError(.tooManyDecodedBytes, value: overflows ? .max : bytes, limit: itemBytes), source: object.name
      )
    }
    try checkMemory(bytes: Int(image.pixelCount * 4))
    let memory = try PictureMemory(byteCount: Int(bytes))
    do throws(GIFError) {
      var renderer = try FrameRenderer(image, format: format, size: size, checkpoints: .none)
      picture = renderer.frameSize
      let list = StatusList(count: count)
      try stack(first..<first + count, of: &renderer, picture, list, in: memory)
      result.size = picture
      result.statuses = list
      result.diagnostics = renderer.diagnostics
      let pixels = PixelBuffer(
        width: picture.width, height: picture.height * count, format: format,
        memory: unsafe PixelMemory(unwritten: memory.bytes.bindMemory(to: UInt32.self), of: memory))
      let rect = PixelRect(x: 0, y: 0, width: pixels.width, height: pixels.height)
      result.frames = FrameObject(
        Frame(index: first, pixels: pixels, changedRect: rect), delay: 0, statuses: list)
    } catch {
      throw Failure(error, source: object.name)
    }
  }

  /// Draws the pictures of frames into memory, one below another.
  private func stack(
    _ frames: Range<Int>, of renderer: inout FrameRenderer, _ size: PixelSize, _ list: StatusList,
    in memory: PictureMemory
  ) throws(GIFError) {
    let bytes = Int(size.area) * 4
    unsafe precondition(memory.bytes.count >= bytes * frames.count)
    guard let start = unsafe memory.bytes.baseAddress else { return }
    let whole = PixelRect(x: 0, y: 0, width: size.width, height: size.height)
    for (place, index) in frames.enumerated() {
      let status = try renderer.render(index, isCancelled: opening.isCancelled)
      list[place] = UInt8(status.number)
      try renderer.withPixels(of: index, status: status) { words, _, _ in
        guard
          let target = try? unsafe CallerPixels(
            start + place * bytes, size: bytes, stride: 0, width: size.width,
            isUncached: memory.isLarge)
        else { return }
        if status == .blank { return unsafe target.clear(size) }
        unsafe words.withUnsafeBytes { unsafe target.copy($0, width: size.width, rect: whole) }
      }
    }
  }
}

/// The statuses of several frames, at an address that C may keep as long as the list lives.
@safe final class StatusList: @unchecked Sendable {
  let bytes: UnsafeMutableBufferPointer<UInt8>

  init(count: Int) {
    unsafe bytes = .allocate(capacity: count)
    unsafe bytes.initialize(repeating: 0)
  }

  deinit { unsafe bytes.deallocate() }

  /// Written before the list is handed out, and by one thread.
  subscript(place: Int) -> UInt8 {
    get { unsafe bytes[place] }
    set {
      unsafe precondition(place >= 0 && place < bytes.count)
      unsafe bytes[place] = newValue
    }
  }
}

/// Throws where the system has no memory for so many bytes: a Swift allocation would end the process.
func checkMemory(bytes: Int) throws(Failure) {
  guard bytes >= 1 << 20 else { return }
  guard let probe = unsafe malloc(bytes) else {
    throw Failure(.outOfMemory, "there is no memory for \(bytes) bytes", value: Int64(bytes))
  }
  unsafe free(probe)
}
