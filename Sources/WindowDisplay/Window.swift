internal import CSDL2
public import GIFDecoding
public import GIFStage
internal import Glibc
internal import Synchronization

/// A window on the desktop that shows a surface, and tells what its user does.
///
/// Belongs to the thread that opens it; there is one at a time. Only ``waker`` may be used elsewhere.
@safe public final class Window {
  /// Wakes ``waitForInput(milliseconds:)`` from any thread.
  public let waker: WindowWaker

  private let sdl: SDLLibrary
  private let window: OpaquePointer
  private let renderer: OpaquePointer
  private var texture: OpaquePointer?
  private var textureSize = (width: 0, height: 0)
  private var translator = InputTranslator()
  /// Input found while waiting.
  private var pending: [WindowInput] = []

  /// Opens a window.
  ///
  /// - Parameters:
  ///   - width: in points, at least 1; the window manager may give another size.
  ///   - height: as `width`.
  /// - Throws: ``WindowError`` where SDL2 is not installed, or there is no display.
  public init(title: String, width: Int, height: Int) throws(WindowError) {
    sdl = try SDLLibrary()
    sdl.setMainReady()
    // The program keeps its own handling of signals, and a film keeps no screen awake that shows nothing new.
    unsafe _ = sdl.setHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1")
    unsafe _ = sdl.setHint(SDL_HINT_VIDEO_ALLOW_SCREENSAVER, "1")
    unsafe _ = sdl.setHint(SDL_HINT_MOUSE_FOCUS_CLICKTHROUGH, "1")
    guard sdl.initialize(SDL_INIT_VIDEO) == 0, Self.isSeen(sdl) else {
      sdl.quit()
      throw WindowError("no display to open a window on; try --terminal or --headless")
    }
    let flags = SDL_WINDOW_RESIZABLE.rawValue | SDL_WINDOW_ALLOW_HIGHDPI.rawValue
    let centered = CInt(SDL_WINDOWPOS_CENTERED_MASK)
    guard
      let window = unsafe sdl.createWindow(
        title, centered, centered, CInt(clamping: max(1, width)), CInt(clamping: max(1, height)), flags)
    else {
      let reason = Self.reason(sdl)
      sdl.quit()
      throw WindowError("no window could be opened: \(reason)")
    }
    let synchronized =
      unsafe sdl.createRenderer(window, -1, SDL_RENDERER_PRESENTVSYNC.rawValue)
      ?? sdl.createRenderer(window, -1, 0)
    guard let renderer = unsafe synchronized else {
      let reason = Self.reason(sdl)
      unsafe sdl.destroyWindow(window)
      sdl.quit()
      throw WindowError("the window cannot be drawn in: \(reason)")
    }
    unsafe self.window = window
    unsafe self.renderer = renderer
    waker = unsafe WindowWaker(push: sdl.pushEvent, type: sdl.registerEvents(1))
    pending = [measure()]
  }

  deinit {
    if let texture = unsafe texture { unsafe sdl.destroyTexture(texture) }
    unsafe sdl.destroyRenderer(renderer)
    unsafe sdl.destroyWindow(window)
    waker.close()
    sdl.quit()
  }

  /// Whether somebody can see the display: where there is none, SDL falls back to a window in memory only. One that
  /// was asked for by name is what is wanted.
  private static func isSeen(_ sdl: SDLLibrary) -> Bool {
    guard let driver = unsafe sdl.videoDriver() else { return false }
    let isAskedFor = unsafe getenv("SDL_VIDEODRIVER") != nil
    return unsafe isAskedFor || !["offscreen", "dummy", "evdev"].contains(String(cString: driver))
  }

  private static func reason(_ sdl: SDLLibrary) -> String {
    guard let text = unsafe sdl.error() else { return "unknown" }
    return unsafe String(cString: text)
  }

  // MARK: Pictures

  /// Shows a surface of which some parts have changed; waits for the screen's next refresh where that can be.
  public func show(_ surface: borrowing Surface, changed: [PixelRect]) throws(WindowError) {
    guard surface.width > 0, surface.height > 0 else { return }
    var changed = changed
    if unsafe texture == nil || textureSize != (surface.width, surface.height) {
      try makeTexture(width: surface.width, height: surface.height)
      changed = [surface.bounds]
    }
    for rect in changed { upload(rect.intersection(surface.bounds), of: surface) }
    unsafe _ = sdl.renderCopy(renderer, texture, nil, nil)
    unsafe sdl.present(renderer)
  }

