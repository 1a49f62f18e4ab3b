import GIFDecoding
import GIFTestSupport
import Testing

@testable import GIFStage

/// A simple reference surface: pixel by pixel, with floating-point blending.
struct PlainSurface {
  let width: Int
  let height: Int
  var pixels: [UInt32]

  init(_ surface: Surface) {
    (width, height) = (surface.width, surface.height)
    pixels = (0..<surface.width * surface.height).map { surface[$0 % surface.width, $0 / surface.width] }
  }

  mutating func set(_ x: Int, _ y: Int, _ pixel: UInt32, opacity: Double = 1, clip: PixelRect) {
    guard x >= 0, y >= 0, x < width, y < height, clip.contains(x: x, y: y) else { return }
    pixels[y * width + x] = Self.over(pixel, pixels[y * width + x], opacity: opacity)
  }

  static func over(_ above: UInt32, _ below: UInt32, opacity: Double = 1) -> UInt32 {
    // Alpha is a whole number of 255ths, also after opacity.
    let alpha = (Double(above >> 24) * opacity).rounded() / 255
    var result: UInt32 = 0xFF00_0000
    for shift: UInt32 in [0, 8, 16] {
      let mixed = Double(above >> shift & 0xFF) * alpha + Double(below >> shift & 0xFF) * (1 - alpha)
      result |= UInt32(mixed.rounded()) << shift
    }
    return result
  }

  /// Whether two surfaces are the same but for roundings of a half.
  func isNear(_ surface: Surface) -> Bool {
    let other = PlainSurface(surface)
    guard width == other.width, height == other.height else { return false }
    return zip(pixels, other.pixels).allSatisfy { first, second in
      [0, 8, 16, 24].allSatisfy { abs(Int(first >> $0 & 0xFF) - Int(second >> $0 & 0xFF)) <= 1 }
    }
  }
}

@Suite("Surface: filling, clipping, regions")
struct SurfaceTests {
  static let whole = PixelRect(-1000, -1000, 3000, 3000)

  @Test("Fills cover exactly their rectangle, and nothing beyond the surface")
  func fills() {
    let rects = [
      PixelRect(2, 3, 4, 2), PixelRect(-3, -3, 5, 5), PixelRect(8, 5, 90, 90), PixelRect(0, 0, 0, 5),
      PixelRect(3, 3, -2, 4), PixelRect(.min, .min, .max, .max), PixelRect(-10, 2, .max, 1),
    ]
    for rect in rects {
      for color in [Color(0xAABBCC), Color(0x12FF34).withAlpha(100), Color(0).withAlpha(0)] {
        var surface = Surface(width: 10, height: 7, color: Color(0x405060))
        var plain = PlainSurface(surface)
        surface.fill(rect, color)
        for y in 0..<7 {
          for x in 0..<10 where rect.bounded.contains(x: x, y: y) {
            plain.set(x, y, color.word, clip: Self.whole)
          }
        }
        #expect(plain.isNear(surface), "\(rect) \(color)")
      }
    }
  }

  @Test("The surface stays opaque, whatever is drawn on it")
  func opaque() {
    var surface = Surface(width: 6, height: 6, color: Color(0x102030).withAlpha(3))
    surface.fill(surface.bounds, Color(0xFFFFFF).withAlpha(7))
    surface.fillChecker(surface.bounds, light: Color(word: 1), dark: Color(word: 2))
    surface.fillDisc(centerX: 3, centerY: 3, diameter: 5, Color(0xFF0000).withAlpha(90))
    #expect(PlainSurface(surface).pixels.allSatisfy { $0 >> 24 == 255 })
  }

  @Test("Regions move the origin and clip; they nest")
  func regions() {
    var surface = Surface(width: 20, height: 20, color: Color(0))
    surface.inRegion(PixelRect(5, 5, 10, 10)) { surface in
      surface.inRegion(PixelRect(-2, 3, 6, 20)) { surface in
        #expect(surface.visible(PixelRect(-50, -50, 100, 100)) == PixelRect(2, 0, 4, 7))
        surface.fill(PixelRect(-50, -50, 100, 100), Color(0xFFFFFF))
      }
      surface.fill(PixelRect(0, 0, 1, 1), Color(0xFF0000))
    }
    surface.fill(PixelRect(0, 0, 1, 1), Color(0x00FF00))
    for y in 0..<20 {
      for x in 0..<20 {
        let isWhite = (5..<9).contains(x) && (8..<15).contains(y)
        let expected: UInt32 =
          isWhite
          ? 0xFFFF_FFFF : (x, y) == (5, 5) ? 0xFF00_00FF : (x, y) == (0, 0) ? 0xFF00_FF00 : 0xFF00_0000
        #expect(surface[x, y] == expected, "\(x), \(y)")
      }
    }
  }

