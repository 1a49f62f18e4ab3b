internal import GIFDecoding

/// The pictures of an image as it plays, looked at ever more closely.
struct PictureSequence: ~Copyable {
  private let image: GIFImage
  private let viewing: Viewing
  private let hasRed: Bool
  private let isCancelled: (@Sendable () -> Bool)?
  private let progress: GIFImage.FlashProgress?
  /// The pictures of the present look, and how many of them are done.
  private var (done, total) = (0, 0)

  init(
    _ image: GIFImage, _ viewing: Viewing, _ isCancelled: (@Sendable () -> Bool)?,
    _ progress: GIFImage.FlashProgress?
  ) throws(GIFError) {
    hasRed = try image.hasSaturatedRed
    self.image = image
    self.viewing = viewing
    self.isCancelled = isCancelled
    self.progress = progress
  }

  private mutating func beginLook(plays: Int) -> LoopedFrames {
    (done, total) = (0, plays * (viewing.options.frames?.count ?? image.frameCount))
    return LoopedFrames(image.animation, viewing.options, plays: plays, period: viewing.period)
  }

  private mutating func notePicture() {
    done = min(done + 1, total)
    progress?(done, total)
  }

  private func renderer(_ grid: SampleGrid) throws(GIFError) -> SampleRenderer {
    // Arrays cannot be refused memory, so the system is asked first for as much as a look takes. Words of four
    // bytes: a sample's extremes, pixels and bits.
    _ = try PixelMemory(unwrittenCount: grid.count * 10)
    return try SampleRenderer(image, grid, isInOrder: viewing.options.frames == nil)
  }

  /// Looks at one pixel of each block: of large blocks, the first play alone, then a second one where that is
  /// not enough; then of small blocks.
  ///
  /// - Returns: true where it passes, false where each pixel has to be looked at.
  mutating func passScreen() throws(GIFError) -> Bool {
    var looks = [FlashScreen.Look.once, .twice]
    for side in FlashScreen.blockSides(viewing.limits) {
      let grid = SampleGrid(canvas: image.size, side: side)
      var renderer = try renderer(grid)
      var play = SampledPlay()
      for look in looks where try pass(look, grid, &renderer, &play) { return true }
      looks = [.twice]
    }
    return false
  }

  private mutating func pass(
    _ look: FlashScreen.Look, _ grid: SampleGrid, _ renderer: inout SampleRenderer, _ play: inout SampledPlay
  ) throws(GIFError) -> Bool {
    var screen = FlashScreen(look, grid, viewing.limits, period: viewing.period, hasRed: hasRed)
    var rendered = SampledPicture()
    // Whether the renderer has shown the picture before.
    var isNext = false
    for shown in beginLook(plays: look.plays) {
      notePicture()
      let isOver: Bool
      if shown.step < play.pictures.count {
        isOver = screen.take(play.pictures[shown.step], frame: shown.frame, time: shown.time)
        isNext = false
      } else {
        try renderer.render(shown.frame, isWhole: !isNext, into: &rendered, isCancelled: isCancelled)
        isNext = true
        play.append(rendered, step: shown.step)
        isOver = screen.take(rendered, frame: shown.frame, time: shown.time)
      }
      if isOver { return false }
    }
    return true
  }

  /// Takes the close look: each pixel, two plays and a second more.
  mutating func measure() throws(GIFError) -> FlashReport {
    let grid = SampleGrid(canvas: image.size, side: 1)
    var renderer = try renderer(grid)
    let fine = FinePattern(grid, shown: viewing.shown)
    var tracker = FlashTracker(grid, red: hasRed ? .exact : .none)
    var general = FlashMeter(grid, viewing)
    var red = general
    var picture = SampledPicture()
    let appearances = beginLook(plays: 2)
    for shown in appearances {
      notePicture()
      try renderer.render(
        shown.frame, isWhole: shown.former == nil, into: &picture, isCancelled: isCancelled)
      tracker.take(picture)
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
