import GIFDecoding
import GIFPlayback
import GIFStage
import Glibc
import Testing

@testable import WindowDisplay

/// Opens real windows if there is a display, and windows of SDL's dummy display otherwise.
@Suite("Window: opened, drawn in, woken, closed", .serialized)
@MainActor
struct WindowTests {
  init() {
    let hasDisplay = unsafe getenv("DISPLAY") != nil || getenv("WAYLAND_DISPLAY") != nil
    if !hasDisplay { unsafe _ = setenv("SDL_VIDEODRIVER", "dummy", 1) }
  }

  /// With the way that suits the display, and by a texture.
  @Test(
    "A window tells its size first, shows surfaces of any size, and can be opened again",
    arguments: [nil, "software"])
  func opened(renderer: String?) throws {
    if let renderer { unsafe _ = setenv("SDL_RENDER_DRIVER", renderer, 1) }
    defer { unsafe _ = unsetenv("SDL_RENDER_DRIVER") }
    for size in [(200, 100), (64, 64)] {
      let window = try Window(title: "test", width: size.0, height: size.1)
      guard case .resized(let width, let height, let scale) = window.takeInput().first else {
        Issue.record("no size")
        return
      }
      #expect(width >= 1 && height >= 1 && (1...4).contains(scale))
      for side in [1, 33, 200] {
        var surface = Surface(width: side, height: side)
        try window.show(surface, changed: [surface.bounds])
        surface.fill(surface.bounds, Theme.accent)
        let far = [(0, 0, 1, 1), (-5, -5, 9, 9), (30, 30, 500, 500), (900, 0, 2, 2)]
        try window.show(surface, changed: far.map { .init(x: $0.0, y: $0.1, width: $0.2, height: $0.3) })
      }
      try window.show(Surface(width: 0, height: 5), changed: [])
    }
  }

  @Test("Waking ends the wait; a waker of a closed window does nothing")
  func woken() throws {
    let waker: WindowWaker
    do {
      let window = try Window(title: "test", width: 50, height: 50)
      waker = window.waker
      _ = window.takeInput()
      for _ in 0..<3 { waker.wake() }
      // Without the waking this would wait for ever.
      window.waitForInput(milliseconds: nil)
      _ = window.takeInput()
      waker.wake()
      window.waitForInput(milliseconds: nil)
    }
    waker.wake()
  }

  @Test("A loop gives its stage the system's letters, unless it has its own")
  func letters() throws {
    final class NoLetters: GlyphSource {
      func glyph(_ letter: Unicode.Scalar, pixelSize: Int) -> Glyph? { nil }
    }
    let window = try Window(title: "test", width: 50, height: 50)
    let clock = PlaybackClock(drivenWith: { .now })
    let stage = Stage(root: View(), width: 50, height: 50, clock: clock)
    _ = WindowLoop(window: window, stage: stage)
    #expect((stage.glyphs != nil) == (SystemFont() != nil))
    let own = NoLetters()
    stage.glyphs = own
    _ = WindowLoop(window: window, stage: stage)
    #expect(stage.glyphs === own)
  }

  @Test("A missing or wrong library gives a one-line error")
  func missing() {
    let absent = #expect(throws: WindowError.self) { try SDLLibrary(fileName: "libNoSuchThing.so.0") }
    #expect(absent?.description == "a window needs SDL2: install libsdl2-2.0-0")
    let other = #expect(throws: WindowError.self) { try SDLLibrary(fileName: "libc.so.6") }
    #expect(other?.description.contains("SDL_SetMainReady") == true)
  }
}
