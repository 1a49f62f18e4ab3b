/// Decodes frames and composes them to finished pictures.
///
/// In order each frame costs one decoding. Out of order it costs the frames it builds on, from the nearest key
/// frame, from a canvas kept on the way or from what the canvas shows, whichever is nearest. One renderer serves one caller; any number of
/// renderers may work on the same image.
///
/// Memory: one canvas, the indices of the largest frame met, its compressed bytes, for a frame that restores what
/// was before it a copy of its rectangle, and the canvases that the checkpoint policy allows.
public struct FrameRenderer: ~Copyable, Sendable {
  public private(set) var image: GIFImage
  public let format: PixelFormat

  private var canvas: Canvas
  private var state = CanvasState.cleared
  /// What to put back when the frame just shown is over, and what the canvas shows then.
  private var undo: (pixels: SavedPixels, state: CanvasState)?
  private var log: FrameLog
  private var checkpoints: Checkpoints
  /// How many frames have been decoded in all, each time counted.
  public private(set) var decodedFrames = 0
  private var decoder = FrameDecoder()
  /// Where frames are decoded that nobody has decoded before; nil while one is being drawn from it.
  private var scratch: DecodedFrame? = DecodedFrame()
  private let globalColors: ColorTable

  /// - Throws: ``GIFError/Code/canvasTooLarge`` where the canvas has more pixels than the image's limits allow.
  public init(
    _ image: GIFImage, format: PixelFormat = .rgba, checkpoints: CheckpointPolicy = CheckpointPolicy()
  ) throws(GIFError) {
    guard image.metadata.pixelCount <= image.limits.canvasPixels else {
      throw GIFError(.canvasTooLarge, value: image.metadata.pixelCount, limit: image.limits.canvasPixels)
    }
    guard image.metadata.pixelCount * 4 <= image.limits.decodedBytes else {
      throw GIFError(
        .tooManyDecodedBytes, value: image.metadata.pixelCount * 4, limit: image.limits.decodedBytes)
    }
    self.image = image
    self.format = format
    canvas = Canvas(width: image.width, height: image.height)
    log = FrameLog(frameCount: image.frameCount, policy: image.damagePolicy)
    self.checkpoints = Checkpoints(checkpoints, canvasBytes: image.metadata.pixelCount * 4)
    globalColors = ColorTable(image.index.globalPalette, of: image.storage.bytes, format: format)
  }

  /// Goes over to a later state of an image that is still loading, or to the finished one.
  ///
  /// What has been decoded stays, except for a first frame of which only the beginning was there.
  /// - Precondition: `newer` comes from the same ``GIFStream`` as the present image.
  /// - Throws: ``GIFError/Code/canvasTooLarge`` where the first frame has made the canvas too large.
  public mutating func update(to newer: GIFImage) throws(GIFError) {
    let isSameCanvas = newer.index.canvas == image.index.canvas
    let isSameBeginning = image.frames.last == newer.frames.prefix(image.frameCount).last
    guard isSameCanvas, isSameBeginning else {
      let total = decodedFrames
      self = try FrameRenderer(newer, format: format, checkpoints: checkpoints.policy)
      decodedFrames = total
      return
    }
    image = newer
    log.extend(to: newer.frameCount)
  }

  /// The finished picture of a frame.
  ///
  /// - Throws: ``GIFError/Code/noSuchFrame``. Damage is no error: see ``Frame/status``.
  public mutating func frame(at index: Int) throws(GIFError) -> Frame {
    picture(of: index, status: try render(index))
  }

  /// The canvas as a picture that can be kept. Costs no copy unless the canvas is drawn on while the picture lives.
  package func picture(of index: Int, status: FrameStatus) -> Frame {
    let words = status == .blank ? Array(repeating: 0, count: canvas.pixels.count) : canvas.pixels
    return Frame(
      index: index, status: status,
      pixels: PixelBuffer(width: image.width, height: image.height, format: format, words: words),
      changedRect: changedRect(of: index, status: status))
  }

