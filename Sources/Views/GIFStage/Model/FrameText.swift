package import GIFLoading

/// Frames in texts for people. A frame's number counts from 0, as in options, events and file names, and `#`
/// marks it.
package enum FrameText {
  /// The number of a frame: `#3`.
  package static func number(_ index: Int) -> String { "#\(index)" }

  /// A frame among all: `#3 of 15`. More frames may follow those of an image that loads: `#3 of 4+`.
  ///
  /// - Parameter index: the frame shown; nil before the first one.
  package static func place(_ index: Int?, of count: Int, isComplete: Bool = true) -> String {
    "\(index.map(number) ?? "-") of \(max(0, count))\(isComplete ? "" : "+")"
  }

  /// The first and the last of some frames: `#3 - #9`; a single one: `#3`.
  package static func range(_ frames: Range<Int>) -> String {
    guard let last = frames.last, last > frames.lowerBound else { return number(frames.lowerBound) }
    return "\(number(frames.lowerBound)) - \(number(last))"
  }
}

/// The progress of a load in words.
package enum LoadingText {
  /// `loading` or `stalled`, with the part or the bytes that have arrived: `loading, 45 %`.
  ///
  /// - Parameters:
  ///   - state: what has arrived; nil before the first bytes.
  ///   - isStalled: whether playback waits for more.
  package static func progress(_ state: LoadingState?, isStalled: Bool = false) -> String {
    let word = isStalled ? "stalled" : "loading"
    guard let state, state.byteCount > 0 else { return word }
    return "\(word), \(amount(state))"
  }

  /// The part that has arrived in percent; in bytes where the size is unknown.
  package static func amount(_ state: LoadingState) -> String {
    state.fractionCompleted.map { "\(Int($0 * 100)) %" } ?? NumberFormat.bytes(state.byteCount)
  }
}
