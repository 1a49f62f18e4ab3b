public import GIFDecoding
public import GIFFlashes
public import GIFLoading
public import GIFTimeline

/// An event of a player.
public enum PlayerEvent: Sendable {
  /// Another frame is visible.
  case frameChange(FrameChange)
  /// A loop is over.
  case loopCompleted(LoopCompletion)
  /// All plays are over; once, after the last frame's own delay.
  case finished(GIFPlayer.ID)
  /// The player does something else than before.
  case stateChanged(PlaybackState)
  /// Playback has begun to wait, or goes on.
  case buffering(BufferingChange)
  /// There is a verdict on the GIF's flashes, or playback follows another one: see ``FlashPolicy``.
  case flashes(FlashState)
  /// The player's load has come further, or has ended; see
  /// ``GIFPlayer/init(loading:loader:options:clock:pool:)-(String,_,_,_,_)``.
  case loading(LoadingPhase)
  /// No frame can be made; the last event but the change of state.
  case failed(GIFError)
}

/// How far the load of a player's image has come.
public enum LoadingPhase: Sendable {
  /// The image arrives; nil before its first bytes.
  case loading(LoadingState?)
  /// The whole image is there.
  case complete
  /// The load has failed or was cancelled. The frames that came before are the error's
  /// ``GIFLoadingError/partialImage``, and play on as a whole animation; without any the player fails, too.
  case failed(GIFLoadingError)
}

/// The end of a loop, reported after the last frame's own delay.
///
/// After a gap in which several loops ended each of them is reported, but at most the last 64, so that a fast
/// animation floods no listener. ``count`` is right in any case.
public struct LoopCompletion: Sendable, Hashable {
  /// The player that completed it.
  public let target: GIFPlayer.ID
  /// Loops completed since the start.
  public let count: Int
  /// Loops left; nil for an animation without end.
  public let remaining: Int?

  /// Makes a completion, for tests of what handles it.
  package init(target: GIFPlayer.ID, count: Int, remaining: Int? = nil) {
    self.target = target
    self.count = count
    self.remaining = remaining
  }
}

/// The begin or the end of a wait while playing.
public struct BufferingChange: Sendable, Hashable {
  /// Why playback waits; nil if it goes on.
  public let reason: BufferingReason?
  /// How many frames the animation has, as far as is known.
  public let frameCount: Int
  /// Whether those are all.
  public let isComplete: Bool

  /// Makes a change, for tests of what handles it.
  package init(reason: BufferingReason?, frameCount: Int, isComplete: Bool) {
    self.reason = reason
    self.frameCount = frameCount
    self.isComplete = isComplete
  }
}
