public import GIFDecoding

/// How a GIF is seen, as far as flashes depend on it.
public struct FlashOptions: Sendable, Hashable {
  /// The size at which it is shown, in CSS pixels; nil for that of its canvas.
  public var size: PixelSize?
  /// The playback rate, 0.05 to 20.
  public var rate = 1.0
  /// The rule for the frames' delays.
  public var delays = DelayPolicy.browser
  /// The frames of a play in their order; nil for all, forwards.
  public var frames: [Int]?
  /// Whether the verdict is all that is wanted. What fails is then not measured: mostly it costs a few
  /// decodings at most.
  public var isVerdictOnly = false
  /// Whether all frames of the image are known; otherwise what passes so far is
  /// ``FlashReport/Result/unknown``.
  public var isComplete = true
  /// Whether GIFs of its size play beside it, as in a grid: it then may use its own part of a field only.
  public var sharesField: Bool {
    get { sharing != .alone }
    set { sharing = newValue ? .full : .alone }
  }
  package var sharing = FieldSharing.alone
  /// Whether what the image's limits leave out is never shown, as by a player: the verdict is then known.
  package var isAsPlayed = false
  /// Decides, with the content, which pixels are looked at.
  package var secret = SampleSecret.ofProcess

  /// Makes options; by default full size, normal speed, and delays as in browsers.
  public init(
    size: PixelSize? = nil, rate: Double = 1, delays: DelayPolicy = .browser, frames: [Int]? = nil,
    isComplete: Bool = true, sharesField: Bool = false
  ) {
    self.size = size
    self.rate = rate
    self.delays = delays
    self.frames = frames
    self.isComplete = isComplete
    self.sharesField = sharesField
  }
}
