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

  private mutating func beginLook(plays: Int) -> LoopedFrames {
    let appearances = LoopedFrames(image.animation, viewing.options, plays: plays, period: viewing.period)
    (done, total) = (0, plays * appearances.stepCount)
    return appearances
  }

  private mutating func notePicture() throws(GIFError) {
    if let isCancelled, isCancelled() { throw GIFError(.cancelled) }
    done = min(done + 1, total)
    progress?(done, total)
  }

  private func renderer(
    _ grid: SampleGrid, isRepeated: Bool, part: FlashingPart? = nil
  ) throws(GIFError) -> SampleRenderer {
    // Arrays cannot be refused memory, so the system is asked first for as much as a look takes. Words of
    // four bytes: the canvas; and a sample's pixels, and over two backdrops its extremes, twice, pixel and
    // bits.
    try SystemMemory.require(Int(clamping: 4 * (image.pixelCount + 19 * Int64(grid.count))))
    let isInOrder = viewing.options.frames.map { $0.elementsEqual(image.frames.indices) } ?? true
    return try SampleRenderer(image, grid, isInOrder: isInOrder, isRepeated: isRepeated, part: part)
  }

  /// What a look has found.
  private enum Finding { case passes, fails, undecided }

  /// Judges the image.
  mutating func judge() throws(GIFError) -> FlashReport {
    switch try screen() {
    case .passes: .passing(isDecoded: true)
    case .fails: .failing
    case .undecided: try measure()
    }
  }

  /// Looks at one pixel of each block: of large blocks, the first play alone, then a second one where that is
  /// not enough; then of small blocks. For the verdict alone, a part that most likely fails is looked at more
  /// closely in between. What is still undecided takes a look at each pixel.
  private mutating func screen() throws(GIFError) -> Finding {
    var looks = [FlashScreen.Look.once, .twice]
    let sides = FlashScreen.blockSides(viewing.limits)
    let seed = sides.isEmpty ? 0 : image.contentSeed ^ viewing.options.secret
    for side in sides {
      let grid = SampleGrid(canvas: image.size, side: side, seed: seed)
      var renderer = try renderer(grid, isRepeated: true)
      for look in looks {
        let screens = try take(look, grid, &renderer)
        guard screens.mayFail else { return .passes }
        if let part = screens.part, try fails(in: part) { return .fails }
      }
      looks = [.twice]
    }
    return .undecided
  }

  private mutating func take(
    _ look: FlashScreen.Look, _ grid: SampleGrid, _ renderer: inout SampleRenderer
  ) throws(GIFError) -> Backdrops<FlashScreen> {
    // A failure that is measured needs the close look at all pixels in any case.
    let seeksPart = viewing.options.isVerdictOnly && look == .once
    var screens = Backdrops(
      FlashScreen(look, grid, viewing.limits, period: viewing.period, hasRed: hasRed, seeksPart: seeksPart))
    var picture = SampledPicture()
    for shown in beginLook(plays: look.plays) {
      try notePicture()
      try renderer.render(shown, into: &picture, isCancelled: isCancelled)
      screens.take(picture, frame: shown.frame, time: shown.time)
      // To draw the pictures of a short loop again and again takes longer than what a part may save.
      let isDrawnAgain = shown.play > 0 && !renderer.keeps(shown.step)
      if screens.isDone || (screens.mayFail && isDrawnAgain) { break }
    }
    return screens
  }

  /// Looks at each pixel of a part, until a few pictures after it should fail: whether it does so.
  private mutating func fails(in part: FlashingPart) throws(GIFError) -> Bool {
    let grid = SampleGrid(canvas: PixelSize(clampingWidth: part.rect.width, height: part.rect.height))
    let appearances = beginLook(plays: 2)
    var renderer = try renderer(grid, isRepeated: appearances.duration <= part.time, part: part)
    var proofs = Backdrops(FlashProof(of: part, grid, viewing))
    var picture = SampledPicture()
    var laterPictures = 0
    for shown in appearances {
      if shown.time > part.time { laterPictures += 1 }
      guard laterPictures <= FlashLimits.changes else { break }
      try notePicture()
      try renderer.render(shown, into: &picture, isCancelled: isCancelled)
      proofs.take(picture, frame: shown.frame, time: shown.time)
      if proofs.fails { return true }
    }
    return false
  }

  /// Takes the close look: each pixel, two plays and a second more.
  private mutating func measure() throws(GIFError) -> FlashReport {
    let grid = SampleGrid(canvas: image.size)
    // Two plays of each pixel would be too much to keep.
    var renderer = try renderer(grid, isRepeated: false)
    var measurements = Backdrops(FlashMeasurement(grid, viewing, hasRed: hasRed))
    var picture = SampledPicture()
    let appearances = beginLook(plays: 2)
    var isAgain = false
    for shown in appearances {
      try notePicture()
      if shown.step == 0, shown.play > 0, !isAgain {
        isAgain = measurements.looks.allSatisfy { $0.beginsAgain() }
        if !isAgain { measurements.update { $0.beginPlay(at: shown.time) } }
      }
      if isAgain {
        measurements.update { $0.takeAgain(step: shown.step, frame: shown.frame, time: shown.time) }
      } else {
        try renderer.render(shown, into: &picture, isCancelled: isCancelled)
        measurements.take(picture, frame: shown.frame, time: shown.time)
      }
      if viewing.options.isVerdictOnly, measurements.looks.contains(where: { $0.fails }) { return .failing }
    }
    return FlashReport(measurements.looks, viewing, duration: appearances.duration)
  }
}

extension FlashReport {
  /// - Parameters:
  ///   - looks: those over each backdrop; the worst counts.
  ///   - duration: the time of a play in milliseconds.
  fileprivate init(_ looks: [FlashMeasurement], _ viewing: Viewing, duration: Int64) {
    func peak(_ meter: (FlashMeasurement) -> FlashMeter) -> Peak? {
      let worst = looks.compactMap { meter($0).peak }.max { $0.changes < $1.changes }
      return worst.map { Peak($0, duration: duration) }
    }
    let meters = looks.flatMap { [$0.general, $0.red] }
    let (general, red) = (peak { $0.general }, peak { $0.red })
    guard general != nil || red != nil else {
      self.init(result: .passes, isDecoded: true)
      return
    }
    let period = meters.compactMap { $0.safePeriod }.min()
    let isNeverSafe = meters.contains { $0.passesAtNoRate }
    let safeWidth = meters.map { $0.safeWidth }.min() ?? 0
    self.init(
      result: .fails, general: general, red: red,
      safeRate: isNeverSafe ? nil : period.map { Self.rate(ofPeriod: $0) },
      safeSize: safeWidth > 0 ? viewing.size(ofWidth: safeWidth) : nil, isDecoded: true,
      failsOnlyBesideOthers: !meters.contains { $0.failsAlone })
  }
}

extension FlashReport {
  /// The greatest rate at which a second of the viewer is at most so long, in milliseconds of the file.
  private static func rate(ofPeriod period: Double) -> Double {
    let rate = period / FlashLimits.period
    return rate * FlashLimits.period > period ? rate.nextDown : rate
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
