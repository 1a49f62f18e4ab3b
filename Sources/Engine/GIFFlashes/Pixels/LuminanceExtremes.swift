/// The peaks and valleys of a sample's luminance, as they come.
///
/// A change counts when the luminance is a tenth of white's away from the last peak or valley, at whatever
/// speed, and the darker of both states is below 0.8.
struct LuminanceExtremes: Sendable {
  private enum Direction: Int32 { case unknown, up, down }

  /// The luminances between which nothing happens. Going up, `upper` is the peak so far; going down, `lower`
  /// is the valley so far; before the first change both are the extremes so far.
  private var (lower, upper): (Int32, Int32)
  private var direction = Direction.unknown

  init(_ luminance: Int32) { (lower, upper) = (luminance, luminance) }

  /// Takes the next luminance.
  ///
  /// Without a branch: what a sample does next cannot be foreseen.
  ///
  /// - Returns: whether the sample became lighter, or darker, in a way that counts.
  @inline(__always)
  mutating func take(_ luminance: Int32) -> (rising: Bool, falling: Bool) {
    let (isAbove, isBelow) = (luminance > upper, luminance < lower)
    let (isUp, isDown) = (direction == .up, direction == .down)
    let distance = isAbove ? luminance &- lower : upper &- luminance
    // Otherwise an extreme before the first change.
    let isLeg = isUp != isDown || distance >= ColorMeasures.change
    let (rises, falls) = (isAbove && isLeg, isBelow && isLeg)
    let isDark = luminance < ColorMeasures.dark
    let wasDark = lower < ColorMeasures.dark
    // Going down, what was too light so far may become dark enough.
    let result = (rises && !isUp && wasDark, falls && isDark && !(isDown && wasDark))
    let (former, latter) = (lower, upper)
    lower = isBelow ? luminance : rises ? luminance &- ColorMeasures.change &+ 1 : former
    upper = isAbove ? luminance : falls ? luminance &+ ColorMeasures.change &- 1 : latter
    direction = rises ? .up : falls ? .down : direction
    return result
  }
}
