import CSpng
import GIFDecoding
import Testing

@testable import PNGExport

@Suite("Pixels as PNG files")
struct PNGTests {
  /// What libspng reads back: RGBA, and the colour type of the file.
  private struct Decoded {
    var width: Int
    var height: Int
    var colorType: UInt8
    var words: [UInt32]

    init(_ png: [UInt8]) throws {
      let context = try unsafe #require(spng_ctx_new(0))
      defer { unsafe spng_ctx_free(context) }
      var header = spng_ihdr()
      var bytes: [UInt8] = []
      try unsafe png.withUnsafeBytes { png in
        #expect(unsafe spng_set_png_buffer(context, png.baseAddress, png.count) == 0)
        try #require(unsafe spng_get_ihdr(context, &header) == 0)
        var size = 0
        try #require(unsafe spng_decoded_image_size(context, Int32(SPNG_FMT_RGBA8.rawValue), &size) == 0)
        bytes = Array(repeating: 0, count: size)
        let status = unsafe bytes.withUnsafeMutableBytes {
          unsafe spng_decode_image(context, $0.baseAddress, size, Int32(SPNG_FMT_RGBA8.rawValue), 0)
        }
        try #require(status == 0)
      }
      (width, height, colorType) = (Int(header.width), Int(header.height), header.color_type)
      words = []
      for place in stride(from: 0, to: bytes.count, by: 4) {
        var word: UInt32 = 0
        for channel in bytes[place..<place + 4].reversed() { word = word << 8 | UInt32(channel) }
        words.append(word)
      }
    }
  }

  /// Red 1, green 2, blue 3 in each of the orders.
  @Test(
    "Channels are in their places, in each format",
    arguments: [
      (PixelFormat.rgba, UInt32(0xFF03_0201)), (.bgra, 0xFF01_0203), (.rgbaPremultiplied, 0xFF03_0201),
      (.bgraPremultiplied, 0xFF01_0203),
    ])
  func channels(format: PixelFormat, word: UInt32) throws {
    let picture = PixelBuffer(width: 3, height: 2, format: format, words: Array(repeating: word, count: 6))
    let decoded = try Decoded(try picture.pngBytes())
    #expect(decoded.width == 3 && decoded.height == 2)
    #expect(decoded.words == Array(repeating: 0xFF03_0201, count: 6))
    // Without alpha.
    #expect(decoded.colorType == 2)
  }

  @Test("One pixel that is not opaque gives the file alpha; premultiplied colours become straight")
  func alpha() throws {
    let words: [UInt32] = [0xFF30_2010, 0x0000_0000, 0x8040_2000, 0x0101_0000]
    let straight = PixelBuffer(width: 2, height: 2, words: words)
    let plain = try Decoded(try straight.pngBytes())
    #expect(plain.colorType == 6 && plain.words == words)
    let multiplied = PixelBuffer(width: 2, height: 2, format: .rgbaPremultiplied, words: words)
    #expect(
      try Decoded(try multiplied.pngBytes()).words == [0xFF30_2010, 0x0000_0000, 0x8080_4000, 0x01FF_0000])
  }

  @Test("A straight channel is the one that gives the premultiplied one again")
  func rounding() {
    for alpha in UInt32(1)...255 {
      for channel in 0...alpha {
        let straight = PNGRow.straight(channel, alpha)
        #expect((straight * alpha + 127) / 255 == channel)
      }
    }
  }

  @Test("Every row is written, at each compression level", arguments: [-5, 0, 1, 6, 9, 50])
  func rows(level: Int) throws {
    let words = (0..<UInt32(61 * 47)).map { $0 &* 2_654_435_761 }
    let picture = PixelBuffer(width: 61, height: 47, words: words)
    #expect(try Decoded(try picture.pngBytes(compressionLevel: level)).words == words)
  }

  @Test("A picture of one pixel is written, one of none is refused")
  func smallest() throws {
    let one = PixelBuffer(width: 1, height: 1, words: [0xFF00_00FF])
    #expect(try Decoded(try one.pngBytes()).words == [0xFF00_00FF])
    let error = #expect(throws: PNGError.self) {
      _ = try PixelBuffer(width: 0, height: 5, words: []).pngBytes()
    }
    #expect(error?.description == "no PNG can be written: the picture has no pixels")
  }
}
