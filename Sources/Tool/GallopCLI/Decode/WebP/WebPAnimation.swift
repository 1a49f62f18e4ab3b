internal import CWebP
internal import Gallop

/// An animated WebP: every picture whole, for exactly as long as a browser shows the frame; a still for one frame.
///
/// libwebp compresses each picture when it is added, and keeps what that gives: memory grows with the file that is
/// written, not with the frames.
struct WebPAnimation {
  /// How pictures are compressed.
  enum Compression: Sendable, Hashable {
    case lossless
    /// With a quality of 0 to 100.
    case lossy(Float)
  }

  /// The longest side that the format has.
  static let longestSide = Int(WEBP_MAX_DIMENSION)
  /// The total time that libwebp counts, in milliseconds: 24 days.
  private static let longestTime = Int(CInt.max)
  /// Of 9. Level 1 takes less than half the time for files a sixth larger, level 6 a third more for 2 % less.
  private static let losslessLevel: CInt = 3
  /// Of 6.
  private static let lossyMethod: CInt = 2

  let size: PixelSize
  /// The frames that are shown.
  let frames: [Int]
  /// When each picture begins in milliseconds, and when the last one ends.
  let times: [Int]
  /// Total plays; 0 for without end.
  let plays: Int
  let compression: Compression

  /// - Parameter mostPerSecond: pictures a second at the most: others are left out, and those before them show for
  ///   their time; nil for all.
  /// - Throws: ``FileFailure`` where WebP cannot hold the pictures.
  init(
    _ image: GIFImage, frames: [Int], size: PixelSize, compression: Compression, mostPerSecond: Double? = nil
  ) throws {
    guard max(size.width, size.height) <= Self.longestSide else {
      throw FileFailure(
        reason:
          "has \(size.width) x \(size.height) pixels; a WebP has at most \(Self.longestSide) a side: choose --fit"
      )
    }
    var (shown, times, time) = ([Int](), [Int](), 0)
    for frame in frames {
      let isShown = times.last.map { last in
        mostPerSecond.map { Double(time - last) * $0 >= 1_000 } ?? true
      }
      if isShown ?? true {
        shown.append(frame)
        times.append(time)
      }
      let (end, overflows) = time.addingReportingOverflow(image.frames[frame].delayMilliseconds())
      guard !overflows, end <= Self.longestTime else {
        throw FileFailure(reason: "plays for more than 24 days, which no WebP does: choose --frames")
      }
      time = end
    }
    self.size = size
    self.frames = shown
    self.times = times + [time]
    if case .plays(let count) = image.loopCount { plays = min(count, 0xFFFF) } else { plays = 0 }
    self.compression = compression
  }

  /// Writes the file; returns the damage found.
  func write(
    _ pictures: consuming PictureSource, to target: OutputDescriptor
  ) throws -> [GIFDiagnostic] {
    var encoder = try WebPEncoder(size, plays: plays, compression: compression)
    let found = try pictures.deliver { [times] place, picture in
      try encoder.add(picture.pixels, at: times[place])
    }
    try encoder.finish(at: times[times.count - 1], to: target)
    return found
  }

  /// libwebp's encoder. Its pointers are valid while it lives; pixels are read during a call only.
  @safe private struct WebPEncoder: ~Copyable {
    private let library: WebPLibrary
    private let encoder: WebPLibrary.Encoder
    private var picture = unsafe WebPPicture()
    private var config = WebPConfig()

    init(_ size: PixelSize, plays: Int, compression: Compression) throws {
      guard let library = WebPLibrary.shared else {
        throw CommandFailure(reason: "a WebP needs libwebp: install \(WebPLibrary.packages)")
      }
      var options = WebPAnimEncoderOptions()
      var config = WebPConfig()
      var picture = unsafe WebPPicture()
      let isKnown =
        unsafe library.initOptions(&options, CInt(WEBP_MUX_ABI_VERSION)) != 0
        && library.configure(&config, WEBP_PRESET_DEFAULT, 75, CInt(WEBP_ENCODER_ABI_VERSION)) != 0
        && library.initPicture(&picture, CInt(WEBP_ENCODER_ABI_VERSION)) != 0
      guard isKnown else { throw CommandFailure(reason: "this version of libwebp is not known") }
      switch compression {
      case .lossless: _ = unsafe library.setLosslessLevel(&config, WebPAnimation.losslessLevel)
      case .lossy(let quality): (config.quality, config.method) = (quality, WebPAnimation.lossyMethod)
      }
      options.anim_params.loop_count = CInt(plays)
      // Transparent, as browsers show the canvas.
      options.anim_params.bgcolor = 0
      unsafe (picture.width, picture.height) = (CInt(size.width), CInt(size.height))
      unsafe picture.use_argb = 1
      guard
        let encoder = unsafe library.makeEncoder(
          CInt(size.width), CInt(size.height), &options, CInt(WEBP_MUX_ABI_VERSION))
      else { throw CommandFailure(reason: "WebP: there is not enough memory") }
      self.library = library
      unsafe self.encoder = encoder
      self.config = config
      unsafe self.picture = picture
    }

    deinit {
      var picture = unsafe picture
      unsafe library.freePicture(&picture)
      unsafe library.deleteEncoder(encoder)
    }

    mutating func add(_ pixels: PixelBuffer, at time: Int) throws {
      let isImported = unsafe pixels.withUnsafeBytes { bytes in
        unsafe library.importRGBA(
          &picture, bytes.assumingMemoryBound(to: UInt8.self).baseAddress, CInt(4 * pixels.width))
      }
      guard isImported != 0 else { throw CommandFailure(reason: "WebP: there is not enough memory") }
      try unsafe check(library.add(encoder, &picture, CInt(time), &config))
    }

    /// Says when the last picture ends, and writes the file.
    mutating func finish(at time: Int, to target: OutputDescriptor) throws {
      try unsafe check(library.add(encoder, nil, CInt(time), nil))
      var data = unsafe WebPData()
      try unsafe check(library.assemble(encoder, &data))
      defer { unsafe library.free(UnsafeMutableRawPointer(mutating: data.bytes)) }
      try unsafe target.write(UnsafeRawBufferPointer(start: data.bytes, count: data.size))
    }

    private func check(_ status: CInt) throws {
      guard status == 0 else { return }
      let reason = unsafe library.errorText(encoder).map { unsafe String(cString: $0) } ?? ""
      throw CommandFailure(reason: "WebP: " + (reason.isEmpty ? "the picture is refused" : reason))
    }
  }
}
