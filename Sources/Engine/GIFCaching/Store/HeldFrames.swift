/// What a store holds: finished frames, palette indices, and the bytes of all that decoding takes.
///
/// `Hot` is a finished frame and `Warm` the palette indices of one; both are opaque here. Room is taken
/// before anything exists, so ``bytes`` never lags behind the memory in use.
struct HeldFrames<Hot: Sendable, Warm: Sendable>: Sendable {
  private var hot: [Hot?]
  private var warm: [(indices: Warm, bytes: Int64)?]
  private(set) var hotCount = 0
  private(set) var warmCount = 0
  /// Bytes of the palette indices kept.
  private(set) var warmBytes: Int64 = 0
  /// Bytes of palette indices that are not kept yet, or no longer, but in use by the decoding thread.
  private var warmBytesInUse: Int64 = 0
  /// The frame whose palette indices the decoding thread has.
  private var lentFrame: Int?
  /// Bytes of one finished frame.
  private var frameBytes: Int64
  /// Bytes of the frame being decoded.
  private var turnBytes: Int64 = 0
  /// Bytes of the renderer with its canvas; 0 where there is none.
  private(set) var rendererBytes: Int64 = 0
  /// Bytes of the canvases kept to find the way back.
  private(set) var canvasBytes: Int64 = 0
  /// A frame that was evicted for the one being decoded, whose memory serves for that.
  private var spare: Hot?
  private(set) var totals = HeldTotals()

  init(frameCount: Int, frameBytes: Int64) {
    hot = Array(repeating: nil, count: frameCount)
    warm = Array(repeating: nil, count: frameCount)
    self.frameBytes = frameBytes
  }

  var frameCount: Int { hot.count }

  /// Bytes of everything held, and the room of what is being decoded.
  var bytes: Int64 { finishedBytes + indexBytes + canvasBytes + rendererBytes }

  /// Bytes of finished frames, the one being decoded included.
  var finishedBytes: Int64 { Int64(hotCount) * frameBytes + turnBytes }

  /// Bytes of palette indices, those in use included.
  var indexBytes: Int64 { warmBytes + warmBytesInUse }

  private mutating func notePeak() { totals.peakBytes = max(totals.peakBytes, bytes) }

  // MARK: Finished frames

  /// The finished frame, if it is held.
  func frame(at index: Int) -> Hot? { hot.indices.contains(index) ? hot[index] : nil }

  func isHeld(_ index: Int) -> Bool { hot.indices.contains(index) && hot[index] != nil }

  /// The frames that are held finished, in order.
  var heldFrames: [Int] { hot.indices.filter { hot[$0] != nil } }

  /// Takes the room for a frame that is about to be decoded, for the renderer and for canvases kept on the
  /// way.
  mutating func beginTurn(rendererBytes: Int64, canvasBytes: Int64) {
    turnBytes = frameBytes
    self.rendererBytes = rendererBytes
    self.canvasBytes = max(self.canvasBytes, canvasBytes)
    notePeak()
  }

  /// Gives back the room of the turn.
  mutating func endTurn() {
    turnBytes = 0
    warmBytesInUse = 0
    lentFrame = nil
  }

  /// Keeps a finished frame, unless it is held already or there is no room for it.
  ///
  /// - Returns: whether it is kept.
  mutating func insert(_ frame: Hot, at index: Int, limit: Int) -> Bool {
    totals.composedFrames += 1
    guard hotCount < limit, hot.indices.contains(index), hot[index] == nil else {
      totals.evictions += 1
      return false
    }
    hot[index] = frame
    hotCount += 1
    notePeak()
    return true
  }

  /// Evicts a finished frame; its palette indices stay.
  mutating func evict(_ index: Int) {
    guard isHeld(index) else { return }
    hot[index] = nil
    hotCount -= 1
    if warm[index] != nil { totals.demotions += 1 } else { totals.evictions += 1 }
  }

  /// Evicts a finished frame to make room for the one to be decoded, and keeps its memory for that.
  mutating func evictForTurn(_ index: Int) {
    spare = hot[index]
    evict(index)
  }

