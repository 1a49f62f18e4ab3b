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

  private let areas: ChanceAreas
  /// Nil where a failure is not sought.
  private let unbalanced: UnbalancedChanges?
  private var tracker: FlashTracker
  private var general: Kind
  private var red: Kind

  /// The sides of the blocks, from the largest ones; none where each pixel has to be looked at.
  static func blockSides(_ limits: ShownLimits) -> ArraySlice<Int> {
    [8, 4, 2].filter { limits.area / Double($0 * $0) >= leastSamples }.prefix(2)
  }

  /// - Parameter seeksFailure: whether it is to find failures, too; in a look at two plays only.
  init(
    _ look: Look, _ grid: SampleGrid, _ limits: ShownLimits, period: Double, hasRed: Bool, seeksFailure: Bool
  ) {
    areas = ChanceAreas(grid, limits)
    tracker = FlashTracker(grid, red: !hasRed ? .none : look == .once ? .anyChange : .exact)
    let counts = ChangeCounts(grid, period: period)
    general = Kind(counts: counts, limit: look.changes)
    red = Kind(counts: counts, limit: look.redChanges)
    unbalanced = seeksFailure ? UnbalancedChanges(grid) : nil
  }

  var backdrop: Backdrop {
    get { tracker.backdrop }
    set { tracker.backdrop = newValue }
  }

  /// Whether it may fail, by the pictures so far.
  private(set) var mayFail = false
  /// Whether it fails for certain, by the pictures so far.
  private(set) var fails = false

  /// Takes the next picture.
  mutating func take(_ picture: SampledPicture, frame: Int, time: Int64) {
    tracker.take(picture)
    if !mayFail {
      let isGeneral = general.add(tracker.general.all, frame, time, areas)
      mayFail = red.add(tracker.red.all, frame, time, areas) || isGeneral
    }
    guard let unbalanced else { return }
    if general.addCertain(unbalanced.find(in: tracker.general), frame, time, areas) { fails = true }
    if red.addCertain(unbalanced.find(in: tracker.red), frame, time, areas) { fails = true }
  }

  /// The changes of one kind.
  private struct Kind: Sendable {
    private var counts: ChangeCounts
    /// Those that no exception takes away.
    private var certainCounts: ChangeCounts
    private let limit: Int

    init(counts: ChangeCounts, limit: Int) {
      (self.counts, certainCounts, self.limit) = (counts, counts, limit)
    }

    /// Takes the changes of a frame.
    ///
    /// - Returns: whether too many samples have now changed `limit` times.
    mutating func add(_ changes: BitRows?, _ frame: Int, _ time: Int64, _ areas: ChanceAreas) -> Bool {
      guard let changes else { return false }
      counts.add(ChangeCounts.Step(frame: frame, time: time, changed: changes))
      return counts.mayHold(areas.least + 1, atLeast: limit)
        && areas.mayBeTooMuch(counts.samples(atLeast: limit))
    }

    /// Takes the changes of a frame that no exception takes away.
    ///
    /// - Returns: whether too many samples have now changed often enough to fail.
    mutating func addCertain(_ changes: BitRows?, _ frame: Int, _ time: Int64, _ areas: ChanceAreas) -> Bool {
      guard let changes, !changes.isEmpty else { return false }
      certainCounts.add(ChangeCounts.Step(frame: frame, time: time, changed: changes))
      return certainCounts.mayHold(areas.least, atLeast: FlashLimits.changes)
        && areas.isTooMuch(certainCounts.samples(atLeast: FlashLimits.changes))
    }
  }
}

extension Backdrops<FlashScreen> {
  /// Whether it may fail over either.
  var mayFail: Bool { overWhite.mayFail || overBlack?.mayFail == true }

  /// Whether it fails over either for certain.
  var fails: Bool { overWhite.fails || overBlack?.fails == true }
}
