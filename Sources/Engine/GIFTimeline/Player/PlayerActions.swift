package import GIFDecoding

extension PlayerCore {
  /// What the caller does after a look.
  package struct Actions: Sendable {
    /// The instant of the look.
    package let now: PlaybackInstant
    /// Events to report, in order.
    package var events: [Event] = []
    /// When to look again; nil for not before a command or an arrival.
    package var wakeAt: PlaybackInstant?
    /// Where to move the cache's playhead; nil to leave it.
    package var playhead: Playhead?
    /// The number of that request: it grows, and threads may carry requests out in another order.
    package var request = 0
    /// Frames that were due since the last look, for the load shedder.
    package var load = LoadShedder.Sample()
    /// Whether to notify the group: nothing but its start keeps the player from playing, or it has failed.
    package var isReadyForGroup = false

    init(at now: PlaybackInstant) { self.now = now }
  }

  /// What is reported to listeners, with frames by number.
  package enum Event: Sendable, Equatable {
    case shown(PlaybackMachine.Shown, AnimationLength)
    /// A loop is over: how many in all, and how many are left (nil: without end).
    case loopCompleted(count: Int, remaining: Int?)
    case finished
    case stateChanged(PlaybackState)
    /// Playback has begun to wait or, with nil, goes on.
    case buffering(BufferingReason?, AnimationLength)
    case failed(GIFError)
  }

  /// How many frames are known, and whether those are all.
  package struct AnimationLength: Sendable, Hashable {
    package var frameCount: Int
    package var isComplete: Bool
  }
}
