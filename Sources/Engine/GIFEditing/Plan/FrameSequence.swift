internal import GIFDecoding

/// One frame of the output: where its picture comes from, and how long it shows.
struct SequenceFrame: Equatable {
  /// The image, counted from 0.
  var image: Int
  /// The frame of that image.
  var frame: Int
  /// The delay as it is stored, or what was made of it.
  var centiseconds: Int
}

/// The frames of the output in their order, decided without pixels.
struct FrameSequence: Equatable {
  /// A delay may be longer than a GIF can store.
  private(set) var frames: [SequenceFrame]
  /// Where the frames stand among the chosen ones; nil where all of these are there, in their order.
  private(set) var places: [Int]?
  /// How many of the chosen frames are left out as damaged.
  private(set) var skippedFrames = 0

  /// - Parameters:
  ///   - images: the frames of each image.
  ///   - isUsable: whether a frame shows its picture; asked only where damaged frames are left out.
  init(
    _ images: [[FrameInfo]], edit: GIFEdit, isUsable: (_ image: Int, _ frame: Int) -> Bool = { _, _ in true }
  ) throws(GIFEditError) {
    var all: [SequenceFrame] = []
    for (image, frames) in images.enumerated() {
      for frame in frames {
        all.append(SequenceFrame(image: image, frame: frame.index, centiseconds: frame.delayCentiseconds))
      }
    }
    frames = try Self.chosen(edit.frames, of: all)
    if edit.skipsFailedFrames {
      let usable = frames.indices.filter { isUsable(frames[$0].image, frames[$0].frame) }
      skippedFrames = frames.count - usable.count
      (places, frames) = (usable, usable.map { frames[$0] })
    }
    try thinOut(edit.step)
    guard !frames.isEmpty else { throw GIFEditError(.noFrames) }
    switch edit.order {
    case .forward: break
    case .reversed: frames.reverse()
    case .bounced: frames += frames.dropFirst().dropLast().reversed()
    }
  }

  private static func chosen(
    _ numbers: [Int]?, of all: [SequenceFrame]
  ) throws(GIFEditError) -> [SequenceFrame] {
    guard let numbers else { return all }
    var chosen: [SequenceFrame] = []
    chosen.reserveCapacity(numbers.count)
    for number in numbers {
      guard all.indices.contains(number) else {
        throw GIFEditError(.noSuchFrame, frame: number, value: Int64(number), limit: Int64(all.count))
      }
      chosen.append(all[number])
    }
    return chosen
  }

  /// Keeps every `step`-th frame for as long as it and those left out show.
  private mutating func thinOut(_ step: Int) throws(GIFEditError) {
    guard step > 0 else { throw GIFEditError(.ruleOutOfRange, value: Int64(step), limit: 1) }
    guard step > 1 else { return }
    var kept: [SequenceFrame] = []
    for start in stride(from: 0, to: frames.count, by: step) {
      var frame = frames[start]
      for left in frames[start..<min(start + step, frames.count)].dropFirst() {
        frame.centiseconds = Self.sum(frame.centiseconds, left.centiseconds)
      }
      kept.append(frame)
    }
    frames = kept
  }

  /// The delay of a frame that stands for two.
  static func sum(_ first: Int, _ second: Int) -> Int { shownCentiseconds(first) + shownCentiseconds(second) }

  /// The time for which browsers show a stored delay.
  static func shownCentiseconds(_ stored: Int) -> Int {
    DelayPolicy.browser.milliseconds(centiseconds: stored) / 10
  }
}
