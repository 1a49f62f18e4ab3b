internal import CGallop
internal import Gallop

/// An image, as C holds it.
final class ImageObject: HandleObject {
  static let kind = HandleKind.image
  static let hasThreads = false

  let image: GIFImage
  /// The file's name for messages; nil where the bytes came without one.
  let name: String?

  init(_ image: GIFImage, name: String? = nil) {
    self.image = image
    self.name = name
  }

  /// Opens a file.
  ///
  /// - Parameter path: its bytes and a 0.
  convenience init(path: [CChar], _ options: OpenOptions) throws(Failure) {
    let isCancelled = options.isCancelled ?? { false }
    let name = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    var image = try decoding(name) { () throws(GIFError) in
      try GIFImage(
        contentsOfFile: path, limits: options.limits, opening: FileOpening(isCancelled: isCancelled))
    }
    image.damagePolicy = options.damage
    self.init(image, name: name)
  }

  /// Reads a GIF in memory.
  convenience init(bytes: [UInt8], _ options: OpenOptions) throws(Failure) {
    var image = try decoding { () throws(GIFError) in try GIFImage(bytes: bytes, limits: options.limits) }
    image.damagePolicy = options.damage
    self.init(image)
  }

  func frame(at index: Int64) throws(Failure) -> FrameInfo {
    guard index >= 0, index < image.frameCount else {
      throw Failure(.missingFrame(index, of: image.frameCount), source: name)
    }
    return image.frames[Int(index)]
  }

  func flashes(
    _ options: FlashOptions, isCancelled: (@Sendable () -> Bool)?
  ) throws(Failure) -> FlashReport {
    try decoding(name) { () throws(GIFError) in try image.flashes(options, isCancelled: isCancelled) }
  }
}

/// The rules of opening.
struct OpenOptions: Sendable {
  var limits: DecodingLimits
  var damage: DamagePolicy
  var isCancelled: (@Sendable () -> Bool)?

}

extension OpenOptions {
  init(_ pointer: UnsafePointer<gallop_open_options>?) throws(Failure) {
    let options = try unsafe read(pointer, empty: gallop_open_options())
    try unsafe self.init(
      limits: DecodingLimits(options.limits), damage: DamagePolicy(options.damage),
      isCancelled: CancelObject.question(options.cancel))
  }
}

extension DecodingLimits {
  init(_ pointer: UnsafePointer<gallop_limits>?) throws(Failure) {
    let limits = try unsafe read(pointer, empty: gallop_limits())
    func choose<Number: FixedWidthInteger>(_ value: Int64, _ standard: Number) -> Number {
      value > 0 ? Number(clamping: value) : standard
    }
    let standard = Self.default
    self.init(
      canvasPixels: choose(limits.canvas_pixels, standard.canvasPixels),
      claimedPixels: choose(limits.claimed_pixels, standard.claimedPixels),
      framePixels: choose(limits.frame_pixels, standard.framePixels),
      decodedBytes: choose(limits.decoded_bytes, standard.decodedBytes),
      frameCount: choose(limits.frame_count, standard.frameCount),
      totalPixels: choose(limits.total_pixels, standard.totalPixels),
      commentBytes: choose(limits.comment_bytes, standard.commentBytes),
      streamBytes: choose(limits.stream_bytes, standard.streamBytes))
  }

  /// The limits as C has them.
  var structure: gallop_limits {
    var limits = gallop_limits()
    limits.canvas_pixels = canvasPixels
    limits.claimed_pixels = claimedPixels
    limits.frame_pixels = framePixels
    limits.decoded_bytes = decodedBytes
    limits.frame_count = Int64(frameCount)
    limits.total_pixels = totalPixels
    limits.comment_bytes = Int64(commentBytes)
    limits.stream_bytes = Int64(streamBytes)
    return limits
  }

  static func preset(_ number: Int32) throws(Failure) -> DecodingLimits {
    switch Int(number) {
    case GALLOP_LIMITS_DEFAULT: .default
    case GALLOP_LIMITS_UNTRUSTED: .untrusted
    default: throw .argument("there are no limits \(number)")
    }
  }
}

// MARK: - Answers

extension GIFImage {
  var info: gallop_image_info {
    var info = gallop_image_info()
    info.width = UInt32(width)
    info.height = UInt32(height)
    info.frame_count = Int64(frameCount)
    if case .plays(let count) = loopCount { info.plays = Int64(count) }
    info.duration_ms = Int64(durationMilliseconds())
    info.byte_count = Int64(metadata.byteCount)
    info.is_complete = metadata.isComplete ? 1 : 0
    info.palette_size = Int32(metadata.globalPaletteSize ?? 0)
    info.background_index = Int32(metadata.backgroundIndex)
    info.comment_count = Int32(clamping: metadata.commentTexts.count)
    info.extension_count = Int32(clamping: metadata.applicationExtensions.count)
    info.diagnostic_count = Int32(clamping: diagnostics.count)
    info.damage = damagePolicy.number
    let version = metadata.signature.dropFirst(3)
    unsafe withUnsafeMutableBytes(of: &info.version) { unsafe $0.copyBytes(from: version) }
    return info
  }

  func info(of frame: FrameInfo) -> gallop_frame_info {
    var info = gallop_frame_info()
    info.index = Int64(frame.index)
    info.rect = gallop_rect(frame.rect)
    info.changed = gallop_rect(animation.changedRect(of: frame.index))
    info.delay_ms = Int64(frame.delayMilliseconds(.browser))
    info.raw_delay_ms = Int64(frame.delayMilliseconds(.encoded))
    info.disposal = frame.disposal.number
    info.transparent_index = frame.transparentIndex.map { Int32($0) } ?? -1
    info.palette_size = Int32(frame.paletteSize ?? 0)
    info.is_interlaced = frame.isInterlaced ? 1 : 0
    info.is_keyframe = frame.isKeyframe ? 1 : 0
    info.is_truncated = frame.isTruncated ? 1 : 0
    info.required_frame = Int64(frame.requiredFrame ?? -1)
    info.offset = Int64(frame.offset)
    info.compressed_bytes = Int64(frame.compressedByteCount)
    return info
  }
}

extension gallop_diagnostic {
  init(_ diagnostic: GIFDiagnostic) {
    unsafe self.init(
      struct_size: 0, frame: Int64(diagnostic.frame ?? -1), offset: Int64(diagnostic.offset),
      code: ProcessState.shared.text(diagnostic.code.rawValue),
      message: ProcessState.shared.text(diagnostic.message))
  }
}

/// Writes one of several diagnostics; answers ``Status/end`` after the last one.
func write(
  _ index: Int32, of diagnostics: [GIFDiagnostic], to target: UnsafeMutablePointer<gallop_diagnostic>?
) throws(Failure) -> Status {
  guard index >= 0 else { throw .argument("the number of a diagnostic is \(index)") }
  guard Int(index) < diagnostics.count else { return .end }
  try unsafe write(gallop_diagnostic(diagnostics[Int(index)]), to: target)
  return .ok
}
