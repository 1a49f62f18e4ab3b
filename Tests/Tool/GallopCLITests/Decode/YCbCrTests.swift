import GIFTestSupport
import Testing

@testable import GallopCLI

@Suite("BT.601 colours")
struct YCbCrTests {
  /// The colour bars of BT.601 in 8 bits, limited range.
  @Test(
    "Known colours",
    arguments: [
      (0x000000, 16, 128, 128), (0xFFFFFF, 235, 128, 128), (0xFF0000, 81, 90, 240), (0x00FF00, 145, 54, 34),
      (0x0000FF, 41, 240, 110), (0xFFFF00, 210, 16, 146), (0x00FFFF, 170, 166, 16), (0xFF00FF, 106, 202, 222),
    ])
  func bars(rgb: Int32, luma: UInt8, blue: UInt8, red: UInt8) {
    let color = YCbCr(red: rgb >> 16, green: rgb >> 8 & 0xFF, blue: rgb & 0xFF)
    #expect((color.luma, color.blue, color.red) == (luma, blue, red))
  }

  @Test("Greys have no colour, and rise from 16 to 235")
  func greys() {
    var last = -1
    for value: Int32 in 0...255 {
      let color = YCbCr(red: value, green: value, blue: value)
      #expect((color.blue, color.red) == (128, 128))
      #expect(Int(color.luma) >= last)
      last = Int(color.luma)
    }
    #expect(last == 235)
  }

  @Test("Every colour is within half a step of the standard's formula")
  func formula() {
    for red in stride(from: 0, through: 255, by: 15) {
      for green in stride(from: 0, through: 255, by: 15) {
        for blue in stride(from: 0, through: 255, by: 15) {
          let (r, g, b) = (Double(red) / 255, Double(green) / 255, Double(blue) / 255)
          let y = 0.299 * r + 0.587 * g + 0.114 * b
          let color = YCbCr(red: Int32(red), green: Int32(green), blue: Int32(blue))
          #expect(abs(Double(color.luma) - (16 + 219 * y)) < 0.51)
          #expect(abs(Double(color.blue) - (128 + 224 * (b - y) / 1.772)) < 0.51)
          #expect(abs(Double(color.red) - (128 + 224 * (r - y) / 1.402)) < 0.51)
        }
      }
    }
  }

  @Test("Transparent pixels are white")
  func overWhite() {
    let white = YCbCr(red: 255, green: 255, blue: 255)
    #expect(YCbCr(overWhite: 0) == white)
    #expect(YCbCr(overWhite: 0x0012_3456) == white)
    #expect(YCbCr(overWhite: 0xFF00_00FF) == YCbCr(red: 255, green: 0, blue: 0))
    #expect(YCbCr(overWhite: 0x8000_00FF) == YCbCr(red: 255, green: 127, blue: 127))
  }

  @Test("Eight opaque pixels at once have the same colours; one that is not opaque is found in any lane")
  func lanes() throws {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<2000 {
      var pixels = SIMD8<UInt32>()
      for lane in pixels.indices {
        pixels[lane] = (UInt32.random(in: 0...0xFF_FFFF, using: &generator) | 0xFF00_0000).littleEndian
      }
      #expect(YCbCrLanes.areOpaque(pixels))
      let lanes = YCbCrLanes(opaque: pixels)
      for lane in pixels.indices {
        let expected = YCbCr(overWhite: UInt32(littleEndian: pixels[lane]))
        #expect(lanes.luma[lane] == expected.luma)
        #expect(lanes.blue[lane] == expected.blue && lanes.red[lane] == expected.red)
      }
      let alpha = UInt32.random(in: 0...254, using: &generator)
      pixels[Int.random(in: 0..<8, using: &generator)] = (alpha << 24 | 0xFF).littleEndian
      #expect(!YCbCrLanes.areOpaque(pixels))
    }
  }
}
