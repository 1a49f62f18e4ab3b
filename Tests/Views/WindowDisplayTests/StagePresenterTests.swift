import CSDL2
import EngineSupport
import GIFDecoding
import GIFPlayback
import GIFStage
import GIFTimeline
import Glibc
import Testing

@testable import WindowDisplay

/// A view of one colour.
private final class Plate: View {
  var color = Color(0xFF0000) {
    didSet { invalidate() }
  }

  override func draw(on surface: inout Surface) { surface.fill(bounds, color) }
}

/// Windows and renderers of the test's own, as a program with its own SDL has them.
@Suite("StagePresenter: a stage in a window or with a renderer of the caller", .serialized)
@MainActor
struct StagePresenterTests {
  private let sdl: SDLLibrary
  private let plate = Plate()
  private let stage: Stage

  init() throws {
    let hasDisplay = unsafe getenv("DISPLAY") != nil || getenv("WAYLAND_DISPLAY") != nil
    if !hasDisplay { unsafe _ = setenv("SDL_VIDEODRIVER", "dummy", 1) }
    sdl = try SDLLibrary()
    stage = Stage(
      root: plate, width: 40, height: 30, clock: PlaybackClock(drivenWith: ManualTime().now))
  }

  private func withWindow(_ body: (OpaquePointer) throws -> Void) throws {
    let table = try #require(FunctionTable(fileName: SDLLibrary.fileName))
    let releaseThread: @convention(c) () -> Void = try unsafe table.find("SDL_TLSCleanup")
    // SDL keeps its last error for each thread, and this one may end before the process.
    defer { releaseThread() }
    sdl.setMainReady()
    try #require(sdl.initialize(SDL_INIT_VIDEO) == 0)
    defer { sdl.quit() }
    let window = try unsafe #require(sdl.createWindow("test", 0, 0, 40, 30, SDL_WINDOW_HIDDEN.rawValue))
    defer { unsafe sdl.destroyWindow(window) }
    try unsafe body(window)
  }

  @Test("A window shows the stage, and then its changes; an unchanged stage is not presented again")
  func window() throws {
    try unsafe withWindow { window in
      let presenter = try unsafe StagePresenter(window: window)
      #expect(presenter.pixelSize == PixelSize(width: 40, height: 30))
      func pixel() throws -> UInt32 {
        let memory = try unsafe #require(sdl.windowSurface(window))
        return unsafe try #require(memory.pointee.pixels).assumingMemoryBound(to: UInt32.self)[0] & 0xFF_FFFF
      }
      stage.tick()
      try presenter.show(stage)
      #expect(try pixel() == 0xFF0000)
      plate.color = Color(0x00FF00)
      try presenter.show(stage)
      #expect(try pixel() == 0x00FF00)
      // What something else draws stays until the stage changes or the caller says that it is lost.
      let memory = try unsafe #require(sdl.windowSurface(window))
      unsafe try #require(memory.pointee.pixels).assumingMemoryBound(to: UInt32.self)[0] = 0
      try presenter.show(stage)
      #expect(try pixel() == 0)
      presenter.invalidate()
      try presenter.show(stage)
      #expect(try pixel() == 0x00FF00)
    }
  }

  @Test("A renderer draws the stage where the caller says, among its own drawing, and stays the caller's")
  func renderer() throws {
    typealias ReadPixels =
      @convention(c) (
        OpaquePointer?, UnsafePointer<SDL_Rect>?, UInt32, UnsafeMutableRawPointer?, CInt
      ) -> CInt
    let library = try unsafe #require(dlopen(SDLLibrary.fileName, RTLD_NOW))
    let symbol = try unsafe #require(dlsym(library, "SDL_RenderReadPixels"))
    let readPixels = unsafe unsafeBitCast(symbol, to: ReadPixels.self)
    try unsafe withWindow { window in
      let renderer = try unsafe #require(sdl.createRenderer(window, -1, SDL_RENDERER_SOFTWARE.rawValue))
      defer { unsafe sdl.destroyRenderer(renderer) }
      func pixels() -> [UInt32] {
        var pixels = [UInt32](repeating: 0, count: 40 * 30)
        unsafe _ = readPixels(renderer, nil, SDL_PIXELFORMAT_ARGB8888.rawValue, &pixels, 40 * 4)
        return pixels.map { $0 & 0xFF_FFFF }
      }
      do {
        let presenter = try unsafe StagePresenter(renderer: renderer)
        stage.tick()
        try presenter.show(stage, in: PixelRect(x: 10, y: 10, width: 20, height: 10))
        let shown = pixels()
        #expect(shown[10 * 40 + 10] == 0xFF0000 && shown[19 * 40 + 29] == 0xFF0000)
        #expect(shown[0] == 0 && shown[20 * 40 + 30] == 0)
        // Each call draws, as the caller clears the target for each picture of its own.
        try presenter.show(stage)
        #expect(pixels().allSatisfy { $0 == 0xFF0000 })
      }
      unsafe sdl.present(renderer)
    }
  }
}
