/// The changes of each sample to and from a saturated red, as they come.
///
/// A change counts where the hues of both states differ by more than 0.2. To red, it is that from the hue
/// farthest from red since the sample was last red; from red, that from the last red.
struct RedExtremes: Sendable {
  private struct State {
    /// The sample's pixel, so that what stays costs nothing.
    var pixel: UInt32
    var isRed: Bool
    var hue: Chromaticity
  }

  private var states: [State] = []
  private var hues = HueCache()

  /// The first picture.
  mutating func begin(_ pixels: [UInt32], _ measures: ColorMeasures) {
    states = pixels.map { pixel in
      let (hue, isRed) = hues.hue(of: pixel, measures)
      return State(pixel: pixel, isRed: isRed, hue: hue)
    }
  }

  /// Takes a sample's pixel.
  ///
  /// - Returns: above 0 where it became red, below 0 where it is no longer red, in a way that counts.
  @inline(__always)
  mutating func step(_ sample: Int, to pixel: UInt32, _ measures: ColorMeasures) -> Int {
    if states[sample].pixel == pixel { return 0 }
    return change(sample, to: pixel, measures)
  }

  private mutating func change(_ sample: Int, to pixel: UInt32, _ measures: ColorMeasures) -> Int {
    let state = states[sample]
    let (hue, isRed) = hues.hue(of: pixel, measures)
    states[sample].pixel = pixel
    switch (state.isRed, isRed) {
    case (true, true):
      states[sample].hue = hue
      return 0
    case (false, true):
      states[sample] = State(pixel: pixel, isRed: true, hue: hue)
      return hue.differs(from: state.hue) ? 1 : 0
    case (true, false):
      // What is near red counts as red until it is far from it.
      guard hue.differs(from: state.hue) else { return 0 }
      states[sample] = State(pixel: pixel, isRed: false, hue: hue)
      return -1
    case (false, false):
      if hue.squaredDistance(to: .pureRed) > state.hue.squaredDistance(to: .pureRed) {
        states[sample].hue = hue
      }
      return 0
    }
  }
}

/// The hues of the colours seen last: a GIF has few, and a hue takes two divisions.
private struct HueCache: Sendable {
  private struct Entry: Sendable {
    var pixel: UInt32
    var isRed: Bool
    var hue: Chromaticity
  }

  /// Colours have alpha, so none is 0.
  private var entries = [Entry](
    repeating: Entry(pixel: 0, isRed: false, hue: .pureRed), count: 1 << Self.bits)
  private static let bits = 10

  mutating func hue(of pixel: UInt32, _ measures: ColorMeasures) -> (Chromaticity, Bool) {
    let place = Int((pixel &* 0x9E37_79B1) >> UInt32(32 - Self.bits))
    if entries[place].pixel != pixel {
      entries[place] = Entry(
        pixel: pixel, isRed: measures.isSaturatedRed(pixel), hue: measures.chromaticity(pixel))
    }
    return (entries[place].hue, entries[place].isRed)
  }
}
