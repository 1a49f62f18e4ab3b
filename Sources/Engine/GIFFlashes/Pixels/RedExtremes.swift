/// The changes of a sample to and from a saturated red, as they come.
///
/// A change counts where the hues of both states differ by more than 0.2, at whatever speed. To red, it is
/// that from the hue farthest from red since the sample last counted as red, or from the last colour. From
/// red, it is that from the reddest hue since then, or from the last colour. So no colour in between hides a
/// change.
struct RedExtremes: Sendable, Equatable {
  /// The reddest hue of a sample that counts as red; otherwise the hue farthest from red. The highest bit, of
  /// an opaque pixel's alpha, tells which.
  private var extreme: UInt32
  /// The colour that was taken last.
  private var last: UInt32

  private static let redBit: UInt32 = 1 << 31

  init(_ pixel: UInt32, _ measures: ColorMeasures) {
    extreme = Self.marked(pixel, measures.isSaturatedRed(pixel))
    last = pixel
  }

  private static func marked(_ pixel: UInt32, _ isRed: Bool) -> UInt32 {
    isRed ? pixel | redBit : pixel & ~redBit
  }

  /// Takes the next pixel, which is opaque.
  ///
  /// - Returns: whether the sample became red, or is no longer red, in a way that counts.
  @inline(__always)
  mutating func take(
    _ next: UInt32, _ hues: inout HueCache, _ measures: ColorMeasures
  ) -> (rising: Bool, falling: Bool) {
    next == last ? (false, false) : change(to: next, &hues, measures)
  }

  private mutating func change(
    to next: UInt32, _ hues: inout HueCache, _ measures: ColorMeasures
  ) -> (rising: Bool, falling: Bool) {
    let isRed = extreme & Self.redBit != 0
    let (from, to) = (hues.hue(of: extreme | Self.redBit, measures), hues.hue(of: next, measures))
    let before = last
    last = next
    guard to.isRed != isRed else {
      let isFarther = isRed ? to.redDistance < from.redDistance : to.redDistance > from.redDistance
      if isFarther { extreme = Self.marked(next, isRed) }
      return (false, false)
    }
    // What is near red counts as red until it is far from it, and the other way round.
    if !to.differs(from: from) {
      let other = hues.hue(of: before, measures)
      guard other.isRed == isRed, to.differs(from: other) else { return (false, false) }
    }
    extreme = Self.marked(next, to.isRed)
    return (rising: to.isRed, falling: !to.isRed)
  }
}

/// The hue of a colour, as far as red flashes depend on it.
struct Hue: Sendable {
  let isRed: Bool
  /// The square of its distance from pure red.
  let redDistance: Double
  private let place: Chromaticity

  init(_ pixel: UInt32, _ measures: ColorMeasures) {
    isRed = measures.isSaturatedRed(pixel)
    place = measures.chromaticity(pixel)
    redDistance = place.squaredDistance(to: .pureRed)
  }

  /// Whether two states differ enough for a red flash.
  func differs(from other: Hue) -> Bool { place.differs(from: other.place) }
}

/// The hues of the colours seen last: a GIF has few, and a hue takes two divisions.
struct HueCache: Sendable {
  /// Empty before the first colour is asked for.
  private var pixels: [UInt32] = []
  private var hues: [Hue] = []
  private static let bits = 12

  @inline(__always)
  mutating func hue(of pixel: UInt32, _ measures: ColorMeasures) -> Hue {
    let place = Int((pixel &* 0x9E37_79B1) >> UInt32(32 - Self.bits))
    if pixels.isEmpty || pixels[place] != pixel { replace(place, pixel, measures) }
    return hues[place]
  }

  private mutating func replace(_ place: Int, _ pixel: UInt32, _ measures: ColorMeasures) {
    if pixels.isEmpty {
      // Colours have alpha, so none is 0.
      pixels = Array(repeating: 0, count: 1 << Self.bits)
      hues = Array(repeating: Hue(0, measures), count: 1 << Self.bits)
    }
    pixels[place] = pixel
    hues[place] = Hue(pixel, measures)
  }
}
