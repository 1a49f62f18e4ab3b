internal import GIFDecoding

/// The close look at each pixel, without fine patterns: flashes of both kinds.
struct FlashMeasurement: BackdropLook {
  private var tracker: FlashTracker
  private var fine: FinePattern
  private(set) var general: FlashMeter
  private(set) var red: FlashMeter

  init(_ grid: SampleGrid, _ viewing: Viewing, hasRed: Bool) {
    tracker = FlashTracker(grid, red: hasRed ? .exact : .none)
    fine = FinePattern(grid, shown: viewing.shown, red: hasRed ? .exact : .none)
    general = FlashMeter(grid, viewing)
    red = general
  }

  var backdrop: Backdrop {
    get { tracker.backdrop }
    set { (tracker.backdrop, fine.backdrop) = (newValue, newValue) }
  }

  mutating func take(_ picture: SampledPicture, frame: Int, time: Int64) {
    tracker.take(picture)
    fine.take(picture)
    general.add(fine.counted(general: tracker.general), frame: frame, time: time)
    red.add(fine.counted(red: tracker.red), frame: frame, time: time)
  }
}
