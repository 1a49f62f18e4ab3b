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
    // Before memory is taken.
    try image.checkRenderer(size: nil)
    hasRed = try image.hasSaturatedRed
    self.image = image
    self.viewing = viewing
    self.isCancelled = isCancelled
    self.progress = progress
  }

  /// The kinds of flashes that the colours of the file may show.
  private var allKinds: FlashScreen.Suspects { FlashScreen.Suspects(general: true, red: hasRed) }

  private mutating func beginLook(plays: Int) -> LoopedFrames {
    (done, total) = (0, plays * (viewing.options.frames?.count ?? image.frameCount))
    return LoopedFrames(image.animation, viewing.options, plays: plays, period: viewing.period)
  }

  private mutating func notePicture() throws(GIFError) {
    if let isCancelled, isCancelled() { throw GIFError(.cancelled) }
    done = min(done + 1, total)
    progress?(done, total)
  }

  private func renderer(_ grid: SampleGrid) throws(GIFError) -> SampleRenderer {
    // Arrays cannot be refused memory, so the system is asked first for as much as a look takes. Words of
    // four bytes: the canvas; and a sample's pixels, and its extremes, pixel and bits over two backdrops.
    _ = try PixelMemory(unwrittenCount: Int(image.pixelCount) + grid.count * 15)
    let isInOrder = viewing.options.frames.map { $0.elementsEqual(image.frames.indices) } ?? true
    return try SampleRenderer(image, grid, isInOrder: isInOrder)
  }

  /// Looks at one pixel of each block: of large blocks, the first play alone, then a second one where that is
  /// not enough; then of small blocks.
  ///
  /// - Returns: the kinds of flashes for which each pixel has to be looked at; none where it passes.
  mutating func screen() throws(GIFError) -> FlashScreen.Suspects {
    var suspects = allKinds
    var looks = [FlashScreen.Look.once, .twice]
    let sides = FlashScreen.blockSides(viewing.limits)
    let seed = sides.isEmpty ? 0 : image.contentSeed
    for side in sides {
      let grid = SampleGrid(canvas: image.size, side: side, seed: seed)
      var renderer = try renderer(grid)
      var play = SampledPlay()
      for look in looks {
        // The last look finds out for which kinds the close one can be left out.
        let isLast = look == .twice && side == sides.last
        suspects = try screen(look, grid, &renderer, &play, toTheEnd: isLast)
        if suspects.isEmpty { return suspects }
      }
      looks = [.twice]
    }
    return suspects
  }

  private mutating func screen(
    _ look: FlashScreen.Look, _ grid: SampleGrid, _ renderer: inout SampleRenderer, _ play: inout SampledPlay,
    toTheEnd: Bool
  ) throws(GIFError) -> FlashScreen.Suspects {
    var screen = FlashScreen(look, grid, viewing.limits, period: viewing.period, hasRed: hasRed)
    var rendered = SampledPicture()
    // Whether the renderer has shown the picture that precedes the next one.
    var isNext = false
    for shown in beginLook(plays: look.plays) {
      try notePicture()
      if shown.step < play.pictures.count {
        screen.take(play.pictures[shown.step], frame: shown.frame, time: shown.time)
        isNext = false
      } else {
        try renderer.render(shown.frame, isWhole: !isNext, into: &rendered, isCancelled: isCancelled)
        isNext = true
        play.append(rendered, step: shown.step)
        screen.take(rendered, frame: shown.frame, time: shown.time)
      }
      if screen.suspects == allKinds || (!toTheEnd && !screen.suspects.isEmpty) { break }
    }
    return screen.suspects
  }

  /// Takes the close look: each pixel, two plays and a second more.
  ///
  /// - Parameter suspects: the kinds of flashes to look for.
  mutating func measure(_ suspects: FlashScreen.Suspects) throws(GIFError) -> FlashReport {
    let grid = SampleGrid(canvas: image.size)
    var renderer = try renderer(grid)
    let red = suspects.red ? FlashTracker.RedDetail.exact : .none
    var trackers = FlashTrackers(
      FlashTracker(grid, red: red), fine: FinePattern(grid, shown: viewing.shown, red: red))
    var meters = (general: FlashMeter(grid, viewing), red: FlashMeter(grid, viewing))
    var picture = SampledPicture()
    let appearances = beginLook(plays: 2)
    for shown in appearances {
      try notePicture()
      try renderer.render(
        shown.frame, isWhole: shown.former == nil, into: &picture, isCancelled: isCancelled)
      let changes = trackers.take(picture)
      if suspects.general { meters.general.add(changes.general, frame: shown.frame, time: shown.time) }
      if suspects.red { meters.red.add(changes.red, frame: shown.frame, time: shown.time) }
    }
    return FlashReport([meters.general, meters.red], viewing, duration: appearances.duration)
  }
}

extension FlashReport {
  /// - Parameters:
  ///   - meters: those of general and of red flashes.
  ///   - duration: the time of a play in milliseconds.
  fileprivate init(_ meters: [FlashMeter], _ viewing: Viewing, duration: Int64) {
    let peaks = meters.map { meter in meter.peak.map { Peak($0, duration: duration) } }
    let period = meters.compactMap { $0.safePeriod }.min()
    let isNeverSafe = meters.contains { $0.passesAtNoRate }
    let safeWidth = meters.compactMap { $0.safeWidth }.min() ?? 0
    let fails = peaks.contains { $0 != nil }
    self.init(
      result: fails ? .fails : .passes, general: peaks[0], red: peaks[1],
      safeRate: isNeverSafe ? nil : period.map { $0 / FlashLimits.period },
      safeSize: safeWidth > 0 ? viewing.size(ofWidth: safeWidth) : nil, isDecoded: true,
      failsOnlyBesideOthers: fails && !meters.contains { $0.failsAlone })
  }
}

extension FlashReport.Peak {
  fileprivate init(_ peak: FlashMeter.Peak, duration: Int64) {
    self.init(
      flashesPerSecond: Double(peak.changes) / 2,
      start: .milliseconds(duration > 0 ? peak.start % duration : 0), firstFrame: peak.firstFrame,
      lastFrame: peak.lastFrame, fieldShare: peak.fieldShare)
  }
}
