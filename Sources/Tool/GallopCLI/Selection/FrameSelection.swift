/// Frames chosen on the command line: ranges joined by commas, in the order in which they are named.
///
/// See ``FrameSelectionParser`` for the grammar. Frames may come in any order, and more than once.
struct FrameSelection: Equatable {
  var ranges: [FrameRange]

  static let forms =
    "counted from 0: 7, 3-9 or 3...9 (with 9), 3..<9, 3.., -1 (the last), 0-:10 (every tenth), 1.5s-3s "
    + "(those shown from 1.5 s until 3 s), or a list of these, such as 0,10,20"

  /// - Throws: ``FrameSelectionError`` with the reason.
  init(parsing text: String) throws {
    ranges = try FrameSelectionParser.ranges(of: text)
  }

  /// A list whose ranges may name their later end first, and then run from there.
  init(parsingAnyDirection text: String) throws {
    ranges = try FrameSelectionParser.ranges(of: text, runsBackwards: true)
  }

  /// How many frames of a file have to be read; nil for all.
  var readCount: Int? {
    var count = 0
    for range in ranges {
      guard case .index(let first) = range.first else { return nil }
      switch range.end {
      case .through(.index(let last)): count = max(count, first + 1, last + 1)
      case .before(.index(let last)): count = max(count, first + 1, last)
      default: return nil
      }
    }
    return count
  }

  /// The largest number of frames that a list may name: it may name each of an image's frames many times.
  private static let countLimit = 1 << 26

  /// The chosen frames of an image.
  ///
  /// - Parameter delays: of all frames, as they are played, in milliseconds.
  /// - Throws: ``FileFailure`` where a frame is not there.
  func frames(delays: [Int]) throws(FileFailure) -> [Int] {
    let places = AnimationPlaces(delays: delays, needsTimes: ranges.contains { $0.hasTime })
    var frames: [Int] = []
    for range in ranges {
      let chosen = try range.frames(in: places)
      guard frames.count + chosen.underestimatedCount <= Self.countLimit else {
        throw FileFailure(reason: "the list names more than \(Self.countLimit) frames")
      }
      frames += chosen
    }
    return frames
  }
}

/// A place in an animation.
enum FramePosition: Equatable {
  /// Counted from 0.
  case index(Int)
  /// Counted from the end: 1 is the last frame.
  case fromEnd(Int)
  /// The frame that is shown at an instant of played time, counted from the start.
  case time(Duration)
}

/// One range of a ``FrameSelection``.
struct FrameRange: Equatable {
  enum End: Equatable {
    case through(FramePosition)
    case before(FramePosition)
    /// The last frame.
    case none
  }

  /// What the user wrote, for messages.
  var text: String
  var first: FramePosition
  var end: End
  /// Every `step`-th frame, beginning with the first.
  var step = 1
  /// Whether the end may be before the start.
  var runsBackwards = false

  fileprivate var hasTime: Bool {
    if case .time = first { return true }
    switch end {
    case .through(.time), .before(.time): return true
    default: return false
    }
  }

  fileprivate func frames(in places: AnimationPlaces) throws(FileFailure) -> StrideThrough<Int> {
    if runsBackwards, let backwards = try framesBackwards(in: places) { return backwards }
    let first = try existing(places.frame(at: first), in: places)
    let last =
      switch end {
      case .none: places.count - 1
      case .through(let position): try existing(places.lastFrame(through: position), in: places)
      case .before(let position): try existing(places.lastFrame(before: position), in: places)
      }
    guard first <= last else {
      throw FileFailure(
        reason: "has \(places.countText); of '\(text)' the start is frame \(first) and the end frame \(last)")
    }
    return stride(from: first, through: last, by: step)
  }

  /// The frames of a range that names its later end first; nil for other ranges. Times then stand for the
  /// frames that are shown between them.
  private func framesBackwards(in places: AnimationPlaces) throws(FileFailure) -> StrideThrough<Int>? {
    let (start, last): (Int?, Int?)
    switch (first, end) {
    case (.time(let from), .before(.time(let to))) where from > to:
      (start, last) = (places.lastFrame(before: first), places.frame(at: .time(to)))
    case (_, .through(let position)):
      (start, last) = (places.frame(at: first), places.frame(at: position))
    default: return nil
    }
    guard let start, let last, start > last else { return nil }
    return stride(from: try existing(start, in: places), through: try existing(last, in: places), by: -step)
  }

  /// A frame of the animation; the failure names what the user wrote.
  private func existing(_ frame: Int?, in places: AnimationPlaces) throws(FileFailure) -> Int {
    if let frame, (0..<places.count).contains(frame) { return frame }
    let isSingle = end == .through(first)
    let length = hasTime ? " and lasts \(seconds(places.duration))" : ""
    throw FileFailure(
      reason: "has \(places.countText)\(length); "
        + (isSingle ? "frame \(text) is not there" : "frames \(text) are not all there"))
  }
}

/// The frames of an animation and when each is shown.
private struct AnimationPlaces {
  let count: Int
  /// The end of each frame in milliseconds; empty where no time is asked for.
  private let ends: [Int]

  init(delays: [Int], needsTimes: Bool) {
    count = delays.count
    var end = 0
    ends =
      needsTimes
      ? delays.map { delay in
        end += delay
        return end
      } : []
  }

  var countText: String { "\(count) frame\(count == 1 ? "" : "s")" }

  /// In milliseconds, where times are asked for.
  var duration: Int { ends.last ?? 0 }

  /// The frame at a position; nil behind the end, and a number that no frame has before the start.
  func frame(at position: FramePosition) -> Int? {
    switch position {
    case .index(let index): index
    case .fromEnd(let number): count - number
    case .time(let time): firstFrame { .milliseconds($0) > time }
    }
  }

  /// The last frame of a range that includes a position. A time behind the end stands for the end.
  func lastFrame(through position: FramePosition) -> Int? {
    guard case .time = position else { return frame(at: position) }
    return frame(at: position) ?? count - 1
  }

  /// The last frame of a range that ends before a position: the one shown just before a time.
  func lastFrame(before position: FramePosition) -> Int? {
    guard case .time(let time) = position else { return frame(at: position).map { $0 - 1 } }
    return time > .zero ? firstFrame { .milliseconds($0) >= time } ?? count - 1 : nil
  }

  /// The first frame whose end is late enough.
  private func firstFrame(endingBy isLateEnough: (Int) -> Bool) -> Int? {
    var range = ends.startIndex..<ends.endIndex
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = isLateEnough(ends[middle]) ? range.lowerBound..<middle : middle + 1..<range.upperBound
    }
    return range.lowerBound < ends.endIndex ? range.lowerBound : nil
  }
}
