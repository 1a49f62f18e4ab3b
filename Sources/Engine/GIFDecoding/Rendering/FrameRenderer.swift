/// Decodes the frames of an image and composes them on a canvas.
///
/// In order, each frame costs one decoding. Out of order, it costs the frames it builds on, from the nearest
/// key frame, kept canvas or canvas at hand. A renderer belongs to one caller; an image may have any number
/// of them.
///
/// Memory: one canvas, the indices and the compressed bytes of the largest frame so far, a copy of the
/// rectangle that a frame restores, and the canvases that the checkpoint policy allows.
public struct FrameRenderer: ~Copyable, Sendable {
  /// The image that it decodes.
  public private(set) var image: GIFImage
  /// The order of a pixel's channels.
  package let format: PixelFormat

  var canvas: Canvas
  var state = CanvasState.cleared
  /// The pixels to restore when the frame just shown is over, and the state of the canvas then.
  var undo: (pixels: SavedPixels, state: CanvasState)?
  /// Nil where frames have the size of the canvas.
  private(set) var scaler: FrameScaler?
  var bases: FrameBases
  /// Results of ``heldFrame(after:)``.
  var heldFrames = PerFrame<Int?>()
  var log: FrameLog
  var checkpoints: Checkpoints
  /// The number of decodings so far.
  package internal(set) var decodedFrames = 0
  /// Asked before each decoding, and within a large one. Set for the time of one call.
  private(set) var isCancelled: CancelQuestion = nil
  var decoder = FrameDecoder()
  /// Holds the indices of the frame that the renderer decodes itself; without memory while they are drawn.
  var scratch = IndexPlane()
  var paints: FramePaints

  /// Makes a renderer; decodes nothing yet.
  ///
  /// - Parameters:
  ///   - size: the size of the frames, by area averaging; nil for that of the canvas.
  ///   - checkpoints: the canvases to keep, so that frames out of order cost few decodings.
  /// - Throws: ``GIFError/Code/canvasTooLarge`` where the canvas, or a frame of `size`, has more pixels than
  ///   the image's limits allow; ``GIFError/Code/outOfMemory``.
  public init(
    _ image: GIFImage, format: PixelFormat = .rgba, size: PixelSize? = nil,
    checkpoints: CheckpointPolicy = .automatic
  ) throws(GIFError) {
    try self.init(image, format: format, size: size, checkpoints: checkpoints, notesChanges: false)
  }

  /// Makes a renderer of whole pictures for a caller that asks where they change: see ``takeChanges()``.
  package init(notingChangesOf image: GIFImage) throws(GIFError) {
    try self.init(image, format: .rgba, size: nil, checkpoints: .automatic, notesChanges: true)
  }

  private init(
    _ image: GIFImage, format: PixelFormat, size: PixelSize?, checkpoints: CheckpointPolicy,
    notesChanges: Bool
  ) throws(GIFError) {
    try image.checkRenderer(size: size)
    var scaler: FrameScaler?
    if let size, size != image.size {
      scaler = try FrameScaler(
        size: size, canvas: image.animation.canvas, isPremultiplied: format.isPremultiplied)
    }
    self.image = image
    self.format = format
    canvas = Canvas(
      width: image.width, height: image.height, notesChanges: notesChanges || scaler != nil)
    self.scaler = scaler
    log = FrameLog(frameCount: image.frameCount, policy: image.damagePolicy)
    self.checkpoints = Checkpoints(checkpoints, canvasBytes: image.pixelCount * 4)
    bases = FrameBases(image)
    paints = FramePaints(image, format: format)
  }

  /// Continues with a later state of an image that is still loading, or with the complete one.
  ///
  /// Decoded frames stay, except for a first frame that had arrived in part only.
  /// - Precondition: `newer` comes from the same ``GIFStream`` as the present image.
  /// - Throws: ``GIFError/Code/canvasTooLarge`` where the first frame has made the canvas too large.
  public mutating func update(to newer: GIFImage) throws(GIFError) {
    let isSameCanvas = newer.animation.canvas == image.animation.canvas
    let isSameBeginning = image.frames.last == newer.frames.prefix(image.frameCount).last
    guard isSameCanvas, isSameBeginning, newer.damagePolicy == image.damagePolicy else {
      let total = decodedFrames
      self = try FrameRenderer(newer, format: format, size: scaler?.size, checkpoints: checkpoints.policy)
      decodedFrames = total
      return
    }
    image = newer
    bases = FrameBases(newer)
    log.extend(to: newer.frameCount)
  }

