import GIFTestSupport
import Testing

@testable import GIFDecoding

@Suite("Pictures at another size: colours")
struct FrameScalerTests {
  private static let palette: [RGB] = [0x000000, 0xF02040, 0x1080FF, 0x40C020, 0xFFFFFF]

  /// One frame of 8 x 4: vertical stripes, two pixels wide, of the four colours.
  private func stripes() throws -> GIFImage {
    var writer = GIFWriter(width: 8, height: 4, palette: Self.palette)
    writer.image(width: 8, height: 4, indices: (0..<32).map { UInt8(1 + $0 % 8 / 2) })
    writer.trailer()
    return try GIFImage(bytes: writer.bytes)
  }

  @Test("A pixel that covers one colour only has that colour, in all three channels")
  func sameColor() throws {
    let size = try #require(PixelSize(width: 4, height: 2))
    var renderer = try FrameRenderer(try stripes(), size: size)
    let pixels = try renderer.frame(at: 0).pixels
    for x in 0..<4 {
      for y in 0..<2 { #expect(pixels[x, y] == Self.palette[1 + x].opaquePixel, "\(x), \(y)") }
    }
  }

  @Test("A pixel that covers several colours has their mean, each channel by itself")
  func mean() throws {
    let size = try #require(PixelSize(width: 2, height: 1))
    var renderer = try FrameRenderer(try stripes(), size: size)
    let pixels = try renderer.frame(at: 0).pixels
    for x in 0..<2 {
      let (first, second) = (Self.palette[1 + 2 * x], Self.palette[2 + 2 * x])
      func mean(_ channel: KeyPath<RGB, UInt8>) -> UInt8 {
        UInt8((Int(first[keyPath: channel]) + Int(second[keyPath: channel]) + 1) / 2)
      }
      let expected = RGB(red: mean(\.red), green: mean(\.green), blue: mean(\.blue))
      #expect(pixels[x, 0] == expected.opaquePixel)
    }
  }
}
