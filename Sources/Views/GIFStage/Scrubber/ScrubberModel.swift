/// The values of a slider with a playhead and a range. Every change keeps
/// `minimum <= start <= value <= end <= maximum`.
public struct ScrubberModel: Sendable, Hashable {
  /// The knobs: the playhead, and the two ends of the range.
  public enum Knob: String, Sendable, Hashable, CaseIterable {
    /// The playhead.
    case playhead
    /// The start of the range.
    case start
    /// The end of the range.
    case end
  }

  /// The smallest value.
  public private(set) var minimum: Int
  /// The largest value.
  public private(set) var maximum: Int
  /// The distance between values from the minimum on; the maximum is always allowed.
  public private(set) var step: Int
  /// The value of the playhead.
  public private(set) var value: Int
  /// The first value of the range.
  public private(set) var start: Int
  /// The last value of the range.
  public private(set) var end: Int

  /// Makes a model whose range is everything and whose playhead stands at the minimum.
  ///
  /// - Parameters:
  ///   - minimum: the first value.
  ///   - maximum: less than `minimum` counts as `minimum`.
  ///   - step: less than 1 counts as 1.
  public init(minimum: Int = 0, maximum: Int, step: Int = 1) {
    // Bounded, so that no difference overflows.
    let limit = Int.max / 4
    self.minimum = min(limit, max(-limit, minimum))
    self.maximum = min(limit, max(self.minimum, maximum))
    self.step = min(limit, max(1, step))
    value = self.minimum
    start = self.minimum
    end = self.maximum
  }

  /// The value of a knob.
  public subscript(knob: Knob) -> Int {
    switch knob {
    case .playhead: value
    case .start: start
    case .end: end
    }
  }

  /// Moves a knob to the nearest allowed value; a knob of the range pushes the playhead.
  ///
  /// - Returns: whether anything changed.
  @discardableResult
  public mutating func set(_ knob: Knob, to target: Int) -> Bool {
    let former = self
    let target = snapped(target)
    switch knob {
    case .playhead: value = min(end, max(start, target))
    case .start:
      start = min(end, target)
      value = max(value, start)
    case .end:
      end = max(start, target)
      value = min(value, end)
    }
    return self != former
  }

  /// Sets both ends of the range at once, in either order.
  public mutating func setRange(_ first: Int, _ second: Int) {
    start = snapped(min(first, second))
    end = snapped(max(first, second))
    value = min(end, max(start, value))
  }

  /// The nearest value on a step, or the maximum if that is nearer.
  func snapped(_ target: Int) -> Int {
    let inside = min(maximum, max(minimum, target)) - minimum
    let below = inside / step * step
    let above = min(maximum - minimum, below + step)
    return minimum + (inside - below < above - inside || above == below ? below : above)
  }

  /// The position of a value along the slider, 0 - 1.
  func fraction(_ value: Int) -> Double {
    maximum == minimum ? 0 : Double(value - minimum) / Double(maximum - minimum)
  }

  func value(atFraction fraction: Double) -> Int {
    let part = min(1, max(0, fraction.isNaN ? 0 : fraction))
    return snapped(minimum + Int((Double(maximum - minimum) * part).rounded()))
  }
}

/// A step of a user's drag of a slider. Values set from code emit no event.
public struct ScrubEvent: Sendable, Hashable {
  /// The steps of a drag.
  public enum Phase: String, Sendable, Hashable {
    /// The knob is pressed.
    case began
    /// The knob has another value.
    case changed
    /// The knob is released.
    case ended
  }

  /// The step.
  public let phase: Phase
  /// The dragged knob.
  public let knob: ScrubberModel.Knob
  /// The knob's value.
  public let value: Int
}

/// The geometry of a slider.
struct ScrubberGeometry: Sendable, Hashable {
  /// The first column of a knob's centre.
  let left: Int
  let right: Int
  /// The distance from a knob's centre within which a press takes it.
  let reach: Int

  init(width: Int, margin: Int, reach: Int) {
    left = min(margin, max(0, width / 2))
    right = max(left, width - 1 - margin)
    self.reach = reach
  }

  func x(of value: Int, in model: ScrubberModel) -> Int {
    left + Int((Double(right - left) * model.fraction(value)).rounded())
  }

  func value(at x: Int, in model: ScrubberModel) -> Int {
    model.value(atFraction: right > left ? Double(x - left) / Double(right - left) : 0)
  }

  /// The nearer knob of the range, for a slider without a playhead; of two at one place the one that can
  /// move.
  func rangeKnob(atX x: Int, in model: ScrubberModel) -> ScrubberModel.Knob {
    let (first, last) = (self.x(of: model.start, in: model), self.x(of: model.end, in: model))
    if first == last, x == first { return model.start == model.minimum ? .end : .start }
    return abs(x - first) < abs(x - last) || x < first ? .start : .end
  }

  /// The knob of a press: a near knob of the range in the lower half, otherwise the playhead.
  func knob(atX x: Int, isLowerHalf: Bool, in model: ScrubberModel) -> ScrubberModel.Knob {
    guard isLowerHalf else { return .playhead }
    let (first, last) = (self.x(of: model.start, in: model), self.x(of: model.end, in: model))
    let isFirst = abs(x - first) < abs(x - last) || (abs(x - first) == abs(x - last) && x < first)
    let distance = isFirst ? abs(x - first) : abs(x - last)
    return distance <= reach ? (isFirst ? .start : .end) : .playhead
  }
}

extension ScrubberModel: CustomStringConvertible {
  public var description: String { "\(value) in \(start)...\(end) of \(minimum)...\(maximum)" }
}

extension ScrubEvent: CustomStringConvertible {
  public var description: String { "\(knob.rawValue) \(value), drag \(phase.rawValue)" }
}