  /// Renders a frame and returns it as a value that can be kept.
  ///
  /// - Parameter isCancelled: whether the caller no longer wants the frame; asked before each frame that it
  ///   builds on, and every few milliseconds within a large one. The next call continues from there. In a
  ///   task, pass `{ Task.isCancelled }`.
  /// - Throws: ``GIFError/Code/noFrames`` or ``GIFError/Code/noSuchFrame``; ``GIFError/Code/cancelled``;
  ///   ``GIFError/Code/fileChanged`` or ``GIFError/Code/unreadable`` where the file no longer has the frame's
  ///   bytes; ``GIFError/Code/outOfMemory``, after which the renderer goes on from what it showed. Damage is
  ///   no error: see ``Frame/status``.
  public mutating func frame(
    at index: Int, isCancelled: (@Sendable () -> Bool)? = nil
  ) throws(GIFError) -> Frame {
    try finishedFrame(at: index, status: try render(index, isCancelled: isCancelled))
  }

  /// Takes a frame that the caller no longer needs, and draws the next one in its memory; nil releases it.
  ///
  /// The next frame then costs no allocation, and a copy of only what has changed.
  package mutating func reuse(_ frame: consuming Frame?) {
    canvas.reuse(frame?.pixels.memory)
  }

  /// Takes memory, of ``frameBytes`` bytes, for the next frame while the caller keeps those before it.
  /// `memory` is asked only where it is needed: not if a frame has been returned, and not at another size
  /// than that of the canvas.
  package mutating func supply(_ memory: () -> PixelMemory?) {
    if scaler == nil { canvas.supply(memory) }
  }

  /// The canvas as a frame that can be kept. Costs no copy unless the canvas is drawn on while the frame
  /// lives; at another size, the averaging of what has changed.
  ///
  /// - Throws: ``GIFError/Code/outOfMemory``.
  package mutating func finishedFrame(at index: Int, status: FrameStatus) throws(GIFError) -> Frame {
    var size = (width: image.width, height: image.height)
    var pixels: PixelMemory
    let changed = try scaledChange(of: index, status: status)
    if let scaler {
      size = (scaler.size.width, scaler.size.height)
      pixels = scaler.words
    } else {
      pixels = try canvas.publish()
    }
    if status == .blank { pixels = try PixelMemory(count: pixels.count) }
    return Frame(
      index: index, status: status,
      pixels: PixelBuffer(
        width: size.width, height: size.height, format: format, memory: pixels),
      changedRect: changed)
  }

  /// Calls `body` with the pixels of a frame just rendered, their size, and where they may differ from the
  /// frame before.
  ///
  /// Costs no copy; at another size, the averaging of what has changed. A blank frame's pixels are those
  /// before it.
  package mutating func withPixels(
    of index: Int, status: FrameStatus, _ body: (Span<UInt32>, PixelSize, PixelRect) -> Void
  ) throws(GIFError) {
    let changed = try scaledChange(of: index, status: status)
    if let scaler {
      body(scaler.words.span, scaler.size, changed)
    } else {
      body(canvas.span, image.size, changed)
    }
  }

  /// Where pixels of the canvas may have changed since the last call, everything at first; nil where none
  /// has.
  ///
  /// Only of a renderer that was made to note changes, without another size.
  package mutating func takeChanges() -> ChangedBlocks? { canvas.takeChanges() }

