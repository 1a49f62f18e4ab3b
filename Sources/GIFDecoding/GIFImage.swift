/// A GIF whose records have been read: size, frames, delays, loop count and what is odd about the file.
///
/// Immutable, shareable and cheap to copy. No pixel is decoded until a ``FrameRenderer`` is asked for one. The
/// compressed bytes stay in memory, or the file stays open, as long as a copy of the image lives.
public struct GIFImage: Sendable {
  let storage: ByteStorage
  let index: AnimationIndex
  package let limits: DecodingLimits
  public let metadata: GIFMetadata
  /// What becomes of frames that build on a damaged one; ``DamagePolicy/chromium`` unless set otherwise.
  public var damagePolicy = DamagePolicy.chromium

  /// Reads a GIF that stands in memory; the bytes are copied once.
  public init(bytes: [UInt8], limits: DecodingLimits = .default) throws(GIFError) {
    try self.init(storage: ByteStorage(copying: bytes.span), limits: limits)
  }

  /// Reads bytes that stand in memory already.
  package init(storage: ByteStorage, limits: DecodingLimits) throws(GIFError) {
    self.init(
      storage: storage, index: try IndexReader(limits: limits).finish(storage), limits: limits)
  }

  /// Reads the records of a file that stays where it is: no more than a window of it is in memory at any time.
  ///
  /// - Parameter windowSize: bytes read at once. By default what a processor keeps at hand, which is the fastest.
  package init(
    source: any ByteSource, windowSize: Int = 1 << 18, limits: DecodingLimits = .default
  ) throws(GIFError) {
    let (index, file) = try IndexReader.read(FileWindow(source, size: windowSize), limits: limits)
    self.init(storage: ByteStorage(file), index: index, limits: limits)
  }

  init(storage: ByteStorage, index: AnimationIndex, limits: DecodingLimits) {
    self.storage = storage
    self.index = index
    self.limits = limits
    metadata = GIFMetadata(
      width: index.width, height: index.height, loopCount: index.loopCount, isComplete: index.isComplete,
      commentTexts: index.comments, byteCount: storage.count)
  }

  /// A copy of the compressed bytes.
  ///
  /// - Throws: ``GIFError`` where they are in a file that cannot be read any more.
  package func fileBytes() throws(GIFError) -> [UInt8] { try storage.copy() }

  /// The canvas width in pixels.
  public var width: Int { index.width }

  /// The canvas height in pixels.
  public var height: Int { index.height }

  /// All frames in order. May be empty: a file without any image still has a canvas.
  public var frames: [FrameInfo] { index.frames }

  public var frameCount: Int { index.frames.count }

  /// Total plays.
  public var loopCount: LoopCount { index.loopCount }

  /// The oddities found while the records were read. Damage inside a frame's pixels shows only when it is decoded:
  /// see ``FrameRenderer/status(of:)``.
  public var diagnostics: [GIFDiagnostic] { index.diagnostics }

  /// The time of one play in milliseconds under a delay policy.
  public func durationMilliseconds(_ policy: DelayPolicy = .browser) -> Int {
    frames.reduce(0) { sum, frame in
      let (total, overflows) = sum.addingReportingOverflow(frame.delayMilliseconds(policy))
      return overflows ? .max : total
    }
  }

  /// The part of the canvas in which frame `index` may differ from the frame before it, both undamaged: its own
  /// rectangle and what its predecessor's disposal changed. The whole canvas for frame 0.
  public func changedRect(of index: Int) -> PixelRect {
    let canvas = self.index.canvas
    guard index > 0, index < frameCount else { return canvas }
    let own = frames[index].rect.intersection(canvas)
    let previous = frames[index - 1]
    return previous.disposal == .keep ? own : own.union(previous.rect.intersection(canvas))
  }
}

extension GIFImage {
  /// The colours of the palette that a frame has for itself, if it has one.
  func localColors(of frame: FrameInfo, format: PixelFormat) throws(GIFError) -> ColorTable? {
    guard let location = frame.localPalette else { return nil }
    guard let file = storage.file else { return ColorTable(location, of: storage.bytes, format: format) }
    let palette = try file.palette(of: frame, at: location)
    return ColorTable(PaletteLocation(offset: 0, count: location.count), of: palette.span, format: format)
  }
}
