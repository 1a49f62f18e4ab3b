import CSpng
internal import GIFDecoding
import Glibc

/// A picture as a PNG file for a terminal, by libspng: made quickly rather than as small as can be.
enum PictureFile {
  /// zlib's fastest level. Pictures of few colours take less time than their raw bytes would in a terminal.
  private static let compression: Int32 = 1

  /// A picture with a palette of at most 256 colours, in as few bits a pixel as they need.
  ///
  /// - Parameters:
  ///   - indices: the number of each pixel's colour, as many as `size` asks for.
  ///   - palette: straight-alpha RGBA.
  static func png(_ indices: [UInt8], palette: [UInt32], size: PixelSize) throws(TerminalError) -> [UInt8] {
    let bits = palette.count <= 2 ? 1 : palette.count <= 4 ? 2 : palette.count <= 16 ? 4 : 8
    let rows = bits == 8 ? indices : packed(indices, bits: bits, width: size.width)
    return try encode(rows, size: size, bits: bits, type: SPNG_COLOR_TYPE_INDEXED, palette: palette)
  }

  /// A picture of any colours; without alpha if all of it is opaque.
  ///
  /// - Parameter pixels: straight-alpha RGBA, as many as `size` asks for.
  static func png(_ pixels: Span<UInt32>, size: PixelSize) throws(TerminalError) -> [UInt8] {
    var isOpaque = true
    for place in pixels.indices where pixels[place] >> 24 != 255 {
      isOpaque = false
      break
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(pixels.count * (isOpaque ? 3 : 4))
    for place in pixels.indices {
      let pixel = pixels[place]
      bytes.append(UInt8(truncatingIfNeeded: pixel))
      bytes.append(UInt8(truncatingIfNeeded: pixel >> 8))
      bytes.append(UInt8(truncatingIfNeeded: pixel >> 16))
      if !isOpaque { bytes.append(UInt8(truncatingIfNeeded: pixel >> 24)) }
    }
    return try encode(
      bytes, size: size, bits: 8,
      type: isOpaque ? SPNG_COLOR_TYPE_TRUECOLOR : SPNG_COLOR_TYPE_TRUECOLOR_ALPHA, palette: [])
  }

  /// Several numbers a byte, the first in the highest bits; each row begins with a byte of its own.
  private static func packed(_ indices: [UInt8], bits: Int, width: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(indices.count * bits / 8 + indices.count / width)
    for start in stride(from: 0, to: indices.count, by: width) {
      var (byte, filled): (UInt8, Int) = (0, 0)
      for place in start..<start + width {
        byte = byte << UInt8(bits) | indices[place]
        filled += bits
        if filled == 8 {
          bytes.append(byte)
          (byte, filled) = (0, 0)
        }
      }
      if filled > 0 { bytes.append(byte << UInt8(8 - filled)) }
    }
    return bytes
  }

  /// libspng's memory is freed before the call returns, whatever happens; it reads `rows` during the call
  /// only, and checks their number.
  private static func encode(
    _ rows: [UInt8], size: PixelSize, bits: Int, type: spng_color_type, palette: [UInt32]
  ) throws(TerminalError) -> [UInt8] {
    guard let context = unsafe spng_ctx_new(Int32(SPNG_CTX_ENCODER.rawValue)) else {
      throw TerminalError(.systemCall, operation: "PNG", errorNumber: ENOMEM)
    }
    defer { unsafe spng_ctx_free(context) }
    try check(unsafe spng_set_option(context, SPNG_ENCODE_TO_BUFFER, 1))
    try check(unsafe spng_set_option(context, SPNG_IMG_COMPRESSION_LEVEL, compression))
    try check(unsafe spng_set_option(context, SPNG_FILTER_CHOICE, Int32(SPNG_FILTER_CHOICE_NONE.rawValue)))
    var header = spng_ihdr(
      width: UInt32(size.width), height: UInt32(size.height), bit_depth: UInt8(bits),
      color_type: UInt8(type.rawValue), compression_method: 0, filter_method: 0, interlace_method: 0)
    try check(unsafe spng_set_ihdr(context, &header))
    if !palette.isEmpty { try unsafe set(palette, in: context) }
    let status = unsafe rows.withUnsafeBytes { bytes in
      unsafe spng_encode_image(
        context, bytes.baseAddress, bytes.count, Int32(SPNG_FMT_PNG.rawValue),
        Int32(SPNG_ENCODE_FINALIZE.rawValue))
    }
    try check(status)
    var (count, outcome) = (0, Int32(0))
    guard let file = unsafe spng_get_png_buffer(context, &count, &outcome) else {
      throw TerminalError(.systemCall, operation: "PNG", errorNumber: ENOMEM)
    }
    defer { unsafe free(file) }
    return unsafe Array(UnsafeRawBufferPointer(start: file, count: count))
  }

  /// - Parameter context: an encoder, which copies what it gets.
  @unsafe private static func set(_ palette: [UInt32], in context: OpaquePointer) throws(TerminalError) {
    var colors = spng_plte()
    var alphas = spng_trns()
    colors.n_entries = UInt32(palette.count)
    unsafe withUnsafeMutableBytes(of: &colors.entries) { bytes in
      let entries = unsafe bytes.assumingMemoryBound(to: spng_plte_entry.self)
      for (number, color) in palette.enumerated() {
        unsafe entries[number] = spng_plte_entry(
          red: UInt8(truncatingIfNeeded: color), green: UInt8(truncatingIfNeeded: color >> 8),
          blue: UInt8(truncatingIfNeeded: color >> 16), alpha: 255)
      }
    }
    try check(unsafe spng_set_plte(context, &colors))
    guard palette.contains(where: { $0 >> 24 != 255 }) else { return }
    alphas.n_type3_entries = UInt32(palette.count)
    unsafe withUnsafeMutableBytes(of: &alphas.type3_alpha) { bytes in
      for (number, color) in palette.enumerated() {
        unsafe bytes[number] = UInt8(truncatingIfNeeded: color >> 24)
      }
    }
    try check(unsafe spng_set_trns(context, &alphas))
  }

  private static func check(_ status: Int32) throws(TerminalError) {
    guard status == 0 else {
      throw TerminalError(.systemCall, operation: "PNG", errorNumber: status > 0 ? EINVAL : ENOMEM)
    }
  }
}