  /// Averages what has changed on the canvas, and returns where frame `index` may differ from the frame
  /// before: at another size, after that frame, where it does.
  private mutating func scaledChange(of index: Int, status: FrameStatus) throws(GIFError) -> PixelRect {
    let changed = changedRect(of: index, status: status)
    guard scaler != nil else { return changed }
    var differs = PixelRect.empty
    if let drawn = canvas.changes {
      if !canvas.isWhole { for rows in scaler?.sourceRows(of: drawn) ?? [] { try canvas.open(rows) } }
      differs = try scaler?.update(drawn, of: canvas) ?? .empty
      // Not before: without memory they are averaged at the next call.
      canvas.takeChanges()
    }
    let former = scaler?.frame
    scaler?.frame = index
    if index > 0, former == index - 1, !isBesideDamage(index, status: status) { return differs }
    return scaler?.target(of: changed) ?? changed
  }

  /// Composes a frame on the canvas and returns its status, without a copy: see ``canvasPixels``.
  ///
  /// A frame with the status ``FrameStatus/blank`` shows nothing and leaves the canvas as it was.
  ///
  /// - Parameter isCancelled: see ``frame(at:isCancelled:)``.
  @discardableResult
  public mutating func render(
    _ index: Int, isCancelled: (@Sendable () -> Bool)? = nil
  ) throws(GIFError) -> FrameStatus {
    self.isCancelled = isCancelled
    defer { self.isCancelled = nil }
    let frame = try frameInfo(at: index)
    if let status = try knownStatus(of: frame) { return status }
    guard buildsOnCanvas(index) else { return try compose(frame, along: plan(to: index)) }
    let base = baseFrame
    try draw(frame)
    return try finish(frame, drawnOn: base)
  }

  /// Composes a frame that has been decoded elsewhere, where only that one is missing; otherwise as
  /// ``render(_:)``.
  ///
  /// - Parameter bands: through which other threads may take part in drawing a large frame.
  @discardableResult
  package mutating func render(
    _ index: Int, outcome: FrameOutcome, indices: Span<UInt8>, sharing bands: (any BandSharing)? = nil
  ) throws(GIFError) -> FrameStatus {
    let frame = try frameInfo(at: index)
    if let status = try knownStatus(of: frame) { return status }
    if buildsOnCanvas(index) {
      let base = baseFrame
      try draw(frame, outcome, indices, sharing: bands)
      return try finish(frame, drawnOn: base)
    }
    let plan = plan(to: index)
    guard plan.frames == [index], state != .showing(index) else { return try compose(frame, along: plan) }
    let base = base(of: plan)
    begin(plan)
    try draw(frame, outcome, indices, sharing: bands)
    return try finish(frame, drawnOn: base)
  }

  /// Whether a frame can be drawn on what the canvas shows: the plan of a frame in order, found without
  /// making one.
  private func buildsOnCanvas(_ index: Int) -> Bool {
    RenderPlan.serves(
      undo?.state ?? state, for: index, requires: { bases.required(by: $0) },
      isSound: { log.statuses[$0] == .complete })
  }

  /// Ends the drawing of a frame: a damaged one may have to be drawn on another picture.
  private mutating func finish(_ frame: FrameInfo, drawnOn base: Int?) throws(GIFError) -> FrameStatus {
    try redrawDamaged(frame, drawnOn: base)
    return log.statuses[frame.index] ?? .blank
  }

  /// - Throws: ``GIFError/Code/cancelled`` where the frame under way is no longer wanted.
  func checkCancellation() throws(GIFError) {
    if let isCancelled, isCancelled() { throw GIFError(.cancelled) }
  }

  private func frameInfo(at index: Int) throws(GIFError) -> FrameInfo {
    guard image.frames.indices.contains(index) else {
      throw .missingFrame(Int64(index), of: image.frameCount)
    }
    return image.frames[index]
  }

  /// The status of a frame for which nothing has to be drawn: it shows nothing, or is there already.
  private mutating func knownStatus(of frame: FrameInfo) throws(GIFError) -> FrameStatus? {
    guard log.isDrawable(frame) else {
      try canvas.takeMemory()
      return .blank
    }
    return state == .showing(frame.index) ? log.statuses[frame.index] : nil
  }

  /// Whether nothing has to be drawn for a frame: it is there already, or known to show nothing.
  package mutating func needsNoDrawing(_ index: Int) -> Bool {
    image.frames.indices.contains(index)
      && (state == .showing(index) || !log.isDrawable(image.frames[index]))
  }