  @Test("A region outside of all others draws nothing")
  func emptyRegion() {
    var surface = Surface(width: 4, height: 4, color: Color(0))
    var isCalled = false
    surface.inRegion(PixelRect(9, 9, 5, 5)) { _ in isCalled = true }
    #expect(!isCalled)
  }

  @Test("The checker's squares begin at the rectangle's corner")
  func checker() {
    var surface = Surface(width: 12, height: 12, color: Color(0))
    surface.fillChecker(PixelRect(1, 2, 9, 9), side: 3, light: Color(0xFFFFFF), dark: Color(0x111111))
    for y in 0..<12 {
      for x in 0..<12 {
        let isInside = (1..<10).contains(x) && (2..<11).contains(y)
        let expected =
          !isInside ? Color(0) : ((x - 1) / 3 + (y - 2) / 3) % 2 == 0 ? Color(0xFFFFFF) : Color(0x111111)
        #expect(surface[x, y] == expected.word, "\(x), \(y)")
      }
    }
  }

  @Test("Discs are round: symmetric, filled inside, empty outside")
  func discs() {
    for diameter in [2, 6, 12, 14, 30] {
      var surface = Surface(width: 40, height: 40, color: Color(0))
      surface.fillDisc(centerX: 20, centerY: 20, diameter: diameter, Color(0xFFFFFF))
      let radius = Double(diameter) / 2
      for y in 0..<40 {
        for x in 0..<40 {
          #expect(surface[x, y] == surface[39 - x, y] && surface[x, y] == surface[y, x])
          let (across, down) = (Double(x) - 19.5, Double(y) - 19.5)
          let distance = (across * across + down * down).squareRoot()
          if distance < radius - 1 { #expect(surface[x, y] == 0xFFFF_FFFF, "\(diameter): \(x), \(y)") }
          if distance > radius + 1 { #expect(surface[x, y] == 0xFF00_0000, "\(diameter): \(x), \(y)") }
        }
      }
    }
  }

  @Test("Strokes stay inside their rectangle, also where that is thinner than they are")
  func strokes() {
    var surface = Surface(width: 10, height: 10, color: Color(0))
    surface.stroke(PixelRect(1, 1, 8, 6), thickness: 2, Color(0xFFFFFF))
    for y in 0..<10 {
      for x in 0..<10 {
        let isOuter = (1..<9).contains(x) && (1..<7).contains(y)
        let isInner = (3..<7).contains(x) && (3..<5).contains(y)
        #expect((surface[x, y] == 0xFFFF_FFFF) == (isOuter && !isInner), "\(x), \(y)")
      }
    }
    surface.stroke(PixelRect(0, 0, 1, 1), thickness: 50, Color(0xFF0000))
    surface.fillRounded(PixelRect(0, 9, 3, 1), radius: 70, Color(0xFF0000))
  }

  @Test("Sides are limited; drawing on an empty surface does nothing")
  func sizes() {
    var surface = Surface(width: -5, height: 30)
    #expect(surface.bounds.isEmpty)
    surface.fill(PixelRect(0, 0, 10, 10), Color(0xFFFFFF))
    surface.draw("abc", x: 0, y: 0, Color(0xFFFFFF))
    #expect(Surface(width: .max, height: 1).width == 16_384)
  }
}

@Suite("Surface: pictures")
struct SurfacePictureTests {
  /// A picture with all kinds of alpha.
  private static func picture(_ size: PixelSize, seed: UInt64) -> [UInt32] {
    var random = SeededGenerator(seed: seed)
    return (0..<size.width * size.height).map { _ in
      let alpha: UInt32 =
        [0, 255, 255, UInt32.random(in: 1..<255, using: &random)].randomElement(using: &random) ?? 0
      return UInt32.random(in: 0..<1 << 24, using: &random) | alpha << 24
    }
  }

  @Test("At its own size a picture is blended pixel by pixel", arguments: [UInt8(255), 128, 1, 0])
  func copied(opacity: UInt8) throws {
    let size = try #require(PixelSize(width: 9, height: 6))
    let pixels = Self.picture(size, seed: 1)
    for (x, y) in [(0, 0), (3, 2), (-4, -3), (9, 5), (100, 0)] {
      var surface = Surface(width: 12, height: 8, color: Color(0x336699))
      var plain = PlainSurface(surface)
      let clip = PixelRect(1, 1, 10, 6)
      surface.clipped(to: clip) {
        $0.draw(pixels.span, size: size, in: PixelRect(x, y, 9, 6), opacity: opacity)
      }
      for place in pixels.indices {
        plain.set(
          x + place % 9, y + place / 9, pixels[place], opacity: Double(opacity) / 255, clip: clip)
      }
      #expect(plain.isNear(surface), "\(x), \(y)")
    }
  }

  @Test(
    "Enlarged, each pixel is the one under its centre",
    arguments: [(18, 12), (9, 13), (31, 7), (4, 3), (1, 1)])
  func nearest(width: Int, height: Int) throws {
    let size = try #require(PixelSize(width: 9, height: 6))
    let pixels = Self.picture(size, seed: 2)
    var surface = Surface(width: 20, height: 15, color: Color(0x993311))
    var plain = PlainSurface(surface)
    surface.draw(pixels.span, size: size, in: PixelRect(-2, 1, width, height))
    for y in 0..<height {
      for x in 0..<width {
        let column = Int((Double(x) + 0.5) * 9 / Double(width))
        let row = Int((Double(y) + 0.5) * 6 / Double(height))
        plain.set(x - 2, y + 1, pixels[row * 9 + column], clip: SurfaceTests.whole)
      }
    }
    #expect(plain.isNear(surface))
  }

  @Test(
    "Reduced, each pixel is the mean of those it touches, by alpha",
    arguments: [(3, 2), (9, 3), (4, 4), (1, 1)])
  func means(width: Int, height: Int) throws {
    let size = try #require(PixelSize(width: 9, height: 6))
    let pixels = Self.picture(size, seed: 3)
    var surface = Surface(width: 12, height: 8, color: Color(0x205080))
    var plain = PlainSurface(surface)
    surface.draw(pixels.span, size: size, in: PixelRect(2, 1, width, height), sampling: .area)
    for y in 0..<height {
      for x in 0..<width {
        let touched = pixels.indices.filter {
          PictureLayoutTests.touches(x, width, $0 % 9, 9) && PictureLayoutTests.touches(y, height, $0 / 9, 6)
        }
        plain.set(x + 2, y + 1, Self.mean(touched.map { pixels[$0] }), clip: SurfaceTests.whole)
      }
    }
    #expect(plain.isNear(surface))
  }

  private static func mean(_ pixels: [UInt32]) -> UInt32 {
    let alpha = pixels.reduce(0.0) { $0 + Double($1 >> 24) }
    let mean = (alpha / Double(pixels.count)).rounded()
    guard mean > 0 else { return 0 }
    var result = UInt32(mean) << 24
    for shift: UInt32 in [0, 8, 16] {
      let sum = pixels.reduce(0.0) { $0 + Double($1 >> 24) * Double($1 >> shift & 0xFF) }
      result |= UInt32((sum / alpha).rounded()) << shift
    }
    return result
  }

  @Test("Drawn in parts, a picture is the same as drawn at once")
  func parts() throws {
    let size = try #require(PixelSize(width: 9, height: 6))
    let pixels = Self.picture(size, seed: 4)
    for sampling in [Sampling.nearest, .area] {
      for (width, height) in [(5, 4), (23, 17), (9, 6)] {
        var whole = Surface(width: 24, height: 18)
        whole.draw(pixels.span, size: size, in: PixelRect(-1, 0, width, height), sampling: sampling)
        var parts = Surface(width: 24, height: 18)
        for part in [PixelRect(0, 0, 7, 18), PixelRect(7, 0, 17, 5), PixelRect(7, 5, 17, 13)] {
          parts.clipped(to: part) {
            $0.draw(pixels.span, size: size, in: PixelRect(-1, 0, width, height), sampling: sampling)
          }
        }
        #expect(PlainSurface(whole).pixels == PlainSurface(parts).pixels)
      }
    }
  }

  @Test("Too few pixels draw nothing")
  func tooFew() throws {
    let size = try #require(PixelSize(width: 9, height: 6))
    var surface = Surface(width: 9, height: 6, color: Color(0))
    surface.draw([UInt32](repeating: .max, count: 53).span, size: size, in: surface.bounds)
    #expect(PlainSurface(surface).pixels.allSatisfy { $0 == 0xFF00_0000 })
  }
}
