internal import GIFDecoding

/// What an edit chooses once for all frames.
struct EditStrategy {
  /// The bytes of the output's global palette.
  var palette: [UInt8]?
  /// Whether disposals are chosen by the number of pixels that differ in the next picture, not by the area
  /// and whether it can be copied.
  var countsPixels = false
  /// Whether the output is thrown away: codes are chosen quickly, and failures are not explained.
  var isTrial = false
  /// Of each frame of the trial that won, whether it was copied. The output follows it wherever the canvas
  /// depends on that, so that it is not longer.
  var copiedFrames: [Bool]?
}

extension GIFEditor {
  /// Chooses the first image's palette; where the output is to be smaller, what makes it so in a trial.
  ///
  /// Trials compare the image's palette with that of most frames and with one of the colours that frames
  /// draw, then both ways to choose disposals. All of these depend on each other. A trial chooses codes
  /// quickly: the output is at most as long.
  /// - Parameter edit: becomes the plain edit where no trial makes that smaller.
  static func strategy(
    for images: [GIFImage], _ edit: inout GIFEdit, _ sequence: FrameSequence, _ isCancelled: () -> Bool
  ) throws(GIFEditError) -> EditStrategy {
    let own = EditStrategy(palette: images[0].globalPaletteBytes)
    guard edit.makesSmaller else { return own }
    // What cannot be read or decoded is reported where it is written.
    guard
      let stored = try? GlobalPalette.mostUsed(by: sequence.frames, of: images, own: own.palette),
      let drawn = try? GIFEditor(images, edit, sequence, own).drawnColors(in: sequence, isCancelled)
    else { return own }
    var best: (strategy: EditStrategy, size: Int64)?
    var hasDamage = false
    func tryOut(_ strategy: EditStrategy) throws(GIFEditError) {
      var trial = strategy
      trial.isTrial = true
      switch try size(of: images, edit, sequence, trial, below: best?.size ?? .max, isCancelled) {
      case .written(let size, let copiedFrames):
        best = (strategy, size)
        best?.strategy.copiedFrames = copiedFrames
      case .larger: break
      case .failed(let error): hasDamage = hasDamage || error.code != .tooManyColors
      }
    }
    for palette in [own.palette] + GlobalPalette.candidates(stored: stored, beside: own.palette, for: drawn) {
      try tryOut(EditStrategy(palette: palette))
    }
    try tryOut(EditStrategy(palette: best?.strategy.palette ?? own.palette, countsPixels: true))
    // Damage is reported where it is written.
    if hasDamage { return best?.strategy ?? own }
    var (plain, plainTrial) = (edit, own)
    (plain.makesSmaller, plainTrial.isTrial) = (false, true)
    guard
      case .written(let most, _) = try size(of: images, plain, sequence, plainTrial, below: .max, isCancelled)
    else { return best?.strategy ?? own }
    guard let best else {
      edit = plain
      return own
    }
    // A trial chooses codes quickly, so one that is larger may still lead to a smaller output.
    if best.size > most {
      var whole = best.strategy
      whole.isTrial = false
      guard case .written = try size(of: images, edit, sequence, whole, below: most + 1, isCancelled) else {
        edit = plain
        return own
      }
    }
    return best.strategy
  }

  /// What became of a trial.
  private enum Trial {
    /// With so many bytes; and of each frame whether it was copied.
    case written(Int64, copiedFrames: [Bool])
    case larger
    case failed(GIFEditError)
  }

  /// Writes an output that is thrown away.
  private static func size(
    of images: [GIFImage], _ edit: GIFEdit, _ sequence: FrameSequence, _ strategy: EditStrategy,
    below limit: Int64, _ isCancelled: () -> Bool
  ) throws(GIFEditError) -> Trial {
    let editor = try GIFEditor(images, edit, sequence, strategy)
    do throws(GIFEditError) {
      while try editor.writeNext(isCancelled) {
        editor.dropPiece(editor.piece.count)
        if isCancelled() { throw GIFEditError(.cancelled) }
        if editor.summary.byteCount >= limit { return .larger }
      }
    } catch {
      if error.code == .cancelled { throw error }
      return .failed(error)
    }
    return editor.summary.byteCount < limit
      ? .written(editor.summary.byteCount, copiedFrames: editor.copiedFrames) : .larger
  }

  /// The colours that frames draw where each stays until the next one.
  private func drawnColors(
    in sequence: FrameSequence, _ isCancelled: () -> Bool
  ) throws(GIFEditError) -> DrawnColors {
    var drawn = DrawnColors()
    var before = try PixelBuffer.transparent(size)
    for frame in sequence.frames.prefix(GlobalPalette.mostFrames) where !isCancelled() {
      let target = try picture(of: frame)
      drawn.add(from: before.span, to: target.span)
      before = target
      releaseSources(besides: frame)
    }
    return drawn
  }
}