  private mutating func compose(
    _ frame: FrameInfo, along plan: RenderPlan
  ) throws(GIFError) -> FrameStatus {
    let base = base(of: plan)
    // A renderer may be made for one frame alone, wherever that is.
    if plan.frames.count > 1, decodedFrames > 0 { checkpoints.noteSeek() }
    try follow(plan)
    return try finish(frame, drawnOn: base)
  }

  /// How many frames have to be drawn to show `index`, itself included.
  package func stepCount(to index: Int) -> Int { buildsOnCanvas(index) ? 1 : plan(to: index).frames.count }

  /// The frames that have to be drawn to show `index`, itself last.
  package func steps(to index: Int) -> [Int] {
    // In order, as most frames are drawn, there is nothing to plan.
    buildsOnCanvas(index) ? [index] : plan(to: index).frames
  }

  /// The frames that have to be drawn to show `index` after another one, itself last, as long as nothing is
  /// damaged.
  package func steps(to index: Int, after former: Int) -> [Int] {
    if index == former { return [index] }
    let bases = bases
    return RenderPlan(
      to: index, from: .showing(former), frames: image.frames, isSound: { _ in true },
      requires: { bases.required(by: $0) }
    ).frames
  }

  /// Changes how many bytes of canvases may be kept on the way; canvases beyond that are evicted at once.
  package mutating func limitCheckpoints(to bytes: Int64) { checkpoints.limit(to: bytes) }

  /// Bytes of canvases kept on the way.
  package var checkpointBytes: Int64 { checkpoints.byteCount }

  /// The frame on whose picture a plan's last frame will be drawn.
  private func base(of plan: RenderPlan) -> Int? {
    if let step = plan.frames.dropLast().last { return step }
    switch plan.start {
    case .present: return baseFrame
    case .kept(let base): return base
    case .cleared: return nil
    }
  }

  /// The frame on whose picture the next one is drawn, if any: that of the canvas, or what it shows when the
  /// present frame has been undone.
  package var baseFrame: Int? { (undo?.state ?? state).frame }

  mutating func follow(_ plan: RenderPlan) throws(GIFError) {
    begin(plan)
    for step in plan.frames { try draw(image.frames[step]) }
    // A failed frame on the way was drawn on a picture that need not be the one below it in order.
    if let target = plan.frames.last, state != .showing(target) { try disposeOfShownFrame() }
  }

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
      canvas.show(kept)
      state = .showing(base)
    }
  }

  func plan(to index: Int) -> RenderPlan {
    let statuses = log.statuses
    let (checkpoints, bases) = (checkpoints, bases)
    return RenderPlan(
      to: index, from: undo?.state ?? state, frames: image.frames, isSound: { statuses[$0] == .complete },
      requires: { bases.required(by: $0) },
      kept: { checkpoints.base(for: $0, requiring: bases.required(by: $0)) })
  }

  /// The size of the frames.
  package var frameSize: PixelSize { scaler?.size ?? image.size }

  /// Bytes of one frame's pixels.
  package var frameBytes: Int { (scaler?.words.count ?? Int(canvas.bounds.area)) * 4 }

  /// The pixels of the canvas, one word each, row by row from the top. Empty until a frame has been rendered.
  public var canvasPixels: Span<UInt32> {
    @_lifetime(borrow self)
    get {
      precondition(canvas.isWhole, "the canvas of a renderer that was packed has only the rows it needs")
      return canvas.span
    }
  }

  /// The status of a frame; nil until it has been decoded.
  package func status(of index: Int) -> FrameStatus? { log.statuses[index] }

  /// The damage found so far, one diagnostic a frame, without those of the image's own diagnostics.
  public var diagnostics: [GIFDiagnostic] { log.diagnostics }

  private func changedRect(of index: Int, status: FrameStatus) -> PixelRect {
    isBesideDamage(index, status: status) ? canvas.bounds : image.animation.changedRect(of: index)
  }

  /// Whether a frame or the one before it is damaged, or may be: then any pixel may change.
  private func isBesideDamage(_ index: Int, status: FrameStatus) -> Bool {
    status != .complete || (index > 0 && log.statuses[index - 1] != .complete)
  }
}
