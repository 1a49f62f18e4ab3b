/// How decoding a frame ended.
package struct FrameOutcome: Sendable {
  package internal(set) var status = FrameStatus.blank
  /// What was wrong, where the index does not tell already.
  var fault: GIFDiagnostic.Code?
  /// Whether the indices are those on the canvas alone, not all of the frame's rectangle.
  var isCropped = false
  private var failureBox: FailureBox?

  init(isCropped: Bool = false) { self.isCropped = isCropped }

  /// Why the frame's bytes could not be read: nothing can be drawn then.
  var failure: GIFError? {
    get { failureBox?.error }
    set { failureBox = newValue.map { FailureBox(error: $0) } }
  }
}

/// Keeps outcomes small: one is copied for every frame, and next to none holds an error.
private final class FailureBox: Sendable {
  let error: GIFError

  init(error: GIFError) { self.error = error }
}

/// The palette indices of one frame, and how their decoding ended. The buffer is reused from frame to frame.
package struct DecodedFrame: Sendable {
  var plane = IndexPlane()
  package internal(set) var outcome = FrameOutcome()

  package init() {}

  /// A copy that takes no more memory than its indices: for keeping; nil where the system has no memory for
  /// that.
  package func compacted() -> DecodedFrame? {
    guard let plane = plane.compacted() else { return nil }
    var copy = DecodedFrame()
    copy.plane = plane
    copy.outcome = outcome
    return copy
  }

  /// The indices, in stored order.
  package var indices: Span<UInt8> {
    @_lifetime(borrow self)
    get { plane.indices }
  }

  /// How long the indices are, in bytes.
  package var byteCount: Int { plane.filled }
}

/// The palette indices of several frames, one frame behind the other in one buffer, which is reused.
///
/// One buffer for many small frames is written once and stays in the cache; a buffer for each would have to
/// be cleared, grown and padded by itself.
package struct DecodedFrames: Sendable {
  private var plane = IndexPlane()
  private var frames: [(outcome: FrameOutcome, place: Range<Int>)] = []

  package init() {}

  /// Discards the frames, and makes room for `count` indices of those that follow, as far as is known.
  ///
  /// Where the system has no memory for all of them, each frame takes its own.
  package mutating func begin(room count: Int) {
    frames.removeAll(keepingCapacity: true)
    plane.removeAll()
    try? plane.makeRoom(for: count)
  }

  /// Decodes a frame and keeps it behind those before it.
  package mutating func append(_ frame: FrameInfo, of image: GIFImage, with decoder: inout FrameDecoder) {
    let outcome = decoder.decode(frame, of: image, into: &plane, isCancelled: nil)
    frames.append((outcome, plane.keep()))
  }

  /// Calls `body` with how the decoding of a frame ended, counted from the first since ``begin(room:)``, and
  /// with its indices in stored order.
  package func withFrame<Result>(
    at offset: Int, _ body: (FrameOutcome, Span<UInt8>) throws(GIFError) -> Result
  ) throws(GIFError) -> Result {
    let frame = frames[offset]
    return try body(frame.outcome, plane[frame.place])
  }

  /// Bytes of memory held.
  package var heldBytes: Int { plane.heldBytes }
}
