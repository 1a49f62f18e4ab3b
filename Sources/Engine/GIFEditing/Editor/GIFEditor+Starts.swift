internal import GIFDecoding

// What is told where a frame cannot be written anew: its colours are too many for a palette.

extension GIFEditor {
  /// How far from a frame others are tried.
  private static let farthestStart = 500

  /// The nearest frames, before and after, at which a run of frames could begin instead.
  ///
  /// - Parameter before: what the canvas shows.
  /// - Returns: nothing within a run, or where frames run backwards or are left out.
  func possibleStarts(
    insteadOf output: PlannedFrame, on before: PixelBuffer, _ isCancelled: () -> Bool
  ) throws(GIFEditError) -> [Int] {
    let (image, frame) = (output.item.image, output.item.frame)
    guard edit.order == .forward, edit.step == 1, !edit.mergesStills else { return [] }
    if let former = plan.written.last, former.image == image, former.frame + 1 == frame { return [] }
    guard edit.beginsRun(at: plan.chosenPlace) else { return [] }
    if let next = output.next, next.image != image || next.frame != frame + 1 { return [] }
    let count = sources[image].frames.count
    let earlier = stride(from: frame - 1, through: max(0, frame - Self.farthestStart), by: -1)
    let later = stride(from: frame + 1, through: min(count - 1, frame + Self.farthestStart), by: 1)
    return [
      try first(of: earlier, image: image, on: before, isCancelled),
      try first(of: later, image: image, on: before, isCancelled),
    ].compactMap { $0 }
  }

  /// The first frame that can be written anew with the one behind it.
  private func first(
    of frames: StrideThrough<Int>, image: Int, on before: PixelBuffer, _ isCancelled: () -> Bool
  ) throws(GIFEditError) -> Int? {
    let count = sources[image].frames.count
    for frame in frames {
      if isCancelled() { throw GIFEditError(.cancelled) }
      guard let target = try sources[image].picture(of: frame) else { return nil }
      let item = SequenceFrame(image: image, frame: frame, centiseconds: 2)
      var output = PlannedFrame(item: item, last: item, next: nil)
      var nextTarget: PixelBuffer?
      if frame + 1 < count {
        guard let picture = try sources[image].picture(of: frame + 1) else { continue }
        (nextTarget, output.next) = (picture, SequenceFrame(image: image, frame: frame + 1, centiseconds: 2))
      }
      let difference = PictureChange(from: before.span, to: target.span, size: size)
      if try drawing(of: output, difference, before, target, nextTarget) != nil { return frame }
    }
    return nil
  }

  /// Why a frame cannot be written anew.
  func tooManyColors(
    _ output: PlannedFrame, from before: PixelBuffer, to target: PixelBuffer, starts: [Int]
  ) -> GIFEditError {
    // The transparent index, for what stays as it is, takes the place of a colour.
    var colors: Set<UInt32> = []
    for place in 0..<target.span.count {
      if before.span[place] != target.span[place] { colors.insert(target.span[place]) }
    }
    let nearest = starts.map { start in
      number(of: SequenceFrame(image: output.item.image, frame: start, centiseconds: 0))
    }
    return GIFEditError(
      .tooManyColors, frame: number(of: output.item), value: Int64(max(257, colors.count)), limit: 256,
      place: starts.isEmpty ? nil : plan.chosenPlace, nearest: nearest)
  }
}
