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

  private let measures = ColorMeasures.shared
  private let redDetail: RedDetail
  private var luminance = LuminanceExtremes()
  private var hues = RedExtremes()
  private var areRed: [Bool] = []

  init(_ grid: SampleGrid, red: RedDetail) {
    redDetail = red
    general = SampleChanges(grid)
    self.red = general
  }

  /// Takes the next picture, the first one whole.
  mutating func take(_ picture: SampledPicture) {
    guard luminance.hasBegun else { return begin(picture.pixels) }
    general.removeAll()
    luminance.take(picture, measures, noting: &general)
    switch redDetail {
    case .none: break
    case .anyChange:
      red.removeAll()
      noteAnyRed(picture)
    case .exact:
      red.removeAll()
      noteRed(picture)
    }
  }

  private mutating func begin(_ pixels: [UInt32]) {
    luminance.begin(pixels.map(measures.luminance))
    if redDetail == .exact { hues.begin(pixels, measures) }
    if redDetail == .anyChange { areRed = pixels.map(measures.isSaturatedRed) }
  }

  private mutating func noteRed(_ picture: SampledPicture) {
    let measures = measures
    picture.forEachSample { sample, pixel in red.note(hues.step(sample, to: pixel, measures), sample) }
  }

  private mutating func noteAnyRed(_ picture: SampledPicture) {
    let measures = measures
    picture.forEachSample { sample, pixel in
      let isRed = measures.isSaturatedRed(pixel)
      guard areRed[sample] != isRed else { return }
      areRed[sample] = isRed
      red.note(isRed ? 1 : -1, sample)
    }
  }
}
