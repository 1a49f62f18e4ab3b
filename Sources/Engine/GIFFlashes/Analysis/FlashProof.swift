internal import GIFDecoding

/// The close look at a part, for flashes of one kind: whether it fails by itself.
///
/// It counts no more than ``FlashMeasurement`` does of the whole: what changes in a fine pattern does not
/// count later, where the mean colour of its square changes.
struct FlashProof: BackdropLook {
  private let part: FlashingPart
  private var tracker: FlashTracker
  private var fine: FinePattern
  private var counts: ChangeCounts
  private let areas: FieldAreas
  /// Whether it fails, by the pictures so far.
  private(set) var fails = false

  /// - Parameter grid: each pixel of the part.
  init(of part: FlashingPart, _ grid: SampleGrid, _ viewing: Viewing) {
    self.part = part
    tracker = FlashTracker(grid, red: part.isRed ? .exact : .none)
    fine = FinePattern(grid, viewing, red: .none)
    counts = ChangeCounts(grid, period: viewing.period)
    areas = FieldAreas(grid, viewing.limits)
  }

  var backdrop: Backdrop {
    get { tracker.backdrop }
    set { tracker.backdrop = newValue }
  }

  mutating func take(_ picture: SampledPicture, frame: Int, time: Int64) {
    tracker.take(picture)
    let changes = part.isRed ? fine.counted(red: tracker.red) : fine.counted(general: tracker.general)
    guard let changes, !changes.isEmpty else { return }
    counts.add(ChangeCounts.Step(frame: frame, time: time, changed: ChangedSamples(changes)))
    guard !fails, counts.mayHold(areas.limit + 1, atLeast: FlashLimits.changes) else { return }
    fails = areas.isTooMuch(counts.samples(atLeast: FlashLimits.changes))
  }
}

extension Backdrops<FlashProof> {
  /// Whether it fails over either.
  var fails: Bool { looks.contains { $0.fails } }
}
