public import GIFDecoding

// The proof that what was written shows what was chosen.

extension GIFEditor {
  /// Compares what was written with the chosen frames: each pixel, each delay as browsers play it, the
  /// plays.
  ///
  /// Where every frame was copied in its order, their stored bytes are compared instead. Otherwise the time
  /// is that of decoding both.
  /// - Parameters:
  ///   - output: the whole output, opened with ``outputLimits(_:)``.
  ///   - isCancelled: asked before each frame, with how many were compared.
  /// - Throws: ``GIFEditError/Code/notExact``; ``GIFEditError/Code/failedFrame`` where a chosen frame is
  ///   damaged, and was copied with its damage.
  public func check(
    _ output: GIFImage, isCancelled: (_ done: Int) -> Bool = { _ in false }
  ) throws(GIFEditError) {
    guard output.size == size, output.frameCount == plan.written.count,
      output.loopCount == edit.loopCount ?? images[0].loopCount, output.diagnostics.isEmpty
    else { throw GIFEditError(.notExact) }
    for (frame, chosen) in zip(output.frames, plan.written) {
      let wanted = DelayPolicy.browser.milliseconds(centiseconds: chosen.centiseconds)
      guard frame.delayMilliseconds() == wanted else { throw notExact(chosen) }
    }
    if try isCopy(output) { return }
    let whole = PictureTransform(part: PixelRect(x: 0, y: 0, width: size.width, height: size.height))
    let shown = SourcePictures(output, whole, budget: 0)
    for source in sources { source.rewind() }
    for (index, chosen) in plan.written.enumerated() {
      if isCancelled(index) { throw GIFEditError(.cancelled) }
      releaseSources(besides: chosen)
      let source = sources[chosen.image]
      if source.isNext(chosen.frame) {
        guard let isSame = try shown.shows(index, as: chosen.frame, of: source) else {
          throw GIFEditError(.failedFrame, frame: number(of: chosen))
        }
        guard isSame else { throw notExact(chosen) }
        continue
      }
      let picture = try picture(of: chosen)
      guard let found = try shown.picture(of: index), found.hasSamePixels(as: picture) else {
        throw notExact(chosen)
      }
    }
  }

  /// The limits with which an output is opened: it may have more frames and longer comments than its input.
  public static func outputLimits(_ limits: DecodingLimits) -> DecodingLimits {
    var limits = limits
    limits.frameCount = .max
    limits.totalPixels = .max
    limits.commentBytes = .max
    limits.framePixels = max(limits.framePixels, limits.canvasPixels)
    return limits
  }

  private func notExact(_ frame: SequenceFrame) -> GIFEditError {
    GIFEditError(.notExact, frame: number(of: frame))
  }

  /// Whether the output has all frames of one image in their order, drawn in the same way from the same
  /// bytes.
  private func isCopy(_ output: GIFImage) throws(GIFEditError) -> Bool {
    let image = images[0]
    guard images.count == 1, sources[0].isIdentity,
      plan.written.count == image.frameCount,
      image.globalPaletteBytes == output.globalPaletteBytes
    else { return false }
    for (index, chosen) in plan.written.enumerated() {
      let (frame, other) = (image.frames[index], output.frames[index])
      guard chosen.frame == index, frame.rect == other.rect, frame.disposal == other.disposal,
        frame.transparentIndex == other.transparentIndex, frame.isInterlaced == other.isInterlaced,
        frame.codeSize == other.codeSize, frame.paletteSize == other.paletteSize,
        frame.isTruncated == other.isTruncated
      else { return false }
    }
    do throws(GIFError) {
      return try image.hasSameFrameData(as: output)
    } catch {
      throw GIFEditError(.unreadable, reason: error)
    }
  }
}

extension GIFImage {
  /// A GIF of this one's frames, in memory.
  ///
  /// The result was checked: it shows what was chosen, to the pixel. A large GIF is better written piece by
  /// piece, with a ``GIFEditor``.
  ///
  /// - Throws: ``GIFEditError``.
  public func edited(_ edit: GIFEdit) throws(GIFEditError) -> [UInt8] {
    try [self].edited(edit)
  }
}

extension [GIFImage] {
  /// A GIF of the frames of several, one GIF behind the other, in memory: see
  /// ``GIFDecoding/GIFImage/edited(_:)``.
  ///
  /// - Throws: ``GIFEditError``.
  public func edited(_ edit: GIFEdit) throws(GIFEditError) -> [UInt8] {
    let editor = try GIFEditor(self, edit)
    var bytes: [UInt8] = []
    while let part = try editor.next() { bytes.append(contentsOf: part) }
    let output: GIFImage
    do throws(GIFError) {
      output = try GIFImage(bytes: bytes, limits: GIFEditor.outputLimits(self[0].limits))
    } catch {
      throw GIFEditError(.notExact, reason: error)
    }
    try editor.check(output)
    return bytes
  }
}
