internal import GIFDecoding

/// A look at one pixel of each block: whether one at each pixel can be left out.
///
/// It is strict where it saves work: less area may flash, and fine patterns count.
struct FlashScreen: BackdropLook {
  enum Look: Sendable {
    /// One play and a second more. In the plays after the first one a sample may change once more, at the
    /// seam, so six changes in a second are too many. Every change between a saturated red and another colour
    /// counts, and as one that counts may come later than the first such change, five are too many.
    case once
    /// Two plays and a second more, with the changes that count.
    case twice

    var plays: Int { self == .once ? 1 : 2 }
    fileprivate var changes: Int { self == .once ? FlashLimits.changes - 1 : FlashLimits.changes }
    fileprivate var redChanges: Int { self == .once ? FlashLimits.changes - 2 : FlashLimits.changes }
  }

  /// The samples that the area which may flash has at least.
  private static let leastSamples = 250.0

  private let grid: SampleGrid
  private let areas: ChanceAreas
  private let seeksPart: Bool
  private var tracker: FlashTracker
  private var general: Kind
  private var red: Kind

  /// The sides of the blocks, from the largest ones; none where each pixel has to be looked at.
  static func blockSides(_ limits: ShownLimits) -> ArraySlice<Int> {
    [8, 4, 2].filter { limits.area / Double($0 * $0) >= leastSamples }.prefix(2)
  }

  /// - Parameter seeksPart: whether it goes on after a doubt, for a part that fails.
  init(
    _ look: Look, _ grid: SampleGrid, _ limits: ShownLimits, period: Double, hasRed: Bool, seeksPart: Bool
  ) {
    self.grid = grid
    areas = ChanceAreas(grid, limits)
    self.seeksPart = seeksPart
    tracker = FlashTracker(grid, red: !hasRed ? .none : look == .once ? .anyChange : .exact)
    let counts = ChangeCounts(grid, period: period)
    general = Kind(counts: counts, limit: look.changes)
    red = Kind(counts: counts, limit: look.redChanges)
  }

  var backdrop: Backdrop {
    get { tracker.backdrop }
    set { tracker.backdrop = newValue }
  }

  /// Whether it may fail, by the pictures so far.
  var mayFail: Bool { general.mayFail || red.mayFail }

  /// Whether later pictures say nothing more.
  var isDone: Bool {
    guard seeksPart else { return mayFail }
    // A look at one play takes each change to or from a red for a flash, so general ones are more certain.
    return general.isClear(areas) || (red.isClear(areas) && !general.mayFail)
  }

  /// The part that most likely fails by itself; nil where none is sought, or none does.
  var part: FlashingPart? {
    if let suspicion = general.suspicion { return part(suspicion, isRed: false) }
    return red.suspicion.map { part($0, isRed: true) }
  }

  private func part(_ suspicion: Suspicion, isRed: Bool) -> FlashingPart {
    FlashingPart(suspicion, of: grid, ample: areas.ample, isRed: isRed)
  }

  /// Takes the next picture.
  mutating func take(_ picture: SampledPicture, frame: Int, time: Int64) {
    tracker.take(picture)
    general.add(tracker.general.all, frame, time, areas)
    red.add(tracker.red.all, frame, time, areas)
    guard seeksPart, mayFail else { return }
    general.suspect(areas, time)
    red.suspect(areas, time)
  }

  /// A field that by its samples flashes too much.
  struct Suspicion: Sendable {
    let field: FieldAreas.Field
    let samples: BitRows
    /// When it had flashed so often, in milliseconds.
    let time: Int64
  }

  /// The changes of one kind.
  private struct Kind: Sendable {
    private var counts: ChangeCounts
    /// How many in a period may be too many.
    private let limit: Int
    private(set) var mayFail = false
    /// The fullest field so far.
    private(set) var suspicion: Suspicion?

    init(counts: ChangeCounts, limit: Int) { (self.counts, self.limit) = (counts, limit) }

    /// Takes the changes of a frame.
    mutating func add(_ changes: BitRows?, _ frame: Int, _ time: Int64, _ areas: ChanceAreas) {
      guard let changes else { return }
      counts.add(ChangeCounts.Step(frame: frame, time: time, changed: ChangedSamples(changes)))
      guard !mayFail, counts.mayHold(areas.least + 1, atLeast: limit) else { return }
      mayFail = areas.mayBeTooMuch(counts.samples(atLeast: limit))
    }

    mutating func suspect(_ areas: ChanceAreas, _ time: Int64) {
      guard counts.mayHold(areas.least + 1, atLeast: FlashLimits.changes) else { return }
      let flashing = counts.samples(atLeast: FlashLimits.changes)
      guard let field = areas.fullest(flashing, above: suspicion?.field.count ?? 0) else { return }
      suspicion = Suspicion(field: field, samples: flashing, time: time)
    }

    /// Whether its samples leave hardly a doubt.
    func isClear(_ areas: ChanceAreas) -> Bool {
      suspicion.map { areas.isClear($0.field.count, of: $0.samples) } ?? false
    }
  }
}

extension Backdrops<FlashScreen> {
  /// Whether it may fail over either.
  var mayFail: Bool { looks.contains { $0.mayFail } }

  /// Whether later pictures say nothing more.
  var isDone: Bool { looks.contains { $0.isDone } }

  /// The part that most likely fails by itself.
  var part: FlashingPart? { looks.lazy.compactMap { $0.part }.first }
}
