internal import GIFDecoding

/// The one renderer of a store, with its decoder and buffers. The thread that holds the store's decoder lock uses it.
struct StoreDecoder: ~Copyable, Sendable {
  private var renderer: FrameRenderer?
  private var decoder = FrameDecoder()
  private var scratch = DecodedFrame()
  private var path = DecodePath()

  /// What a step gave.
  struct Outcome: Sendable {
    /// The picture, where the step led to one that is wanted.
    var picture: Frame?
    /// Palette indices to keep.
    var plane: (frame: Int, indices: DecodedFrame)?
    /// Code streams decoded.
    var decodedFrames: Int
  }

  private(set) var isOpen = false
  /// Which state of the image the renderer has.
  private var version = 0
  /// Bytes of canvases kept to find the way back.
  private(set) var checkpointBytes: Int64 = 0

  /// Makes the renderer, or has the one that is there go over to an image that has grown.
  mutating func open(_ image: GIFImage, version: Int, size: PixelSize?) throws(GIFError) {
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
    path = DecodePath()
    try outcome.get()
  }

  /// Releases the renderer and all buffers.
  mutating func close() {
    self = StoreDecoder()
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
  ///   - onTheWay: a frame whose picture is welcome, too, if the way leads over it.
  ///   - spare: a picture that was given up to make room, whose memory serves for the new one.
  ///   - plane: the palette indices of a frame, if they are kept.
  ///   - keeps: whether a frame's palette indices, so many bytes, are to be kept.
  mutating func step(
    towards target: Int, onTheWay: Int?, reusing spare: consuming Frame?, plane: (Int) -> DecodedFrame?,
    keeps: (Int, Int64) -> Bool
  ) throws(GIFError) -> Outcome {
    guard var renderer = renderer.take() else { return Outcome(decodedFrames: 0) }
    renderer.reuse(spare.take())
    let outcome = Result { () throws(GIFError) in
      try step(towards: target, onTheWay: onTheWay, with: &renderer, plane: plane, keeps: keeps)
    }
    renderer.reuse(nil)
    checkpointBytes = renderer.checkpointBytes
    self.renderer = consume renderer
    return try outcome.get()
  }

  private mutating func step(
    towards target: Int, onTheWay: Int?, with renderer: inout FrameRenderer,
    plane: (Int) -> DecodedFrame?, keeps: (Int, Int64) -> Bool
  ) throws(GIFError) -> Outcome {
    let before = renderer.decodedFrames
    let step = path.next(
      towards: target, from: renderer.standing, isSettled: { renderer.isSettled($0) },
      plan: { renderer.steps(to: target) })
    guard let step else {
      let picture = try renderer.frame(at: target)
      return Outcome(picture: picture, decodedFrames: renderer.decodedFrames - before)
    }
    var kept: (frame: Int, indices: DecodedFrame)?
    let status: FrameStatus
    var saved = 0
    if let warm = plane(step) {
      status = try renderer.render(step, decoded: warm)
      saved = 1
    } else {
      decoder.decode(renderer.image.frames[step], of: renderer.image, into: &scratch)
      if keeps(step, Int64(scratch.byteCount)) { kept = (step, scratch.compacted()) }
      status = try renderer.render(step, decoded: scratch)
    }
    let picture = step == target || step == onTheWay ? renderer.picture(of: step, status: status) : nil
    return Outcome(
      picture: picture, plane: kept, decodedFrames: max(0, renderer.decodedFrames - before - saved))
  }
}
