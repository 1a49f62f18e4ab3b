public import GIFDecoding
public import GIFTimeline

/// A visible change of a player's frame: reported once for each, in order, and never for a frame that was due
/// but missing.
public struct FrameChange: Sendable {
  /// The player that changed.
  public let target: GIFPlayer.ID
  /// The frame now shown, from 0.
  public var currentFrameIndex: Int { frame.index }
  /// How many frames the animation has, as far as is known.
  public let frameCount: Int
  /// Whether those are all: false while the image loads.
  public let isComplete: Bool
  /// The number of the loop, from 0: as many were completed before.
  public let loop: Int
  /// When it was due on the clock.
  public let scheduledAt: PlaybackInstant
  /// When it was shown.
  public let shownAt: PlaybackInstant
  /// When it was due in media time: the sum of the delays since the start of the first loop. The time in the
  /// loop is the player's ``GIFPlayer/positionInLoop``.
  public let mediaTime: Duration
  /// How much later than due it was shown; zero for frames that start something.
  public var lateness: Duration { shownAt - scheduledAt }
  /// How many frames between the last one shown and this one were skipped.
  public let skippedFrames: Int
  /// Why it changed.
  public let cause: ChangeCause
  /// Where the frame may differ from the one shown before.
  public let changedRect: PixelRect
  /// The frame with its pixels.
  public let frame: Frame

  /// Makes a change, for tests of what handles it.
  package init(
    target: GIFPlayer.ID, frame: Frame, changedRect: PixelRect, frameCount: Int, isComplete: Bool = true,
    loop: Int = 0, cause: ChangeCause = .play, mediaTime: Duration = .zero, scheduledAt: PlaybackInstant,
    shownAt: PlaybackInstant, skippedFrames: Int = 0
  ) {
    self.target = target
    self.frame = frame
    self.changedRect = changedRect
    self.frameCount = frameCount
    self.isComplete = isComplete
    self.loop = loop
    self.cause = cause
    self.mediaTime = mediaTime
    self.scheduledAt = scheduledAt
    self.shownAt = shownAt
    self.skippedFrames = skippedFrames
  }
}