  private func makeTexture(width: Int, height: Int) throws(WindowError) {
    if let texture = unsafe texture { unsafe sdl.destroyTexture(texture) }
    unsafe texture = sdl.createTexture(
      renderer, PictureFormat.code, CInt(SDL_TEXTUREACCESS_STREAMING.rawValue), CInt(clamping: width),
      CInt(clamping: height))
    guard unsafe texture != nil else {
      throw WindowError("a picture of \(width) x \(height) pixels cannot be shown: \(Self.reason(sdl))")
    }
    textureSize = (width, height)
  }

  /// - Parameter rect: within the surface, and so within its memory.
  private func upload(_ rect: PixelRect, of surface: borrowing Surface) {
    guard !rect.isEmpty else { return }
    var place = SDL_Rect(x: CInt(rect.x), y: CInt(rect.y), w: CInt(rect.width), h: CInt(rect.height))
    let start = rect.y * surface.width + rect.x
    let stride = CInt(surface.width * 4)
    unsafe surface.pixels.withUnsafeBytes { bytes in
      unsafe _ = sdl.updateTexture(texture, &place, bytes.baseAddress?.advanced(by: start * 4), stride)
    }
  }

  // MARK: Input

  /// Waits until there is input or somebody wakes the window, so many milliseconds at the most; nil for no limit.
  public func waitForInput(milliseconds: Int?) {
    guard pending.isEmpty else { return }
    var event = unsafe SDL_Event()
    let timeout = milliseconds.map { CInt(clamping: max(0, $0)) } ?? -1
    if unsafe sdl.waitEvent(&event, timeout) != 0, let input = unsafe translate(event) {
      pending.append(input)
    }
  }

  /// Everything that has come since the last time, in order.
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
      return translator.key(code: key.sym).map { .key($0) }
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
      textureSize = (0, 0)
      return .exposed
    default:
      waker.noteArrival(of: unsafe event.type)
      return nil
    }
  }

  private func translate(_ event: UInt8) -> WindowInput? {
    switch UInt32(event) {
    case SDL_WINDOWEVENT_SIZE_CHANGED.rawValue: measure()
    case SDL_WINDOWEVENT_EXPOSED.rawValue: .exposed
    default: nil
    }
  }

  /// The window's size in points and in pixels, which differ on dense screens.
  private func measure() -> WindowInput {
    var (width, height, pixelWidth, pixelHeight): (CInt, CInt, CInt, CInt) = (1, 1, 1, 1)
    unsafe sdl.windowSize(window, &width, &height)
    if unsafe sdl.outputSize(renderer, &pixelWidth, &pixelHeight) != 0 {
      (pixelWidth, pixelHeight) = (width, height)
    }
    return translator.resized(
      pixels: (Int(pixelWidth), Int(pixelHeight)), points: (Int(width), Int(height)))
  }
}

private enum PictureFormat {
  /// Red in the lowest byte of a word, whatever the order of bytes in memory.
  static var code: UInt32 { SDL_PIXELFORMAT_ABGR8888.rawValue }
}

/// Ends a window's waiting, from any thread; does nothing once the window is gone.
@safe public final class WindowWaker: Sendable {
  private struct State {
    var isOpen = true
    /// Whether an event is on its way: one is enough.
    var isSent = false
  }

  private let push: @convention(c) (UnsafeMutablePointer<SDL_Event>?) -> CInt
  private let type: UInt32
  private let state = Mutex(State())

  init(push: @escaping @convention(c) (UnsafeMutablePointer<SDL_Event>?) -> CInt, type: UInt32) {
    unsafe self.push = push
    self.type = type
  }

  public func wake() {
    state.withLock { state in
      guard state.isOpen, !state.isSent else { return }
      var event = unsafe SDL_Event()
      unsafe event.type = type
      // A full queue wakes the window as well.
      state.isSent = unsafe push(&event) == 1
    }
  }

  func noteArrival(of type: UInt32) {
    guard type == self.type else { return }
    state.withLock { $0.isSent = false }
  }

  func close() { state.withLock { $0.isOpen = false } }
}
