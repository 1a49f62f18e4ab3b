internal import GIFDecoding

/// Gives every frame of a GIF, four bytes a pixel, to `write`; returns false where the file cannot be used.
///
/// - Safety: `start` has `count` bytes, and `write` keeps no pointer.
@_cdecl("decode_gif")
public func decodeGIF(
  _ start: UnsafePointer<UInt8>, _ count: Int, _ write: @convention(c) (UnsafeRawPointer, Int) -> Void
) -> Bool {
  do throws(GIFError) {
    var stream = GIFStream(limits: .default, reserve: nil)
    try stream.append(unsafe Span(_unsafeStart: start, count: count))
    let image = try stream.finish()
    var renderer = try FrameRenderer(image)
    for index in 0..<image.frameCount {
      let frame = try renderer.frame(at: index)
      unsafe frame.pixels.withUnsafeBytes { unsafe write($0.baseAddress!, $0.count) }
    }
    return true
  } catch {
    return false
  }
}
