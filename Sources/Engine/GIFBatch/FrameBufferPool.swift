internal import EngineSupport
internal import GIFDecoding

/// Keeps the buffers of finished pipelines for later ones.
///
/// The kernel clears and maps fresh memory page by page, which takes longer than decoding into it.
final class FrameBufferPool: Sendable {
  /// The pool of the process.
  static let shared = FrameBufferPool(byteLimit: 4 << 20)

  private struct State: Sendable {
    var buffers: [DecodedFrames] = []
    var bytes = 0
  }

  private let byteLimit: Int
  private let state = Monitor(State())

  /// - Parameter byteLimit: the largest number of bytes kept.
  init(byteLimit: Int) { self.byteLimit = byteLimit }

  /// Takes the buffer given last, or a new one.
  func take() -> DecodedFrames {
    state.withLock { state in
      guard let buffer = state.buffers.popLast() else { return DecodedFrames() }
      state.bytes -= buffer.heldBytes
      return buffer
    }
  }

  /// Keeps an unused buffer, if it fits.
  func give(_ buffer: DecodedFrames) {
    let bytes = buffer.heldBytes
    state.withLock { state in
      guard bytes > 0, state.bytes + bytes <= byteLimit else { return }
      state.bytes += bytes
      state.buffers.append(buffer)
    }
  }

  /// Bytes kept now.
  var byteCount: Int { state.withLock { $0.bytes } }
}
