/// A renderer between turns: without buffers, and with a canvas that takes few bytes, or none where it can be
/// rebuilt.
///
/// Packing and unpacking cost a few nanoseconds for each pixel of the rows that a frame changes, and of all
/// rows at first. The renderer then continues as if nothing had been.
///
/// Measured with 116 real GIFs at 96 x 64 (`gallop bench playback --budget 64M`): packed they hold 54 MB and
/// take 1.3 processors, without packing 117 to 131 MB and 0.5. A budget would not hold without it.
package struct PackedRenderer: ~Copyable, Sendable {
  private var renderer: FrameRenderer
  private let canvas: PackedCanvas
  /// Bytes of memory held.
  package let byteCount: Int64

  private enum PackedCanvas: Sendable {
    /// The canvas is as it was: frames share its memory, or it has too many colours.
    case kept
    case packed(byteCount: Int)
    /// The next frame builds on no other.
    case released
  }

  /// - Parameter next: the frame that will probably be drawn next; nil where any may be.
  package init(_ renderer: consuming FrameRenderer, before next: Int?) {
    renderer.limitCheckpoints(to: 0)
    renderer.decoder = FrameDecoder()
    renderer.scratch = IndexPlane()
    canvas = Self.packCanvas(&renderer, before: next)
    var bytes = renderer.scaler?.byteCount ?? 0
    bytes += (renderer.undo?.pixels.pixels?.count ?? 0) * 4
    switch canvas {
    case .kept: bytes += renderer.canvas.pixelCount * 4
    case .packed(let count): bytes += count
    case .released: break
    }
    byteCount = Int64(bytes)
    self.renderer = renderer
  }

  private static func packCanvas(_ renderer: inout FrameRenderer, before next: Int?) -> PackedCanvas {
    if let next, renderer.image.frames.indices.contains(next), renderer.bases.required(by: next) == nil {
      renderer.undo = nil
      renderer.state = .cleared
      renderer.canvas.release()
      return .released
    }
    // Frames of the canvas's size share its memory, so that packing would save nothing.
    guard renderer.scaler != nil, let count = renderer.canvas.pack() else { return .kept }
    return .packed(byteCount: count)
  }

  /// The renderer as it was.
  ///
  /// - Throws: ``GIFError/Code/outOfMemory``: the renderer is then lost.
  package consuming func unpacked() throws(GIFError) -> FrameRenderer {
    switch canvas {
    case .kept, .released: break
    case .packed: try renderer.canvas.unpack()
    }
    return renderer
  }
}

extension GIFImage {
  /// The most bytes that a renderer of this image takes while it is packed, unless its canvas has too many
  /// colours to pack. The same as at work where frames have the size of the canvas, since they share its
  /// memory.
  package func packedRendererBytes(size: PixelSize?) -> Int64 {
    guard isScaled(to: size) else { return rendererBytes(size: size) }
    let canvas = animation.canvas
    let undone = frames.lazy.filter { $0.disposal == .previous }
      .map { $0.rect.intersection(canvas).area * 4 }.max()
    return PackedRows.mostBytes(width: width, height: height) + (undone ?? 0) + scaledBytes(size)
  }

  /// Pixels in the rows that a renderer packs in a second of playback, if it is packed after each frame.
  package var packedPixelRate: Int64 {
    let rows = frames.indices.reduce(Int64(0)) { sum, index in
      frames[index].isKeyframe ? sum : sum + Int64(animation.changedRect(of: index).height)
    }
    return rows * Int64(width) * 1000 / Int64(max(1, durationMilliseconds(.browser)))
  }

  private func isScaled(to size: PixelSize?) -> Bool {
    size.map { $0.width != width || $0.height != height } ?? false
  }

  /// A scaled frame, and the sums of four channels in a row of the canvas.
  func scaledBytes(_ size: PixelSize?) -> Int64 {
    guard let size, isScaled(to: size) else { return 0 }
    return size.area * 4 + Int64(width + 3) * 16
  }
}
