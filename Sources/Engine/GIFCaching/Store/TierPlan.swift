internal import GIFDecoding
internal import GIFTimeline

/// What is known of an animation before any frame is decoded, in bytes.
struct StoreShape: Sendable, Hashable {
  let frameCount: Int
  /// One finished frame.
  let frameBytes: Int64
  /// What decoding takes: canvas, indices, tables. Held while anything is decoded.
  let rendererBytes: Int64
  /// What is left of that between turns where memory is short: a packed canvas, or none.
  var restingBytes: Int64
  /// The palette indices of all frames.
  let planeBytes: Int64
  /// One canvas, kept to find the way back.
  let canvasBytes: Int64
  /// Pixels packed in a second by a renderer that rests after each frame.
  let packedPixelRate: Int64
  /// Why the limits allow no renderer; nil where they allow one.
  let refusal: GIFError?

  /// - Parameter restingBytes: nil where resting gives up nothing.
  init(
    frameCount: Int, frameBytes: Int64, rendererBytes: Int64, restingBytes: Int64? = nil, planeBytes: Int64,
    canvasBytes: Int64, packedPixelRate: Int64 = 0, refusal: GIFError? = nil
  ) {
    self.frameCount = frameCount
    self.frameBytes = frameBytes
    self.rendererBytes = rendererBytes
    self.restingBytes = min(rendererBytes, restingBytes ?? rendererBytes)
    self.planeBytes = planeBytes
    self.canvasBytes = canvasBytes
    self.packedPixelRate = packedPixelRate
    self.refusal = refusal
  }

  /// What a renderer gives up while it rests.
  var releasedBytes: Int64 { rendererBytes - restingBytes }
}

extension StoreShape {
  init(_ image: GIFImage, size: PixelSize?) {
    var refusal: GIFError?
    do throws(GIFError) { try image.checkRenderer(size: size) } catch { refusal = error }
    let canvasBytes = image.pixelCount * 4
    self.init(
      frameCount: image.frameCount, frameBytes: size.map { $0.area * 4 } ?? canvasBytes,
      rendererBytes: image.rendererBytes(size: size), restingBytes: image.restingRendererBytes(size: size),
      planeBytes: image.frames.reduce(0) { $0 + $1.rect.area }, canvasBytes: canvasBytes,
      packedPixelRate: image.packedPixelRate, refusal: refusal)
  }
}

/// How the bytes that a store was granted are spent. Pure arithmetic.
///
/// A frame has three forms. Hot is the finished frame. Warm are its palette indices, from which it is
/// composed without decoding. Cold are the compressed bytes of the file. The bytes go first to what saves the
/// most time for each:
/// 1. the frames due next,
/// 2. palette indices, which take a quarter of a frame's bytes or less and save the larger part of the work,
/// 3. frames that come round again.
///
/// If the whole loop fits as finished frames, it has no use for palette indices.
struct TierPlan: Sendable, Hashable {
  /// Finished frames held at the most.
  var hotFrames: Int
  /// Bytes of palette indices held at the most.
  var warmBytes: Int64
  /// Bytes of canvases kept for going back.
  var checkpointBytes: Int64
  /// Whether anything may be decoded: only with what the renderer and two frames take.
  var decodes: Bool
  /// Whether the renderer rests between turns.
  var rests = false

  static let nothing = TierPlan(hotFrames: 0, warmBytes: 0, checkpointBytes: 0, decodes: false)

  init(hotFrames: Int, warmBytes: Int64, checkpointBytes: Int64, decodes: Bool) {
    self.decodes = decodes
    self.hotFrames = hotFrames
    self.warmBytes = warmBytes
    self.checkpointBytes = checkpointBytes
  }

  /// - Parameter rests: whether the grant counts the renderer as it is between turns.
  init(grant: Int64, rests: Bool, demand: BudgetDemand, shape: StoreShape, needs: PlayerNeeds) {
    // The renderer may have come to release less than when the budget was asked; it decodes all the same.
    let opened = rests ? max(grant + demand.released, demand.floor) : grant
    self.init(grant: opened, demand: demand, shape: shape, needs: needs)
    self.rests = rests && decodes
  }

  private init(grant: Int64, demand: BudgetDemand, shape: StoreShape, needs: PlayerNeeds) {
    guard needs.served > 0 else {
      let kept = shape.frameBytes > 0 ? Int(clamping: max(0, grant) / shape.frameBytes) : shape.frameCount
      self.init(hotFrames: min(shape.frameCount, kept), warmBytes: 0, checkpointBytes: 0, decodes: false)
      return
    }
    guard grant >= demand.floor else {
      self = .nothing
      return
    }
    if grant >= demand.whole {
      self.init(hotFrames: shape.frameCount, warmBytes: 0, checkpointBytes: 0, decodes: true)
      return
    }
    var frameBytes = min(grant, demand.window) - shape.rendererBytes
    var remaining = max(0, grant - demand.window)
    let checkpoints = needs.seeksBack ? min(remaining / 4, 8 * shape.canvasBytes) : 0
    remaining -= checkpoints
    let warm = demand.warm > demand.window ? min(remaining, shape.planeBytes) : 0
    frameBytes += remaining - warm
    let hot = shape.frameBytes > 0 ? Int(clamping: max(0, frameBytes) / shape.frameBytes) : shape.frameCount
    self.init(
      hotFrames: min(hot, shape.frameCount), warmBytes: warm, checkpointBytes: checkpoints, decodes: true)
  }
}

extension BudgetDemand {
  /// What a store has use for.
  init(_ shape: StoreShape, _ needs: PlayerNeeds) {
    guard needs.served > 0 else {
      // The frames that were shown last, so that a player that comes back does not flash.
      let shown = Int64(min(shape.frameCount, needs.resting)) * shape.frameBytes
      self.init(
        visibility: .hidden, floor: 0, needed: shown, window: shown, warm: shown,
        whole: needs.resting > 0 ? Int64(shape.frameCount) * shape.frameBytes : 0)
      return
    }
    func bytes(_ count: Int) -> Int64 {
      shape.rendererBytes + Int64(min(shape.frameCount, count)) * shape.frameBytes
    }
    let needed = max(2, needs.neededFrames) + needs.resting
    // Where players are spread out, each group of them reads ahead for itself.
    let window = bytes(needed + max(1, needs.neededFrames / 2) * max(0, needs.readAhead - 1))
    let whole = bytes(shape.frameCount)
    let back = needs.seeksBack ? 8 * shape.canvasBytes : 0
    let warm = window + shape.planeBytes + back
    self.init(
      visibility: needs.visibility, floor: bytes(2), released: shape.releasedBytes,
      packedPixelRate: shape.packedPixelRate,
      needed: bytes(needed), window: window, warm: warm < whole ? warm : window, whole: whole)
  }
}
