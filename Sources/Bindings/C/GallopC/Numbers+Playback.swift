internal import CGallop
internal import Gallop

// The numbers of the header for the values of playback.

extension PlaybackState {
  var number: Int32 {
    switch self {
    case .stopped: Int32(GALLOP_STATE_STOPPED)
    case .playing: Int32(GALLOP_STATE_PLAYING)
    case .paused: Int32(GALLOP_STATE_PAUSED)
    case .finished: Int32(GALLOP_STATE_FINISHED)
    case .failed: Int32(GALLOP_STATE_FAILED)
    }
  }

  init(_ number: Int32) throws(Failure) {
    switch Int(number) {
    case GALLOP_STATE_STOPPED: self = .stopped
    case GALLOP_STATE_PLAYING: self = .playing
    case GALLOP_STATE_PAUSED: self = .paused
    case GALLOP_STATE_FINISHED: self = .finished
    case GALLOP_STATE_FAILED: self = .failed
    default: throw .argument("there is no state \(number)")
    }
  }
}

extension PlaybackMode {
  var number: Int32 {
    switch self {
    case .forward: Int32(GALLOP_MODE_FORWARD)
    case .reverse: Int32(GALLOP_MODE_REVERSE)
    case .bounce: Int32(GALLOP_MODE_BOUNCE)
    }
  }

  init(_ number: Int32) throws(Failure) {
    switch Int(number) {
    case GALLOP_MODE_FORWARD: self = .forward
    case GALLOP_MODE_REVERSE: self = .reverse
    case GALLOP_MODE_BOUNCE: self = .bounce
    default: throw .argument("there is no mode \(number)")
    }
  }
}

extension DelayPolicy {
  init(_ number: Int32, milliseconds: Int64) throws(Failure) {
    switch Int(number) {
    case GALLOP_DELAY_BROWSER: self = .browser
    case GALLOP_DELAY_ENCODED: self = .encoded
    case GALLOP_DELAY_MINIMUM: self = .minimum(.milliseconds(milliseconds))
    case GALLOP_DELAY_CONSTANT: self = .constant(.milliseconds(milliseconds))
    default: throw .argument("there is no delay policy \(number)")
    }
  }
}

extension LoopCount {
  /// Nil for what the file says.
  init?(plays: Int64) throws(Failure) {
    guard plays >= -1 else { throw .argument("\(plays) plays") }
    if plays == 0 { return nil }
    self = plays == -1 ? .forever : .plays(Int(plays))
  }
}

extension LatePolicy {
  init(_ number: Int32, count: Int32) throws(Failure) {
    switch Int(number) {
    case GALLOP_LATE_SKIP: self = .skip
    case GALLOP_LATE_CATCH_UP: self = .catchUp(max: Int(count))
    case GALLOP_LATE_WAIT: self = .wait
    default: throw .argument("there is no policy \(number) for late frames")
    }
  }
}

extension SuspensionPolicy {
  init(_ number: Int32) throws(Failure) {
    switch Int(number) {
    case GALLOP_SUSPENSION_RESUME: self = .resume
    case GALLOP_SUSPENSION_KEEP_SCHEDULE: self = .keepSchedule
    default: throw .argument("there is no policy \(number) for gaps")
    }
  }
}

extension ReducedMotion {
  init(_ number: Int32, part: Double) throws(Failure) {
    switch Int(number) {
    case GALLOP_MOTION_FULL: self = .off
    case GALLOP_MOTION_SLOW: self = .slow(try numeric(part, "the part of the speed"))
    case GALLOP_MOTION_FIRST_FRAME: self = .firstFrame
    default: throw .argument("there is no motion \(number)")
    }
  }

  var number: Int32 {
    switch self {
    case .off: Int32(GALLOP_MOTION_FULL)
    case .slow: Int32(GALLOP_MOTION_SLOW)
    case .firstFrame: Int32(GALLOP_MOTION_FIRST_FRAME)
    }
  }

  /// The part of the speed; 1 unless motion is slow.
  var part: Double { if case .slow(let part) = self { part } else { 1 } }
}

extension PlaybackPriority {
  init(_ number: Int32) throws(Failure) {
    switch Int(number) {
    case GALLOP_PRIORITY_HIGH: self = .high
    case GALLOP_PRIORITY_LOW: self = .low
    default: throw .argument("there is no priority \(number)")
    }
  }

  var number: Int32 { self == .low ? Int32(GALLOP_PRIORITY_LOW) : Int32(GALLOP_PRIORITY_HIGH) }
}

extension Visibility {
  init(_ number: Int32) throws(Failure) {
    switch Int(number) {
    case GALLOP_VISIBLE: self = .visible
    case GALLOP_NEAR: self = .near
    case GALLOP_HIDDEN: self = .hidden
    default: throw .argument("there is no visibility \(number)")
    }
  }

  var number: Int32 {
    switch self {
    case .visible: Int32(GALLOP_VISIBLE)
    case .near: Int32(GALLOP_NEAR)
    case .hidden: Int32(GALLOP_HIDDEN)
    }
  }
}

extension CachePolicy.Preload {
  init(_ number: Int32, amount: Int64) throws(Failure) {
    switch Int(number) {
    case GALLOP_PRELOAD_NONE: self = .none
    case GALLOP_PRELOAD_FRAMES: self = .frames(Int(max(0, amount)))
    case GALLOP_PRELOAD_TIME: self = .time(.milliseconds(max(0, amount)))
    case GALLOP_PRELOAD_ALL: self = .all
    default: throw .argument("there is no preload \(number)")
    }
  }
}

extension ChangeCause {
  var number: Int32 {
    switch self {
    case .play: Int32(GALLOP_CAUSE_PLAY)
    case .loop: Int32(GALLOP_CAUSE_LOOP)
    case .seek: Int32(GALLOP_CAUSE_SEEK)
    case .step: Int32(GALLOP_CAUSE_STEP)
    case .restart: Int32(GALLOP_CAUSE_RESTART)
    case .appear: Int32(GALLOP_CAUSE_APPEAR)
    }
  }
}

extension BufferingReason {
  static func number(_ reason: BufferingReason?) -> Int32 {
    switch reason {
    case nil: Int32(GALLOP_BUFFERING_NONE)
    case .source: Int32(GALLOP_BUFFERING_SOURCE)
    case .decoder: Int32(GALLOP_BUFFERING_DECODER)
    }
  }
}

extension MemoryPressure.Level {
  init(_ number: Int32) throws(Failure) {
    guard let level = MemoryPressure.Level(rawValue: Int(number)) else {
      throw .argument("there is no pressure \(number)")
    }
    self = level
  }
}

/// A number of C's, which may be none.
func numeric(_ value: Double, _ name: String) throws(Failure) -> Double {
  guard !value.isNaN else { throw .argument("\(name) is no number") }
  return value
}

/// The frames that a range names; nil for all.
func range(first: Int64, count: Int64) throws(Failure) -> Range<Int>? {
  guard first >= 0, count >= 0, count <= .max - first else {
    throw .argument("\(count) frames from \(first) on")
  }
  return count == 0 ? nil : Int(first)..<Int(first + count)
}
