import CSpng
import GIFDecoding
import Testing

/// What a terminal makes of the bytes of a picture: decoders of PNG files, base64 and sixels, apart from the
/// encoders.
enum PictureReading {
  struct Picture: Equatable {
    var width: Int
    var height: Int
    /// Straight-alpha RGBA, red in the lowest byte.
    var pixels: [UInt32]
    /// PNG's bits of a sample and its colour type; 0 for sixels.
    var bits = 0
    var type = 0
  }

  /// Decodes a PNG file with libspng.
  static func png(_ file: [UInt8]) throws -> Picture {
    guard let context = unsafe spng_ctx_new(0) else { throw NoPicture() }
    defer { unsafe spng_ctx_free(context) }
    return try unsafe file.withUnsafeBytes { bytes in
      try check(unsafe spng_set_png_buffer(context, bytes.baseAddress, bytes.count))
      var header = spng_ihdr()
      try check(unsafe spng_get_ihdr(context, &header))
      let format = Int32(SPNG_FMT_RGBA8.rawValue)
      var size = 0
      try check(unsafe spng_decoded_image_size(context, format, &size))
      var pixels = [UInt32](repeating: 0, count: size / 4)
      let status = unsafe pixels.withUnsafeMutableBytes {
        unsafe spng_decode_image(
          context, $0.baseAddress, $0.count, format, Int32(SPNG_DECODE_TRNS.rawValue))
      }
      try check(status)
      return Picture(
        width: Int(header.width), height: Int(header.height), pixels: pixels.map { UInt32(littleEndian: $0) },
        bits: Int(header.bit_depth), type: Int(header.color_type))
    }
  }

  /// Bytes that are no PNG file.
  private struct NoPicture: Error {}

  private static func check(_ status: Int32) throws {
    if status != 0 { throw NoPicture() }
  }

  static func bytes(ofBase64 text: some Sequence<UInt8>) throws -> [UInt8] {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var (bytes, bits, count): ([UInt8], Int, Int) = ([], 0, 0)
    for letter in text where letter != UInt8(ascii: "=") {
      bits = (bits << 6 | (try #require(letters.firstIndex(of: letter)))) & 0xFFFF
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> count))
      }
    }
    return bytes
  }

  /// The parts between two marks, such as the payloads of kitty's commands.
  static func parts(of bytes: [UInt8], from start: String, to end: String) -> [[UInt8]] {
    var (parts, rest): ([[UInt8]], ArraySlice<UInt8>) = ([], bytes[...])
    while let first = rest.firstRange(of: start.utf8)?.upperBound,
      let last = rest[first...].firstRange(of: end.utf8)?.lowerBound
    {
      parts.append(Array(rest[first..<last]))
      rest = rest[last...]
    }
    return parts
  }

  /// Draws sixels with their raster attributes on a transparent ground; colours are percents.
  static func sixels(_ bytes: [UInt8]) throws -> Picture {
    let body = try #require(parts(of: bytes, from: "\u{1B}P0;1;0q", to: "\u{1B}\\").first)
    var place = body.startIndex
    func numbers() -> [Int] {
      var list = [0]
      while place < body.endIndex {
        if body[place] == UInt8(ascii: ";") {
          list.append(0)
        } else if (0x30...0x39).contains(body[place]) {
          list[list.count - 1] = list[list.count - 1] * 10 + Int(body[place] - 0x30)
        } else {
          break
        }
        place += 1
      }
      return list
    }
    var picture = Picture(width: 0, height: 0, pixels: [])
    var (colors, color, x, y, count): ([Int: UInt32], Int, Int, Int, Int) = ([:], 0, 0, 0, 1)
    while place < body.endIndex {
      let byte = body[place]
      place += 1
      switch byte {
      case UInt8(ascii: "\""):
        let sides = numbers()
        (picture.width, picture.height) = (sides[2], sides[3])
        picture.pixels = Array(repeating: 0, count: sides[2] * sides[3])
      case UInt8(ascii: "#"):
        let values = numbers()
        color = values[0]
        if values.count == 5 {
          let channels = values[2...].map { UInt32(($0 * 255 + 50) / 100) }
          colors[color] = channels[0] | channels[1] << 8 | channels[2] << 16 | 0xFF00_0000
        }
      case UInt8(ascii: "!"): count = numbers()[0]
      case UInt8(ascii: "$"): x = 0
      case UInt8(ascii: "-"): (x, y) = (0, y + 6)
      default:
        let mask = try #require((0x3F...0x7E).contains(byte) ? byte - 0x3F : nil)
        for _ in 0..<count {
          for row in 0..<6 where mask >> row & 1 == 1 {
            try #require(x < picture.width && y + row < picture.height)
            picture.pixels[(y + row) * picture.width + x] = try #require(colors[color])
          }
          x += 1
        }
        count = 1
      }
    }
    return picture
  }
}
