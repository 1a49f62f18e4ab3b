internal import CSDL2
internal import EngineSupport

/// The functions of SDL2 that are used, found in the library when a window is opened.
///
/// The library stays loaded, so every pointer stays valid; each has the type that SDL's headers give it.
/// SDL's video functions belong to the thread that opens the window; `pushEvent` may be called from any.
@safe struct SDLLibrary: Sendable {
  /// A window, a renderer or a texture.
  typealias Handle = OpaquePointer

  let setMainReady: @convention(c) () -> Void
  let setHint: @convention(c) (UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> SDL_bool
  let initialize: @convention(c) (UInt32) -> CInt
  let quit: @convention(c) () -> Void
  let videoDriver: @convention(c) () -> UnsafePointer<CChar>?
  let error: @convention(c) () -> UnsafePointer<CChar>?
  let createWindow: @convention(c) (UnsafePointer<CChar>?, CInt, CInt, CInt, CInt, UInt32) -> Handle?
  let destroyWindow: @convention(c) (Handle?) -> Void
  let setFullscreen: @convention(c) (Handle?, UInt32) -> CInt
  let setLogPriority: @convention(c) (SDL_LogPriority) -> Void
  let displayIndex: @convention(c) (Handle?) -> CInt
  let displayBounds: @convention(c) (CInt, UnsafeMutablePointer<SDL_Rect>?) -> CInt
  let windowPosition:
    @convention(c) (Handle?, UnsafeMutablePointer<CInt>?, UnsafeMutablePointer<CInt>?) -> Void
  let setWindowPosition: @convention(c) (Handle?, CInt, CInt) -> Void
  let setWindowSize: @convention(c) (Handle?, CInt, CInt) -> Void
  let usableBounds: @convention(c) (CInt, UnsafeMutablePointer<SDL_Rect>?) -> CInt
  let windowSize: @convention(c) (Handle?, UnsafeMutablePointer<CInt>?, UnsafeMutablePointer<CInt>?) -> Void
  let windowSurface: @convention(c) (Handle?) -> UnsafeMutablePointer<SDL_Surface>?
  let updateWindow: @convention(c) (Handle?, UnsafePointer<SDL_Rect>?, CInt) -> CInt
  let createRenderer: @convention(c) (Handle?, CInt, UInt32) -> Handle?
  let destroyRenderer: @convention(c) (Handle?) -> Void
  let outputSize: @convention(c) (Handle?, UnsafeMutablePointer<CInt>?, UnsafeMutablePointer<CInt>?) -> CInt
  let createTexture: @convention(c) (Handle?, UInt32, CInt, CInt, CInt) -> Handle?
  let destroyTexture: @convention(c) (Handle?) -> Void
  let updateTexture: @convention(c) (Handle?, UnsafePointer<SDL_Rect>?, UnsafeRawPointer?, CInt) -> CInt
  let renderCopy:
    @convention(c) (Handle?, Handle?, UnsafePointer<SDL_Rect>?, UnsafePointer<SDL_Rect>?) -> CInt
  let present: @convention(c) (Handle?) -> Void
  let pollEvent: @convention(c) (UnsafeMutablePointer<SDL_Event>?) -> CInt
  let waitEvent: @convention(c) (UnsafeMutablePointer<SDL_Event>?, CInt) -> CInt
  let pushEvent: @convention(c) (UnsafeMutablePointer<SDL_Event>?) -> CInt
  let registerEvents: @convention(c) (CInt) -> UInt32

  static let fileName = "libSDL2-2.0.so.0"
  /// The Debian package of the library.
  static let package = "libsdl2-2.0-0"

  /// - Throws: ``WindowError`` if the library or a function in it is missing.
  init(fileName: String = Self.fileName) throws(WindowError) {
    guard let table = FunctionTable(fileName: fileName) else {
      throw WindowError("a window needs SDL2: install \(Self.package)")
    }
    do throws(MissingFunction) {
      self = try SDLLibrary(table)
    } catch {
      throw WindowError(error.description)
    }
  }

  private init(_ table: FunctionTable) throws(MissingFunction) {
    unsafe setMainReady = try table.find("SDL_SetMainReady")
    unsafe setHint = try table.find("SDL_SetHint")
    unsafe initialize = try table.find("SDL_InitSubSystem")
    unsafe quit = try table.find("SDL_Quit")
    unsafe videoDriver = try table.find("SDL_GetCurrentVideoDriver")
    unsafe error = try table.find("SDL_GetError")
    unsafe createWindow = try table.find("SDL_CreateWindow")
    unsafe destroyWindow = try table.find("SDL_DestroyWindow")
    unsafe setFullscreen = try table.find("SDL_SetWindowFullscreen")
    unsafe setLogPriority = try table.find("SDL_LogSetAllPriority")
    unsafe displayIndex = try table.find("SDL_GetWindowDisplayIndex")
    unsafe displayBounds = try table.find("SDL_GetDisplayBounds")
    unsafe windowPosition = try table.find("SDL_GetWindowPosition")
    unsafe setWindowPosition = try table.find("SDL_SetWindowPosition")
    unsafe setWindowSize = try table.find("SDL_SetWindowSize")
    unsafe usableBounds = try table.find("SDL_GetDisplayUsableBounds")
    unsafe windowSize = try table.find("SDL_GetWindowSize")
    unsafe windowSurface = try table.find("SDL_GetWindowSurface")
    unsafe updateWindow = try table.find("SDL_UpdateWindowSurfaceRects")
    unsafe createRenderer = try table.find("SDL_CreateRenderer")
    unsafe destroyRenderer = try table.find("SDL_DestroyRenderer")
    unsafe outputSize = try table.find("SDL_GetRendererOutputSize")
    unsafe createTexture = try table.find("SDL_CreateTexture")
    unsafe destroyTexture = try table.find("SDL_DestroyTexture")
    unsafe updateTexture = try table.find("SDL_UpdateTexture")
    unsafe renderCopy = try table.find("SDL_RenderCopy")
    unsafe present = try table.find("SDL_RenderPresent")
    unsafe pollEvent = try table.find("SDL_PollEvent")
    unsafe waitEvent = try table.find("SDL_WaitEventTimeout")
    unsafe pushEvent = try table.find("SDL_PushEvent")
    unsafe registerEvents = try table.find("SDL_RegisterEvents")
  }
}

extension SDLLibrary {
  /// SDL's error message for the last failed call.
  var reason: String {
    guard let text = unsafe error() else { return "unknown" }
    return unsafe String(cString: text)
  }
}