  /// The frame whose memory serves for the one being decoded, if any.
  mutating func takeSpare() -> Hot? { spare.take() }

  // MARK: Palette indices

  /// Whether a frame's palette indices are kept.
  func isWarm(_ index: Int) -> Bool { warm.indices.contains(index) && warm[index] != nil }

  /// The palette indices of a frame for the thread that decodes, if they are kept. They count until the turn
  /// is over.
  mutating func lendIndices(of index: Int) -> Warm? {
    guard warm.indices.contains(index) else { return nil }
    lentFrame = index
    return warm[index]?.indices
  }

  /// Takes the room for a frame's palette indices.
  ///
  /// - Returns: false where they are kept already or `limit` has no room for them.
  mutating func reserveIndices(of index: Int, bytes: Int64, limit: Int64) -> Bool {
    guard hasRoom(forIndicesOf: index, bytes: bytes, limit: limit) else { return false }
    warmBytesInUse += bytes
    notePeak()
    return true
  }

  /// Keeps palette indices for which room was taken, unless `limit` has fallen since.
  mutating func insertIndices(_ indices: Warm, of index: Int, bytes: Int64, limit: Int64) {
    warmBytesInUse -= bytes
    guard hasRoom(forIndicesOf: index, bytes: bytes, limit: limit) else { return }
    warm[index] = (indices, bytes)
    warmBytes += bytes
    warmCount += 1
    notePeak()
  }

  /// Gives back the room taken for palette indices that are not to be kept.
  mutating func dropReservation(bytes: Int64) { warmBytesInUse -= bytes }

  private func hasRoom(forIndicesOf index: Int, bytes: Int64, limit: Int64) -> Bool {
    warm.indices.contains(index) && warm[index] == nil && bytes > 0
      && warmBytes + warmBytesInUse + bytes <= limit
  }

  /// Evicts palette indices beyond this many bytes, those of the last frames first.
  mutating func limitIndices(to limit: Int64) {
    guard warmBytes > limit else { return }
    for index in warm.indices.reversed() where warmBytes > limit { evictIndices(of: index) }
  }

  private mutating func evictIndices(of index: Int) {
    guard let bytes = warm[index]?.bytes else { return }
    // The thread that composes from these indices still has them.
    if lentFrame == index { warmBytesInUse += bytes }
    warm[index] = nil
    warmCount -= 1
    warmBytes -= bytes
  }

  // MARK: Renderer

  /// Takes note of what the renderer takes now; 0 where there is none.
  mutating func setRenderer(bytes: Int64, canvasBytes: Int64) {
    rendererBytes = bytes
    self.canvasBytes = canvasBytes
    notePeak()
  }

  // MARK: Images that load

  /// Makes room for more frames.
  ///
  /// - Parameter changed: a frame that was replaced: it is evicted in every form.
  mutating func grow(to frameCount: Int, changed: Int?) {
    let added = max(0, frameCount - hot.count)
    hot += Array(repeating: nil, count: added)
    warm += Array(repeating: nil, count: added)
    guard let changed, hot.indices.contains(changed) else { return }
    evict(changed)
    evictIndices(of: changed)
  }

  /// Evicts everything for another image. What the decoding thread has counts until its turn is over.
  mutating func replaceImage(frameCount: Int, frameBytes: Int64) {
    for index in hot.indices {
      evictIndices(of: index)
      evict(index)
    }
    spare = nil
    hot = Array(repeating: nil, count: frameCount)
    warm = Array(repeating: nil, count: frameCount)
    self.frameBytes = frameBytes
  }
}

/// What a store has done with frames since it was made.
struct HeldTotals: Sendable, Hashable {
  /// Finished frames made.
  var composedFrames = 0
  /// Finished frames evicted of which the palette indices stayed.
  var demotions = 0
  /// Finished frames evicted without a trace.
  var evictions = 0
  /// The most bytes held at any time.
  var peakBytes: Int64 = 0
}
