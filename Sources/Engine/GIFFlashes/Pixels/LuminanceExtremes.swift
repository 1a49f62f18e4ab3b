/// The peaks and valleys of a sample's luminance, as they come.
///
/// A change counts when the luminance is a tenth of white's away from the last peak or valley, at whatever
/// speed, and the darker of both states is below 0.8.
struct LuminanceExtremes: Sendable, Equatable {
  /// The luminances between which nothing happens. Going up, `upper` is the peak so far; going down, `lower`
  /// is the valley so far; before the first change both are the extremes so far.
  ///
  /// Luminances are even. The lowest bit of `lower` is set while going up, that of `upper` while going down.
  private var (lower, upper): (Int32, Int32)

  init(_ luminance: Int32) { (lower, upper) = (luminance, luminance) }

  /// Takes the next luminance.
  ///
  /// Without a branch: what a sample does next cannot be foreseen.
  ///
  /// - Returns: whether the sample became lighter, or darker, in a way that counts.
  @inline(__always)
  mutating func take(_ luminance: Int32) -> (rising: Bool, falling: Bool) {
    let (isUp, isDown) = (lower & 1 == 1, upper & 1 == 1)
    let (valley, peak) = (lower & ~1, upper & ~1)
    let (isAbove, isBelow) = (luminance > peak, luminance < valley)
    let distance = isAbove ? luminance &- valley : peak &- luminance
    // Otherwise an extreme before the first change.
    let isLeg = isUp != isDown || distance >= ColorMeasures.change
    let (rises, falls) = (isAbove && isLeg, isBelow && isLeg)
    let isDark = luminance < ColorMeasures.dark
    let wasDark = valley < ColorMeasures.dark
    lower = isBelow ? luminance : rises ? luminance &- ColorMeasures.change &+ 2 : valley
    upper = isAbove ? luminance : falls ? luminance &+ ColorMeasures.change &- 2 : peak
    lower |= rises || (isUp && !falls) ? 1 : 0
    upper |= falls || (isDown && !rises) ? 1 : 0
    // Going down, what was too light so far may become dark enough.
    return (rises && !isUp && wasDark, falls && isDark && !(isDown && wasDark))
  }
}
