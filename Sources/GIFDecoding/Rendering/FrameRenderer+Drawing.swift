// How one frame comes onto the canvas: disposal of the one before, decoding, drawing.

extension FrameRenderer {
  /// Brings the canvas to the state in which the next frame is drawn.
  mutating func disposeOfShownFrame() {
    guard case .showing(let shown) = state else { return }
    if let undo {
      canvas.restore(undo.pixels)
      state = undo.state
      self.undo = nil
      return
    }
    let frame = image.frames[shown]
    if frame.disposal == .restoreBackground { canvas.clear(frame.rect) }
    state = .disposed(shown)
  }

  /// Decodes a frame and draws it.
  mutating func draw(_ frame: FrameInfo) throws(GIFError) {
    guard log.isDrawable(frame) else { return }
    var decoded = scratch.take() ?? DecodedFrame()
    decoder.decode(frame, of: image, into: &decoded)
    try draw(frame, decoded)
    scratch = decoded
  }

  /// Draws a frame over what the canvas shows, unless it builds on a damaged one.
  mutating func draw(
    _ frame: FrameInfo, _ outcome: borrowing DecodedFrame, sharing board: BlendBoard? = nil
  ) throws(GIFError) {
    guard log.isDrawable(frame) else { return }
    if let failure = outcome.failure { throw failure }
    let colors = try image.localColors(of: frame, format: format) ?? globalColors
    disposeOfShownFrame()
    decodedFrames += 1
    log.enter(outcome, for: frame)
    prepareCanvas(for: frame, status: outcome.status)
    // No frame builds on a failed one either: undoing it leads back to the nearest picture that serves.
    let isDeadEnd = outcome.status == .failed && image.damagePolicy == .chromium
    if frame.disposal == .restorePrevious || isDeadEnd { undo = (canvas.copy(frame.rect), state) }
    // Row 47: only the first frame, only if it is opaque.
    let fillsGaps = frame.index == 0 && frame.transparentIndex == nil && outcome.status != .complete
    canvas.draw(
      outcome.plane, rect: frame.rect, isInterlaced: frame.isInterlaced,
      paint: Paint(colors, transparentIndex: frame.transparentIndex), fillsGaps: fillsGaps,
      sharing: board)
    state = .showing(frame.index)
    checkpoints.note(
      frame, isSound: outcome.status == .complete, drawnOn: bases.required(by: frame.index), canvas: canvas)
  }

  /// Clears the canvas where the frame starts from nothing, unless the frame covers it anyway.
  private mutating func prepareCanvas(for frame: FrameInfo, status: FrameStatus) {
    // A damaged frame that needs no other is seen on an empty canvas (rows 25 and 29), though a sound one may go
    // on from its predecessor, whose remains it covers.
    let startsEmpty = state == .stale || (frame.isKeyframe && status != .complete)
    guard startsEmpty, state != .cleared else { return }
    let covers = status == .complete && frame.transparentIndex == nil && frame.rect.contains(canvas.bounds)
    if !covers || frame.disposal == .restorePrevious { canvas.clear() }
    state = .cleared
  }
}
