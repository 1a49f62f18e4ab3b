internal import CSpng
internal import GIFStage
internal import Gallop
internal import Glibc

/// PNG files by libspng: RGBA, 8 bits.
enum PNGEncoder {
  /// Takes a third to three quarters of the time of zlib's own default, 6; files are 5 to 14 % larger.
  static let standardCompression = 4

  static func encode(_ picture: PixelBuffer, compression: Int = standardCompression) throws -> [UInt8] {
    precondition(picture.format == .rgba)
    return try unsafe picture.withUnsafeBytes { bytes in
      try unsafe encode(bytes, width: picture.width, height: picture.height, compression: compression)
    }
  }

  static func encode(_ surface: borrowing Surface) throws -> [UInt8] {
    try unsafe surface.pixels.withUnsafeBytes { bytes in
      try unsafe encode(
        bytes, width: surface.width, height: surface.height, compression: standardCompression)
    }
  }

  /// RGBA bytes as a PNG file. libspng's memory is freed before the call returns, whatever happens; `bytes`
  /// are read during the call only, and libspng checks their number.
  private static func encode(
    _ bytes: UnsafeRawBufferPointer, width: Int, height: Int, compression: Int
  ) throws -> [UInt8] {
    guard let context = unsafe spng_ctx_new(Int32(SPNG_CTX_ENCODER.rawValue)) else { throw failure(ENOMEM) }
    defer { unsafe spng_ctx_free(context) }
    try check(unsafe spng_set_option(context, SPNG_ENCODE_TO_BUFFER, 1))
    try check(unsafe spng_set_option(context, SPNG_IMG_COMPRESSION_LEVEL, Int32(compression)))
    // Pictures of few colours compress best, and fastest, without filters.
    try check(
      unsafe spng_set_option(context, SPNG_FILTER_CHOICE, Int32(SPNG_FILTER_CHOICE_NONE.rawValue)))
    var header = spng_ihdr(
      width: UInt32(width), height: UInt32(height), bit_depth: 8,
      color_type: UInt8(SPNG_COLOR_TYPE_TRUECOLOR_ALPHA.rawValue), compression_method: 0, filter_method: 0,
      interlace_method: 0)
    try check(unsafe spng_set_ihdr(context, &header))
    try unsafe check(
      spng_encode_image(
        context, bytes.baseAddress, bytes.count, Int32(SPNG_FMT_PNG.rawValue),
        Int32(SPNG_ENCODE_FINALIZE.rawValue)))
    var size = 0
    var status: Int32 = 0
    guard let buffer = unsafe spng_get_png_buffer(context, &size, &status) else {
      throw unsafe CommandFailure(reason: "PNG: " + String(cString: spng_strerror(status)))
    }
    defer { unsafe free(buffer) }
    return unsafe Array(UnsafeRawBufferPointer(start: buffer, count: size))
  }

  private static func check(_ status: Int32) throws {
    guard status == 0 else {
      throw unsafe CommandFailure(reason: "PNG: " + String(cString: spng_strerror(status)))
    }
  }

  private static func failure(_ error: Int32) -> CommandFailure {
    CommandFailure(reason: "PNG: " + systemReason(error))
  }
}
