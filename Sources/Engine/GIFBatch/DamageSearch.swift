internal import EngineSupport
package import GIFDecoding
internal import Synchronization

/// Finds whether frames are complete, on threads of the pool, while the caller does something else.
///
/// Frames are decoded and not drawn. Memory: the indices of a frame for each thread.
package final class DamageSearch: PooledWork {
  private struct State {
    /// Threads that decode a frame now.
    var working = 0
    var isStopped = false
    /// Whether every frame so far is complete.
    var isSound = true
  }

  private let image: GIFImage
  private let frames: Range<Int>
  /// The next frame to decode; the end, or more, where none is left.
  private let next: Atomic<Int>
  private let state = Monitor(State())

  /// Begins to decode frames, unless that is too little for another thread.
  ///
  /// - Parameter jobs: the largest number of threads, the caller's included.
  /// - Precondition: these are frames of the image.
  package convenience init(_ image: GIFImage, frames: Range<Int>, jobs: Int) {
    self.init(image, frames: frames, jobs: jobs, leastSharedTime: FrameGroups.leastSharedTime)
  }

  /// - Parameter leastSharedTime: nanoseconds of decoding below which the calling thread works alone.
  init(_ image: GIFImage, frames: Range<Int>, jobs: Int, leastSharedTime: Int64) {
    precondition(frames.lowerBound >= 0 && frames.upperBound <= image.frameCount)
    self.image = image
    self.frames = frames
    next = Atomic(frames.lowerBound)
    let jobs = FrameGroups.usefulJobs(
      WorkerPool.clamped(jobs), for: image, order: Array(frames), leastTime: leastSharedTime)
    WorkerPool.shared.assign(min(jobs - 1, frames.count), to: self)
  }

  /// Decodes what is left together with the threads, and tells whether all frames are complete.
  ///
  /// - Parameter isCancelled: asked before each frame that the caller decodes; stops the search.
  /// - Returns: nil where the search was stopped.
  package func isSound(isCancelled: () -> Bool) -> Bool? {
    var decoder = FrameDecoder()
    var decoded = DecodedFrame()
    while true {
      if isCancelled() { stop() }
      guard decodeNext(with: &decoder, &decoded) else { break }
    }
    return state.waitingWithLock { state in
      guard state.working == 0 else { return .wait(until: nil) }
      return .done(state.isStopped ? nil : state.isSound)
    }
  }

  /// Has the threads end with the frames that they decode.
  package func stop() {
    state.withLock { $0.isStopped = true }
    next.store(frames.upperBound, ordering: .relaxed)
  }

  func help(with decoder: inout FrameDecoder) {
    var decoded = DecodedFrame()
    while decodeNext(with: &decoder, &decoded) {}
  }

  /// Decodes one frame; false where none is left.
  private func decodeNext(with decoder: inout FrameDecoder, _ decoded: inout DecodedFrame) -> Bool {
    // Counted before a frame is taken: while the last one is decoded, no thread sees that all are.
    state.withLock { $0.working += 1 }
    let frame = next.add(1, ordering: .relaxed).oldValue
    let hasFrame = frame < frames.upperBound
    if hasFrame { decoder.decode(image.frames[frame], of: image, into: &decoded) }
    let isDamaged = hasFrame && decoded.outcome.status != .complete
    // The others need no look.
    if isDamaged { next.store(frames.upperBound, ordering: .relaxed) }
    state.withLock {
      $0.working -= 1
      if isDamaged { $0.isSound = false }
    }
    state.broadcast()
    return hasFrame
  }
}
