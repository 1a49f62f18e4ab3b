internal import GIFDecoding

/// An image that many look at: each copy of the value itself would cost a few hundred bytes of the module.
final class SharedImage {
  let image: GIFImage

  init(_ image: GIFImage) { self.image = image }
}

/// An image of the page: the bytes so far, the image that they give, and the renderers that draw it.
final class WebImage {
  private var stream: GIFStream?
  /// The image so far; nil before its size is known.
  private(set) var current: SharedImage?
  private(set) var error: GIFError?
  private(set) var renderers: [PooledRenderer] = []
  /// The number of players of the image: as many renderers at a size are useful.
  var playerCount = 0
  private var draws = 0
  /// Decodings of renderers that are evicted.
  private var pastDecodes = 0

  /// More renderers of one size cost more memory than they save work.
  private static let mostRenderers = 8

  init(limits: DecodingLimits) {
    stream = GIFStream(limits: limits, reserve: nil)
  }

  /// Whether the file has ended.
  var isComplete: Bool { stream == nil }

  // MARK: Bytes

  func append(_ bytes: Span<UInt8>) throws(GIFError) {
    if let error { throw error }
    guard stream != nil else { return }
    do throws(GIFError) {
      try stream?.append(bytes)
      // What failed at the first bytes fails at all later ones.
      if let newer = try stream?.image { try take(newer) }
    } catch {
      self.error = error
      throw error
    }
  }

  func finish() throws(GIFError) {
    if let error { throw error }
    guard let stream = stream.take() else { return }
    do throws(GIFError) {
      try take(stream.finish())
    } catch {
      self.error = error
      throw error
    }
  }

  private func take(_ newer: GIFImage) throws(GIFError) {
    current = SharedImage(newer)
    for renderer in renderers { try renderer.update(to: newer) }
  }

  // MARK: Frames

  /// The renderer that draws a frame at a size with the fewest decodings.
  ///
  /// One that is far away belongs to another player; then another renderer is made, as long as there are
  /// fewer than players.
  func renderer(_ size: PixelSize?, for frame: Int) throws(GIFError) -> PooledRenderer {
    guard let current else { throw GIFError(.noSuchFrame, value: Int64(frame), limit: 0) }
    draws += 1
    var best: PooledRenderer?
    var fewest = Int.max
    var count = 0
    for renderer in renderers where renderer.size == size {
      count += 1
      let cost = renderer.cost(of: frame)
      if cost < fewest { (best, fewest) = (renderer, cost) }
    }
    if let best, fewest <= 1 || count >= min(max(1, playerCount), Self.mostRenderers) {
      best.lastUse = draws
      return best
    }
    let renderer = try PooledRenderer(current.image, size: size)
    renderer.lastUse = draws
    renderers.append(renderer)
    return renderer
  }

  /// The status of a frame; nil until a renderer has decoded it.
  func status(of frame: Int) -> FrameStatus? {
    for renderer in renderers {
      if let status = renderer.status(of: frame) { return status }
    }
    return nil
  }

  /// Releases all renderers but the `count` used last. Returns the bytes freed.
  func evict(keeping count: Int) -> Int64 {
    let before = canvasBytes
    while renderers.count > max(0, count) {
      var oldest = 0
      for index in renderers.indices where renderers[index].lastUse < renderers[oldest].lastUse {
        oldest = index
      }
      pastDecodes += renderers[oldest].decodes
      renderers.remove(at: oldest)
    }
    return before - canvasBytes
  }

  // MARK: Figures

  /// Bytes of canvases, of frames at other sizes and of checkpoints.
  var canvasBytes: Int64 {
    var sum: Int64 = 0
    for renderer in renderers { sum += renderer.byteCount }
    return sum
  }

  /// Frames decoded since the image was opened.
  var decodes: Int {
    var sum = pastDecodes
    for renderer in renderers { sum += renderer.decodes }
    return sum
  }
}
