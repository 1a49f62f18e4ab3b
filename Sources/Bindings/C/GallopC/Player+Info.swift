internal import CGallop
internal import EngineSupport
internal import Gallop

// What C reads of a player.

extension GIFPlayer {
  var info: gallop_player_info {
    let (range, motion) = (range, reducedMotion)
    return gallop_player_info(
      struct_size: 0, id: UInt64(id.rawValue), state: state.number,
      error: (error.map { Status($0.code) } ?? .ok).rawValue, frame: Int64(currentFrameIndex ?? -1),
      frame_count: Int64(image.frameCount), position_ns: position.wholeNanoseconds,
      position_in_loop_ns: positionInLoop.wholeNanoseconds, duration_ns: duration.wholeNanoseconds,
      progress: progress,
      rate: rate, plays_left: Int64(loopsLeft ?? -1), range_first: Int64(range?.lowerBound ?? 0),
      range_count: Int64(range?.count ?? 0), mode: mode.number, motion: motion.number,
      motion_part: motion.part,
      visibility: visibility.number, priority: priority.number,
      buffering: BufferingReason.number(bufferingReason), is_complete: isComplete ? 1 : 0,
      is_scrubbing: isScrubbing ? 1 : 0, reserved: 0)
  }

  var statistics: gallop_player_statistics {
    let held = cacheStatistics
    return gallop_player_statistics(
      struct_size: 0, hits: Int64(held.hits), misses: Int64(held.misses),
      decoded_frames: Int64(held.decodedFrames), composed_frames: Int64(held.composedFrames),
      evictions: Int64(held.evictions + held.demotions), resident_frames: Int64(held.residentFrames),
      resident_bytes: Int64(held.residentBytes), peak_bytes: Int64(held.peakBytes))
  }
}

extension gallop_snapshot {
  init(_ snapshot: PlaybackSnapshot) {
    self.init(
      struct_size: 0, state: snapshot.state.number, mode: snapshot.mode.number, frame: Int64(snapshot.frame),
      elapsed_ns: snapshot.elapsed.wholeNanoseconds, loop: Int64(snapshot.loop),
      range_first: Int64(snapshot.range?.lowerBound ?? 0), range_count: Int64(snapshot.range?.count ?? 0),
      rate: snapshot.rate, is_returning: snapshot.isReturning ? 1 : 0, reserved: 0)
  }
}

extension PlaybackSnapshot {
  init(_ saved: gallop_snapshot) throws(Failure) {
    self.init(
      state: try PlaybackState(saved.state), frame: Int(clamping: saved.frame),
      elapsed: .nanoseconds(saved.elapsed_ns), loop: Int(clamping: saved.loop),
      isReturning: saved.is_returning != 0, mode: try PlaybackMode(saved.mode),
      range: try GallopC.range(first: saved.range_first, count: saved.range_count),
      rate: saved.rate == 0 ? 1 : saved.rate)
  }
}
