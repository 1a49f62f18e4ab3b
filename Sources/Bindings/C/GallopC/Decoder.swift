internal import CGallop
internal import Gallop

/// A decoder, as C holds it. Used by one call at a time: see ``Handles/withExclusive(_:_:_:)``.
final class DecoderObject: HandleObject, @unchecked Sendable {
  static let kind = HandleKind.decoder
  static let hasThreads = false

  private var renderer: FrameRenderer
  private let name: String?
  private let isCancelled: (@Sendable () -> Bool)?
  private let spare = SpareFrame()
  private var runs = FrameRuns()
  /// The frame that the caller's memory holds; nil if none was read.
  private var lastRead: Int?

  init(_ object: ImageObject, _ options: gallop_decoder_options) throws(Failure) {
    let format = try unsafe PixelFormat(options.format)
    let size = try unsafe PixelSize(
      of: object.image, width: options.width, height: options.height, fit: options.fit)
    try checkMemory(bytes: Int(clamping: object.image.pixelCount * 4))
    let bytes = unsafe options.checkpoint_bytes
    guard bytes >= -1 else { throw .argument("checkpoint_bytes is \(bytes)") }
    let checkpoints: CheckpointPolicy =
      bytes == 0 ? .automatic : bytes < 0 ? .none : CheckpointPolicy(byteLimit: bytes)
    do throws(GIFError) {
      renderer = try FrameRenderer(
        object.image, format: format, size: size, checkpoints: checkpoints)
    } catch {
      throw Failure(error, source: object.name)
    }
    name = object.name
    isCancelled = try unsafe CancelObject.question(options.cancel)
  }

  /// The size of the frames.
  var size: PixelSize { renderer.frameSize }
  var format: PixelFormat { renderer.format }

  var info: gallop_decoder_info {
    gallop_decoder_info(
      struct_size: 0, width: UInt32(size.width), height: UInt32(size.height),
      frame_bytes: renderer.frameBytes, frame_count: Int64(renderer.image.frameCount),
      decoded_frames: Int64(renderer.decodedFrames), format: renderer.format.number,
      diagnostic_count: Int32(clamping: renderer.diagnostics.count))
  }

  var diagnostics: [GIFDiagnostic] { renderer.diagnostics }

  func update(to newer: ImageObject) throws(Failure) {
    try decoding(name) { () throws(GIFError) in try renderer.update(to: newer.image) }
    lastRead = nil
  }

  /// Composes a frame on the renderer's canvas.
  private func render(_ index: Int64) throws(Failure) -> (index: Int, status: FrameStatus) {
    let frame = Int(clamping: index)
    let status = try decoding(name) { () throws(GIFError) in
      try renderer.render(frame, isCancelled: isCancelled)
    }
    return (frame, status)
  }

  /// Decodes a frame into the caller's memory.
  func read(_ index: Int64, into target: CallerPixels, onlyChanges: Bool) throws(Failure) -> gallop_frame_view
  {
    try unsafe target.check(size)
    let (frame, status) = try render(index)
    // Copying a large frame takes its time, too, and the next call does not draw it again.
    if let isCancelled, isCancelled() { throw Failure(GIFError(.cancelled), source: name) }
    var changed = PixelRect.empty
    try decoding(name) { () throws(GIFError) in
      try renderer.withPixels(of: frame, status: status) { words, size, rect in
        changed = rect
        let whole = PixelRect(x: 0, y: 0, width: size.width, height: size.height)
        guard status != .blank else { return unsafe target.clear(size) }
        let isNext = lastRead.map { $0 == frame - 1 } ?? false
        unsafe words.withUnsafeBytes {
          unsafe target.copy($0, width: size.width, rect: onlyChanges && isNext ? rect : whole)
        }
      }
    }
    lastRead = frame
    return unsafe view(
      of: frame, status, pixels: UnsafePointer(target.start.assumingMemoryBound(to: UInt8.self)),
      stride: target.stride, byteCount: target.byteCount(size), changed: changed)
  }

  /// Decodes a frame into memory of the library.
  func frame(_ index: Int64) throws(Failure) -> FrameObject {
    if let frame = spare.take() {
      renderer.reuse(frame)
    } else {
      let bytes = renderer.frameBytes
      renderer.supply { runs.next(byteCount: bytes) }
    }
    let (frame, status) = try render(index)
    let finished = try decoding(name) { () throws(GIFError) in
      try renderer.finishedFrame(at: frame, status: status)
    }
    return FrameObject(finished, delay: delay(of: frame), spare: spare)
  }

  private func delay(of frame: Int) -> Int64 { Int64(renderer.image.frames[frame].delayMilliseconds()) }

  private func view(
    of frame: Int, _ status: FrameStatus, pixels: UnsafePointer<UInt8>, stride: Int, byteCount: Int,
    changed: PixelRect
  ) -> gallop_frame_view {
    unsafe gallop_frame_view(
      struct_size: 0, pixels: pixels, stride: stride, size: byteCount,
      width: UInt32(size.width), height: UInt32(size.height), format: renderer.format.number,
      status: status.number, index: Int64(frame), delay_ms: delay(of: frame), changed: gallop_rect(changed))
  }
}

extension PixelSize {
  /// The size of frames that options ask for; nil for that of the canvas.
  init?(of image: GIFImage, width: UInt32, height: UInt32, fit: Int32) throws(Failure) {
    guard [GALLOP_FIT_STRETCH, GALLOP_FIT_CONTAIN].contains(Int(fit)) else {
      throw .argument("there is no fit \(fit)")
    }
    if width == 0, height == 0 { return nil }
    let canvas = image.size
    let (wide, high) = (Int(width), Int(height))
    let isContained = Int(fit) == GALLOP_FIT_CONTAIN
    let free = isContained ? PixelSize.largestSide : 0
    let bounds = PixelSize(
      width: wide > 0 ? wide : max(free, Self.scaled(canvas.width, high, by: canvas.height)),
      height: high > 0 ? high : max(free, Self.scaled(canvas.height, wide, by: canvas.width)))
    guard let bounds else { throw .argument("frames of \(width) x \(height) pixels are too large") }
    self = isContained ? canvas.fitting(bounds) : bounds
  }

  /// A side in the proportion of the other one, at least 1.
  private static func scaled(_ side: Int, _ other: Int, by length: Int) -> Int {
    max(1, (side * other + length / 2) / length)
  }
}
