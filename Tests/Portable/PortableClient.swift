// Reads and renders a GIF in a module of its own: what clients use of the portable modules has to compile there, too.

public import GIFDecoding

/// The first pixels of every frame of a file that comes in two pieces.
public func firstPixels(_ bytes: [UInt8]) throws(GIFError) -> [UInt32] {
  var stream = GIFStream(limits: .default, reserve: nil)
  try stream.append(bytes.span.extracting(..<(bytes.count / 2)))
  let early = try stream.image
  try stream.append(bytes.span.extracting((bytes.count / 2)...))
  let image = try stream.finish()
  var renderer = try FrameRenderer(early ?? image, size: PixelSize(width: 16, height: 16))
  try renderer.update(to: image)
  var pixels: [UInt32] = []
  for index in 0..<image.frameCount {
    let frame = try renderer.frame(at: index)
    pixels.append(frame.pixels[0, 0])
  }
  return pixels
}
