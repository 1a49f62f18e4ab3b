internal import GIFDecoding

// What is done where a frame cannot be written anew: its colours are too many for a palette.

extension GIFEditor {
  /// How far from a frame others are tried.
  private static let farthestStart = 500

  /// The nearest frames, before and after, at which a run of frames could begin instead.
  ///
  /// - Parameter before: what the canvas shows.
  /// - Returns: nothing within a run, or where frames run backwards.
  func possibleStarts(insteadOf step: Step, on before: PixelBuffer) throws(GIFEditError) -> [Int] {
    guard step.last == step.item, edit.order == .forward, edit.step == 1 else { return [] }
    let (image, frame) = (step.item.image, step.item.frame)
    if let former = written.last, former.image == image, former.frame + 1 == frame { return [] }
    var starts: [Int] = []
    let count = sources[image].frames.count
    let earlier = stride(from: frame - 1, through: max(0, frame - Self.farthestStart), by: -1)
    if let start = try first(of: earlier, image: image, on: before) { starts.append(start) }
    let later = stride(from: frame + 1, through: min(count - 1, frame + Self.farthestStart), by: 1)
    if let start = try first(of: later, image: image, on: before) { starts.append(start) }
    return starts
  }

  private func first(
    of frames: StrideThrough<Int>, image: Int, on before: PixelBuffer
  ) throws(GIFEditError) -> Int? {
    for frame in frames {
      guard let target = try sources[image].picture(of: frame) else { return nil }
      let difference = PictureDifference(from: before.span, to: target.span, size: size)
      guard difference.erased.isEmpty, !difference.bounds.isEmpty else { continue }
      let seam = SeamFrame(
        from: before.span, to: target.span, rect: difference.bounds, width: size.width, global: global)
      if seam != nil { return frame }
    }
    return nil
  }

  /// Whether a run that begins elsewhere has a frame left.
  func canBegin(_ item: SequenceFrame, at start: Int) -> Bool {
    let other = place - 1 + start - item.frame
    guard start > item.frame else { return true }
    return other < sequence.count && sequence[other].image == item.image && sequence[other].frame == start
  }

  /// Begins a run of frames elsewhere: with more of them, or with fewer.
  func begin(_ item: SequenceFrame, at start: Int) {
    let current = place - 1
    if start < item.frame {
      let added = (start..<item.frame).map { frame in
        SequenceFrame(
          image: item.image, frame: frame,
          centiseconds: sources[item.image].frames[frame].delayCentiseconds)
      }
      sequence.insert(contentsOf: added, at: current)
    } else {
      var end = current
      while end < sequence.count, sequence[end].image == item.image,
        sequence[end].frame == item.frame + end - current, sequence[end].frame < start
      {
        end += 1
      }
      sequence.removeSubrange(current..<end)
    }
    place = current
  }

  /// Why a frame cannot be written anew.
  func tooManyColors(
    _ step: Step, from before: PixelBuffer, to target: PixelBuffer, starts: [Int]
  ) -> GIFEditError {
    var colors: Set<UInt32> = []
    for place in 0..<target.span.count where before.span[place] != target.span[place] {
      colors.insert(target.span[place])
    }
    let nearest = starts.map { start in
      number(of: SequenceFrame(image: step.item.image, frame: start, centiseconds: 0))
    }
    return GIFEditError(
      .tooManyColors, frame: number(of: step.item), value: Int64(colors.count), limit: 256, nearest: nearest)
  }
}
