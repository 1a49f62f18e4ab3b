internal import GIFDecoding
internal import GIFTimeline

/// What is known of an animation before any frame is decoded, in bytes.
struct StoreShape: Sendable, Hashable {
  let frameCount: Int
  /// One finished picture.
  let frameBytes: Int64
  /// What decoding takes: canvas, indices, tables. Held while anything is decoded.
  let rendererBytes: Int64
  /// The palette indices of all frames.
  let planeBytes: Int64
  /// One canvas, kept to find the way back.
  let canvasBytes: Int64
}

extension StoreShape {
  init(_ image: GIFImage, size: PixelSize?) {
    let canvasBytes = image.pixelCount * 4
    self.init(
      frameCount: image.frameCount, frameBytes: size.map { $0.area * 4 } ?? canvasBytes,
      rendererBytes: image.rendererBytes(size: size),
      planeBytes: image.frames.reduce(0) { $0 + $1.rect.area }, canvasBytes: canvasBytes)
  }
}

/// How many players look at an animation, and how far ahead of each it is to be decoded.
struct StoreAudience: Sendable, Hashable {
  /// Players for which frames are decoded.
  var active = 0
  /// Players that only keep the picture they showed last.
  var hidden = 0
  /// Different frames that active players show or show next: players in step need no more than one does.
  var needed = 0
  /// Frames ahead of each playhead, the next one included; at least 1.
  var readAhead = 1
  /// Whether anybody goes backwards or jumps, so that kept canvases save decoding.
  var seeksBack = false
  /// The most urgent of all.
  var visibility = Visibility.hidden
}

/// How the bytes that a store was granted are spent. Pure arithmetic.
///
/// Three forms of a frame: hot is the finished picture, warm its palette indices, from which it can be composed without
/// decoding, cold the compressed bytes of the file. What saves the most time a byte comes first: the pictures due
/// next, then indices (a quarter of a picture's bytes or far less, and the larger part of the work), then pictures
/// that come round again; where the whole loop fits as pictures, indices are needless.
struct TierPlan: Sendable, Hashable {
  /// Finished pictures held at the most.
  var hotFrames: Int
  /// Bytes of palette indices held at the most.
  var warmBytes: Int64
  /// Bytes of canvases kept for going back.
  var checkpointBytes: Int64
  /// Whether anything may be decoded: only with what the renderer and two pictures take.
  var decodes: Bool

  static let nothing = TierPlan(hotFrames: 0, warmBytes: 0, checkpointBytes: 0, decodes: false)

  init(hotFrames: Int, warmBytes: Int64, checkpointBytes: Int64, decodes: Bool) {
    self.decodes = decodes
    self.hotFrames = hotFrames
    self.warmBytes = warmBytes
    self.checkpointBytes = checkpointBytes
  }

  init(grant: Int64, demand: BudgetDemand, shape: StoreShape, audience: StoreAudience) {
    guard audience.active > 0 else {
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
    var pictures = min(grant, demand.window) - shape.rendererBytes
    var rest = max(0, grant - demand.window)
    let checkpoints = audience.seeksBack ? min(rest / 4, 8 * shape.canvasBytes) : 0
    rest -= checkpoints
    let warm = demand.warm > demand.window ? min(rest, shape.planeBytes) : 0
    pictures += rest - warm
    let hot = shape.frameBytes > 0 ? Int(clamping: max(0, pictures) / shape.frameBytes) : shape.frameCount
    self.init(
      hotFrames: min(hot, shape.frameCount), warmBytes: warm, checkpointBytes: checkpoints, decodes: true)
  }
}

extension BudgetDemand {
  /// What a store has use for.
  init(_ shape: StoreShape, _ audience: StoreAudience) {
    guard audience.active > 0 else {
      // The pictures that were shown last, so that coming back does not flash.
      let shown = Int64(min(shape.frameCount, audience.hidden)) * shape.frameBytes
      self.init(
        visibility: .hidden, floor: 0, needed: shown, window: shown, warm: shown,
        whole: audience.hidden > 0 ? Int64(shape.frameCount) * shape.frameBytes : 0)
      return
    }
    func pictures(_ count: Int) -> Int64 {
      shape.rendererBytes + Int64(min(shape.frameCount, count)) * shape.frameBytes
    }
    let needed = max(2, audience.needed) + audience.hidden
    // Where players are spread out, each group of them reads ahead for itself.
    let window = pictures(needed + max(1, audience.needed / 2) * max(0, audience.readAhead - 1))
    let whole = pictures(shape.frameCount)
    let back = audience.seeksBack ? 8 * shape.canvasBytes : 0
    let warm = window + shape.planeBytes + back
    self.init(
      visibility: audience.visibility, floor: pictures(2), needed: pictures(needed), window: window,
      warm: warm < whole ? warm : window, whole: whole)
  }
}
