internal import CGallop
internal import CLinux
internal import EngineSupport
internal import Gallop
internal import Glibc

/// Events that wait for the program, with a descriptor that is readable exactly while there are any.
final class EventQueue: Sendable {
  private struct State: @unchecked Sendable {
    /// A change of a frame makes up for the one before.
    var events = EventBuffer<EventRecord>(limit: mostFrameChanges, mayDrop: \.isFrameChange)
    /// -1 once it is closed.
    var descriptor: Int32
  }

  /// Frame changes that wait at most; the oldest is dropped first.
  private static let mostFrameChanges = 64
  /// The newest changes keep their pixels: a slow program must not hold 64 pictures.
  private static let mostFrames = 4

  private let state: Lock<State>

  /// Throws where the system gives no descriptor.
  init() throws(Failure) {
    let descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard descriptor >= 0 else {
      throw Failure(.tooMany, "there is no descriptor for events", value: Int64(errno))
    }
    state = Lock(State(descriptor: descriptor))
  }

  deinit { close() }

  var descriptor: Int32 { state.withLock { $0.descriptor } }

  func put(_ event: EventRecord) {
    // What is dropped is released outside the lock.
    _ = state.withLock { state -> (EventRecord?, Frame?) in
      guard state.descriptor >= 0 else { return (nil, nil) }
      let dropped = state.events.append(event)
      if state.events.count == 1 { _ = eventfd_write(state.descriptor, 1) }
      // The event after one that was dropped tells so.
      if let dropped { state.events[dropped.next].dropped += dropped.event.dropped + 1 }
      return (dropped?.event, Self.takeFrame(&state.events))
    }
  }

  /// Takes the pixels of the oldest change that has them, if too many changes have.
  private static func takeFrame(_ events: inout EventBuffer<EventRecord>) -> Frame? {
    let places = (0..<events.count).filter { events[$0].frame != nil }
    return places.count > mostFrames ? events[places[0]].frame.take() : nil
  }

  /// The oldest event; nil if none waits.
  func take() -> EventRecord? {
    state.withLock { state in
      guard let event = state.events.popFirst() else { return nil }
      if state.events.isEmpty {
        var count: eventfd_t = 0
        unsafe _ = eventfd_read(state.descriptor, &count)
      }
      return event
    }
  }

  /// Drops all events, now and later, and closes the descriptor.
  func close() {
    _ = state.withLock { state in
      if state.descriptor >= 0 { Glibc.close(state.descriptor) }
      state.descriptor = -1
      return state.events.takeAll()
    }
  }
}
