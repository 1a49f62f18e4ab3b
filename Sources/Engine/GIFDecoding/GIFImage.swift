/// An indexed GIF: its size, frames, delays, loop count and diagnostics, without a decoded pixel.
///
/// Immutable, sendable and cheap to copy. A ``FrameRenderer`` decodes its frames, a `GIFPlayer` plays it. The
/// compressed bytes stay in memory, or the file stays open, as long as a copy of the image lives.
public struct GIFImage: Sendable {
  let storage: ByteStorage
  let index: AnimationIndex
  package let limits: DecodingLimits
  /// Comments, the size of the file, and whether the file is complete.
  public let metadata: GIFMetadata
  /// The treatment of frames that build on a damaged one; ``DamagePolicy/chromium`` by default.
  public var damagePolicy = DamagePolicy.chromium

  /// Indexes a GIF in memory; copies the bytes once.
  ///
  /// - Throws: ``GIFError`` where browsers show nothing: no GIF signature, a canvas without area or above the
  ///   limits.
  public init(bytes: [UInt8], limits: DecodingLimits = .default) throws(GIFError) {
    try self.init(storage: try ByteStorage(copying: bytes.span), limits: limits)
  }

  /// Indexes a GIF that stays where it is, such as in a `Data`, without a copy of the whole.
  ///
  ///     import Foundation
  ///     import Gallop
  ///     func image(in data: Data) throws -> GIFImage {
  ///       try GIFImage(byteCount: data.count) { offset, target in
  ///         data.copyBytes(to: target, from: offset..<offset + target.count)
  ///       }
  ///     }
  ///
  /// The image and its copies hold the closure, and with it whatever that captures. No address is kept beyond
  /// a call, so the owner of the bytes may move them. If it changes them, frames fail with
  /// ``GIFError/Code/fileChanged``, and nothing worse happens. A ``FrameBudget`` does not count bytes that a
  /// closure holds.
  /// - Parameters:
  ///   - byteCount: the size of the whole file.
  ///   - read: copies the bytes from `offset` on until `target` is full, and returns how many it has copied.
  ///     Called from any thread, from several at once, and once more for each frame decoded.
  /// - Throws: ``GIFError`` as ``init(bytes:limits:)`` does.
  public init(
    byteCount: Int, limits: DecodingLimits = .default,
    reading read: @escaping @Sendable (_ offset: Int, _ target: UnsafeMutableRawBufferPointer) -> Int
  ) throws(GIFError) {
    guard byteCount > 0 else { throw GIFError(.emptyFile) }
    try self.init(source: unsafe ReadBytes(count: byteCount, read: read), limits: limits)
  }

  /// Reads bytes that stand in memory already.
  ///
  /// - Parameters:
  ///   - count: the number of frames to read; nil for all.
  ///   - passedBytes: how many bytes followed after the end of the animation, and are not held.
  package init(
    storage: ByteStorage, firstFrames count: Int? = nil, limits: DecodingLimits, passedBytes: Int = 0
  ) throws(GIFError) {
    let index = try IndexReader(limits: limits)
      .finish(storage, firstFrames: count ?? .max, passedBytes: passedBytes)
    self.init(storage: storage, index: index, limits: limits, passedBytes: passedBytes)
  }

  /// Reads the records of a file that stays where it is: no more than a window of it is in memory at any
  /// time.
  ///
  /// - Parameters:
  ///   - count: the number of frames to read; nil for all.
  ///   - windowSize: bytes read at once. By default what a processor keeps at hand, which is the fastest.
  ///   - expected: the number of frames that is likely: memory is taken for them at once.
  package init(
    source: any ByteSource, firstFrames count: Int? = nil, windowSize: Int = 1 << 18,
    expectedFrames expected: Int = 0, limits: DecodingLimits = .default
  ) throws(GIFError) {
    let (index, file) = try IndexReader.read(
      FileWindow(source, size: windowSize), limits: limits, firstFrames: count ?? .max,
      expectedFrames: expected)
    self.init(storage: ByteStorage(file), index: index, limits: limits)
  }

