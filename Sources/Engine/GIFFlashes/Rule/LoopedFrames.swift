internal import GIFDecoding

/// The frames of an animation that plays in a loop, with the times at which they appear.
///
/// A frame without a time of its own is not seen, as in a player. The first frame and the last one are: a
/// player may stand there.
struct LoopedFrames: Sequence, IteratorProtocol {
  struct Appearance: Equatable {
    let frame: Int
    /// Counts from 0 in each play.
    let step: Int
    /// Counts from 0.
    let play: Int
    /// Milliseconds since the first play began.
    let time: Int64
    /// The frame that was seen before; nil at the very first.
    let former: Int?
  }

  /// Twelve days: a sum of any number of frames does not overflow.
  private static let longestDelay: Int64 = 1 << 30

  private let order: [Int]
  private let delays: [Int64]
  /// The time of one play in milliseconds.
  let duration: Int64
  /// No frame appears from here on.
  private let end: Double
  private var (step, play) = (0, 0)
  private var time: Int64 = 0
  private var former: Int?

  /// The first play, then others until `plays` are over and a period after that.
  ///
  /// Changes within one period of time are then seen in all ways in which they follow one another.
  ///
  /// - Parameter period: the period in milliseconds of the file's time.
  init(_ animation: Animation, _ options: FlashOptions, plays: Int, period: Double) {
    let frames = options.frames ?? Array(animation.frames.indices)
    var (order, delays): ([Int], [Int64]) = ([], [])
    for (place, frame) in frames.enumerated() {
      let delay = Int64(animation.frames[frame].delayMilliseconds(options.delays))
      guard delay > 0 || place == 0 || place == frames.count - 1 else { continue }
      order.append(frame)
      delays.append(Swift.min(Self.longestDelay, delay))
    }
    (self.order, self.delays) = (order, delays)
    duration = delays.reduce(0, +)
    end = Double(duration) * Double(plays) + period
  }

  /// The number of appearances in a play.
  var stepCount: Int { order.count }

  mutating func next() -> Appearance? {
    // A file whose frames take no time has no loop.
    guard !order.isEmpty, Double(time) < end, play == 0 || duration > 0 else { return nil }
    let current = Appearance(
      frame: order[step], step: step, play: play, time: time, former: former)
    former = order[step]
    time += delays[step]
    step += 1
    if step == order.count { (step, play) = (0, play + 1) }
    return current
  }
}

extension Animation {
  /// The part of the canvas in which one frame may differ from another one, both undamaged.
  func changedRect(from former: Int?, to frame: Int) -> PixelRect {
    guard let former else { return canvas }
    if former == frame { return .empty }
    return abs(former - frame) == 1 ? changedRect(of: max(former, frame)) : canvas
  }
}
