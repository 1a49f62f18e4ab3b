public import GIFDecoding
public import GIFTimeline

/// One visible change of a player's picture: told exactly once for each, in order, never for a picture that was
/// due and could not be shown.
public struct FrameChange: Sendable {
  public typealias Cause = ChangeCause

  /// Who changed.
  public let target: GIFPlayer.ID
  /// The frame now shown, from 0.
  public let currentFrameIndex: Int
  /// How many frames the animation has, as far as is known now.
  public let frameCount: Int
  /// Whether those are all: false while the image loads.
  public let isComplete: Bool
  /// Loops completed before.
  public let loop: Int
  /// When it was due on the clock.
  public let scheduledAt: PlaybackInstant
  /// When it was shown.
  public let shownAt: PlaybackInstant
  /// When it was due in media time: the summed delays since the start of the first loop.
  public let mediaTime: Duration
  /// How much later than due it was shown; zero for pictures that start something.
  public let lateness: Duration
  /// How many pictures between the last one shown and this one were passed over.
  public let skippedFrames: Int
  public let cause: Cause
  /// Where the picture may differ from the one shown before.
  public let changedRect: PixelRect
  /// The picture.
  public let frame: Frame
}
