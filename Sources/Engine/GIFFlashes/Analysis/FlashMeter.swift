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
  /// The greatest width at and below which it passes, up to the asked one; 0 if there is none.
  private(set) var safeWidth: Int
  /// Samples that pass at ``safeWidth`` and below.
  private var proven: BitRows?

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
    areasAlone = FieldAreas(grid, ShownLimits(canvas: viewing.canvas, shown: viewing.shown, sharing: .alone))
    counts = ChangeCounts(grid, period: viewing.period)
    safeWidth = viewing.shown.width
  }

  /// The period in which it would pass, in milliseconds of the file; nil where the asked one passes.
  var safePeriod: Double? { slowerCounts?.period }

  /// Takes the samples that changed with a frame; nil for none.
  mutating func add(_ changes: ChangedSamples?, frame: Int, time: Int64) {
    guard let changes, !changes.isEmpty else { return }
    let step = ChangeCounts.Step(frame: frame, time: time, changed: changes)
    counts.add(step)
    slowerCounts?.add(step)
    guard counts.mayHold(1, atLeast: FlashLimits.changes) else { return }
    let flashing = counts.samples(atLeast: FlashLimits.changes)
    // What passes at this size may fail at a smaller one.
    if !viewing.options.isVerdictOnly { findSafeWidth(flashing) }
    guard areas.isTooMuch(flashing) else { return }
    if !failsAlone { failsAlone = areasAlone.isTooMuch(flashing) }
    notePeak(flashing, frame: frame)
    findSlowerRate(time)
  }

  private mutating func notePeak(_ flashing: BitRows, frame: Int) {
    var changes = max(peak?.changes ?? 0, FlashLimits.changes - 1)
    var flashing = flashing
    while true {
      let more = counts.samples(atLeast: changes + 1)
      guard areas.isTooMuch(more) else { break }
      (changes, flashing) = (changes + 1, more)
    }
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

  private mutating func findSafeWidth(_ flashing: BitRows) {
    if flashing.isEmpty || proven.map({ flashing.isSubset(of: $0) }) == true { return }
    safeWidth = safeWidth(flashing, upTo: safeWidth)
    proven = flashing
  }

  /// How many widths are looked at closely, for one set of samples.
  private static let mostLooks = 64

  /// The greatest width, up to a limit, at and below which these samples never take too much of a field.
  ///
  /// The larger the width, the fewer pixels of the image a field has, and the fewer may flash. So no field of
  /// a larger width holds more than the fullest one of this width. Where that takes many looks, the width is
  /// less than the greatest.
  private func safeWidth(_ flashing: BitRows, upTo limit: Int) -> Int {
    var (width, most) = (0, flashing.count)
    for _ in 0..<Self.mostLooks {
      width = greatestWidth(from: width, upTo: limit) { areas(atWidth: $0).limit >= most }
      guard width < limit else { return limit }
      let next = areas(atWidth: width + 1)
      most = next.most(flashing)
      guard most <= next.limit else { return width }
      width += 1
    }
    return width
  }

  /// The greatest width that fits, of those that do: the smaller ones.
  private func greatestWidth(from fitting: Int, upTo limit: Int, fits: (Int) -> Bool) -> Int {
    var (fitting, other) = (fitting, limit + 1)
    while other - fitting > 1 {
      let middle = (fitting + other) / 2
      if fits(middle) { fitting = middle } else { other = middle }
    }
    return fitting
  }

  private func areas(atWidth width: Int) -> FieldAreas {
    FieldAreas(
      grid,
      ShownLimits(
        canvas: viewing.canvas, shown: viewing.size(ofWidth: width), sharing: viewing.options.sharing))
  }
}
