extension PlayerCore {
  /// What the caller does after a tick.
  package struct Actions: Sendable {
    /// The instant of the tick.
    package let now: PlaybackInstant
    /// Events to report, in order.
    package var events: [PlaybackEvent] = []
    /// When the next tick is due; nil for not before a command or an arrival.
    package var wakeAt: PlaybackInstant?
    /// Where to move the cache's playhead; nil to leave it.
    package var playhead: Playhead?
    /// The number of that request: it grows, and threads may carry requests out in another order.
    package var request = 0
    /// Frames that were due since the last tick, for the load shedder.
    package var load = LoadShedder.Sample()
    /// Whether to notify the group: nothing but its start keeps the player from playing, or it has failed.
    package var isReadyForGroup = false

    init(at now: PlaybackInstant) { self.now = now }
  }
}
