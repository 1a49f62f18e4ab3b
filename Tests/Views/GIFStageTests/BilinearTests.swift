import GIFDecoding
import GIFTestSupport
import Testing

@testable import GIFStage

@Suite("Enlarged pictures")
struct BilinearTests {
  private func enlarged(_ pixels: [UInt32], width: Int, to side: Int) throws -> Surface {
    let size = try #require(PixelSize(width: width, height: pixels.count / width))
    var surface = Surface(width: side, height: 1, color: .black)
    surface.draw(pixels.span, size: size, in: PixelRect(0, 0, side, 1), sampling: .bilinear)
    return surface
  }

  @Test("Pixels between two of the picture are mixed by their distance")
  func ramp() throws {
    let surface = try enlarged([Color.black.word, Color(0xFFFFFF).word], width: 2, to: 8)
    let values = (0..<8).map { surface[$0, 0] & 0xFF }
    #expect(values == [0, 0, 32, 96, 159, 223, 255, 255])
    #expect((0..<8).allSatisfy { Color(word: surface[$0, 0]).rgb == UInt32(values[$0]) * 0x010101 })
  }

  @Test("Transparent pixels have no colour to mix")
  func transparency() throws {
    let surface = try enlarged([0x0000_FF00, Color(0xFFFFFF).word], width: 2, to: 8)
    for x in 0..<8 {
      let color = surface[x, 0]
      #expect(color & 0xFF == color >> 8 & 0xFF && color & 0xFF == color >> 16 & 0xFF)
    }
  }

  @Test("Mixing stays near the exact value for any pixels and shares")
  func mixing() {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<2000 {
      let (first, second) = (
        UInt32.random(in: 0...(.max), using: &generator) | 0xFF00_0000,
        UInt32.random(in: 0...(.max), using: &generator) | 0xFF00_0000
      )
      let weight = UInt32.random(in: 0...255, using: &generator)
      let mixed = PixelMath.mixed(first, second, weight)
      for shift: UInt32 in [0, 8, 16] {
        let exact =
          (Double(first >> shift & 0xFF) * Double(256 - weight) + Double(second >> shift & 0xFF)
            * Double(weight))
          / 256
        #expect(abs(Double(mixed >> shift & 0xFF) - exact) <= 0.5)
      }
      #expect(mixed >> 24 == 255)
    }
  }

  @Test("Whole factors keep hard edges, others are bilinear, and reduced pictures are means")
  func sampling() throws {
    let size = try #require(PixelSize(width: 10, height: 10))
    #expect(PictureLayout.sampling(of: size, in: PixelRect(0, 0, 30, 30)) == .nearest)
    #expect(PictureLayout.sampling(of: size, in: PixelRect(0, 0, 25, 25)) == .bilinear)
    #expect(PictureLayout.sampling(of: size, in: PixelRect(0, 0, 5, 5)) == .area)
  }

  @Test("A changed part covers the pixels mixed with it")
  func damage() throws {
    let size = try #require(PixelSize(width: 4, height: 4))
    for side in [5, 7, 9, 30] {
      let place = PixelRect(0, 0, side, side)
      let dark = [UInt32](repeating: Color.black.word, count: 16)
      var before = Surface(width: side, height: side)
      before.draw(dark.span, size: size, in: place, sampling: .bilinear)
      for changed in 0..<16 {
        var pixels = dark
        pixels[changed] = Color(0xFFFFFF).word
        var after = Surface(width: side, height: side)
        after.draw(pixels.span, size: size, in: place, sampling: .bilinear)
        let shown = PictureLayout.shown(PixelRect(changed % 4, changed / 4, 1, 1), of: size, in: place)
        for y in 0..<side {
          for x in 0..<side where before[x, y] != after[x, y] { #expect(shown.contains(x: x, y: y)) }
        }
      }
    }
  }
}
