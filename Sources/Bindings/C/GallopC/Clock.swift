// C has names of its own.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CGallop
internal import Gallop

/// A clock without a thread, as C holds it.
final class ClockObject: HandleObject {
  static let kind = HandleKind.clock
  static let hasThreads = true

  let clock: PlaybackClock
  /// Nil on the system's time.
  private let manual: ManualTime?

  init(_ number: Int32) throws(Failure) {
    try ProcessState.shared.usePlayback()
    switch Int(number) {
    case GALLOP_CLOCK_DRIVEN:
      manual = nil
      clock = PlaybackClock(drivenWith: { .now })
    case GALLOP_CLOCK_MANUAL:
      let source = ManualTime()
      manual = source
      clock = PlaybackClock(drivenWith: source.now)
    default: throw .argument("there is no kind of clock \(number)")
    }
  }

  func advance(by nanoseconds: Int64) throws(Failure) {
    guard let manual, nanoseconds >= 0 else {
      throw .argument("only a manual clock is moved, and only forwards")
    }
    manual.advance(by: .nanoseconds(nanoseconds))
    clock.tick()
  }

  /// The clock of a handle; that of the process for NULL.
  static func clock(_ handle: OpaquePointer?) throws(Failure) -> PlaybackClock {
    guard let handle = unsafe handle else { return .shared }
    return try unsafe Handles.object(handle, ClockObject.self).clock
  }
}

@c @implementation
public func gallop_clock_new(_ kind: Int32, _ out: UnsafeMutablePointer<OpaquePointer?>!) -> gallop_status {
  answer { () throws(Failure) in
    let out = try unsafe emptied(out)
    try unsafe Handles.add(ClockObject(kind), to: out)
  }
}

@c @implementation
public func gallop_clock_tick(_ clock: OpaquePointer!) -> gallop_status {
  answer { () throws(Failure) in try unsafe Handles.object(clock, ClockObject.self).clock.tick() }
}

@c @implementation
public func gallop_clock_advance(_ clock: OpaquePointer!, _ nanoseconds: Int64) -> gallop_status {
  answer { () throws(Failure) in try unsafe Handles.object(clock, ClockObject.self).advance(by: nanoseconds) }
}

@c @implementation
public func gallop_clock_get_time(
  _ clock: OpaquePointer!, _ now_ns: UnsafeMutablePointer<Int64>!, _ deadline_ns: UnsafeMutablePointer<Int64>!
) -> gallop_status {
  answer { () throws(Failure) in
    let clock = try unsafe Handles.object(clock, ClockObject.self).clock
    if let now = unsafe now_ns { unsafe now.pointee = clock.now.nanoseconds }
    if let deadline = unsafe deadline_ns { unsafe deadline.pointee = clock.nextDeadline?.nanoseconds ?? .max }
  }
}

@c @implementation
public func gallop_clock_release(_ clock: OpaquePointer!) -> gallop_status {
  answer { () throws(Failure) in try unsafe Handles.release(clock, ClockObject.self) }
}
