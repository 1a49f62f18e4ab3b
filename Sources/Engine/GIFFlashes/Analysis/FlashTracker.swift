/// Finds which samples change from picture to picture in a way that counts.
struct FlashTracker: Sendable {
  /// How changes to and from red are found.
  enum RedDetail: Sendable {
    /// No colour of the file is a saturated red.
    case none
    /// Every change between a saturated red and another colour: no less than those that count.
    case anyChange
    /// Those that count.
    case exact
  }

  /// Those of each sample, by its number; empty before the first picture.
  struct States: Sendable, Equatable {
    fileprivate var luminances: [LuminanceExtremes] = []
    fileprivate var hues: [RedExtremes] = []
    fileprivate var areRed: [Bool] = []
  }

  /// The changes of luminance with the last picture.
  private(set) var general: SampleChanges
  /// The changes to and from red with the last picture.
  private(set) var red: SampleChanges

  /// What lies under the pictures.
  var backdrop: Backdrop
  private let measures: ColorMeasures
  private let redDetail: RedDetail
  /// The numbers of the samples end before this.
  private let count: Int
  private(set) var states = States()
  private var hueCache: HueCache

  init(_ grid: SampleGrid, red: RedDetail, over backdrop: Backdrop = .white) {
    self.backdrop = backdrop
    measures = ColorMeasures.shared
    hueCache = HueCache()
    redDetail = red
    general = SampleChanges(grid)
    self.red = general
    count = grid.count
  }

  /// Takes the next picture, the first one whole.
  mutating func take(_ picture: SampledPicture) {
    guard !states.luminances.isEmpty else { return begin(picture) }
    general.removeAll()
    red.removeAll()
    let measures = measures
    switch redDetail {
    case .none:
      // No sample has a state of this kind.
      Self.note(picture, backdrop, &states.luminances, &states.areRed, &general, &red) { _, _, _ in
        (false, false)
      }
    case .anyChange:
      Self.note(picture, backdrop, &states.luminances, &states.areRed, &general, &red) {
        states, sample, pixel in
        let (isRed, wasRed) = (measures.isSaturatedRed(pixel), states[sample])
        states[sample] = isRed
        return (isRed && !wasRed, wasRed && !isRed)
      }
    case .exact:
      // Taken out, since the tracker is changed meanwhile.
      var cache = HueCache()
      swap(&cache, &hueCache)
      Self.note(picture, backdrop, &states.luminances, &states.hues, &general, &red) {
        states, sample, pixel in
        states[sample].take(pixel, &cache, measures)
      }
      hueCache = cache
    }
  }

  private mutating func begin(_ picture: SampledPicture) {
    states.luminances = Array(repeating: LuminanceExtremes(0), count: count)
    states.hues = Array(repeating: RedExtremes(0, measures), count: redDetail == .exact ? count : 0)
    states.areRed = Array(repeating: false, count: redDetail == .anyChange ? count : 0)
    for place in 0..<picture.count {
      let (sample, pixel) = (Int(picture.samples[place]), backdrop.shown(picture.pixels[place]))
      states.luminances[sample] = LuminanceExtremes(measures.luminance(pixel))
      if redDetail == .exact { states.hues[sample] = RedExtremes(pixel, measures) }
      if redDetail == .anyChange { states.areRed[sample] = measures.isSaturatedRed(pixel) }
    }
  }

  /// Has the states of a picture's samples take their pixels, and notes what changed.
  ///
  /// - Parameter takeRed: the same for red, for a sample and its pixel.
  @inline(__always)
  private static func note<Red>(
    _ picture: SampledPicture, _ backdrop: Backdrop, _ luminances: inout [LuminanceExtremes],
    _ reds: inout [Red], _ general: inout SampleChanges, _ red: inout SampleChanges,
    _ takeRed: (inout MutableSpan<Red>, _ sample: Int, _ pixel: UInt32) -> (rising: Bool, falling: Bool)
  ) {
    let measures = ColorMeasures.shared
    var luminances = luminances.mutableSpan
    var reds = reds.mutableSpan
    let (samples, pixels) = (picture.samples, picture.pixels)
    for place in samples.indices {
      let sample = Int(samples[place])
      let pixel = backdrop.shown(pixels[place])
      general.note(sample, luminances[sample].take(measures.luminance(pixel)))
      red.note(sample, takeRed(&reds, sample, pixel))
    }
    general.finish()
    red.finish()
  }
}
