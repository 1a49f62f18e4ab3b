internal import CSDL2
internal import EngineSupport
public import GIFDecoding
public import GIFStage
internal import Glibc

/// A desktop window that shows a surface and reports input.
///
/// Belongs to the thread that opens it; there is one at a time. Only ``waker`` may be used elsewhere.
@safe public final class Window {
  /// Wakes ``waitForInput(milliseconds:)`` from any thread.
  public let waker: WindowWaker

  private let sdl: SDLLibrary
  private let window: OpaquePointer
  private let presenter: any Presenter
  private var translator = InputTranslator()
  /// Input found while waiting.
  private var pending: [WindowInput] = []
  /// The name of the display's driver.
  private let driver: String
  /// The window's place before it filled a screen without a window manager; nil otherwise.
  private var areaBeforeFullscreen: SDL_Rect?

  /// Opens a window.
  ///
  /// - Parameters:
  ///   - title: the text of the title bar.
  ///   - width: in points, at least 1; the window manager may give another size.
  ///   - height: as `width`.
  /// - Throws: ``WindowError`` if SDL2 is not installed or there is no display.
  public convenience init(title: String, width: Int, height: Int) throws(WindowError) {
    try self.init(title: title) { _ in (width, height) }
  }

  /// Opens a window whose size depends on the screen.
  ///
  /// `size` returns the window's size in points for the room on the screen, which is nil if unknown.
  /// - Throws: ``WindowError`` if SDL2 is not installed or there is no display.
  public init(
    title: String, size: (_ room: PixelSize?) -> (width: Int, height: Int)
  ) throws(WindowError) {
    sdl = try SDLLibrary()
    sdl.setMainReady()
    // The program handles signals itself, and playback does not block the screen saver.
    unsafe _ = sdl.setHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1")
    unsafe _ = sdl.setHint(SDL_HINT_VIDEO_ALLOW_SCREENSAVER, "1")
    unsafe _ = sdl.setHint(SDL_HINT_MOUSE_FOCUS_CLICKTHROUGH, "1")
    // The memory of a window is that of the display, not a texture that is drawn in its place.
    unsafe _ = sdl.setHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, "0")
    // Faults are thrown; SDL would print them on standard error as well.
    if unsafe getenv("SDL_LOGGING") == nil { sdl.setLogPriority(SDL_NUM_LOG_PRIORITIES) }
    WakeUpErrors.install()
    guard sdl.initialize(SDL_INIT_VIDEO) == 0, Self.hasVisibleDisplay(sdl) else {
      sdl.quit()
      throw WindowError("no display to open a window on; try --terminal or --headless")
    }
    driver = unsafe sdl.videoDriver().map { unsafe String(cString: $0) } ?? ""
    let flags = SDL_WINDOW_RESIZABLE.rawValue | SDL_WINDOW_ALLOW_HIGHDPI.rawValue
    let (width, height) = size(Self.room(sdl))
    let centered = CInt(SDL_WINDOWPOS_CENTERED_MASK)
    guard
      let window = unsafe sdl.createWindow(
        title, centered, centered, CInt(clamping: max(1, width)), CInt(clamping: max(1, height)), flags)
    else {
      let reason = sdl.reason
      sdl.quit()
      throw WindowError("no window could be opened: \(reason)")
    }
    do throws(WindowError) {
      presenter = try unsafe WindowPresenter.best(sdl, window)
    } catch {
      unsafe sdl.destroyWindow(window)
      sdl.quit()
      throw error
    }
    unsafe self.window = window
    waker = unsafe WindowWaker(push: sdl.pushEvent, type: sdl.registerEvents(1))
    pending = [measure()]
  }

  /// What window managers add to a window, in points: edges and a title bar. How much, SDL knows only later.
  private static let decoration = (width: 8, height: 48)

  /// The size of the first screen, without panels and what a window manager adds.
  private static func room(_ sdl: SDLLibrary) -> PixelSize? {
    var bounds = SDL_Rect()
    guard unsafe sdl.usableBounds(0, &bounds) == 0 else { return nil }
    return PixelSize(width: Int(bounds.w) - decoration.width, height: Int(bounds.h) - decoration.height)
  }

  /// Enters or leaves the full screen; returns whether it has done so.
  public func setFullscreen(_ isFull: Bool) -> Bool {
    if let former = areaBeforeFullscreen {
      if !isFull {
        areaBeforeFullscreen = nil
        place(former)
      }
      return true
    }
    if isFull, driver == "x11", !WindowManager.isRunning { return fillScreen() }
    return unsafe sdl.setFullscreen(window, isFull ? SDL_WINDOW_FULLSCREEN_DESKTOP.rawValue : 0) == 0
  }

  /// Makes the window as large as its screen, for a display without a window manager, which SDL would ask for
  /// it.
  private func fillScreen() -> Bool {
    var former = SDL_Rect()
    var screen = SDL_Rect()
    unsafe sdl.windowPosition(window, &former.x, &former.y)
    unsafe sdl.windowSize(window, &former.w, &former.h)
    guard unsafe sdl.displayBounds(max(0, sdl.displayIndex(window)), &screen) == 0 else { return false }
    areaBeforeFullscreen = former
    place(screen)
    return true
  }

  private func place(_ area: SDL_Rect) {
    unsafe sdl.setWindowSize(window, area.w, area.h)
    unsafe sdl.setWindowPosition(window, area.x, area.y)
  }

  deinit {
    waker.close()
    presenter.close()
    unsafe sdl.destroyWindow(window)
    sdl.quit()
  }

  /// Whether the display is visible: without a display, SDL falls back to a window in memory only.
  ///
  /// A driver that the user names is accepted.
  private static func hasVisibleDisplay(_ sdl: SDLLibrary) -> Bool {
    guard let driver = unsafe sdl.videoDriver() else { return false }
    let isConfigured = unsafe getenv("SDL_VIDEODRIVER") != nil
    return unsafe isConfigured || !["offscreen", "dummy", "evdev"].contains(String(cString: driver))
  }

  // MARK: Pictures

  /// Shows a surface of which some parts have changed; with a graphics processor it waits for the screen's
  /// next refresh.
  public func show(_ surface: borrowing Surface, changed: [PixelRect]) throws(WindowError) {
    guard surface.width > 0, surface.height > 0 else { return }
    try presenter.show(surface, changed: changed)
  }

  // MARK: Input

  /// Waits for input or a wake-up, at most a number of milliseconds; nil for no limit.
  public func waitForInput(milliseconds: Int?) {
    guard pending.isEmpty else { return }
    var event = unsafe SDL_Event()
    let timeout = milliseconds.map { CInt(clamping: max(0, $0)) } ?? -1
    if unsafe sdl.waitEvent(&event, timeout) != 0, let input = unsafe translate(event) {
      pending.append(input)
    }
  }

  /// Takes all input since the last call, in order.
  public func takeInput() -> [WindowInput] {
    var input = pending
    pending = []
    var event = unsafe SDL_Event()
    while unsafe sdl.pollEvent(&event) != 0 {
      if let next = unsafe translate(event) { input.append(next) }
    }
    return input
  }

  private func translate(_ event: SDL_Event) -> WindowInput? {
    switch unsafe event.type {
    case SDL_QUIT.rawValue: return .closed
    case SDL_KEYDOWN.rawValue:
      let key = unsafe event.key.keysym
      guard key.mod & UInt16(KMOD_CTRL.rawValue | KMOD_ALT.rawValue | KMOD_GUI.rawValue) == 0 else {
        return nil
      }
      return translator.key(code: key.sym, isRepeat: unsafe event.key.repeat != 0).map { .key($0) }
    case SDL_MOUSEBUTTONDOWN.rawValue where unsafe event.button.button == UInt8(SDL_BUTTON_LEFT):
      return unsafe translator.pressed(x: Int(event.button.x), y: Int(event.button.y))
    case SDL_MOUSEBUTTONUP.rawValue where unsafe event.button.button == UInt8(SDL_BUTTON_LEFT):
      return unsafe translator.released(x: Int(event.button.x), y: Int(event.button.y))
    case SDL_MOUSEMOTION.rawValue:
      return unsafe translator.moved(x: Int(event.motion.x), y: Int(event.motion.y))
    case SDL_MOUSEWHEEL.rawValue:
      let isFlipped = unsafe event.wheel.direction == SDL_MOUSEWHEEL_FLIPPED.rawValue
      return unsafe translator.wheelTurned(notches: event.wheel.preciseY, isFlipped: isFlipped)
    case SDL_WINDOWEVENT.rawValue: return unsafe translate(event.window.event)
    case SDL_RENDER_TARGETS_RESET.rawValue, SDL_RENDER_DEVICE_RESET.rawValue:
      presenter.invalidate()
      return .exposed
    default:
      waker.noteDelivery(of: unsafe event.type)
      return nil
    }
  }

  private func translate(_ event: UInt8) -> WindowInput? {
    switch UInt32(event) {
    case SDL_WINDOWEVENT_SIZE_CHANGED.rawValue: measure()
    case SDL_WINDOWEVENT_EXPOSED.rawValue: .exposed
    case SDL_WINDOWEVENT_LEAVE.rawValue: .left
    default: nil
    }
  }

  /// The window's size in points and in pixels, which differ on dense screens.
  private func measure() -> WindowInput {
    var (width, height): (CInt, CInt) = (1, 1)
    unsafe sdl.windowSize(window, &width, &height)
    let points = (Int(width), Int(height))
    return translator.resized(pixels: presenter.pixelSize ?? points, points: points)
  }
}

/// Wakes a waiting window from any thread; does nothing once the window is closed.
@safe public final class WindowWaker: Sendable {
  private struct State {
    var isOpen = true
    /// Whether a wake-up event is pending; one is enough.
    var isSent = false
  }

  private let push: @convention(c) (UnsafeMutablePointer<SDL_Event>?) -> CInt
  private let type: UInt32
  private let state = Lock(State())

  init(push: @escaping @convention(c) (UnsafeMutablePointer<SDL_Event>?) -> CInt, type: UInt32) {
    unsafe self.push = push
    self.type = type
  }

  /// Ends a wait of the window's thread. Calls before the wait has ended count once.
  public func wake() {
    state.withLock { state in
      guard state.isOpen, !state.isSent else { return }
      var event = unsafe SDL_Event()
      unsafe event.type = type
      // A full queue wakes the window as well.
      state.isSent = unsafe push(&event) == 1
    }
  }

  func noteDelivery(of type: UInt32) {
    guard type == self.type else { return }
    state.withLock { $0.isSent = false }
  }

  /// Disables the waker; the window may be destroyed afterwards.
  func close() {
    state.withLock { $0.isOpen = false }
  }
}
