/// Relative luminance and saturated red of sRGB colours, as WCAG 2.2 defines them.
///
/// Luminance is an even number up to ``white``, so that sums in any order are equal.
struct ColorMeasures: Sendable {
  /// The luminance of white.
  static let white: Int32 = 1 << 30
  /// The smallest change that counts: a tenth of white.
  static let change: Int32 = 107_374_182
  /// The darker state of a change has less than this: eight tenths of white.
  static let dark: Int32 = 858_993_459

  /// The tables, which are worked out once.
  static let shared = ColorMeasures()

  private let red: [Int32]
  private let green: [Int32]
  private let blue: [Int32]
  /// The channels of linear light, for their shares.
  private let linear: [Int64]

  private init() {
    let light = (0..<256).map { Self.light(Double($0) / 255) }
    func weighted(_ weight: Double) -> [Int32] {
      light.map { 2 * Int32(($0 * weight * Double(Self.white / 2)).rounded()) }
    }
    red = weighted(0.2126)
    green = weighted(0.7152)
    blue = weighted(0.0722)
    linear = light.map { Int64(($0 * Double(Self.white)).rounded()) }
  }

  /// The light of a channel, 0 to 1, from its value in sRGB.
  private static func light(_ value: Double) -> Double {
    value <= 0.04045 ? value / 12.92 : gammaPower((value + 0.055) / 1.055)
  }

  /// `value` to the power of 2.4: its square times the fifth root of its square.
  ///
  /// - Parameter value: 0.09 to 1.
  private static func gammaPower(_ value: Double) -> Double {
    let square = value * value
    var root = 1.0
    // Newton's method from above the root never passes it.
    for _ in 0..<24 {
      let cube = root * root * root
      root = (4 * root + square / (cube * root)) / 5
    }
    return square * root
  }

  /// The luminance of an opaque pixel, red in the lowest byte.
  @inline(__always)
  func luminance(_ pixel: UInt32) -> Int32 {
    red[Int(pixel & 0xFF)] &+ green[Int(pixel >> 8 & 0xFF)] &+ blue[Int(pixel >> 16 & 0xFF)]
  }

  /// The linear light of an opaque pixel: red, green, blue; each up to ``white``.
  @inline(__always)
  func light(_ pixel: UInt32) -> SIMD4<Int64> {
    SIMD4(linear[Int(pixel & 0xFF)], linear[Int(pixel >> 8 & 0xFF)], linear[Int(pixel >> 16 & 0xFF)], 0)
  }

  /// The value in sRGB whose linear light is nearest.
  func value(ofLight light: Int64) -> UInt32 {
    var (low, high) = (0, 255)
    while high - low > 1 {
      let middle = (low + high) / 2
      if linear[middle] <= light { low = middle } else { high = middle }
    }
    return UInt32(light - linear[low] < linear[high] - light ? low : high)
  }

  /// Whether an opaque pixel is a saturated red: R / (R + G + B) of at least 0.8.
  @inline(__always)
  func isSaturatedRed(_ pixel: UInt32) -> Bool {
    let light = linear[Int(pixel & 0xFF)]
    return light > 0 && light >= 4 * (linear[Int(pixel >> 8 & 0xFF)] + linear[Int(pixel >> 16 & 0xFF)])
  }

  /// How far red outweighs the other channels of a saturated red, 0 to 320; 0 for all other colours.
  ///
  /// The older rule for red flashes, before WCAG 2.2.
  func redExcess(_ pixel: UInt32) -> Float {
    guard isSaturatedRed(pixel) else { return 0 }
    let others = linear[Int(pixel >> 8 & 0xFF)] + linear[Int(pixel >> 16 & 0xFF)]
    return max(0, Float(linear[Int(pixel & 0xFF)] - others) / Float(Self.white) * 320)
  }

  /// The hue of an opaque pixel in the CIE 1976 UCS diagram; that of black is white's.
  func chromaticity(_ pixel: UInt32) -> Chromaticity {
    Chromaticity(
      red: Double(linear[Int(pixel & 0xFF)]), green: Double(linear[Int(pixel >> 8 & 0xFF)]),
      blue: Double(linear[Int(pixel >> 16 & 0xFF)]))
  }
}

/// A place in the CIE 1976 UCS diagram: u' and v'.
struct Chromaticity: Sendable, Equatable {
  let (u, v): (Double, Double)

  /// The smallest distance that counts is above this.
  static let change = 0.2
  static let pureRed = Chromaticity(red: 1, green: 0, blue: 0)

  /// - Parameters: linear light, in any unit.
  init(red: Double, green: Double, blue: Double) {
    let isBlack = red + green + blue == 0
    let (r, g, b) = isBlack ? (1, 1, 1) : (red, green, blue)
    let x = 0.4124 * r + 0.3576 * g + 0.1805 * b
    let y = 0.2126 * r + 0.7152 * g + 0.0722 * b
    let z = 0.0193 * r + 0.1192 * g + 0.9505 * b
    let sum = x + 15 * y + 3 * z
    (u, v) = (4 * x / sum, 9 * y / sum)
  }

  func squaredDistance(to other: Chromaticity) -> Double {
    (u - other.u) * (u - other.u) + (v - other.v) * (v - other.v)
  }

  /// Whether two states differ enough for a red flash.
  func differs(from other: Chromaticity) -> Bool { squaredDistance(to: other) > Self.change * Self.change }
}
