internal import EngineSupport

/// The window manager of an X display, on which full screens depend.
enum WindowManager {
  /// Whether a window manager runs on the X display of the environment; true where this cannot be found out.
  ///
  /// A window manager announces itself with a property of the root window (Extended Window Manager Hints,
  /// 1.5). SDL asks it for a full screen, and has no word for there being none.
  static var isRunning: Bool {
    guard let table = FunctionTable(fileName: "libX11.so.6"), let x = try? unsafe XLibrary(table),
      let display = unsafe x.open(nil)
    else { return true }
    defer { unsafe _ = x.close(display) }
    let name = unsafe x.atom(display, "_NET_SUPPORTING_WM_CHECK", 1)
    guard name != 0 else { return false }
    var (type, format, count, rest): (UInt, CInt, UInt, UInt) = (0, 0, 0, 0)
    var value: UnsafeMutablePointer<UInt8>?
    let status = unsafe x.property(
      display, x.root(display), name, 0, 1, 0, 0, &type, &format, &count, &rest, &value)
    if unsafe value != nil { unsafe _ = x.free(value) }
    return status == 0 && count > 0
  }
}

/// The functions of Xlib that are used; each has the type that Xlib's headers give it.
@unsafe private struct XLibrary {
  typealias Display = OpaquePointer

  let open: @convention(c) (UnsafePointer<CChar>?) -> Display?
  let close: @convention(c) (Display) -> CInt
  let root: @convention(c) (Display) -> UInt
  let atom: @convention(c) (Display, UnsafePointer<CChar>, CInt) -> UInt
  let property:
    @convention(c) (
      Display, UInt, UInt, CLong, CLong, CInt, UInt, UnsafeMutablePointer<UInt>, UnsafeMutablePointer<CInt>,
      UnsafeMutablePointer<UInt>, UnsafeMutablePointer<UInt>,
      UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>
    ) -> CInt
  let free: @convention(c) (UnsafeMutableRawPointer?) -> CInt

  init(_ table: FunctionTable) throws(MissingFunction) {
    unsafe open = try table.find("XOpenDisplay")
    unsafe close = try table.find("XCloseDisplay")
    unsafe root = try table.find("XDefaultRootWindow")
    unsafe atom = try table.find("XInternAtom")
    unsafe property = try table.find("XGetWindowProperty")
    unsafe free = try table.find("XFree")
  }
}
