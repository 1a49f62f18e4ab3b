internal import GIFDecoding

/// A renderer of an image at one size, which draws for the players whose frames are near.
final class PooledRenderer {
  /// The size of the frames; nil for that of the canvas.
  let size: PixelSize?
  /// The number of the image's draw that used it last.
  var lastUse = 0
  private var renderer: FrameRenderer
  private var keepsCheckpoints = false

  /// Frames from one kept canvas to the next, once the user goes back.
  private static let checkpointInterval = 4
  /// Bytes of kept canvases of one renderer.
  private static let checkpointBytes: Int64 = 16 << 20

  init(_ image: GIFImage, size: PixelSize?) throws(GIFError) {
    self.size = size
    renderer = try FrameRenderer(
      image, size: size, checkpoints: CheckpointPolicy(interval: Self.checkpointInterval, byteLimit: 0))
  }

  func update(to newer: GIFImage) throws(GIFError) { try renderer.update(to: newer) }

  /// Decodings that a frame costs now.
  func cost(of frame: Int) -> Int {
    guard renderer.image.frames.indices.contains(frame), !renderer.needsNoDrawing(frame) else { return 0 }
    return renderer.stepCount(to: frame)
  }

  /// Draws a frame on the canvas.
  func render(_ frame: Int) throws(GIFError) -> FrameStatus {
    // Forward playback never needs a kept canvas; going back does, again and again.
    if !keepsCheckpoints, let shown = renderer.baseFrame, frame < shown,
      cost(of: frame) > Self.checkpointInterval
    {
      keepsCheckpoints = true
      renderer.limitCheckpoints(to: Self.checkpointBytes)
    }
    return try renderer.render(frame)
  }

  /// Calls `body` with the pixels of the frame drawn last, their size, and where they may differ from the
  /// frame before.
  func withPixels(
    of frame: Int, status: FrameStatus, _ body: (Span<UInt32>, PixelSize, PixelRect) -> Void
  ) throws(GIFError) {
    try renderer.withPixels(of: frame, status: status, body)
  }

  /// The damage found so far.
  var diagnostics: [GIFDiagnostic] { renderer.diagnostics }

  /// The status of a frame; nil until it has been decoded.
  func status(of frame: Int) -> FrameStatus? { renderer.status(of: frame) }

  var decodes: Int { renderer.decodedFrames }

  /// Bytes of the canvas, of the frame at another size, and of kept canvases.
  var byteCount: Int64 {
    let own = size == nil ? 0 : Int64(renderer.frameBytes)
    return renderer.image.pixelCount * 4 + own + renderer.checkpointBytes
  }
}
