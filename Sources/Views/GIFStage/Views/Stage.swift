public import GIFDecoding
public import GIFPlayback
public import GIFTimeline

/// A tree of views with the surface they draw into and the clock that drives them.
///
/// The owner calls ``tick()`` at each screen refresh or at the instant that the last tick returned. It then
/// shows the rectangles that ``draw()`` returns.
public final class Stage {
  /// The clock of the views' players.
  public let clock: PlaybackClock
  /// The root view, as large as the surface.
  public let root: View
  /// The pixels drawn.
  public private(set) var surface: Surface
  /// Pixels per point, 1 - 4.
  public private(set) var scale: Int
  /// The colour behind the root view.
  public var background = Theme.ground
  /// The source of the letters; the bitmap font without one.
  public var glyphs: (any GlyphSource)? {
    didSet {
      font = glyphs.map { StageFont($0) }
      damage(surface.bounds)
    }
  }
  private(set) var font: StageFont?
  private var damage = DamageList()
  /// The view that handles the current press.
  private weak var capturingView: View?
  /// The view under a pointer that is not pressed.
  private weak var hoveredView: View?

  /// Creates a stage of this many pixels, 1 to 4 of them a point. Its ticks drive the clock.
  public init(root: View, width: Int, height: Int, scale: Int = 1, clock: PlaybackClock) {
    self.root = root
    self.clock = clock
    self.scale = min(4, max(1, scale))
    surface = Surface(width: width, height: height)
    root.stage = self
    root.frame = surface.bounds
    damage.add(surface.bounds)
  }

  deinit { root.stage = nil }

  /// Whether the system would give the memory of a stage of that size now; without it the process would end.
  package static func getsMemory(width: Int, height: Int) -> Bool {
    SystemMemory.grants(Surface.side(width) * Surface.side(height) * 4)
  }

  /// Resizes the stage; everything is laid out and redrawn.
  public func resize(width: Int, height: Int, scale: Int = 1) {
    let scale = min(4, max(1, scale))
    let isSameSize = Surface.side(width) == surface.width && Surface.side(height) == surface.height
    guard !isSameSize || scale != self.scale else { return }
    self.scale = scale
    surface = Surface(width: width, height: height)
    damage = DamageList()
    damage.add(surface.bounds)
    if isSameSize { root.layout() } else { root.frame = surface.bounds }
  }

  // MARK: Time

  /// Advances due players and updates every view.
  ///
  /// - Returns: the instant of the next tick; nil if nothing changes until an event.
  @discardableResult
  public func tick() -> PlaybackInstant? {
    clock.tick()
    let nextUpdate = root.updateTree(at: clock.now)
    guard let deadline = clock.nextDeadline else { return nextUpdate }
    return nextUpdate.map { min($0, deadline) } ?? deadline
  }

  // MARK: Drawing

  func damage(_ rect: PixelRect) { damage.add(rect.intersection(surface.bounds)) }

  /// Redraws the damaged parts and returns their rectangles.
  public func draw() -> [PixelRect] {
    let rects = damage.take()
    for rect in rects {
      surface.clipped(to: rect) { surface in
        surface.fill(rect, background)
        root.drawTree(on: &surface)
      }
    }
    return rects
  }

  // MARK: Input

  /// Passes a pointer event to the view under it, or to the view that handles the press.
  public func pointer(_ event: PointerEvent) {
    if event.phase == .began {
      if let capturingView { _ = capturingView.pointer(PointerEvent(.cancelled, x: 0, y: 0)) }
      capturingView = press(event)
      return
    }
    guard let capturingView else { return }
    if event.phase != .moved { self.capturingView = nil }
    _ = capturingView.pointer(converted(event, to: capturingView))
  }

  /// Passes the place of a pointer that is not pressed to the view under it; nil if it has left the stage.
  public func hover(at point: (x: Int, y: Int)?) {
    let hit = point.flatMap { root.hit(x: $0.x, y: $0.y) }
    if let hoveredView, hoveredView !== hit?.view { hoveredView.hovered(at: nil) }
    hoveredView = hit?.view
    if let hit { hit.view.hovered(at: (hit.x, hit.y)) }
  }

  private func press(_ event: PointerEvent) -> View? {
    guard var (view, x, y) = root.hit(x: event.x, y: event.y) else { return nil }
    while !view.pointer(PointerEvent(.began, x: x, y: y)) {
      guard let parent = view.parent else { return nil }
      (x, y) = (x + view.frame.x, y + view.frame.y)
      view = parent
    }
    return view
  }

  private func converted(_ event: PointerEvent, to view: View) -> PointerEvent {
    var event = event
    var place: View? = view
    while let view = place {
      event.x -= view.frame.x
      event.y -= view.frame.y
      place = view.parent
    }
    return event
  }

  /// Passes a wheel event to the views at a point, innermost first.
  public func wheel(_ pixels: Int, x: Int, y: Int) {
    var view = root.hit(x: x, y: y)?.view
    while let asked = view, !asked.wheel(pixels) { view = asked.parent }
  }
}
