internal import EngineSupport
internal import GIFDecoding

/// Keeps the buffers of finished pipelines for later ones.
///
/// The kernel clears and maps fresh memory page by page, which takes longer than decoding into it.
final class FrameBufferPool: Sendable {
  /// The pool of the process.
  static let shared = FrameBufferPool(byteLimit: 4 << 20)

  private struct State: Sendable {
    var batches: [(frames: [DecodedFrame], bytes: Int)] = []
    var bytes = 0
  }

  private let byteLimit: Int
  private let state = Monitor(State())

  /// - Parameter byteLimit: the largest number of bytes kept.
  init(byteLimit: Int) { self.byteLimit = byteLimit }

  /// Takes some buffers, or none.
  func take() -> [DecodedFrame] {
    state.withLock { state in
      guard let batch = state.batches.popLast() else { return [] }
      state.bytes -= batch.bytes
      return batch.frames
    }
  }

  /// Keeps unused buffers, if they fit.
  func give(_ frames: [DecodedFrame]) {
    let bytes = frames.reduce(0) { $0 + $1.heldBytes }
    state.withLock { state in
      guard bytes > 0, state.bytes + bytes <= byteLimit else { return }
      state.bytes += bytes
      state.batches.append((frames, bytes))
    }
  }

  /// Bytes kept now.
  var byteCount: Int { state.withLock { $0.bytes } }
}
