public import GIFDecoding
public import GIFStage

/// Shows a stage in a window or with a renderer of the caller's own SDL 2.
///
/// The caller creates and destroys the window, runs the event loop, and passes input on to the
/// ``/GIFStage/Stage``. The library is found at run time, so the caller's program and this one use the same
/// copy. ``Window`` and ``WindowLoop`` do all of that for a program without SDL of its own.
///
/// A presenter belongs to the thread of its window. Release it before the window or the renderer is
/// destroyed.
@safe public final class StagePresenter {
  private let presenter: any Presenter
  private let texture: TexturePresenter?

  /// Creates a presenter that fills a window and presents it.
  ///
  /// - Parameter window: an `SDL_Window *` without a renderer; it must outlive the presenter.
  /// - Throws: ``WindowError`` if SDL2 is not installed or cannot draw in the window.
  @unsafe public init(window: OpaquePointer) throws(WindowError) {
    presenter = try unsafe WindowPresenter.best(try SDLLibrary(), window)
    texture = nil
  }

  /// Creates a presenter that draws with a renderer, among what else the caller draws.
  ///
  /// The caller presents the renderer after ``show(_:in:)``.
  /// - Parameter renderer: an `SDL_Renderer *`; it must outlive the presenter.
  /// - Throws: ``WindowError`` if SDL2 is not installed.
  @unsafe public init(renderer: OpaquePointer) throws(WindowError) {
    let texture = unsafe TexturePresenter(sdl: try SDLLibrary(), renderer: renderer)
    presenter = texture
    self.texture = texture
  }

  deinit { presenter.close() }

  /// The size of the window or the renderer's target in pixels, for
  /// ``/GIFStage/Stage/resize(width:height:scale:)``.
  public var pixelSize: PixelSize? {
    presenter.pixelSize.flatMap { PixelSize(width: $0.width, height: $0.height) }
  }

  /// Draws a stage and shows its changes.
  ///
  /// A presenter of a renderer draws at each call; one of a window does nothing if nothing has changed.
  /// - Parameters:
  ///   - stage: the stage, always the same one.
  ///   - place: where the renderer draws it; nil for its whole target. A presenter of a window ignores it.
  /// - Throws: ``WindowError`` if SDL cannot draw.
  public func show(_ stage: Stage, in place: PixelRect? = nil) throws(WindowError) {
    var changed = stage.draw()
    if isLost { changed = [stage.surface.bounds] }
    guard texture != nil || !changed.isEmpty, stage.surface.width > 0, stage.surface.height > 0 else {
      return
    }
    texture?.place = place
    try presenter.show(stage.surface, changed: changed)
    isLost = false
  }

  /// Has the next ``show(_:in:)`` draw all of the stage.
  ///
  /// Call it when the window is exposed or has another size, and when the renderer has lost its textures.
  public func invalidate() {
    presenter.invalidate()
    isLost = true
  }

  private var isLost = false
}
