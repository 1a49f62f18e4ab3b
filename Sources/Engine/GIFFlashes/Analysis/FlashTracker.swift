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

  /// The changes of luminance with the last picture.
  private(set) var general: SampleChanges
  /// The changes to and from red with the last picture.
  private(set) var red: SampleChanges

  private let measures: ColorMeasures
  private let redDetail: RedDetail
  /// The numbers of the samples end before this.
  private let count: Int
  /// Of each sample, by its number; empty before the first picture.
  private var luminances: [LuminanceExtremes] = []
  private var hues: [RedExtremes] = []
  private var areRed: [Bool] = []
  private var hueCache: HueCache

  init(_ grid: SampleGrid, red: RedDetail) {
    measures = ColorMeasures.shared
    hueCache = HueCache()
    redDetail = red
    general = SampleChanges(grid)
    self.red = general
    count = grid.count
  }

  /// Takes the next picture, the first one whole.
  mutating func take(_ picture: SampledPicture) {
    guard !luminances.isEmpty else { return begin(picture) }
    general.removeAll()
    red.removeAll()
    Self.note(picture, &luminances, measures, in: &general)
    switch redDetail {
    case .none: break
    case .anyChange: Self.note(picture, &areRed, measures, in: &red)
    case .exact: Self.note(picture, &hues, &hueCache, measures, in: &red)
    }
  }

  private mutating func begin(_ picture: SampledPicture) {
    luminances = Array(repeating: LuminanceExtremes(0), count: count)
    hues = Array(repeating: RedExtremes(0), count: redDetail == .exact ? count : 0)
    areRed = Array(repeating: false, count: redDetail == .anyChange ? count : 0)
    for place in 0..<picture.count {
      let (sample, pixel) = (Int(picture.samples[place]), picture.pixels[place])
      luminances[sample] = LuminanceExtremes(measures.luminance(pixel))
      if redDetail == .exact { hues[sample] = RedExtremes(pixel) }
      if redDetail == .anyChange { areRed[sample] = measures.isSaturatedRed(pixel) }
    }
  }

  private static func note(
    _ picture: SampledPicture, _ luminances: inout [LuminanceExtremes], _ measures: ColorMeasures,
    in changes: inout SampleChanges
  ) {
    var luminances = luminances.mutableSpan
    let (samples, pixels) = (picture.samples, picture.pixels)
    for place in samples.indices {
      let sample = Int(samples[place])
      changes.note(sample, luminances[sample].take(measures.luminance(pixels[place])))
    }
    changes.finish()
  }

  private static func note(
    _ picture: SampledPicture, _ hues: inout [RedExtremes], _ cache: inout HueCache,
    _ measures: ColorMeasures,
    in changes: inout SampleChanges
  ) {
    var hues = hues.mutableSpan
    let (samples, pixels) = (picture.samples, picture.pixels)
    for place in samples.indices {
      let sample = Int(samples[place])
      changes.note(sample, hues[sample].take(pixels[place], &cache, measures))
    }
    changes.finish()
  }

  private static func note(
    _ picture: SampledPicture, _ areRed: inout [Bool], _ measures: ColorMeasures,
    in changes: inout SampleChanges
  ) {
    var areRed = areRed.mutableSpan
    let (samples, pixels) = (picture.samples, picture.pixels)
    for place in samples.indices {
      let sample = Int(samples[place])
      let isRed = measures.isSaturatedRed(pixels[place])
      let wasRed = areRed[sample]
      areRed[sample] = isRed
      changes.note(sample, (isRed && !wasRed, wasRed && !isRed))
    }
    changes.finish()
  }
}
