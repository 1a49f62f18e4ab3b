/// The changes of a sample to and from a saturated red, as they come.
///
/// A change counts where the hues of both states differ by more than 0.2. To red, it is that from the hue
/// farthest from red since the sample was last red; from red, that from the last red.
struct RedExtremes: Sendable, Equatable {
  /// The last red; otherwise the colour with the hue farthest from red.
  private var pixel: UInt32

  init(_ pixel: UInt32) { self.pixel = pixel }

  /// Takes the next pixel.
  ///
  /// - Returns: whether the sample became red, or is no longer red, in a way that counts.
  @inline(__always)
  mutating func take(
    _ next: UInt32, _ hues: inout HueCache, _ measures: ColorMeasures
  ) -> (rising: Bool, falling: Bool) {
    next == pixel
      ? (false, false) : change(to: next, hues.hue(of: pixel, measures), hues.hue(of: next, measures))
  }

  @inline(__always)
  private mutating func change(to next: UInt32, _ from: Hue, _ to: Hue) -> (rising: Bool, falling: Bool) {
    switch (from.isRed, to.isRed) {
    case (true, true):
      pixel = next
      return (false, false)
    case (false, true):
      pixel = next
      return (to.differs(from: from), false)
    case (true, false):
      // What is near red counts as red until it is far from it.
      guard to.differs(from: from) else { return (false, false) }
      pixel = next
      return (false, true)
    case (false, false):
      pixel = to.redDistance > from.redDistance ? next : pixel
      return (false, false)
    }
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