  init(storage: ByteStorage, index: AnimationIndex, limits: DecodingLimits, passedBytes: Int = 0) {
    self.storage = storage
    self.index = index
    self.limits = limits
    metadata = GIFMetadata(
      isComplete: index.animation.isComplete, commentTexts: index.comments,
      applicationExtensions: index.applicationExtensions, globalPaletteSize: index.globalPalette?.count,
      backgroundIndex: storage.head[11], signature: (0..<6).map { storage.head[$0] },
      byteCount: storage.count + passedBytes)
  }

  /// A copy of the compressed bytes: the file as it is, or as much of it as has come.
  ///
  /// - Throws: ``GIFError`` where they are in a file that can no longer be read.
  public func fileBytes() throws(GIFError) -> [UInt8] { try storage.copy() }

  /// The width of the canvas in pixels: the logical screen, grown to hold the first frame where that reaches
  /// beyond it.
  public var width: Int { animation.width }

  /// The height of the canvas in pixels, grown like ``width``.
  public var height: Int { animation.height }

  /// Size, frames and loop count as a value of its own.
  package var animation: Animation { index.animation }

  /// What holds the compressed bytes: the same object means the same content.
  package var bytesOwner: (any MemoryRegion)? { storage.owner }

  /// Canvas pixels.
  package var pixelCount: Int64 { Int64(width) * Int64(height) }

  /// All frames in order. May be empty: a file without any image still has a canvas.
  public var frames: [FrameInfo] { animation.frames }

  /// The number of frames.
  public var frameCount: Int { animation.frameCount }

  /// Total plays; one where the file has no loop extension.
  public var loopCount: LoopCount { animation.loopCount }

  /// The recoverable faults found while the records were read.
  ///
  /// Damage inside a frame shows only when it is decoded: ``FrameRenderer/diagnostics``, ``checkFrames()``.
  public var diagnostics: [GIFDiagnostic] { index.diagnostics }

  /// The time of one play under a delay policy.
  public func duration(_ policy: DelayPolicy = .browser) -> Duration {
    .milliseconds(durationMilliseconds(policy))
  }

  /// The time of one play under a delay policy, in milliseconds.
  package func durationMilliseconds(_ policy: DelayPolicy = .browser) -> Int {
    animation.durationMilliseconds(policy)
  }
}

extension GIFImage {
  /// The size of the canvas.
  public var size: PixelSize { animation.size }

  /// The colours of the global palette as pixels, the lowest byte first in memory; nil if the file has none.
  public func globalPalette(_ format: PixelFormat = .rgba) -> [UInt32]? {
    index.globalPalette.map { ColorTable($0, of: storage.head, format: format).storedColors($0.count) }
  }

  /// The colours of a frame's own palette as pixels; nil if the frame uses the global palette.
  ///
  /// - Throws: ``GIFError/Code/noFrames`` or ``GIFError/Code/noSuchFrame``, and ``GIFError/Code/unreadable``
  ///   where the file can no longer be read.
  public func palette(ofFrame index: Int, _ format: PixelFormat = .rgba) throws(GIFError) -> [UInt32]? {
    guard frames.indices.contains(index) else {
      throw .missingFrame(Int64(index), of: frameCount)
    }
    let frame = frames[index]
    guard let colors = try localColors(of: frame, format: format), let count = frame.paletteSize else {
      return nil
    }
    return colors.storedColors(count)
  }

  /// The colours of the palette that a frame has for itself, if it has one.
  func localColors(of frame: FrameInfo, format: PixelFormat) throws(GIFError) -> ColorTable? {
    guard let location = frame.localPalette else { return nil }
    guard let file = storage.file else { return ColorTable(location, of: storage.bytes, format: format) }
    let palette = try file.palette(of: frame, at: location)
    return ColorTable(PaletteLocation(offset: 0, count: location.count), of: palette.span, format: format)
  }
}
