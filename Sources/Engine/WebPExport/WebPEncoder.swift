internal import CWebP
package import GIFDecoding

/// Compresses pictures one after another into an animated WebP; one alone becomes a still.
///
/// Memory grows with the file that is written, not with the pictures: libwebp compresses each when it is
/// added. Pointers to libwebp's objects are valid while the encoder lives; pixels are read during a call
/// only.
@safe package struct WebPEncoder: ~Copyable {
  private let library: WebPLibrary
  private let encoder: WebPLibrary.Encoder
  private var picture = unsafe WebPPicture()
  private var config = WebPConfig()

  /// The longest side that the format has.
  private static let longestSide = Int(WEBP_MAX_DIMENSION)
  /// Of 9. Level 1 takes less than half the time for files a sixth larger, level 6 a third more for 2 % less.
  private static let losslessLevel: CInt = 3
  /// Of 6.
  private static let lossyMethod: CInt = 2

  /// Opens the libraries now, for a process that can open no other file later.
  package static func openLibraries() { _ = WebPLibrary.shared }

  /// Refuses pictures that the format cannot hold.
  package static func check(_ size: PixelSize) throws(WebPError) {
    guard max(size.width, size.height) <= longestSide else {
      throw WebPError(
        .tooLarge,
        "has \(size.width) x \(size.height) pixels; a WebP has at most \(longestSide) a side")
    }
  }

  /// - Parameter plays: total plays; 0 for without end.
  package init(_ size: PixelSize, plays: Int, compression: WebPOptions.Compression) throws(WebPError) {
    try Self.check(size)
    guard let library = WebPLibrary.shared else {
      throw WebPError(.noLibrary, "a WebP needs libwebp: install \(WebPLibrary.packages)")
    }
    var options = WebPAnimEncoderOptions()
    var config = WebPConfig()
    var picture = unsafe WebPPicture()
    let isKnown =
      unsafe library.initOptions(&options, CInt(WEBP_MUX_ABI_VERSION)) != 0
      && library.configure(&config, WEBP_PRESET_DEFAULT, 75, CInt(WEBP_ENCODER_ABI_VERSION)) != 0
      && library.initPicture(&picture, CInt(WEBP_ENCODER_ABI_VERSION)) != 0
    guard isKnown else { throw WebPError(.noLibrary, "this version of libwebp is not known") }
    switch compression {
    case .lossless: _ = unsafe library.setLosslessLevel(&config, Self.losslessLevel)
    case .lossy(let quality):
      (config.quality, config.method) = (min(100, max(0, quality)), Self.lossyMethod)
    }
    options.anim_params.loop_count = CInt(plays)
    // Transparent, as browsers show the canvas.
    options.anim_params.bgcolor = 0
    unsafe (picture.width, picture.height) = (CInt(size.width), CInt(size.height))
    unsafe picture.use_argb = 1
    guard
      let encoder = unsafe library.makeEncoder(
        CInt(size.width), CInt(size.height), &options, CInt(WEBP_MUX_ABI_VERSION))
    else { throw .noMemory }
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

  /// Adds a picture that begins at a time in milliseconds, later than the one before.
  ///
  /// - Precondition: the pixels are `.rgba`, of the encoder's size.
  package mutating func add(_ pixels: PixelBuffer, at time: Int) throws(WebPError) {
    precondition(
      unsafe pixels.format == .rgba && pixels.width == Int(picture.width)
        && pixels.height == Int(picture.height))
    let isImported = unsafe pixels.withUnsafeBytes { bytes in
      unsafe library.importRGBA(
        &picture, bytes.assumingMemoryBound(to: UInt8.self).baseAddress, CInt(4 * pixels.width))
    }
    guard isImported != 0 else { throw .noMemory }
    try unsafe check(library.add(encoder, &picture, CInt(time), &config))
  }

  /// Says when the last picture ends, and returns the file.
  package mutating func finish(at time: Int) throws(WebPError) -> WebPFile {
    try unsafe check(library.add(encoder, nil, CInt(time), nil))
    var data = unsafe WebPData()
    try unsafe check(library.assemble(encoder, &data))
    return unsafe WebPFile(data, library)
  }

  private func check(_ status: CInt) throws(WebPError) {
    guard status == 0 else { return }
    let reason = unsafe library.errorText(encoder).map { unsafe String(cString: $0) } ?? ""
    throw WebPError(.refused, "WebP: " + (reason.isEmpty ? "the picture is refused" : reason))
  }
}

/// The bytes of a file in libwebp's memory, which is freed with this value.
@safe package struct WebPFile: ~Copyable {
  private let library: WebPLibrary
  private let data: WebPData

  fileprivate init(_ data: WebPData, _ library: WebPLibrary) {
    unsafe self.data = data
    self.library = library
  }

  deinit { unsafe library.free(UnsafeMutableRawPointer(mutating: data.bytes)) }

  /// Calls `body` with the bytes, which are valid for the call.
  package func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe body(UnsafeRawBufferPointer(start: data.bytes, count: data.size))
  }
}