  /// Composes a frame in place and gives its status, without making a picture that can be kept.
  ///
  /// Where the status is ``FrameStatus/blank`` the canvas is left as it was: the frame shows nothing.
  @discardableResult
  public mutating func render(_ index: Int) throws(GIFError) -> FrameStatus {
    guard index >= 0, index < image.frameCount else {
      throw GIFError(.noSuchFrame, value: Int64(index), limit: Int64(image.frameCount))
    }
    let frame = image.frames[index]
    guard log.isDrawable(frame) else { return .blank }
    if state == .showing(index), let status = log.statuses[index] { return status }
    let plan = plan(to: index)
    begin(plan)
    for step in plan.frames { draw(image.frames[step]) }
    return log.statuses[index] ?? .blank
  }

  /// Composes a frame that has been decoded elsewhere, where only that one is missing; otherwise as ``render(_:)``.
  @discardableResult
  package mutating func render(_ index: Int, decoded: borrowing DecodedFrame) throws(GIFError) -> FrameStatus
  {
    guard image.frames.indices.contains(index), log.isDrawable(image.frames[index]) else {
      return try render(index)
    }
    let plan = plan(to: index)
    guard plan.frames == [index], state != .showing(index) else { return try render(index) }
    begin(plan)
    draw(image.frames[index], decoded)
    return log.statuses[index] ?? .blank
  }

  /// The frames that have to be drawn to show `index`, itself last.
  package func steps(to index: Int) -> [Int] { plan(to: index).frames }

  private mutating func begin(_ plan: RenderPlan) {
    switch plan.start {
    case .present: break
    case .cleared:
      undo = nil
      state = .stale
    case .kept(let base):
      guard let kept = checkpoints.canvas(showing: base) else {
        preconditionFailure("the plan names a kept canvas")
      }
      undo = nil
      canvas = kept
      state = .showing(base)
    }
  }

  private func plan(to index: Int) -> RenderPlan {
    let statuses = log.statuses
    let checkpoints = checkpoints
    return RenderPlan(
      to: index, from: undo?.state ?? state, frames: image.frames, isSound: { statuses[$0] == .complete },
      kept: { checkpoints.base(for: $0) })
  }

  /// The canvas as it stands, one word a pixel.
  public var canvasPixels: Span<UInt32> {
    @_lifetime(borrow self)
    get { canvas.pixels.span }
  }

  /// The damage met so far, a line a frame. What the image's own diagnostics tell is not repeated.
  public var diagnostics: [GIFDiagnostic] { log.diagnostics }

  private func changedRect(of index: Int, status: FrameStatus) -> PixelRect {
    // Next to a damaged frame the picture may change anywhere.
    let before = index > 0 ? log.statuses[index - 1] : nil
    let isDamaged = status != .complete || (before != nil && before != .complete)
    return isDamaged ? canvas.bounds : image.changedRect(of: index)
  }
}

// MARK: - Steps

extension FrameRenderer {
  /// Brings the canvas to the state in which the next frame is drawn.
  private mutating func disposeOfShownFrame() {
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
  private mutating func draw(_ frame: FrameInfo) {
    guard log.isDrawable(frame) else { return }
    var decoded = scratch.take() ?? DecodedFrame()
    decoder.decode(frame, of: image, into: &decoded)
    draw(frame, decoded)
    scratch = decoded
  }

  /// Draws a frame over what the canvas shows, unless it builds on a damaged one.
  private mutating func draw(_ frame: FrameInfo, _ outcome: borrowing DecodedFrame) {
    guard log.isDrawable(frame) else { return }
    disposeOfShownFrame()
    decodedFrames += 1
    log.enter(outcome, for: frame)
    prepareCanvas(for: frame, status: outcome.status)
    if frame.disposal == .restorePrevious { undo = (canvas.copy(frame.rect), state) }
    let colors =
      frame.localPalette.map { ColorTable($0, of: image.storage.bytes, format: format) } ?? globalColors
    // Row 47: only the first frame, only if it is opaque.
    let fillsGaps = frame.index == 0 && frame.transparentIndex == nil && outcome.status != .complete
    canvas.draw(
      outcome.plane, rect: frame.rect, isInterlaced: frame.isInterlaced,
      paint: Paint(colors: colors.colors, transparentIndex: frame.transparentIndex), fillsGaps: fillsGaps)
    state = .showing(frame.index)
    if outcome.status == .complete { checkpoints.note(frame, canvas: canvas) }
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
