/// A GIF whose records have been read: size, frames, delays, loop count and what is odd about the file.
///
/// Immutable, shareable and cheap to copy. No pixel is decoded until a ``FrameRenderer`` is asked for one; the
/// compressed bytes stay mapped (or in memory) as long as a copy of the image lives.
public struct GIFImage: Sendable {
  let storage: ByteStorage
  let index: AnimationIndex
  package let limits: DecodingLimits
  public let metadata: GIFMetadata
  /// What becomes of frames that build on a damaged one; ``DamagePolicy/chromium`` unless set otherwise.
  public var damagePolicy = DamagePolicy.chromium

  /// Opens a file. A regular file is mapped, not copied; a pipe is read whole.
  ///
  /// Time is proportional to the number of data sub-blocks in the file.
  /// - Throws: ``GIFError`` where the file cannot be read or browsers would show a broken image.
  public init(contentsOf path: String, limits: DecodingLimits = .default) throws(GIFError) {
    try self.init(storage: .opening(path: path, streamLimit: limits.streamBytes), limits: limits)
  }

  /// Reads a GIF that stands in memory; the bytes are copied once.
  public init(bytes: [UInt8], limits: DecodingLimits = .default) throws(GIFError) {
    try self.init(storage: ByteStorage(copying: bytes.span), limits: limits)
  }

  init(storage: ByteStorage, limits: DecodingLimits) throws(GIFError) {
    self.init(
      storage: storage, index: try IndexReader(limits: limits).finish(storage), limits: limits)
  }

  init(storage: ByteStorage, index: AnimationIndex, limits: DecodingLimits) {
    self.storage = storage
    self.index = index
    self.limits = limits
    metadata = GIFMetadata(
      width: index.width, height: index.height, loopCount: index.loopCount, isComplete: index.isComplete,
      comments: index.comments, byteCount: storage.count)
  }

  /// The compressed bytes.
  package var fileBytes: Span<UInt8> {
    @_lifetime(borrow self)
    get { storage.bytes }
  }

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
