internal import GIFDecoding

/// The close look at each pixel, without fine patterns: flashes of both kinds.
struct FlashMeasurement: BackdropLook {
  private var tracker: FlashTracker
  private var fine: FinePattern
  private(set) var general: FlashMeter
  private(set) var red: FlashMeter
  private let period: Double
  /// The play before the present one, or the present one; nil in the first play.
  private var play: Play?

  /// How a play began, and the changes with its pictures.
  private struct Play: Sendable {
    let start: Int64
    let states: FlashTracker.States
    let fineStates: FinePattern.States
    var changes: [(general: ChangedSamples?, red: ChangedSamples?)] = []
  }

  init(_ grid: SampleGrid, _ viewing: Viewing, hasRed: Bool) {
    tracker = FlashTracker(grid, red: hasRed ? .exact : .none)
    fine = FinePattern(grid, viewing, red: hasRed ? .exact : .none)
    general = FlashMeter(grid, viewing)
    red = general
    period = viewing.period
  }

  var backdrop: Backdrop {
    get { tracker.backdrop }
    set { (tracker.backdrop, fine.backdrop) = (newValue, newValue) }
  }

  /// Whether it fails, by the pictures so far.
  var fails: Bool { general.peak != nil || red.peak != nil }

  /// Whether the play that begins now does so like the one before it, which was not the first.
  ///
  /// As its pictures are the same, all its changes then are those of that play. The third play mostly begins
  /// like the second: what a sample is between its extremes no longer depends on what was before the first.
  func beginsAgain() -> Bool {
    guard let play else { return false }
    return play.states == tracker.states && play.fineStates == FinePattern.States(fine)
  }

  /// Begins another play than the one before it.
  mutating func beginPlay(at time: Int64) {
    play = Play(start: time, states: tracker.states, fineStates: FinePattern.States(fine))
  }

  mutating func take(_ picture: SampledPicture, frame: Int, time: Int64) {
    tracker.take(picture)
    fine.take(picture)
    let changes = (
      general: fine.counted(general: tracker.general).map { ChangedSamples($0) },
      red: fine.counted(red: tracker.red).map { ChangedSamples($0) }
    )
    // The last play ends after a period.
    if play.map({ Double(time - $0.start) < period }) == true { play?.changes.append(changes) }
    add(changes, frame: frame, time: time)
  }

  /// Takes a picture of a play that began like the one before it.
  mutating func takeAgain(step: Int, frame: Int, time: Int64) {
    guard let play, step < play.changes.count else { return }
    add(play.changes[step], frame: frame, time: time)
  }

  private mutating func add(
    _ changes: (general: ChangedSamples?, red: ChangedSamples?), frame: Int, time: Int64
  ) {
    general.add(changes.general, frame: frame, time: time)
    red.add(changes.red, frame: frame, time: time)
  }
}
