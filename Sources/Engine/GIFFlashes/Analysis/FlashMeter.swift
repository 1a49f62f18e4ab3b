internal import GIFDecoding

/// The flashes of one kind: the worst second, and what would pass.
struct FlashMeter: Sendable {
  /// The worst second so far.
  struct Peak: Sendable, Equatable {
    var changes: Int
    /// When the first of its changes came, in milliseconds since the first play began.
    var start: Int64
    var (firstFrame, lastFrame): (Int, Int)
    var fieldShare: Double
  }

  private let grid: SampleGrid
  private let viewing: Viewing
  private let areas: FieldAreas
  /// The same as if nothing played beside it.
  private let areasAlone: FieldAreas
  private var counts: ChangeCounts
  /// The same with a shorter period, in which it passes; nil as long as it passes anyway.
  private var slowerCounts: ChangeCounts?
  /// The greatest width that passes, and its areas; nil as long as the asked one does.
  private var smaller: (size: PixelSize, areas: FieldAreas)?

  /// Nil where it passes.
  private(set) var peak: Peak?
  /// Whether it would fail with nothing beside it.
  private(set) var failsAlone = false
  /// Whether changes come at the same instant, so that no rate helps.
  private(set) var passesAtNoRate = false

  init(_ grid: SampleGrid, _ viewing: Viewing) {
    self.grid = grid
    self.viewing = viewing
    areas = FieldAreas(grid, viewing.limits)
    areasAlone = FieldAreas(grid, ShownLimits(canvas: grid.canvas, shown: viewing.shown, sharesField: false))
    counts = ChangeCounts(grid, period: viewing.period)
  }

  /// The period in which it would pass, in milliseconds of the file; nil where the asked one passes.
  var safePeriod: Double? { slowerCounts?.period }
  var safeSize: PixelSize? { smaller?.size }

  /// Takes the changes of a frame.
  mutating func add(_ changes: SampleChanges, frame: Int, time: Int64) {
    guard !changes.isEmpty else { return }
    let changed = changes.all
    guard !changed.isEmpty else { return }
    let step = ChangeCounts.Step(frame: frame, time: time, changed: changed)
    counts.add(step)
    slowerCounts?.add(step)
    let flashing = counts.samples(atLeast: FlashLimits.changes)
    guard areas.isTooMuch(flashing) else { return }
    if !failsAlone { failsAlone = areasAlone.isTooMuch(flashing) }
    notePeak(flashing, frame: frame)
    findSmallerSize(flashing)
    findSlowerRate(time)
  }

  private mutating func notePeak(_ flashing: BitRows, frame: Int) {
    var changes = max(peak?.changes ?? 0, FlashLimits.changes - 1)
    while areas.isTooMuch(counts.samples(atLeast: changes + 1)) { changes += 1 }
    guard changes > peak?.changes ?? 0, let first = counts.steps.first else { return }
    peak = Peak(
      changes: changes, start: first.time, firstFrame: first.frame, lastFrame: frame,
      fieldShare: areas.share(of: flashing))
  }

  private mutating func findSlowerRate(_ time: Int64) {
    var slower = slowerCounts.take() ?? counts
    while areas.isTooMuch(slower.samples(atLeast: FlashLimits.changes)) {
      guard slower.shorten(at: time) else {
        passesAtNoRate = true
        break
      }
    }
    slowerCounts = slower
  }

  private mutating func findSmallerSize(_ flashing: BitRows) {
    if let smaller, !smaller.areas.isTooMuch(flashing) { return }
    var (passing, failing) = (0, smaller?.size.width ?? viewing.shown.width)
    while failing - passing > 1 {
      let middle = (passing + failing) / 2
      if areas(at: size(ofWidth: middle)).isTooMuch(flashing) {
        failing = middle
      } else {
        passing = middle
      }
    }
    let size = size(ofWidth: max(1, passing))
    smaller = (size, areas(at: size))
  }

  /// A smaller size of the same shape.
  private func size(ofWidth width: Int) -> PixelSize {
    viewing.shown.fitting(PixelSize(clampingWidth: width, height: .max))
  }

  private func areas(at size: PixelSize) -> FieldAreas {
    let sharesField = viewing.options.sharesField
    return FieldAreas(grid, ShownLimits(canvas: grid.canvas, shown: size, sharesField: sharesField))
  }
}
