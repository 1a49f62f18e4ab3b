internal import CGallop
internal import CLinux
internal import EngineSupport
internal import GIFDecoding
internal import Glibc

/// Events that wait for the program, with a descriptor that is readable exactly while there are any.
final class EventQueue: Sendable {
  private struct State: @unchecked Sendable {
    var events: [EventRecord] = []
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
      state.events.append(event)
      if state.events.count == 1 { _ = eventfd_write(state.descriptor, 1) }
      let frame = Self.letGoOfFrame(&state.events)
      return (Self.dropChange(&state.events), frame)
    }
  }

  /// Drops the oldest frame change if there are too many; the event after it tells so.
  private static func dropChange(_ events: inout [EventRecord]) -> EventRecord? {
    guard events.count > mostFrameChanges, events.count(where: \.isFrameChange) > mostFrameChanges,
      let place = events.firstIndex(where: \.isFrameChange)
    else { return nil }
    let oldest = events.remove(at: place)
    events[place].dropped += oldest.dropped + 1
    return oldest
  }

  private static func letGoOfFrame(_ events: inout [EventRecord]) -> Frame? {
    guard events.count > mostFrames, events.count(where: { $0.frame != nil }) > mostFrames,
      let place = events.firstIndex(where: { $0.frame != nil })
    else { return nil }
    return events[place].frame.take()
  }

  /// The oldest event; nil if none waits.
  func take() -> EventRecord? {
    state.withLock { state in
      guard !state.events.isEmpty else { return nil }
      defer {
        if state.events.isEmpty {
          var count: eventfd_t = 0
          unsafe _ = eventfd_read(state.descriptor, &count)
        }
      }
      return state.events.removeFirst()
    }
  }

  /// Drops all events, now and later, and closes the descriptor.
  func close() {
    _ = state.withLock { state in
      if state.descriptor >= 0 { Glibc.close(state.descriptor) }
      defer { (state.events, state.descriptor) = ([], -1) }
      return state.events
    }
  }
}
