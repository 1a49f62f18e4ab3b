internal import GIFDecoding

/// The pictures of an image as it plays, looked at twice: quickly, then closely.
struct PictureSequence: ~Copyable {
  private let image: GIFImage
  private let viewing: Viewing
  private let hasRed: Bool
  private let isCancelled: (@Sendable () -> Bool)?
  private let progress: GIFImage.FlashProgress?
  /// The pictures of the present look, and how many of them are done.
  private var (done, total) = (0, 0)
  private var renderer: FrameRenderer
  /// Whether the last picture was blank.
  private var showsNothing = false

  init(
    _ image: GIFImage, _ viewing: Viewing, _ isCancelled: (@Sendable () -> Bool)?,
    _ progress: GIFImage.FlashProgress?
  ) throws(GIFError) {
    // All that may fail comes first.
    let hasRed = try image.hasSaturatedRed
    let renderer = try FrameRenderer(notingChangesOf: image)
    self.image = image
    self.viewing = viewing
    self.isCancelled = isCancelled
    self.progress = progress
    self.hasRed = hasRed
    self.renderer = renderer
  }

  private mutating func beginLook(plays: Int) -> LoopedFrames {
    (done, total) = (0, plays * (viewing.options.frames?.count ?? image.frameCount))
    return LoopedFrames(image.animation, viewing.options, plays: plays, period: viewing.period)
  }

  /// The samples of a frame's picture that may differ from the picture before.
  private mutating func picture(
    _ shown: LoopedFrames.Appearance, _ grid: SampleGrid
  ) throws(GIFError) -> SampledPicture {
    let status = try renderer.render(shown.frame, isCancelled: isCancelled)
    done = min(done + 1, total)
    progress?(done, total)
    let changes = renderer.takeChanges()
    defer { showsNothing = status == .blank }
    if status == .blank { return SampledPicture(nothingOn: grid) }
    // What was drawn before the first picture, or is seen again after nothing, counts whole.
    guard !showsNothing, shown.former != nil else {
      return SampledPicture(grid, renderer.canvasPixels, changes: nil)
    }
    guard let changes else { return SampledPicture() }
    return SampledPicture(grid, renderer.canvasPixels, changes: changes)
  }

  /// Looks at one pixel of each block, the first play alone, then a second one where that is not enough.
  ///
  /// - Returns: true where it passes, false where each pixel has to be looked at.
  mutating func passScreen() throws(GIFError) -> Bool {
    guard let grid = FlashScreen.grid(image.size, viewing.limits) else { return false }
    if try pass(.once, grid) { return true }
    return try pass(.twice, grid)
  }

  private mutating func pass(_ look: FlashScreen.Look, _ grid: SampleGrid) throws(GIFError) -> Bool {
    try reserve(grid)
    var screen = FlashScreen(look, grid, viewing.limits, period: viewing.period, hasRed: hasRed)
    // The first second is seen again after the last frame.
    var head: [SampledPicture] = []
    for shown in beginLook(plays: look.plays) {
      let next: SampledPicture
      if shown.play < look.plays {
        next = try picture(shown, grid)
        if shown.play == look.plays - 1, shown.step == head.count, Double(shown.timeInPlay) < viewing.period {
          head.append(next)
        }
      } else {
        next = head[shown.step]
      }
      if screen.take(next, frame: shown.frame, time: shown.time) { return false }
    }
    return true
  }

  /// Asks the system for as much memory as a look takes: arrays cannot be refused any.
  private func reserve(_ grid: SampleGrid) throws(GIFError) {
    // Words of four bytes: the canvas; and a sample's extremes, hue, pixel, place and bits.
    _ = try PixelMemory(
      unwrittenCount: Int(image.pixelCount) + grid.width * grid.height * (hasRed ? 16 : 10))
  }

  /// Takes the close look: each pixel, two plays and a second more.
  mutating func measure() throws(GIFError) -> FlashReport {
    let grid = SampleGrid(canvas: image.size, side: 1)
    try reserve(grid)
    let fine = FinePattern(grid, shown: viewing.shown)
    var tracker = FlashTracker(grid, red: hasRed ? .exact : .none)
    var general = FlashMeter(grid, viewing)
    var red = general
    let appearances = beginLook(plays: 2)
    for shown in appearances {
      tracker.take(try picture(shown, grid))
      var changes = tracker.general
      fine.remove(from: &changes)
      general.add(changes, frame: shown.frame, time: shown.time)
      guard hasRed else { continue }
      changes = tracker.red
      fine.remove(from: &changes)
      red.add(changes, frame: shown.frame, time: shown.time)
    }
    return FlashReport([general, red], duration: appearances.duration, isDecoded: true)
  }
}

extension FlashReport {
  /// - Parameters:
  ///   - meters: those of general and of red flashes.
  ///   - duration: the time of a play in milliseconds.
  fileprivate init(_ meters: [FlashMeter], duration: Int, isDecoded: Bool) {
    let peaks = meters.map { meter in meter.peak.map { Peak($0, duration: duration) } }
    let period = meters.compactMap { $0.safePeriod }.min()
    let isNeverSafe = meters.contains { $0.passesAtNoRate }
    self.init(
      result: peaks.contains { $0 != nil } ? .fails : .passes, general: peaks[0], red: peaks[1],
      safeRate: isNeverSafe ? nil : period.map { $0 / FlashLimits.period },
      safeSize: meters.compactMap { $0.safeSize }.min { $0.width < $1.width }, isDecoded: isDecoded)
  }
}

extension FlashReport.Peak {
  fileprivate init(_ peak: FlashMeter.Peak, duration: Int) {
    self.init(
      flashesPerSecond: Double(peak.changes) / 2,
      start: .milliseconds(duration > 0 ? peak.start % duration : 0), firstFrame: peak.firstFrame,
      lastFrame: peak.lastFrame, fieldShare: peak.fieldShare)
  }
}
