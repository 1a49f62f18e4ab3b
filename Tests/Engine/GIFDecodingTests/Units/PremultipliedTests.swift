import GIFDecodingTestSupport
import GIFTestSupport
import Testing

@testable import GIFDecoding

@Suite("Premultiplied pixels")
struct PremultipliedTests {
  @Test("Each of the 65,536 products is the nearest number, as in the plain formula")
  func allPairs() {
    for channel in UInt64(0)...255 {
      for alpha in UInt64(0)...255 {
        let product = premultiplied(channel, alpha: alpha)
        guard product == (channel * alpha + 127) / 255 else {
          Issue.record("\(channel) times \(alpha)")
          return
        }
        if abs(Double(product) - Double(channel * alpha) / 255) > 0.5 {
          Issue.record("\(channel) times \(alpha) is not the nearest")
        }
      }
    }
  }

  private func channels(_ word: UInt32) -> [UInt64] {
    let word = UInt32(littleEndian: word)
    return [0, 8, 16, 24].map { UInt64(word >> $0 & 0xFF) }
  }

  @Test("Frames at another size are the straight ones, multiplied", arguments: 0..<40)
  func scaled(seed: UInt64) throws {
    let image = try GIFImage(bytes: RandomGIF.make(seed: seed).bytes)
    let size = try #require(PixelSize(width: 7, height: 5))
    for (straight, multiplied) in [
      (PixelFormat.rgba, PixelFormat.rgbaPremultiplied), (.bgra, .bgraPremultiplied),
    ] {
      var plain = try FrameRenderer(image, format: straight, size: size)
      var renderer = try FrameRenderer(image, format: multiplied, size: size)
      for index in 0..<image.frameCount {
        let (expected, frame) = (try plain.frame(at: index), try renderer.frame(at: index))
        #expect(frame.pixels.format == multiplied)
        for (one, other) in zip(expected.pixels.words, frame.pixels.words) {
          let from = channels(one)
          let wanted = from[..<3].map { ($0 * from[3] + 127) / 255 } + [from[3]]
          try #require(channels(other) == wanted)
        }
      }
    }
  }

  @Test("At the size of the canvas both are the same", arguments: 0..<10)
  func unscaled(seed: UInt64) throws {
    let image = try GIFImage(bytes: RandomGIF.make(seed: seed).bytes)
    var plain = try FrameRenderer(image, format: .bgra)
    var renderer = try FrameRenderer(image, format: .bgraPremultiplied)
    for index in 0..<image.frameCount {
      #expect(try plain.frame(at: index).pixels.words == renderer.frame(at: index).pixels.words)
    }
    #expect(image.globalPalette(.rgbaPremultiplied) == image.globalPalette(.rgba))
  }
}
