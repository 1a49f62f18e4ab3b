internal import CSDL2
internal import GIFDecoding
internal import GIFStage
internal import GIFTimeline
internal import Glibc

/// Presents pixels in a window; belongs to the window's thread.
protocol Presenter: AnyObject {
  /// The window's size in pixels; nil if SDL does not know it.
  var pixelSize: (width: Int, height: Int)? { get }

  /// Shows a surface of which some parts have changed.
  func show(_ surface: borrowing Surface, changed: [PixelRect]) throws(WindowError)

  /// Marks the presented picture as lost, so that the next call presents all of it.
  func invalidate()

  /// Releases the window's resources, before the window is destroyed. The last call.
  func close()
}

/// Presents a texture on the graphics processor, at the screen's refresh rate.
@safe final class TexturePresenter: Presenter {
  private let sdl: SDLLibrary
  private let renderer: OpaquePointer
  /// Whether the renderer is the presenter's own, which it then also presents and destroys.
  private let ownsRenderer: Bool
  private var texture: OpaquePointer?
  private var textureSize = (width: 0, height: 0)
  /// Where the surface is drawn; nil for all of the renderer's target.
  var place: PixelRect?

  /// Draws with a renderer of the caller, and leaves it to the caller to present it.
  ///
  /// - Parameter renderer: must outlive the presenter.
  @unsafe init(sdl: SDLLibrary, renderer: OpaquePointer) {
    self.sdl = sdl
    unsafe self.renderer = renderer
    ownsRenderer = false
  }

  /// - Parameter window: must outlive the presenter.
  @unsafe init(sdl: SDLLibrary, window: OpaquePointer) throws(WindowError) {
    let renderer =
      unsafe sdl.createRenderer(window, -1, SDL_RENDERER_PRESENTVSYNC.rawValue)
      ?? sdl.createRenderer(window, -1, 0)
    guard let renderer = unsafe renderer else {
      throw WindowError("the window cannot be drawn in: \(sdl.reason)")
    }
    self.sdl = sdl
    unsafe self.renderer = renderer
    ownsRenderer = true
  }

  func close() {
    if let texture = unsafe texture { unsafe sdl.destroyTexture(texture) }
    unsafe texture = nil
    if ownsRenderer { unsafe sdl.destroyRenderer(renderer) }
  }

  var pixelSize: (width: Int, height: Int)? {
    var (width, height): (CInt, CInt) = (0, 0)
    return unsafe sdl.outputSize(renderer, &width, &height) == 0 ? (Int(width), Int(height)) : nil
  }

  func invalidate() { textureSize = (0, 0) }

  /// Waits for the screen's next refresh, if the renderer supports it.
  func show(_ surface: borrowing Surface, changed: [PixelRect]) throws(WindowError) {
    var changed = changed
    if textureSize != (surface.width, surface.height) {
      try makeTexture(width: surface.width, height: surface.height)
      changed = [surface.bounds]
    }
    for rect in changed { upload(rect.intersection(surface.bounds), of: surface) }
    if let place {
      var target = SDL_Rect(place)
      unsafe _ = sdl.renderCopy(renderer, texture, nil, &target)
    } else {
      unsafe _ = sdl.renderCopy(renderer, texture, nil, nil)
    }
    if ownsRenderer { unsafe sdl.present(renderer) }
  }

  private func makeTexture(width: Int, height: Int) throws(WindowError) {
    if let texture = unsafe texture { unsafe sdl.destroyTexture(texture) }
    // Red in the lowest byte of a word, whatever the order of bytes in memory.
    let format = SDL_PIXELFORMAT_ABGR8888.rawValue
    unsafe texture = sdl.createTexture(
      renderer, format, CInt(SDL_TEXTUREACCESS_STREAMING.rawValue), CInt(clamping: width),
      CInt(clamping: height))
    guard unsafe texture != nil else {
      throw WindowError("a picture of \(width) x \(height) pixels cannot be shown: \(sdl.reason)")
    }
    textureSize = (width, height)
  }

  /// - Parameter rect: within the surface, and so within its memory.
  private func upload(_ rect: PixelRect, of surface: borrowing Surface) {
    guard !rect.isEmpty else { return }
    var place = SDL_Rect(rect)
    let start = rect.y * surface.width + rect.x
    let stride = CInt(surface.width * 4)
    unsafe surface.pixels.withUnsafeBytes { bytes in
      unsafe _ = sdl.updateTexture(texture, &place, bytes.baseAddress?.advanced(by: start * 4), stride)
    }
  }
}

