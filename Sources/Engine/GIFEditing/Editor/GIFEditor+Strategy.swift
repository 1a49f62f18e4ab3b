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
}

extension GIFEditor {
  /// Chooses the first image's palette; where the output is to be smaller, what makes it so in a trial.
  ///
  /// Trials compare the image's palette with that of most frames and with one of the colours that frames
  /// draw, then both ways to choose disposals. All of these depend on each other. A trial chooses codes
  /// quickly, so its size is only close to that of the output.
  static func strategy(
    for images: [GIFImage], _ edit: GIFEdit, _ sequence: FrameSequence, _ isCancelled: () -> Bool
  ) throws(GIFEditError) -> EditStrategy {
    var best = EditStrategy(palette: images[0].globalPaletteBytes)
    guard edit.makesSmaller else { return best }
    // What cannot be read or decoded is reported where it is written.
    guard
      let stored = try? GlobalPalette.mostUsed(by: sequence.frames, of: images, own: best.palette),
      let drawn = try? GIFEditor(images, edit, sequence, best).drawnColors(in: sequence, isCancelled)
    else { return best }
    var least = Int64.max
    func tryOut(_ strategy: EditStrategy) throws(GIFEditError) {
      var trial = strategy
      trial.isTrial = true
      let editor = try GIFEditor(images, edit, sequence, trial)
      // What one palette makes impossible need not be so with another.
      while !isCancelled(), (try? editor.next()) != nil, editor.summary.byteCount < least {}
      if isCancelled() { throw GIFEditError(.cancelled) }
      if editor.hasEnded, editor.summary.byteCount < least {
        (best, least) = (strategy, editor.summary.byteCount)
      }
    }
    let others = GlobalPalette.candidates(stored: stored, beside: best.palette, for: drawn)
    for palette in [best.palette] + others { try tryOut(EditStrategy(palette: palette)) }
    try tryOut(EditStrategy(palette: best.palette, countsPixels: true))
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
