/// The palette indices of one frame, and how their decoding ended. The buffer is reused from frame to frame.
package struct DecodedFrame: Sendable {
  var plane = IndexPlane()
  var status = FrameStatus.blank
  /// What was wrong, where the index does not tell already.
  var fault: GIFDiagnostic.Code?
  /// Whether the indices are those on the canvas alone, not all of the frame's rectangle.
  var isCropped = false
  /// Why the frame's bytes could not be read: nothing can be drawn then.
  var failure: GIFError?

  package init() {}

  /// A copy that takes no more memory than its indices: for keeping.
  package func compacted() -> DecodedFrame {
    var copy = DecodedFrame()
    copy.plane = plane.compacted()
    copy.status = status
    copy.fault = fault
    copy.isCropped = isCropped
    return copy
  }

  /// How long the indices are, in bytes.
  package var byteCount: Int { plane.filled }

  /// Bytes of memory held.
  package var heldBytes: Int { plane.capacity + IndexPlane.padding }
}
