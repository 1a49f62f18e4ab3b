// Reads, renders and plays a GIF in a module of its own: what clients use of the portable modules has to
// compile there, too.

public import GIFDecoding
internal import GIFTimeline

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

/// Plays an image as a page without threads does: returns the frames shown until nothing is due, or `count`
/// of them.
public func framesPlayed(_ image: GIFImage, count: Int) -> [Int] {
  var core = PlayerCore(
    animation: image.animation, schedule: PlayerSchedule(), rate: 1, rules: PlaybackRules(),
    reducedMotion: .off, readAhead: 0)
  var shown: [Int] = []
  var actions = core.perform(
    at: PlaybackInstant(nanoseconds: 0), isThere: { _, _ in true }, command: { $0.machine.play(at: $1) })
  while let now = actions, shown.count < count {
    for case .shown(let frame) in now.events { shown.append(frame.frame) }
    guard let next = now.wakeAt else { break }
    actions = core.tick(at: next) { _, _ in true }
  }
  return shown
}
