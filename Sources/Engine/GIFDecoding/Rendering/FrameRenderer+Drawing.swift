// How one frame comes onto the canvas: disposal of the one before, decoding, drawing.

extension FrameRenderer {
  /// Brings the canvas to the state in which the next frame is drawn.
  mutating func disposeOfShownFrame() throws(GIFError) {
    try undoShownFrame()
    guard case .showing(let shown) = state else { return }
    let frame = image.frames[shown]
    if frame.disposal == .background { try canvas.clear(frame.rect) }
    state = .disposed(shown)
  }

  /// Takes the shown frame off the canvas, where what was below it was kept.
  private mutating func undoShownFrame() throws(GIFError) {
    guard let undo else { return }
    try canvas.restore(undo.pixels)
    state = undo.state
    self.undo = nil
  }

  /// Decodes a frame and draws it.
  mutating func draw(_ frame: FrameInfo) throws(GIFError) {
    guard log.isDrawable(frame) else { return }
    try checkCancellation()
    var plane = IndexPlane()
    swap(&plane, &scratch)
    let outcome = decoder.decode(frame, of: image, into: &plane, isCancelled: isCancelled)
    try draw(frame, outcome, plane.indices)
    scratch = plane
  }

  /// Draws a frame over what the canvas shows, unless it builds on a damaged one.
  mutating func draw(
    _ frame: FrameInfo, _ outcome: FrameOutcome, _ indices: Span<UInt8>,
    sharing bands: (any BandSharing)? = nil
  ) throws(GIFError) {
    guard log.isDrawable(frame) else { return }
    if let failure = outcome.failure { throw failure }
    let paint = try paints.paint(for: frame, of: image)
    try dispose(for: frame, status: outcome.status)
    decodedFrames += 1
    log.enter(outcome, for: frame)
    let isEmpty = try prepareCanvas(for: frame, status: outcome.status)
    // No frame builds on a damaged one either: undoing it leads back to the nearest picture that serves.
    let isDeadEnd = outcome.status != .complete && image.damagePolicy == .chromium
    if frame.disposal == .previous || isDeadEnd { undo = (try canvas.copy(frame.rect), state) }
    // Row 47: only the first frame, only if it is opaque.
    let fillsGaps = frame.index == 0 && frame.transparentIndex == nil && outcome.status != .complete
    try canvas.draw(
      indices, rect: outcome.isCropped ? frame.rect.intersection(canvas.bounds) : frame.rect,
      isInterlaced: frame.isInterlaced, paint: paint, replaces: isEmpty, fillsGaps: fillsGaps,
      sharing: bands)
    state = .showing(frame.index)
    checkpoints.note(
      frame, isSound: outcome.status == .complete, drawnOn: bases.required(by: frame.index), canvas: canvas)
  }

  /// Disposes of the shown frame, unless a damaged frame is drawn on a picture that Chromium has not disposed
  /// of: it clears the rectangle of the required frame only, all others being covered by a sound frame (row
  /// 25).
  private mutating func dispose(for frame: FrameInfo, status: FrameStatus) throws(GIFError) {
    try undoShownFrame()
    if case .showing(let shown) = state, shown != frame.requiredFrame,
      try gapBase(of: frame, status: status) == shown
    {
      return
    }
    try disposeOfShownFrame()
  }

  /// Clears the canvas where the frame starts from nothing, unless the frame replaces all of it anyway.
  ///
  /// - Returns: whether the canvas counts as empty for the drawing.
  private mutating func prepareCanvas(for frame: FrameInfo, status: FrameStatus) throws(GIFError) -> Bool {
    // A damaged frame that needs no other is seen on an empty canvas (rows 25 and 29), though a sound one may
    // go on from its predecessor, whose remains it covers.
    let startsEmpty = state == .stale || (frame.isKeyframe && status != .complete)
    guard startsEmpty, state != .cleared else { return state == .cleared }
    // Where changes are noted, transparent pixels are not drawn.
    let replaces = frame.transparentIndex == nil || !canvas.notesChanges
    let covers = status == .complete && replaces && frame.rect.contains(canvas.bounds)
    guard !covers || frame.disposal == .previous else { return true }
    try canvas.clear()
    // Only a canvas that was cleared: without memory for the drawing the next frame begins from here.
    state = .cleared
    return true
  }
}
