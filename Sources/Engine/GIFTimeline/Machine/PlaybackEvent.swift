package import GIFDecoding

/// What is reported of playback, with frames by number. A machine reports frames, loops and the end; its
/// player adds the rest.
package enum PlaybackEvent: Sendable, Equatable {
  /// Another frame is to be made visible.
  case shown(ShownFrame)
  /// A loop is over: how many in all, and how many are left (nil: without end).
  case loopCompleted(count: Int, remaining: Int?)
  /// All plays are over.
  case finished
  case stateChanged(PlaybackState)
  /// Playback has begun to wait or, with nil, goes on.
  case buffering(BufferingReason?)
  case failed(GIFError)
}

/// A frame made visible.
package struct ShownFrame: Sendable, Equatable {
  package var frame: Int
  package var loop: Int
  package var cause: ChangeCause
  /// When it was due, in media nanoseconds since the start of the first loop.
  package var mediaTime: Int64
  /// How much later it came, in nanoseconds of real time.
  package var lateness: Int64
  /// Frames between the last one and this one that were never shown.
  package var skipped: Int
}
