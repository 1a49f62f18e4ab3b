// C has names of its own.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CGallop
internal import EngineSupport
internal import Synchronization

/// A flag that ends calls from another thread, or after some time.
final class CancelObject: HandleObject {
  static let kind = HandleKind.cancel
  static let hasThreads = false

  /// The instant of the monotonic clock from which on calls end, in nanoseconds.
  private let deadline = Atomic<Int64>(.max)

  /// Ends calls at an instant.
  func set(at instant: Int64) { deadline.store(instant, ordering: .relaxed) }

  func reset() { set(at: .max) }

  var isSet: Bool {
    let instant = deadline.load(ordering: .relaxed)
    return instant != .max && instant <= MonotonicClock.nanoseconds
  }

  /// Asks whether calls are to end; nil where no handle was given.
  static func question(_ handle: OpaquePointer?) throws(Failure) -> (@Sendable () -> Bool)? {
    guard let handle = unsafe handle else { return nil }
    let cancel: CancelObject = try unsafe Handles.object(handle)
    return { cancel.isSet }
  }
}

@c @implementation
public func gallop_cancel_new(_ out: UnsafeMutablePointer<OpaquePointer?>!) -> gallop_status {
  answer { () throws(Failure) in try unsafe Handles.add(CancelObject(), to: emptied(out)) }
}

@c @implementation
public func gallop_cancel_set(_ cancel: OpaquePointer!) -> gallop_status {
  answer { () throws(Failure) in try unsafe Handles.object(cancel, CancelObject.self).set(at: .min) }
}

@c @implementation
public func gallop_cancel_after(_ cancel: OpaquePointer!, _ milliseconds: Int64) -> gallop_status {
  answer { () throws(Failure) in
    let (nanoseconds, overflows) = max(0, milliseconds).multipliedReportingOverflow(by: 1_000_000)
    let (instant, exceeds) = MonotonicClock.nanoseconds.addingReportingOverflow(nanoseconds)
    try unsafe Handles.object(cancel, CancelObject.self).set(at: overflows || exceeds ? .max : instant)
  }
}

@c @implementation
public func gallop_cancel_reset(_ cancel: OpaquePointer!) -> gallop_status {
  answer { () throws(Failure) in try unsafe Handles.object(cancel, CancelObject.self).reset() }
}

@c @implementation
public func gallop_cancel_release(_ cancel: OpaquePointer!) -> gallop_status {
  answer { () throws(Failure) in try unsafe Handles.release(cancel, CancelObject.self) }
}
