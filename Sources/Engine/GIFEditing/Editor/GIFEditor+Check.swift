public import GIFDecoding

// The proof that what was written shows what was chosen.

extension GIFEditor {
  /// Compares what was written with the chosen frames: each pixel, each delay as browsers play it, the
  /// plays.
  ///
  /// Frames that were copied one behind the other, up to the output's end, are proved by their bytes instead,
  /// on the picture before them. The input's are decoded once more to find damage, unless the output has all
  /// frames of one image in their order, each as it is stored: damage is then copied, too. Otherwise the time
  /// is that of decoding both.
  /// - Parameters:
  ///   - output: the whole output, opened with ``outputLimits(_:)``.
  ///   - isCancelled: asked before each frame, or each few of those that were copied, with how many were
  ///     compared.
  /// - Throws: ``GIFEditError/Code/notExact``; ``GIFEditError/Code/failedFrame`` where a chosen frame is
  ///   damaged, and was copied with its damage.
  public func check(
    _ output: GIFImage, isCancelled: (_ done: Int) -> Bool = { _ in false }
  ) throws(GIFEditError) {
    do throws(GIFEditError) {
      try compare(output, isCancelled)
    } catch {
      if !verifiesCopies, [.notExact, .failedFrame].contains(error.code) { try verifyCopies(isCancelled) }
      throw error
    }
  }

  private func compare(_ output: GIFImage, _ isCancelled: (_ done: Int) -> Bool) throws(GIFEditError) {
    guard output.size == size, output.frameCount == plan.written.count,
      output.loopCount == edit.loopCount ?? images[0].loopCount, output.diagnostics.isEmpty
    else { throw GIFEditError(.notExact) }
    for (frame, chosen) in zip(output.frames, plan.written) {
      let wanted = DelayPolicy.browser.milliseconds(centiseconds: chosen.centiseconds)
      guard frame.delayMilliseconds() == wanted else { throw notExact(chosen) }
    }
    let copies = try copiedEnd(of: output)
    if images.count == 1, copies.lowerBound == 0, copies.count == images[0].frameCount { return }
    let whole = PictureTransform(part: PixelRect(x: 0, y: 0, width: size.width, height: size.height))
    let shown = SourcePictures(output, whole, budget: 0)
    for source in sources { source.rewind() }
    func comparePixels(of frames: Range<Int>) throws(GIFEditError) {
      for index in frames {
        if isCancelled(index) { throw GIFEditError(.cancelled) }
        try compare(index, in: shown)
      }
    }
    try comparePixels(of: 0..<copies.lowerBound)
    if try !isSound(copies, isCancelled) { try comparePixels(of: copies) }
  }

  /// Tells a file that was changed since it was opened, which is why the output is not exact.
  private func verifyCopies(_ isCancelled: (_ done: Int) -> Bool) throws(GIFEditError) {
    for (place, image) in images.enumerated() {
      for frame in Set(plan.written.filter { $0.image == place }.map { $0.frame }).sorted() {
        if isCancelled(0) { throw GIFEditError(.cancelled) }
        let frame = image.frames[frame]
        try requireMemory(frame.data.count)
        do throws(GIFError) {
          _ = try image.codeBlocks(of: frame)
        } catch {
          throw GIFEditError(.unreadable, reason: error)
        }
      }
    }
  }

  /// Finds damage among the frames that were written, as ``check(_:isCancelled:)`` does, without an output.
  ///
  /// - Throws: ``GIFEditError/Code/failedFrame`` with the first one that would not pass.
  package func findDamage(isCancelled: (_ done: Int) -> Bool = { _ in false }) throws(GIFEditError) {
    if copiesWholeImage { return }
    var frames = [[Int]](repeating: [], count: sources.count)
    for chosen in plan.written { frames[chosen.image].append(chosen.frame) }
    var damaged = [Set<Int>](repeating: [], count: sources.count)
    var done = 0
    for (image, source) in sources.enumerated() {
      // In the order of the image, whatever that of the output: each is then decoded once.
      for frame in Set(frames[image]).sorted() {
        if isCancelled(done) { throw GIFEditError(.cancelled) }
        if try !source.isUsable(frame) { damaged[image].insert(frame) }
        done += 1
      }
      source.release()
    }
    if let first = plan.written.first(where: { damaged[$0.image].contains($0.frame) }) {
      throw GIFEditError(.failedFrame, frame: number(of: first))
    }
  }

  /// Compares the pixels of a frame of the output with those that were chosen.
  private func compare(_ index: Int, in shown: SourcePictures) throws(GIFEditError) {
    let chosen = plan.written[index]
    releaseSources(besides: chosen)
    let source = sources[chosen.image]
    let drawn = drawnPictures[index]
    if drawn == nil, source.isNext(chosen.frame) {
      guard let isSame = try shown.shows(index, as: chosen.frame, of: source) else {
        throw GIFEditError(.failedFrame, frame: number(of: chosen))
      }
      guard isSame else { throw notExact(chosen) }
    } else {
      let picture = if let drawn { drawn } else { try picture(of: chosen) }
      guard let found = try shown.picture(of: index), found.hasSamePixels(as: picture) else {
        throw notExact(chosen)
      }
    }
  }

