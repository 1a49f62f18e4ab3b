internal import GIFDecoding
internal import GIFWriting

// How the frames are written: copied or anew, and with which disposal.

extension GIFEditor {
  func writeHead() throws(GIFEditError) {
    let image = images[0]
    var screen = image.screenBytes
    // The aspect ratio of pixels that lie on their side is another one; browsers ignore it.
    if edit.quarterTurns % 2 != 0 { screen[2] = 0 }
    writer.begin(
      width: size.width, height: size.height, palette: strategy.palette, screen: screen)
    writer.loop(edit.loopCount ?? image.loopCount)
    if !edit.stripsMetadata {
      for application in image.metadata.applicationExtensions where !application.isLoop {
        let record = try reading { () throws(GIFError) in try image.bytes(of: application) }
        if GIFRecordWriter.isWholeExtension(record) { writer.record(record) }
      }
      for comment in image.metadata.commentTexts { writer.comment(comment) }
    }
    if let comment = edit.comment { writer.comment(Array(comment.utf8)) }
  }

  /// Writes the next frame, with the stills that it stands for; false after the last one.
  func writeFrame(_ isCancelled: () -> Bool) throws(GIFEditError) -> Bool {
    let planned: PlannedFrame? =
      if let refused = refused.take() { refused } else {
        try plan.next { first, second throws(GIFEditError) in
          try picture(of: first).hasSamePixels(as: picture(of: second))
        }
      }
    guard let frame = planned else { return false }
    if !edit.makesSmaller, let state = plan.stateAfterCopying(frame) {
      try copy(frame.item)
      if sources[frame.item.image].frames[frame.item.frame].disposal != .previous { canvas = nil }
      plan.conclude(frame, state)
    } else {
      try writeWithPixels(frame, isCancelled)
    }
    summary.frameCount += 1
    releaseSources(besides: frame.item, frame.next)
    return true
  }

  /// Gives the memory of images back from which no frame comes now: any number may be joined.
  func releaseSources(besides frame: SequenceFrame, _ next: SequenceFrame? = nil) {
    for (place, source) in sources.enumerated() where place != frame.image && place != next?.image {
      source.release()
    }
  }

  /// Copies or draws a frame by what it shows.
  private func writeWithPixels(
    _ output: PlannedFrame, _ isCancelled: () -> Bool
  ) throws(GIFEditError) {
    let (image, frame) = (output.item.image, output.item.frame)
    let info = sources[image].frames[frame]
    let bounds = PixelRect(x: 0, y: 0, width: size.width, height: size.height)
    let target = try picture(of: output.item)
    let before = try canvas(before: output.item)
    let difference = PictureChange(from: before.span, to: target.span, size: size)
    let nextTarget: PixelBuffer? = if let next = output.next { try picture(of: next) } else { nil }

    var canCopy = rule.copies(image: image, frame: frame, on: plan.state)
    if !canCopy, difference.erased.isEmpty, rule.isCopyable(image: image, frame: frame) {
      canCopy = try sources[image].draws(
        frame, over: before.span, differingIn: difference.bounds, from: target.span)
    }
    let drawn = try drawing(of: output, difference, before, target, nextTarget)
    if canCopy,
      let outcome = DisposalOutcome.ranked(
        try outcomes(
          of: output, rect: info.rect.intersection(bounds), before, target, nextTarget, canGrow: false,
          isThorough: strategy.countsPixels),
        countsPixels: strategy.countsPixels
      ).first
    {
      let copied = try copied(output.item, disposal: outcome.disposal)
      if drawn.map({ isBetter(copied, outcome, than: $0) }) ?? true {
        write(copied)
        return try conclude(output, outcome, before: before, target: target)
      }
    }
    guard let drawn else {
      refused = output
      let starts = strategy.isTrial ? [] : try possibleStarts(insteadOf: output, on: before, isCancelled)
      throw tooManyColors(output, from: before, to: target, starts: starts)
    }
    write(drawn)
    if !strategy.isTrial, drawnPictures.count < Self.mostDrawnPictures {
      drawnPictures[summary.frameCount] = target
    }
    try conclude(output, drawn.outcome, before: before, target: target)
  }

  /// The check compares so many pictures without drawing them again: a cut has one.
  private static let mostDrawnPictures = 2

