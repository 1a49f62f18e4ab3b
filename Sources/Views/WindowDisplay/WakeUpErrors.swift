internal import EngineSupport

/// Passes over the one X error that a window's end may cause.
///
/// SDL wakes a waiting thread by a message to its window, on a connection of its own. A busy display may read
/// that message after the window is destroyed; it answers `BadWindow`, and Xlib ends the process by default.
enum WakeUpErrors {
  private typealias Handler = @convention(c) (OpaquePointer?, UnsafeRawPointer?) -> CInt

  /// The handler of all other errors: the program's or Xlib's own.
  private static let former = unsafe Lock<Handler?>(nil)

  /// Installs the handler; without Xlib it does nothing.
  ///
  /// To be called before SDL opens its connections: SDL puts back the handler it has found before it closes
  /// them, which is when late errors are read.
  static func install() {
    guard let table = FunctionTable(fileName: "libX11.so.6"),
      let setHandler: @convention(c) (Handler?) -> Handler? = unsafe try? table.find("XSetErrorHandler")
    else { return }
    guard let found = unsafe setHandler(handler), unsafe !isOurs(found) else { return }
    unsafe former.withLock { unsafe $0 = found }
  }

  private static let handler: Handler = { display, event in
    if let event = unsafe event {
      let error = unsafe event.load(fromByteOffset: Self.errorOffset, as: UInt8.self)
      let request = unsafe event.load(fromByteOffset: Self.errorOffset + 1, as: UInt8.self)
      if isLateWakeUp(error: error, request: request) { return 0 }
    }
    let next = unsafe former.withLock { unsafe $0 }
    return unsafe next?(display, event) ?? 0
  }

  /// Where Xlib's `XErrorEvent` has the error's code, and the request's after it: behind a type, the display,
  /// a resource and a serial number, each of the size of a pointer.
  private static let errorOffset = 4 * MemoryLayout<UInt>.stride

  private static func isOurs(_ found: Handler) -> Bool {
    unsafe unsafeBitCast(found, to: UInt.self) == unsafeBitCast(handler, to: UInt.self)
  }

  /// Whether an error says that a message found no window. The numbers are those of the X protocol, version
  /// 11: `BadWindow` and `SendEvent`.
  private static func isLateWakeUp(error: UInt8, request: UInt8) -> Bool { error == 3 && request == 25 }
}
