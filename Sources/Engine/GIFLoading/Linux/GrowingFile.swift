internal import EngineSupport
package import GIFDecoding

/// A file that another thread still writes: a read waits until its bytes are there.
///
/// A read that waits looks again from time to time. A thread that writes without a pause would be held up by
/// waking another one, on a virtual machine for as long as 200 KB take.
final class GrowingFile: ByteSource {
  private struct State {
    /// How many bytes there are so far.
    var count = 0
    var end = End.notYet
  }

  private enum End {
    case notYet, reached, cancelled
  }

  private let descriptor: Int32
  private let state = Monitor(State())

  /// - Parameter descriptor: that of the file, open for reading as long as this object is used.
  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// How many bytes the file has; waits until the last one is there.
  var count: Int {
    state.waitingWithLock { $0.end == .notYet ? .wait(until: nil) : .done($0.count) }
  }

  var knownEnd: Int { state.withLock { $0.end == .notYet ? .max : $0.count } }

  /// Tells that the file has so many bytes.
  func grow(to count: Int) { state.withLock { $0.count = count } }

  /// Tells that there are no more.
  func finish() { end(.reached) }

  /// Has all reads fail from here on, so that a thread does not wait for bytes that never come.
  func cancel() { end(.cancelled) }

  private func end(_ end: End) {
    state.withLock { if $0.end == .notYet { $0.end = end } }
    state.broadcast()
  }

  /// Nanoseconds until a read looks again for its bytes; as they do not come, twice as many each time.
  private static let (shortestPause, longestPause): (Int64, Int64) = (250_000, 8_000_000)

  func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) throws(GIFError) {
    let wanted = offset + target.count
    var pause = Self.shortestPause
    let state = state.waitingWithLock { state -> MonitorStep<State> in
      guard state.end == .notYet, state.count < wanted else { return .done(state) }
      defer { pause = min(2 * pause, Self.longestPause) }
      return .wait(until: MonotonicClock.nanoseconds + pause)
    }
    if state.end == .cancelled { throw GIFError(.cancelled) }
    guard wanted <= state.count else { throw GIFError(.fileChanged, offset: state.count) }
    try unsafe FileReading.fill(target, from: descriptor, at: offset)
  }
}

/// Opens a file while the caller writes it: on a thread of its own, once there is enough to read.
///
/// Used by one thread. After it was begun, ``image()`` or ``cancel()`` has to be called before the descriptor
/// is closed.
package final class GrowingImage {
  private let file: GrowingFile
  private let frameCount: Int
  private let limits: DecodingLimits
  private var hasThread = false
  private let outcome = Monitor(Result<GIFImage, GIFError>?.none)

  /// Bytes that are worth starting a thread.
  private static let leastBytes = 1 << 20

  /// - Parameters:
  ///   - descriptor: that of the file, open for reading as long as the image is used.
  ///   - frameCount: the number of frames that is likely.
  package init(_ descriptor: Int32, frameCount: Int, limits: DecodingLimits) {
    file = GrowingFile(descriptor)
    self.frameCount = frameCount
    self.limits = limits
  }

  /// Tells that the file has so many bytes.
  package func grow(to count: Int) {
    file.grow(to: count)
    guard !hasThread, count >= Self.leastBytes else { return }
    hasThread = EngineThread.start(blocksSignals: true) { [file, frameCount, limits, outcome] in
      let image = Self.open(file, frameCount, limits)
      outcome.withLock { $0 = image }
      outcome.broadcast()
    }
  }

  /// The image of the whole file.
  ///
  /// - Throws: ``GIFError`` as `GIFImage` does.
  package func image() throws(GIFError) -> GIFImage {
    file.finish()
    return try (hasThread ? threadOutcome : Self.open(file, frameCount, limits)).get()
  }

  /// Ends the thread, if there is one.
  package func cancel() {
    file.cancel()
    if hasThread { _ = threadOutcome }
  }

  private var threadOutcome: Result<GIFImage, GIFError> {
    outcome.waitingWithLock { outcome in
      guard let outcome else { return .wait(until: nil) }
      return .done(outcome)
    }
  }

  /// Bytes read at once: little memory beside that of the opened input.
  private static let windowSize = 1 << 16

  private static func open(
    _ file: GrowingFile, _ frameCount: Int, _ limits: DecodingLimits
  ) -> Result<GIFImage, GIFError> {
    do throws(GIFError) {
      let image = try GIFImage(
        source: file, windowSize: windowSize, expectedFrames: frameCount, limits: limits)
      return .success(image)
    } catch {
      return .failure(error)
    }
  }
}
