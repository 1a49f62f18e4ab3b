public import GIFDecoding

/// Whether a GIF, played in a loop, flashes more than WCAG 2.2 allows (success criterion 2.3.1).
///
/// It informs, and certifies nothing.
public struct FlashReport: Sendable, Hashable {
  /// The outcome.
  public enum Result: String, Sendable, Hashable {
    /// At most three flashes in any second, or too small an area.
    case passes
    /// More than three flashes in a second, in more than a quarter of a field of 10 degrees, or more than its
    /// part of that.
    case fails
    /// What was read passes; the rest is not there yet, or a limit leaves it out.
    case unknown
  }

  /// The second with the most flashes that a large enough area has.
  public struct Peak: Sendable, Hashable {
    /// The flashes in it; a flash is two opposing changes, so there may be a half.
    public let flashesPerSecond: Double
    /// When it begins, in a play.
    public let start: Duration
    /// The frame with its first change.
    public let firstFrame: Int
    /// The frame whose change makes them so many; it may lie in a later play.
    public let lastFrame: Int
    /// The greatest part of a field of 10 degrees that has flashed so often with that frame, 0.25 to 1; less
    /// where GIFs that play beside it count, too.
    public let fieldShare: Double

    package init(
      flashesPerSecond: Double, start: Duration, firstFrame: Int, lastFrame: Int, fieldShare: Double
    ) {
      self.flashesPerSecond = flashesPerSecond
      self.start = start
      self.firstFrame = firstFrame
      self.lastFrame = lastFrame
      self.fieldShare = fieldShare
    }
  }

  /// The outcome.
  public internal(set) var result: Result
  /// The worst second of general flashes; nil where they pass, or the verdict was all that was asked for.
  public internal(set) var general: Peak?
  /// The worst second of flashes to or from a saturated red; nil as the general one is.
  public internal(set) var red: Peak?
  /// The greatest rate at which the same size passes; nil where the asked one passes, none does, the image is
  /// not all there, or the verdict was all that was asked for.
  public internal(set) var safeRate: Double?
  /// The greatest size of the same shape up to which each passes at the same rate; nil as the rate is.
  public internal(set) var safeSize: PixelSize?
  /// Whether pictures were looked at: otherwise the number, the time and the area of the changes prove it,
  /// and at most the frames were decoded to see that none is damaged.
  public internal(set) var isDecoded: Bool
  /// Whether it fails only with GIFs of its size beside it: ``FlashOptions/sharesField``.
  package internal(set) var failsOnlyBesideOthers: Bool

  package init(
    result: Result, general: Peak? = nil, red: Peak? = nil, safeRate: Double? = nil,
    safeSize: PixelSize? = nil, isDecoded: Bool, failsOnlyBesideOthers: Bool = false
  ) {
    self.result = result
    self.general = general
    self.red = red
    self.safeRate = safeRate
    self.safeSize = safeSize
    self.isDecoded = isDecoded
    self.failsOnlyBesideOthers = failsOnlyBesideOthers
  }

  static func passing(isDecoded: Bool) -> FlashReport { FlashReport(result: .passes, isDecoded: isDecoded) }

  /// A failure that is not measured.
  static let failing = FlashReport(result: .fails, isDecoded: true)
}
