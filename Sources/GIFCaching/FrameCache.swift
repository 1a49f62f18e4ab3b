public import GIFDecoding
internal import Synchronization

/// Holds the finished pictures around one playhead and has the next ones decoded before they are due.
///
/// A lookup never decodes and never waits: it gives the picture or nothing. What is missing is decoded by the
/// pool, and the arrival handler tells when it is there. All decisions are ``CacheWindow``'s.
///
/// Memory: at most the policy's budget in pictures (two at the least), and one renderer.
public final class FrameCache: DecodeClient {
  public let image: GIFImage
  private let size: PixelSize?
  private let pool: DecodePool
  private let checkpoints: CheckpointPolicy
  private let renderer = Mutex<RendererSlot>(.none)
  private let arrivalHandler = Mutex<ArrivalHandler?>(nil)
  private let state: Mutex<CacheState<Frame>>

  /// What arrives: a frame's number, or the error that keeps every picture from being made.
  public typealias ArrivalHandler = @Sendable (Result<Int, GIFError>) -> Void

  /// A renderer is made by the first decoding, off the caller's thread.
  private enum RendererSlot: ~Copyable {
    case none
    case ready(FrameRenderer)
  }

  /// - Parameter size: the size of the pictures; nil for that of the canvas.
  public init(
    _ image: GIFImage, size: PixelSize? = nil, policy: CachePolicy = CachePolicy(), pool: DecodePool = .shared
  ) {
    self.image = image
    self.size = size
    self.pool = pool
    checkpoints = CheckpointPolicy(interval: 16, byteLimit: Int64(policy.checkpointBytes))
    let window = CacheWindow(
      policy: policy, frameBytes: Int(size?.area ?? image.metadata.pixelCount) * 4,
      frameCount: image.frameCount)
    state = Mutex(CacheState(window: window))
  }

  /// Sets who is told when a picture has arrived; called on a decoding thread, no lock held.
  public func onArrival(_ handler: ArrivalHandler?) {
    arrivalHandler.withLock { $0 = handler }
  }

  /// The picture of a frame if it is here. Counts a hit or, once for each frame waited for, a miss.
  public func frame(at index: Int) -> Frame? { state.withLock { $0.lookUp(index) } }

  /// The picture of a frame if it is here; counts nothing.
  public func peek(at index: Int) -> Frame? { state.withLock { $0.frames[index] } }

  /// Moves the window and starts decoding what it lacks.
  ///
  /// - Parameter request: a number that grows with every call of one owner; an older request than the last one is
  ///   ignored.
  public func move(to playhead: Playhead, request: Int) {
    let urgency = state.withLock { $0.move(to: playhead, request: request) }
    if let urgency { pool.submit(self, urgency: urgency) }
  }

  /// Drops all pictures but the current one and stops decoding until the playhead moves again.
  public func purge() { state.withLock { $0.purge() } }

  public var statistics: CacheStatistics { state.withLock { $0.statistics } }
}

// MARK: - Decoding

extension FrameCache {
  func decodeNext() -> Int? {
    guard let index = state.withLock({ $0.beginDecoding() }) else { return nil }
    let outcome = render(index)
    let urgency = state.withLock { state in
      switch outcome {
      case .success(let frame): state.insert(frame, at: index)
      case .failure: state.fail()
      }
      return state.continueDecoding()
    }
    let handler = arrivalHandler.withLock { $0 }
    handler?(outcome.map { $0.index })
    return urgency
  }

  /// Only the one thread that serves this cache comes here, so the renderer's lock is never waited for.
  private func render(_ index: Int) -> Result<Frame, GIFError> {
    renderer.withLock { slot in
      do throws(GIFError) {
        var renderer: FrameRenderer
        switch consume slot {
        case .ready(let existing): renderer = existing
        case .none:
          slot = .none
          renderer = try FrameRenderer(image, size: size, checkpoints: checkpoints)
        }
        let frame = Result { () throws(GIFError) in try renderer.frame(at: index) }
        slot = .ready(renderer)
        return frame
      } catch {
        return .failure(error)
      }
    }
  }
}