/// Writes into the window's memory, for displays without a graphics processor.
///
/// A software renderer would redraw the whole window at each change.
@safe final class FramebufferPresenter: Presenter {
  private let sdl: SDLLibrary
  private let window: OpaquePointer
  private var shownSize = (width: 0, height: 0)

  /// - Parameter window: must outlive the presenter.
  /// - Returns: nil if the window's memory has another pixel format.
  @unsafe init?(sdl: SDLLibrary, window: OpaquePointer) {
    self.sdl = sdl
    unsafe self.window = window
    guard let memory = unsafe sdl.windowSurface(window), let format = unsafe memory.pointee.format else {
      return nil
    }
    // Words with blue in the lowest byte; the highest byte is ignored.
    let known = [SDL_PIXELFORMAT_RGB888.rawValue, SDL_PIXELFORMAT_ARGB8888.rawValue]
    guard unsafe known.contains(format.pointee.format) else { return nil }
  }

  var pixelSize: (width: Int, height: Int)? {
    guard let memory = unsafe sdl.windowSurface(window) else { return nil }
    return unsafe (Int(memory.pointee.w), Int(memory.pointee.h))
  }

  func invalidate() { shownSize = (0, 0) }

  func close() {}

  func show(_ surface: borrowing Surface, changed: [PixelRect]) throws(WindowError) {
    guard let memory = unsafe sdl.windowSurface(window), let pixels = unsafe memory.pointee.pixels else {
      throw WindowError("the window cannot be drawn in: \(sdl.reason)")
    }
    let (width, height) = unsafe (Int(memory.pointee.w), Int(memory.pointee.h))
    let stride = unsafe Int(memory.pointee.pitch)
    // The window may already have another size, which the next iteration handles.
    let both = surface.bounds.intersection(PixelRect(x: 0, y: 0, width: width, height: height))
    let isNew = shownSize != (width, height)
    shownSize = (width, height)
    var places: [SDL_Rect] = []
    for rect in isNew ? [both] : changed.map({ $0.intersection(both) }) where !rect.isEmpty {
      let target = unsafe UnsafeMutableRawBufferPointer(start: pixels, count: stride * height)
      unsafe Self.copy(rect, of: surface, to: target, stride: stride)
      places.append(SDL_Rect(rect))
    }
    guard !places.isEmpty else { return }
    unsafe _ = sdl.updateWindow(window, places, CInt(places.count))
  }

  /// Copies a part of a surface with red and blue exchanged.
  ///
  /// - Parameters:
  ///   - rect: within the surface and the target.
  ///   - target: rows of `stride` bytes.
  @unsafe private static func copy(
    _ rect: PixelRect, of surface: borrowing Surface, to target: UnsafeMutableRawBufferPointer, stride: Int
  ) {
    let source = surface.pixels
    for y in rect.y..<rect.maxY {
      let start = y * stride + rect.x * 4
      let row = unsafe UnsafeMutableRawBufferPointer(rebasing: target[start..<start + rect.width * 4])
      let words = unsafe row.assumingMemoryBound(to: UInt32.self)
      let line = y * surface.width + rect.x
      for x in 0..<rect.width {
        let pixel = source[line + x]
        unsafe words[x] = pixel & 0xFF00_FF00 | pixel >> 16 & 0xFF | (pixel & 0xFF) << 16
      }
    }
  }
}

enum WindowPresenter {
  /// A texture presenter, or a framebuffer presenter without a graphics processor. A renderer named for SDL
  /// is used.
  @unsafe static func best(
    _ sdl: SDLLibrary, _ window: OpaquePointer
  ) throws(WindowError) -> any Presenter {
    let isConfigured = unsafe getenv("SDL_RENDER_DRIVER") != nil
    // Without such a device OpenGL runs on the processor.
    let devices = ["/dev/dri", "/dev/nvidiactl", "/dev/dxg"]
    let hasGraphics = devices.contains { (path: String) in unsafe access(path, F_OK) == 0 }
    if !isConfigured, !hasGraphics, let direct = unsafe FramebufferPresenter(sdl: sdl, window: window) {
      return direct
    }
    return try unsafe TexturePresenter(sdl: sdl, window: window)
  }
}

extension SDL_Rect {
  /// A rectangle of pixels within a surface, whose sides fit 32 bits.
  init(_ rect: PixelRect) {
    self.init(
      x: CInt(clamping: rect.x), y: CInt(clamping: rect.y), w: CInt(clamping: rect.width),
      h: CInt(clamping: rect.height))
  }
}
