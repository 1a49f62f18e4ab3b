internal import GIFDecoding

/// The one renderer of a store, with its decoder and buffers. The thread that holds the store's decoder lock
/// uses it.
struct StoreDecoder: ~Copyable, Sendable {
  private var renderer: FrameRenderer?
  /// The renderer while it is packed.
  private var packed: PackedRenderer?
  private var decoder = FrameDecoder()
  private var scratch = DecodedFrame()
  private var plan = StepPlan()
  private(set) var isOpen = false
  /// The state of the image that the renderer has.
  private(set) var version = ImageVersion()
  /// Bytes of canvases kept to find the way back.
  private(set) var checkpointBytes: Int64 = 0
  /// What the renderer takes while it is packed; nil where it does not.
  private(set) var packedBytes: Int64?

  /// What a step gave.
  struct Outcome: Sendable {
    /// The finished frame, if the step led to one that is wanted.
    var frame: Frame?
    /// Palette indices to keep.
    var warm: (frame: Int, indices: DecodedFrame)?
    /// Code streams decoded.
    var decodedFrames = 0
  }

  /// Makes the renderer, or has the present one go over to an image that has grown.
  mutating func open(_ image: GIFImage, version: ImageVersion, size: PixelSize?) throws(GIFError) {
    if version.era != self.version.era { close() }
    if let packed = packed.take() {
      packedBytes = nil
      isOpen = false
      renderer = try packed.unpacked()
      isOpen = true
    }
    guard isOpen else {
      let checkpoints = CheckpointPolicy(interval: 16, byteLimit: 0)
      renderer = try FrameRenderer(image, size: size, checkpoints: checkpoints)
      self.version = version
      isOpen = true
      return
    }
    guard version != self.version, var renderer = renderer.take() else { return }
    let outcome = Result { () throws(GIFError) in try renderer.update(to: image) }
    self.renderer = consume renderer
    self.version = version
    plan = StepPlan()
    try outcome.get()
  }

  /// Releases the renderer and all buffers.
  mutating func close() {
    self = StoreDecoder()
  }

  /// Packs the renderer until the next ``open(_:version:size:)``, and releases the buffers.
  ///
  /// - Parameter frame: the frame just finished, which the next one in the file follows; nil where the way to
  ///   one is not over, so that the canvas must stay.
  mutating func pack(after frame: Int?) {
    guard let renderer = renderer.take() else { return }
    let next = frame.map { $0 + 1 < renderer.image.frameCount ? $0 + 1 : 0 }
    let packed = PackedRenderer(renderer, before: next)
    packedBytes = packed.byteCount
    self.packed = consume packed
    checkpointBytes = 0
    decoder = FrameDecoder()
    scratch = DecodedFrame()
  }

  /// Keeps no more canvases than that; returns the bytes of those left.
  mutating func limitCheckpoints(to bytes: Int64) -> Int64 {
    guard var renderer = renderer.take() else { return 0 }
    renderer.limitCheckpoints(to: bytes)
    checkpointBytes = renderer.checkpointBytes
    self.renderer = consume renderer
    return checkpointBytes
  }

  /// Draws the next frame on the way to `target`.
  ///
  /// - Parameters:
  ///   - onTheWay: another frame that is finished, too, if the way leads over it.
  ///   - spare: a frame that was evicted, whose memory serves for the new one.
  ///   - indices: the palette indices of a frame, if they are kept.
  ///   - keeps: whether a frame's palette indices, this many bytes, are to be kept.
  mutating func step(
    towards target: Int, onTheWay: Int?, reusing spare: consuming Frame?, indices: (Int) -> DecodedFrame?,
    keeps: (Int, Int64) -> Bool
  ) throws(GIFError) -> Outcome {
    guard var renderer = renderer.take() else { return Outcome() }
    renderer.reuse(spare.take())
    let outcome = Result { () throws(GIFError) in
      try step(towards: target, onTheWay: onTheWay, with: &renderer, indices: indices, keeps: keeps)
    }
    renderer.reuse(nil)
    checkpointBytes = renderer.checkpointBytes
    self.renderer = consume renderer
    return try outcome.get()
  }

  private mutating func step(
    towards target: Int, onTheWay: Int?, with renderer: inout FrameRenderer,
    indices: (Int) -> DecodedFrame?, keeps: (Int, Int64) -> Bool
  ) throws(GIFError) -> Outcome {
    let before = renderer.decodedFrames
    let step = plan.next(
      towards: target, from: renderer.baseFrame, needsNoDrawing: { renderer.needsNoDrawing($0) },
      plan: { renderer.steps(to: target) })
    guard let step else {
      let frame = try renderer.frame(at: target)
      return Outcome(frame: frame, decodedFrames: renderer.decodedFrames - before)
    }
    var kept: (frame: Int, indices: DecodedFrame)?
    let status: FrameStatus
    var saved = 0
    if let warm = indices(step) {
      status = try renderer.render(step, outcome: warm.outcome, indices: warm.indices)
      saved = 1
    } else {
      decoder.decode(renderer.image.frames[step], of: renderer.image, into: &scratch)
      if keeps(step, Int64(scratch.byteCount)) {
        kept = scratch.compacted().map { (step, $0) }
      }
      status = try renderer.render(step, outcome: scratch.outcome, indices: scratch.indices)
    }
    let frame =
      step == target || step == onTheWay ? try renderer.finishedFrame(at: step, status: status) : nil
    return Outcome(
      frame: frame, warm: kept, decodedFrames: max(0, renderer.decodedFrames - before - saved))
  }
}

/// Which image a store has, and which state of it.
struct ImageVersion: Sendable, Hashable {
  /// Counts the images that have taken each other's place.
  var era = 0
  /// Counts the states of one image that grows.
  var state = 0
}
