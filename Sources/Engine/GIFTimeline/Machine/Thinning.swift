/// What a machine knows of the frames that it leaves out because decoding cannot keep up.
struct Thinning: Sendable {
  /// The wish of the load shedder: one frame in this many is shown.
  fileprivate var wanted = 1
  /// The stride that still holds, and the places in the schedule up to the frame that is due next by it; nil
  /// for none.
  fileprivate var former: (stride: Int, places: Range<Int64>)?
  /// Nanoseconds for which a frame may stand, on average, because those after it are left out.
  fileprivate static let longestStand = 1e9
}

extension PlaybackMachine {
  /// One frame in this many is shown: as wanted, but a GIF with slow frames has little to give and would seem
  /// to have stopped. None is left out if the late policy owes every frame.
  package var stride: Int {
    guard latePolicy == .skip else { return 1 }
    let wanted = thinning.former?.stride ?? thinning.wanted
    guard wanted > 1, timeline.loopNanoseconds > 0 else { return wanted }
    let step = Double(timeline.loopNanoseconds) / Double(timeline.stepCount) / speed
    return min(wanted, max(1, Int(min(Thinning.longestStand / step, Double(wanted)))))
  }

  /// Asks for one frame in this many.
  ///
  /// A smaller number holds from the frame on that is due next: that one may be decoded already, and the way
  /// to one before it would begin again at a key frame.
  package mutating func setStride(_ stride: Int, at now: PlaybackInstant) {
    let (former, position) = (self.stride, position(at: now))
    let steps = position.map { nextDue(after: $0).step - $0.step }
    thinning = Thinning(wanted: stride)
    guard self.stride < former, shown != nil, let position, let steps else { return }
    let place = absoluteStep(position)
    thinning.former = (former, place..<place + Int64(max(1, steps)))
  }

  /// Ends the former stride where the frame that was due next by it has come, or after a jump.
  mutating func endFormerStride(at position: Timeline.Position) {
    guard let former = thinning.former, !former.places.contains(absoluteStep(position)) else { return }
    thinning.former = nil
  }
}
