internal import CGallop
internal import EngineSupport
internal import Gallop

/// A player's event, with the numbers that C reads.
struct EventRecord: Sendable {
  var kind: Int
  var cause: Int32 = 0
  var player: GIFPlayer.ID
  var frameIndex = 0
  var frameCount = 0
  var isComplete = false
  var state: Int32 = 0
  var loop = 0
  var loopsLeft = -1
  var scheduled: Int64 = 0
  var shown: Int64 = 0
  var media: Int64 = 0
  var skipped = 0
  var changed = PixelRect.empty
  var buffering: Int32 = 0
  var error = Status.ok
  /// Frame changes dropped before this event.
  var dropped: Int64 = 0
  /// The pixels of a frame change, as long as they are kept.
  var frame: Frame?

  var isFrameChange: Bool { kind == GALLOP_EVENT_FRAME }

  /// The bit of the kind in a set of kinds.
  var bit: UInt32 { 1 << UInt32(kind) }

  /// The record of an event; nil for one that the library has no kind for: its players load nothing
  /// themselves.
  init?(_ event: PlayerEvent, of player: GIFPlayer.ID) {
    self.player = player
    switch event {
    case .frameChange(let change):
      kind = GALLOP_EVENT_FRAME
      take(change)
    case .loopCompleted(let completion):
      kind = GALLOP_EVENT_LOOP
      loop = completion.count
      loopsLeft = completion.remaining ?? -1
    case .finished: kind = GALLOP_EVENT_FINISHED
    case .stateChanged(let new):
      kind = GALLOP_EVENT_STATE
      state = new.number
    case .buffering(let change):
      kind = GALLOP_EVENT_BUFFERING
      buffering = BufferingReason.number(change.reason)
      frameCount = change.frameCount
      isComplete = change.isComplete
    case .flashes(let new):
      kind = GALLOP_EVENT_FLASHES
      state = new.number
    case .loading: return nil
    case .failed(let failure):
      kind = GALLOP_EVENT_FAILED
      error = Status(failure.code)
    }
  }

  private mutating func take(_ change: FrameChange) {
    cause = change.cause.number
    frameIndex = change.currentFrameIndex
    frameCount = change.frameCount
    isComplete = change.isComplete
    loop = change.loop
    scheduled = change.scheduledAt.nanoseconds
    shown = change.shownAt.nanoseconds
    media = change.mediaTime.wholeNanoseconds
    skipped = change.skippedFrames
    changed = change.changedRect
    frame = change.frame
  }

  /// The struct, with a handle of the frame or none.
  func structure(frame handle: OpaquePointer?) -> gallop_event {
    unsafe gallop_event(
      struct_size: MemoryLayout<gallop_event>.size, kind: Int32(kind), cause: cause,
      player: UInt64(player.rawValue), frame_index: Int64(frameIndex), frame_count: Int64(frameCount),
      is_complete: isComplete ? 1 : 0, state: state, loop: Int64(loop), loops_left: Int64(loopsLeft),
      scheduled_ns: scheduled, shown_ns: shown, media_ns: media, lateness_ns: shown - scheduled,
      skipped_frames: Int64(skipped), changed: gallop_rect(changed), buffering: buffering,
      error: error.rawValue, dropped: dropped, frame: handle)
  }
}