  /// The limits with which an output is opened: it may have more frames, larger ones and longer comments than
  /// its input.
  public static func outputLimits(_ limits: DecodingLimits) -> DecodingLimits {
    var limits = limits
    limits.frameCount = .max
    limits.totalPixels = .max
    limits.commentBytes = .max
    limits.framePixels = max(limits.framePixels, limits.canvasPixels)
    // The canvas has four bytes a pixel within the limit. A frame that fills it has an index, and four bytes
    // more that it brings back.
    limits.decodedBytes = limits.decodedBytes > .max / 9 ? .max : limits.decodedBytes / 4 * 9
    return limits
  }

  private func notExact(_ frame: SequenceFrame) -> GIFEditError {
    GIFEditError(.notExact, frame: number(of: frame))
  }
}

// MARK: - Copies

extension GIFEditor {
  /// About how many pixels are decoded between two questions whether the check is cancelled.
  private static let pixelsPerQuestion: Int64 = 1 << 24

  /// The frames at the output's end that are copies of neighbours in an image, and are drawn on a canvas that
  /// is the image's own if the picture before them is.
  private func copiedEnd(of output: GIFImage) throws(GIFEditError) -> Range<Int> {
    let written = plan.written
    let palette = output.globalPaletteBytes
    let hasItsPalette = images.map { $0.globalPaletteBytes == palette }
    var start = written.count
    while start > 0, isBehindItsNeighbor(start - 1), try isCopy(start - 1, in: output, hasItsPalette) {
      start -= 1
    }
    while start > 0, start < written.count, !leavesItsCanvas(start - 1, in: output) { start += 1 }
    return start..<written.count
  }

  /// Whether a frame of the output stands behind the frame that is before it in its image, or is the first in
  /// both.
  private func isBehindItsNeighbor(_ index: Int) -> Bool {
    let chosen = plan.written[index]
    guard index > 0 else { return chosen.frame == 0 }
    let before = plan.written[index - 1]
    return before.image == chosen.image && before.frame + 1 == chosen.frame
  }

  /// Whether a frame of the output is drawn in the same way as in its image, from the same bytes.
  ///
  /// - Parameter hasItsPalette: of each image, whether the output has its global palette.
  private func isCopy(
    _ index: Int, in output: GIFImage, _ hasItsPalette: [Bool]
  ) throws(GIFEditError) -> Bool {
    let chosen = plan.written[index]
    let source = sources[chosen.image]
    let (frame, other) = (source.image.frames[chosen.frame], output.frames[index])
    guard source.isIdentity, frame.rect == other.rect, frame.disposal == other.disposal,
      frame.transparentIndex == other.transparentIndex, frame.isInterlaced == other.isInterlaced,
      frame.codeSize == other.codeSize, frame.isTruncated == other.isTruncated,
      frame.paletteSize == other.paletteSize,
      frame.paletteSize != nil || hasItsPalette[chosen.image]
    else { return false }
    do throws(GIFError) {
      return try source.image.hasSameData(of: frame, as: other, of: output)
    } catch {
      throw GIFEditError(.unreadable, reason: error)
    }
  }

  /// Whether the canvas behind a frame's picture follows from that as in its image. What `previous` brings
  /// back is not part of the picture.
  private func leavesItsCanvas(_ index: Int, in output: GIFImage) -> Bool {
    let chosen = plan.written[index]
    let (frame, other) = (sources[chosen.image].frames[chosen.frame], output.frames[index])
    guard frame.disposal == other.disposal else { return false }
    switch frame.disposal {
    case .keep: return true
    case .background: return frame.rect == other.rect
    case .previous: return false
    }
  }

  /// Whether the frames of which the output's end has copies are undamaged, and the one before them is.
  private func isSound(
    _ copies: Range<Int>, _ isCancelled: (_ done: Int) -> Bool
  ) throws(GIFEditError) -> Bool {
    guard let first = copies.first else { return true }
    let chosen = plan.written[first]
    releaseSources(besides: chosen)
    let source = sources[chosen.image]
    defer { source.rewind(behind: chosen.frame - 1) }
    if chosen.frame > 0, try !source.isSound(chosen.frame - 1..<chosen.frame) { return false }
    let frames = chosen.frame..<chosen.frame + copies.count
    if let damageSearch, damageSearch.image == chosen.image, damageSearch.frames.contains(frames) {
      if let isSound = damageSearch.search.isSound({ isCancelled(first) }) { return isSound }
      // A check that comes after this one looks for itself.
      self.damageSearch = nil
      throw GIFEditError(.cancelled)
    }
    let step = Int(clamping: min(64, max(1, Self.pixelsPerQuestion / max(1, source.image.pixelCount))))
    for done in stride(from: 0, to: copies.count, by: step) {
      if isCancelled(first + done) { throw GIFEditError(.cancelled) }
      let part = done..<min(copies.count, done + step)
      guard try source.isSound(chosen.frame + part.lowerBound..<chosen.frame + part.upperBound) else {
        return false
      }
    }
    return true
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
    while let part = try editor.next() {
      // An array that grows becomes twice as large.
      if bytes.count + part.count > bytes.capacity { try requireMemory(2 * (bytes.count + part.count)) }
      bytes.append(contentsOf: part)
    }
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
