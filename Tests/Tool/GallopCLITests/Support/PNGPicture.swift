import CSpng

/// A PNG file read back.
struct PNGPicture {
  struct Unreadable: Error {
    var status: Int32
  }

  var width: Int
  var height: Int
  var bitDepth: Int
  var hasAlpha: Bool
  /// RGBA, 8 bits, rows from the top.
  var pixels: [UInt8]

  init(_ bytes: [UInt8]) throws {
    guard let context = unsafe spng_ctx_new(0) else { throw Unreadable(status: -1) }
    defer { unsafe spng_ctx_free(context) }
    var header = spng_ihdr()
    var decoded: [UInt8] = []
    // libspng reads the file from this memory, which is only there for the length of the call.
    try unsafe bytes.withUnsafeBytes { file in
      try unsafe Self.check(spng_set_png_buffer(context, file.baseAddress, file.count))
      try unsafe Self.check(spng_get_ihdr(context, &header))
      var size = 0
      try unsafe Self.check(spng_decoded_image_size(context, Int32(SPNG_FMT_RGBA8.rawValue), &size))
      decoded = [UInt8](repeating: 0, count: size)
      try unsafe Self.check(
        spng_decode_image(context, &decoded, size, Int32(SPNG_FMT_RGBA8.rawValue), 0))
    }
    pixels = decoded
    (width, height) = (Int(header.width), Int(header.height))
    bitDepth = Int(header.bit_depth)
    hasAlpha = Int(header.color_type) == Int(SPNG_COLOR_TYPE_TRUECOLOR_ALPHA.rawValue)
  }

  private static func check(_ status: Int32) throws {
    guard status == 0 else { throw Unreadable(status: status) }
  }
}
