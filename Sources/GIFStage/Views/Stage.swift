public import GIFDecoding
public import GIFPlayback
public import GIFTimeline

/// A tree of views with the surface they draw into and the clock that drives them.
///
/// Whoever owns a stage calls ``tick()`` at each screen refresh, or when ``tick()`` or the clock said so, then shows
/// what ``draw()`` says has changed.
public final class Stage {
  public let clock: PlaybackClock
  /// Fills the surface, always.
  public let root: View
  public private(set) var surface: Surface
  /// Pixels a point, 1 - 4.
  public private(set) var scale: Int
  public var background = Theme.ground
  private var damage = DamageList()
  /// Who has taken the press that is going on.
  private weak var captor: View?

  /// - Parameter clock: a clock that is driven from outside; the stage ticks it.
  public init(root: View, width: Int, height: Int, scale: Int = 1, clock: PlaybackClock) {
    self.root = root
    self.clock = clock
    self.scale = min(4, max(1, scale))
    surface = Surface(width: width, height: height)
    root.stage = self
    root.frame = surface.bounds
    damage.add(surface.bounds)
  }

  /// Gives the stage another size; everything is laid out and drawn anew.
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

  /// Wakes the players that are due and has every view take in what has come.
  ///
  /// - Returns: the instant of the next tick needed; nil where nothing moves until something comes from outside.
  @discardableResult
  public func tick() -> PlaybackInstant? {
    clock.tick()
    let wish = root.updateTree(at: clock.now)
    guard let deadline = clock.nextDeadline else { return wish }
    return wish.map { min($0, deadline) } ?? deadline
  }

  // MARK: Drawing

  func damage(_ rect: PixelRect) { damage.add(rect.intersection(surface.bounds)) }

  /// Draws anew what has changed since the last time and says where.
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

  /// Passes a pointer to the view under it, or to the one that took the press.
  public func pointer(_ event: PointerEvent) {
    if event.phase == .began {
      if let captor { _ = captor.pointer(PointerEvent(.cancelled, x: 0, y: 0)) }
      captor = press(event)
      return
    }
    guard let captor else { return }
    if event.phase != .moved { self.captor = nil }
    _ = captor.pointer(converted(event, to: captor))
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

  /// Passes a turn of the wheel to the views at a point, innermost first.
  public func wheel(_ pixels: Int, x: Int, y: Int) {
    var view = root.hit(x: x, y: y)?.view
    while let asked = view, !asked.wheel(pixels) { view = asked.parent }
  }
}