  /// A frame written anew, before it is written.
  struct Drawing {
    var seam: SeamFrame
    var codes: [UInt8]
    var outcome: DisposalOutcome
    var centiseconds: Int

    var frame: WrittenFrame {
      WrittenFrame(
        rect: seam.rect, storedDisposal: outcome.disposal.storedBits, centiseconds: centiseconds,
        transparentIndex: seam.transparentIndex, palette: seam.palette)
    }

    /// What it takes in the file.
    var byteCount: Int { frame.headBytes + GIFRecordWriter.blockBytes(ofCodes: codes.count) }
  }

  /// Draws what differs; nil where that takes too many colours.
  func drawing(
    of output: PlannedFrame, _ difference: PictureChange, _ before: PixelBuffer, _ target: PixelBuffer,
    _ nextTarget: PixelBuffer?
  ) throws(GIFEditError) -> Drawing? {
    guard difference.erased.isEmpty else { return nil }
    var rect = difference.bounds
    // A frame has a pixel at least.
    if rect.isEmpty { rect = PixelRect(x: 0, y: 0, width: 1, height: 1) }
    // The simplest way may ask for a larger frame, which has too many colours.
    for isThorough in strategy.countsPixels ? [true] : [false, true] {
      let outcomes = try outcomes(
        of: output, rect: rect, before, target, nextTarget, canGrow: true, isThorough: isThorough)
      for outcome in DisposalOutcome.ranked(outcomes, countsPixels: strategy.countsPixels) {
        let drawing = try drawing(outcome, before, target, output.item.centiseconds)
        if let drawing { return drawing }
      }
    }
    return nil
  }

  private var effort: LZWEncoder.Effort {
    !edit.makesSmaller ? .quick : strategy.isTrial ? .usual : .thorough
  }

  /// Bytes for each pixel of a frame that is written anew: its indices in the ways that are tried, and codes.
  private static let bytesPerPixel: Int64 = 8

  private func drawing(
    _ outcome: DisposalOutcome, _ before: PixelBuffer, _ target: PixelBuffer, _ centiseconds: Int
  ) throws(GIFEditError) -> Drawing? {
    try requireMemory(Int(clamping: outcome.rect.area * Self.bytesPerPixel))
    var shortest: Drawing?
    for palette in edit.makesSmaller && global != nil ? [global, nil] : [global] {
      guard
        let seam = SeamFrame(
          from: before.span, to: target.span, rect: outcome.rect, width: target.width, global: palette)
      else { continue }
      var seams = [seam]
      // A palette that has all colours and no index left for what is unchanged: all is drawn with it, if that
      // is shorter than another palette.
      if palette != nil, seam.palette != nil, seam.transparentIndex != nil,
        let drawn = SeamFrame(
          from: before.span, to: target.span, rect: outcome.rect, width: target.width, global: palette,
          leavesOut: false), drawn.palette == nil
      {
        seams.append(drawn)
      }
      for seam in seams {
        let codes = encoder.encode(seam.pixels, codeSize: seam.codeSize, effort: effort)
        let drawing = Drawing(seam: seam, codes: codes, outcome: outcome, centiseconds: centiseconds)
        if drawing.byteCount < shortest?.byteCount ?? .max { shortest = drawing }
      }
    }
    return shortest
  }

  /// Whether a copy is to be preferred to a frame written anew: the next frame can be copied, too, or it is
  /// not longer.
  private func isBetter(_ copied: CopiedFrame, _ outcome: DisposalOutcome, than drawn: Drawing) -> Bool {
    if let copies = strategy.copiedFrames?[summary.frameCount] {
      let leavesSame =
        outcome.disposal == drawn.outcome.disposal
        && (outcome.disposal != .background || outcome.rect == drawn.outcome.rect)
      return leavesSame ? copied.byteCount <= drawn.byteCount : copies
    }
    if outcome.copiesNext != drawn.outcome.copiesNext, !edit.makesSmaller { return outcome.copiesNext }
    return copied.byteCount <= drawn.byteCount
  }

