public import Gallop

/// The pictures of all frames, in order.
public func picturesInOrder(of image: GIFImage, size: PixelSize?) throws(GIFError) -> [Frame] {
  var renderer = try FrameRenderer(image, size: size, checkpoints: .none)
  var frames: [Frame] = []
  for index in 0..<image.frameCount { frames.append(try renderer.frame(at: index)) }
  return frames
}

/// Whether two pictures have the same pixels.
public func isEqual(_ one: Frame, _ other: Frame) -> Bool {
  let (first, second) = (one.pixels.span, other.pixels.span)
  guard first.count == second.count else { return false }
  for position in first.indices where first[position] != second[position] { return false }
  return true
}
