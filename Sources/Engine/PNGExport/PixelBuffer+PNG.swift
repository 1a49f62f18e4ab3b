public import GIFDecoding

extension PixelBuffer {
  /// The picture as a PNG file, 8 bits a channel, without alpha where all pixels are opaque.
  ///
  ///     var renderer = try FrameRenderer(try GIFImage(contentsOfFile: "horse.gif"))
  ///     let png = try renderer.frame(at: 7).pixels.pngBytes()
  ///
  /// libspng is opened with the first picture. Takes time in proportion to the pixels, and runs on the
  /// caller's thread.
  /// - Parameter compressionLevel: 0 for the fastest, 9 for the smallest; others are clipped.
  /// - Throws: ``PNGError``.
  public func pngBytes(compressionLevel: Int = 6) throws(PNGError) -> [UInt8] {
    guard width > 0, height > 0 else { throw PNGError("the picture has no pixels") }
    guard let library = SpngLibrary.shared else { throw PNGError("libspng.so.0 is not installed or too old") }
    let encoder = try PNGEncoder(library)
    return try encoder.encode(self, compressionLevel: min(9, max(0, compressionLevel)))
  }
}

/// An encoder of one picture. libspng's memory is freed with it.
@safe private struct PNGEncoder: ~Copyable {
  private let library: SpngLibrary
  private let context: SpngLibrary.Context

  init(_ library: SpngLibrary) throws(PNGError) {
    guard let context = unsafe library.makeContext(SpngLibrary.encoder) else {
      throw PNGError("there is no memory")
    }
    self.library = library
    unsafe self.context = context
  }

  deinit { unsafe library.freeContext(context) }

  /// - Parameter compressionLevel: 0 - 9.
  func encode(_ picture: PixelBuffer, compressionLevel: Int) throws(PNGError) -> [UInt8] {
    let hasAlpha = PNGRow.needsAlpha(picture.span)
    try check(unsafe library.setOption(context, SpngLibrary.toBuffer, 1))
    try check(unsafe library.setOption(context, SpngLibrary.compressionLevel, CInt(compressionLevel)))
    // Pictures of few colours compress best, and fastest, without filters.
    let filters = SpngLibrary.filterChoice
    try check(unsafe library.setOption(context, filters.option, filters.none))
    try setHeader(width: picture.width, height: picture.height, hasAlpha: hasAlpha)
    try check(unsafe library.encodeImage(context, nil, 0, SpngLibrary.sameFormat, SpngLibrary.rowByRow))
    var row = PNGRow(width: picture.width, format: picture.format, hasAlpha: hasAlpha)
    for y in 0..<picture.height {
      row.fill(with: picture.span.extracting(y * picture.width..<(y + 1) * picture.width))
      // The row is read during the call, and libspng checks its length.
      let status = unsafe row.bytes.withUnsafeBytes { bytes in
        unsafe library.encodeRow(context, bytes.baseAddress, bytes.count)
      }
      guard y + 1 == picture.height, status == SpngLibrary.endOfImage else {
        try check(status)
        continue
      }
    }
    var (count, status): (Int, CInt) = (0, 0)
    guard let buffer = unsafe library.takeBuffer(context, &count, &status) else { throw fault(status) }
    defer { unsafe library.free(buffer) }
    return unsafe Array(UnsafeRawBufferPointer(start: buffer, count: count))
  }

  private func setHeader(width: Int, height: Int, hasAlpha: Bool) throws(PNGError) {
    // The sides of a picture are numbers of 16 bits in a GIF, and below 2^31 in a PNG; libspng refuses larger
    // ones.
    var header: (width: UInt32, height: UInt32, bytes: (UInt8, UInt8, UInt8, UInt8, UInt8)) = (
      UInt32(clamping: width), UInt32(clamping: height), (8, hasAlpha ? 6 : 2, 0, 0, 0)
    )
    try check(unsafe library.setHeader(context, &header))
  }

  private func check(_ status: CInt) throws(PNGError) {
    guard status == 0 else { throw fault(status) }
  }

  private func fault(_ status: CInt) -> PNGError {
    unsafe PNGError(library.errorText(status).map { unsafe String(cString: $0) } ?? "error \(status)")
  }
}
