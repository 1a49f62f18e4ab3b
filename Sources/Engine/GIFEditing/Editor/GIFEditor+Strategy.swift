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
    var plain = edit
    plain.makesSmaller = false
    var best = own
    var least = Int64.max
    func tryOut(_ strategy: EditStrategy, _ edit: GIFEdit) throws(GIFEditError) -> Bool {
      var trial = strategy
      trial.isTrial = true
      let editor = try GIFEditor(images, edit, sequence, trial)
      // What one palette makes impossible need not be so with another.
      while !isCancelled(), (try? editor.next()) != nil, editor.summary.byteCount < least {}
      if isCancelled() { throw GIFEditError(.cancelled) }
      guard editor.hasEnded, editor.summary.byteCount < least else { return false }
      (best, least) = (strategy, editor.summary.byteCount)
      if edit.makesSmaller { best.copiedFrames = editor.copiedFrames }
      return true
    }
    // What cannot be read or decoded is reported where it is written.
    guard
      let stored = try? GlobalPalette.mostUsed(by: sequence.frames, of: images, own: own.palette),
      let drawn = try? GIFEditor(images, edit, sequence, own).drawnColors(in: sequence, isCancelled)
    else { return own }
    var isSmaller = try !tryOut(own, plain)
    let others = GlobalPalette.candidates(stored: stored, beside: own.palette, for: drawn)
    for palette in [own.palette] + others {
      if try tryOut(EditStrategy(palette: palette), edit) { isSmaller = true }
    }
    if try tryOut(EditStrategy(palette: best.palette, countsPixels: true), edit) { isSmaller = true }
    if !isSmaller { edit = plain }
    return best
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