  /// What may follow with each disposal, the simplest first.
  ///
  /// - Parameters:
  ///   - canGrow: whether the frame may be larger, so that its disposal clears more.
  ///   - isThorough: whether all ways are looked at, and not only the image's own where that copies the next
  ///     frame.
  private func outcomes(
    of output: PlannedFrame, rect: PixelRect, _ before: PixelBuffer, _ target: PixelBuffer,
    _ nextTarget: PixelBuffer?,
    canGrow: Bool, isThorough: Bool
  ) throws(GIFEditError) -> [DisposalOutcome] {
    let own = sources[output.item.image].frames[output.item.frame]
    guard let next = output.next, let nextTarget else {
      let disposal = canGrow ? .keep : own.disposal
      return [
        DisposalOutcome(
          disposal: disposal, rect: rect, isPossible: true, copiesNext: true, nextArea: 0, nextPixels: 0)
      ]
    }
    // As in the image, the next frame needs no look.
    let ownRect = own.rect.intersection(PixelRect(x: 0, y: 0, width: target.width, height: target.height))
    if !isThorough, own.disposal != .background || (canGrow ? ownRect.contains(rect) : true) {
      let after = plan.state(
        after: output, disposal: own.disposal, rect: own.disposal == .background ? ownRect : rect)
      if rule.copies(image: next.image, frame: next.frame, on: after) {
        let drawn = own.disposal == .background ? ownRect : rect
        return [
          DisposalOutcome(
            disposal: own.disposal, rect: drawn, isPossible: true, copiesNext: true, nextArea: 0,
            nextPixels: 0)
        ]
      }
    }
    let kept = PictureChange(from: target.span, to: nextTarget.span, size: size)
    let cleared = canGrow ? rect.union(kept.erased) : rect
    let candidates: [(Disposal, PixelRect, PixelBuffer, PictureChange?)] = [
      (.keep, rect, target, kept),
      (.background, cleared, try target.cleared(cleared), nil),
      (.previous, rect, before, nil),
    ]
    var outcomes: [DisposalOutcome] = []
    for (disposal, rect, canvas, known) in candidates {
      let difference = known ?? PictureChange(from: canvas.span, to: nextTarget.span, size: size)
      var copiesNext = false
      if difference.erased.isEmpty, rule.isCopyable(image: next.image, frame: next.frame) {
        copiesNext = try sources[next.image].draws(
          next.frame, over: canvas.span, differingIn: difference.bounds, from: nextTarget.span)
      }
      outcomes.append(
        DisposalOutcome(
          disposal: disposal, rect: rect, isPossible: difference.erased.isEmpty, copiesNext: copiesNext,
          nextArea: difference.bounds.area, nextPixels: Int64(difference.pixelCount)))
    }
    return outcomes
  }

  /// Notes what the canvas shows after a frame.
  private func conclude(
    _ output: PlannedFrame, _ outcome: DisposalOutcome, before: PixelBuffer, target: PixelBuffer
  ) throws(GIFEditError) {
    plan.conclude(output, plan.state(after: output, disposal: outcome.disposal, rect: outcome.rect))
    canvas =
      switch outcome.disposal {
      case .keep: target
      case .background: try target.cleared(outcome.rect)
      case .previous: before
      }
  }

  /// What the canvas of the output shows before a frame is drawn.
  private func canvas(before item: SequenceFrame) throws(GIFEditError) -> PixelBuffer {
    if let canvas { return canvas }
    guard case .before(let image, let frame) = plan.state else { return try .transparent(size) }
    guard let canvas = try sources[image].canvas(before: frame) else {
      let base = sources[image].base(of: frame).map {
        SequenceFrame(image: image, frame: $0, centiseconds: 0)
      }
      throw GIFEditError(.failedFrame, frame: number(of: base ?? item))
    }
    return canvas
  }

  func picture(of frame: SequenceFrame) throws(GIFEditError) -> PixelBuffer {
    guard let picture = try sources[frame.image].picture(of: frame.frame) else {
      throw GIFEditError(.failedFrame, frame: number(of: frame))
    }
    return picture
  }
}

// MARK: - Writing

extension GIFEditor {
  /// A frame that is copied, before it is written.
  private struct CopiedFrame {
    var frame: WrittenFrame
    /// The blocks as they are stored, or codes without blocks.
    var bytes: [UInt8]
    var codeSize: UInt8
    /// Whether ``bytes`` are the stored blocks.
    var isStored: Bool
    /// Whether the frame keeps its own disposal.
    var keepsDisposal: Bool

    /// What it takes in the file.
    var byteCount: Int {
      frame.headBytes + (isStored ? bytes.count : GIFRecordWriter.blockBytes(ofCodes: bytes.count))
    }
  }

