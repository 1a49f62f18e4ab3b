internal import GIFDecoding

/// A frame of the output, before it is written.
struct PlannedFrame: Equatable {
  /// Where its picture comes from, and its delay in the output.
  var item: SequenceFrame
  /// The last of the chosen frames that it stands for.
  var last: SequenceFrame
  /// The frame behind it.
  var next: SequenceFrame?
}

/// What an edit makes of the chosen frames, one after the other, as far as that is decided without pixels.
///
/// It says which frame comes next and for how long, whether it is copied, and what the output's canvas shows
/// then. Frames that it does not copy depend on pixels: see ``DisposalOutcome`` and ``SeamFrame``.
struct EditPlan {
  private let rule: CopyRule
  private let sequence: [SequenceFrame]
  private let places: [Int]?
  private let mergesStills: Bool
  private var delays: DelayRule
  private var place = 0
  /// What is left of a delay that is too long for one frame.
  private var rest: SequenceFrame?
  /// What the canvas of the output shows now.
  private(set) var state = OutputState.cleared
  /// The frames as they were written.
  private(set) var written: [SequenceFrame] = []

  init(_ sequence: FrameSequence, _ edit: GIFEdit, _ rule: CopyRule) throws(GIFEditError) {
    self.rule = rule
    self.sequence = sequence.frames
    places = sequence.places
    mergesStills = edit.mergesStills
    delays = try DelayRule(edit)
  }

  /// Where the frame that was planned last stands among the chosen ones.
  ///
  /// - Precondition: these run forwards, and none is left out but a damaged one.
  var chosenPlace: Int { places?[place - 1] ?? place - 1 }

  /// The run with which the chosen frames end: neighbours in one image, forwards.
  var lastRun: (image: Int, frames: Range<Int>) {
    var start = sequence.count - 1
    let last = sequence[start]
    while start > 0, sequence[start - 1].image == last.image,
      sequence[start - 1].frame + 1 == sequence[start].frame
    {
      start -= 1
    }
    return (last.image, sequence[start].frame..<last.frame + 1)
  }

  /// How many frames were chosen.
  var chosenFrames: Int { sequence.count }

  /// The next frame, with the stills that it stands for; nil after the last one.
  ///
  /// - Parameter showSame: whether two neighbours have the same picture; asked only where stills are merged.
  mutating func next(
    showSame: (SequenceFrame, SequenceFrame) throws(GIFEditError) -> Bool
  ) throws(GIFEditError) -> PlannedFrame? {
    var (item, last): (SequenceFrame, SequenceFrame)
    if let rest = self.rest.take() {
      (item, last) = (rest, rest)
    } else {
      guard place < sequence.count else { return nil }
      (item, last) = (sequence[place], sequence[place])
      place += 1
      while mergesStills, place < sequence.count, try showSame(last, sequence[place]) {
        item.centiseconds = FrameSequence.sum(item.centiseconds, sequence[place].centiseconds)
        last = sequence[place]
        place += 1
      }
      item.centiseconds = delays.delay(of: item, isLast: place == sequence.count)
    }
    let part = DelayRule.part(of: item.centiseconds)
    if part < item.centiseconds {
      var rest = last
      rest.centiseconds = item.centiseconds - part
      self.rest = rest
    }
    item.centiseconds = part
    return PlannedFrame(
      item: item, last: last, next: rest ?? (place < sequence.count ? sequence[place] : nil))
  }

  /// What the canvas shows after a frame that is surely copied as it is, so that the next one surely is, too;
  /// nil where pixels decide.
  func stateAfterCopying(_ frame: PlannedFrame) -> OutputState? {
    let (image, index) = (frame.item.image, frame.item.frame)
    guard rule.copies(image: image, frame: index, on: state) else { return nil }
    let info = rule.images[image].frames[index]
    let after = state(after: frame, disposal: info.disposal, rect: info.rect)
    if let next = frame.next, !rule.copies(image: next.image, frame: next.frame, on: after) { return nil }
    return after
  }

  /// What the canvas shows after a frame and a disposal, as far as that is known without pixels.
  ///
  /// - Parameter rect: the rectangle that the disposal clears.
  func state(after frame: PlannedFrame, disposal: Disposal, rect: PixelRect) -> OutputState {
    let (item, last) = (frame.item, frame.last)
    let after = rule.state(
      afterImage: item.image, frame: item.frame, disposal: disposal, rect: rect, from: state)
    guard (last.image, last.frame) != (item.image, item.frame), case .before = after else { return after }
    // What was before the frame is there again, however many stills it stands for.
    if disposal == .previous { return after == state ? after : .other }
    // Stills that were merged: their pictures are the same, and so is the canvas if each of them stays.
    guard last.image == item.image, last.frame >= item.frame,
      rule.images[item.image].frames[item.frame...last.frame].allSatisfy({ $0.disposal == .keep })
    else { return .other }
    return .before(image: last.image, frame: last.frame + 1)
  }

  /// Notes that a frame was written, and what the canvas shows then.
  mutating func conclude(_ frame: PlannedFrame, _ state: OutputState) {
    written.append(frame.item)
    self.state = state
  }
}
