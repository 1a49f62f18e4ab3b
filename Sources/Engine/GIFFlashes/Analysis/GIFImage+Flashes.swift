public import GIFDecoding

extension GIFImage {
  /// Whether the image flashes more than WCAG 2.2 allows while it plays in a loop.
  ///
  /// Most images cost no picture, or one decoding of each frame. To measure a failure takes a look at each
  /// pixel, as long as dozens of decodings: see ``FlashOptions/isVerdictOnly``. Memory: 20 to 80 bytes for a
  /// pixel of the canvas, whose width counts as a multiple of 64, and up to 20 MB, whatever the number of
  /// frames; more where many frames change much within a second. What is transparent may show white or black:
  /// what fails on either fails. What the image's limits leave out makes a pass unknown. It informs, and
  /// certifies nothing.
  ///
  ///     func isSafe(_ image: GIFImage) throws -> Bool { try image.flashes().result == .passes }
  ///
  /// - Parameter isCancelled: as in ``FrameRenderer/frame(at:isCancelled:)``.
  /// - Precondition: `options.rate` is from 0.05 to 20, and `options.frames` are frames of the image.
  /// - Throws: ``GIFError``: pictures that cannot be decoded, or are no longer wanted.
  public func flashes(
    _ options: FlashOptions = FlashOptions(), isCancelled: (@Sendable () -> Bool)? = nil
  ) throws(GIFError) -> FlashReport {
    try flashes(options, isSound: nil, isCancelled: isCancelled)
  }

  /// Takes the number of pictures that a look has taken, and how many it takes at most; up to five looks
  /// follow each other.
  package typealias FlashProgress = (_ done: Int, _ total: Int) -> Void

  /// The same for a caller that may know whether all frames are complete: it spares a check of them.
  package func flashes(
    _ options: FlashOptions, isSound: Bool?, isCancelled: (@Sendable () -> Bool)? = nil,
    progress: FlashProgress? = nil
  ) throws(GIFError) -> FlashReport {
    // A faster second would hold any number of plays.
    precondition(
      options.rate > 0 && options.rate <= FlashViewing.mostRate, "the rate of a playback is from 0.05 to 20")
    var report = try judgedFlashes(options, isSound, isCancelled, progress)
    let isWhole = options.isComplete && (options.isAsPlayed || !hasFramesBeyondLimits)
    guard !isWhole else { return report }
    if report.result == .passes { report.result = .unknown }
    // What passes of a part need not pass with the rest.
    (report.safeRate, report.safeSize) = (nil, nil)
    return report
  }

  /// Whether a limit has left out frames or pictures, which other programs may show.
  private var hasFramesBeyondLimits: Bool {
    diagnostics.contains { [.frameLimit, .workLimit, .frameTooLarge].contains($0.code) }
  }

  private func judgedFlashes(
    _ options: FlashOptions, _ isSound: Bool?, _ isCancelled: (@Sendable () -> Bool)?,
    _ progress: FlashProgress?
  ) throws(GIFError) -> FlashReport {
    let viewing = Viewing(self, options)
    switch IndexProof(animation, options, limits: viewing.limits, period: viewing.period) {
    case .passes: return .passing(isDecoded: false)
    case .passesUndamaged:
      let hasSoundFrames = if let isSound { isSound } else { try findsSoundFrames(isCancelled) }
      if hasSoundFrames { return .passing(isDecoded: false) }
    case .undecided: break
    }
    var pictures = try PictureSequence(self, viewing, isCancelled, progress)
    return try pictures.judge()
  }

  /// Whether no frame is damaged.
  private func findsSoundFrames(_ isCancelled: (@Sendable () -> Bool)?) throws(GIFError) -> Bool {
    guard let check = checkFrames(isCancelled: isCancelled ?? { false }) else { throw GIFError(.cancelled) }
    return check.statuses.allSatisfy { $0 == .complete }
  }

  /// Whether a colour of any palette is a saturated red.
  var hasSaturatedRed: Bool {
    get throws(GIFError) {
      let measures = ColorMeasures.shared
      if globalPalette()?.contains(where: measures.isSaturatedRed) == true { return true }
      for frame in frames where frame.paletteSize != nil {
        if try palette(ofFrame: frame.index)?.contains(where: measures.isSaturatedRed) == true { return true }
      }
      return false
    }
  }
}

extension FlashOptions {
  /// Whether a canvas is too small to fail, whatever its frames show.
  package func isTooSmall(_ canvas: PixelSize) -> Bool {
    let limits = ShownLimits(canvas: canvas, shown: size ?? canvas, sharing: sharing)
    let whole = PixelRect(x: 0, y: 0, width: canvas.width, height: canvas.height)
    return limits.areaInField(whole) <= limits.area
  }
}

/// An image as it is seen.
struct Viewing {
  let options: FlashOptions
  let canvas: PixelSize
  /// The size at which it is shown.
  let shown: PixelSize
  let limits: ShownLimits
  /// A second of the viewer, in milliseconds of the file.
  let period: Double

  init(_ image: GIFImage, _ options: FlashOptions) {
    self.options = options
    canvas = image.size
    shown = options.size ?? image.size
    limits = ShownLimits(canvas: image.size, shown: shown, sharing: options.sharing)
    period = FlashLimits.period * options.rate
  }

  /// A smaller size of the same shape.
  func size(ofWidth width: Int) -> PixelSize {
    shown.fitting(PixelSize(clampingWidth: width, height: .max))
  }
}