  /// A frame as it is stored, or with its indices compressed again where they have another order, or become
  /// fewer bytes.
  ///
  /// - Parameter disposal: nil for the frame's own as it is stored.
  private func copied(_ item: SequenceFrame, disposal: Disposal?) throws(GIFEditError) -> CopiedFrame {
    let source = sources[item.image]
    let (image, info) = (source.image, source.frames[item.frame])
    let keepsDisposal = disposal == nil || disposal == info.disposal
    var frame = try fields(of: item, disposal: keepsDisposal ? nil : disposal)
    if edit.makesSmaller, frame.palette == strategy.palette { frame.palette = nil }
    let codeSize = info.codeSize ?? 8
    var stored: CopiedFrame?
    if source.keepsCodes(of: item.frame) {
      // Once as they are, and once in the output.
      try requireMemory(2 * info.data.count)
      let blocks = try reading { () throws(GIFError) in try image.codeBlocks(of: info) }
      let copy = CopiedFrame(
        frame: frame, bytes: blocks, codeSize: codeSize, isStored: true, keepsDisposal: keepsDisposal)
      if !edit.makesSmaller { return copy }
      stored = copy
    }
    guard let indices = try source.indices(of: item.frame) else {
      throw GIFEditError(.failedFrame, frame: number(of: item))
    }
    try requireMemory(Int(clamping: info.rect.area * Self.bytesPerPixel))
    let size = max(2, Int(codeSize))
    let codes = encoder.encode(FramePixels(indices), codeSize: size, effort: effort)
    frame.isInterlaced = false
    let recoded = CopiedFrame(
      frame: frame, bytes: codes, codeSize: UInt8(size), isStored: false, keepsDisposal: keepsDisposal)
    guard let stored, stored.byteCount <= recoded.byteCount else { return recoded }
    return stored
  }

  /// A frame's fields in the output.
  ///
  /// - Parameter disposal: nil for the frame's own as it is stored.
  private func fields(of item: SequenceFrame, disposal: Disposal?) throws(GIFEditError) -> WrittenFrame {
    let source = sources[item.image]
    let info = source.frames[item.frame]
    let palette = try reading { () throws(GIFError) in try source.image.paletteBytes(of: info) }
    return WrittenFrame(
      rect: info.rect, storedDisposal: disposal?.storedBits ?? info.storedDisposal,
      centiseconds: item.centiseconds, transparentIndex: info.transparentIndex,
      isInterlaced: info.isInterlaced, palette: palette ?? foreignPalettes[item.image])
  }

  /// Writes a frame as it is stored, or with its indices compressed again where they have another order.
  private func copy(_ item: SequenceFrame) throws(GIFEditError) {
    let source = sources[item.image]
    guard source.keepsCodes(of: item.frame) else { return write(try copied(item, disposal: nil)) }
    let info = source.frames[item.frame]
    // Bytes that grow become twice as many.
    try requireMemory(2 * info.data.count)
    writeHead(of: try fields(of: item, disposal: nil), isCopied: true)
    try reading { () throws(GIFError) in
      try writer.blocks(count: info.data.count, codeSize: info.codeSize ?? 8) { output throws(GIFError) in
        try source.image.appendCodeBlocks(of: info, isVerified: verifiesCopies, to: &output)
      }
    }
    summary.copiedFrames += 1
  }

  private func writeHead(of frame: WrittenFrame, isCopied: Bool) {
    if strategy.isTrial { copiedFrames.append(isCopied) }
    writer.control(frame)
    writer.descriptor(frame)
  }

  private func write(_ copied: CopiedFrame) {
    if !copied.keepsDisposal || !copied.isStored { copiesAsStored = false }
    writeHead(of: copied.frame, isCopied: true)
    if copied.isStored {
      writer.blocks(copied.bytes, codeSize: copied.codeSize)
      summary.copiedFrames += 1
    } else {
      writer.codes(copied.bytes, codeSize: Int(copied.codeSize))
    }
  }

  private func write(_ drawn: Drawing) {
    copiesAsStored = false
    writeHead(of: drawn.frame, isCopied: false)
    writer.codes(drawn.codes, codeSize: drawn.seam.codeSize)
  }

  private func reading<Result>(_ body: () throws(GIFError) -> Result) throws(GIFEditError) -> Result {
    do throws(GIFError) {
      return try body()
    } catch {
      throw GIFEditError(.unreadable, reason: error)
    }
  }
}
