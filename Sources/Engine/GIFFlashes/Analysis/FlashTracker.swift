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

  private let grid: SampleGrid
  private let measures = ColorMeasures()
  private let redDetail: RedDetail
  private var luminance = LuminanceExtremes()
  private var hues = RedExtremes()
  private var areRed: [Bool] = []

  init(_ grid: SampleGrid, red: RedDetail) {
    self.grid = grid
    redDetail = red
    general = SampleChanges(grid)
    self.red = general
  }

  /// Takes the next picture, the first one whole.
  mutating func take(_ picture: SampledPicture) {
    guard luminance.hasBegun else { return begin(picture.pixels) }
    general.removeAll()
    luminance.take(picture, measures, noting: &general, width: grid.width)
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
    var place = 0
    for run in picture.runs {
      for sample in run.start..<run.start + run.count {
        red.note(hues.step(sample, to: picture.pixels[place], measures), sample, width: grid.width)
        place += 1
      }
    }
  }

  private mutating func noteAnyRed(_ picture: SampledPicture) {
    var place = 0
    for run in picture.runs {
      for sample in run.start..<run.start + run.count {
        let isRed = measures.isSaturatedRed(picture.pixels[place])
        if areRed[sample] != isRed {
          areRed[sample] = isRed
          red.note(isRed ? 1 : -1, sample, width: grid.width)
        }
        place += 1
      }
    }
  }
}
