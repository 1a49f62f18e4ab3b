internal import GIFCaching
public import GIFDecoding
internal import GIFPlayback
public import GIFTimeline
internal import Synchronization

/// A node of a stage's view tree: it has a frame and children, draws itself, handles pointers and emits
/// events.
///
/// Views are not `Sendable`, so that a tree belongs to one actor or thread. Events of players and loaders
/// wait in a queue until ``update(at:)``.
open class View {
  /// Identifies a view within the process.
  public struct ID: Hashable, Sendable, CustomStringConvertible {
    public let rawValue: Int

    public var description: String { "\(rawValue)" }
  }

  /// The identity of the view.
  public let id: ID
  /// The parent; nil for a root view and a removed one.
  public private(set) weak var parent: View?
  /// From back to front.
  public private(set) var children: [View] = []
  /// The stage of a root view; nil for other views.
  weak var stage: Stage? {
    didSet { updateVisibility() }
  }
  /// Whether the stage shows the view, may show it soon, or does not show it.
  ///
  /// A view is hidden outside a stage, in a hidden or fully transparent parent, and far from the visible
  /// area.
  public private(set) final var visibility = Visibility.hidden
  private var viewport: Viewport?
  var handlers = HandlerList()
  /// Subscriptions to other views, which end with this one.
  private var observations: [ViewSubscription] = []

  private static let lastID = Atomic<Int>(0)

  /// Creates a view without a parent.
  public init() {
    id = ID(rawValue: Self.lastID.wrappingAdd(1, ordering: .relaxed).newValue)
  }

  deinit {
    for observation in observations { observation.cancel() }
  }

  // MARK: Frame

  /// The frame in the parent's coordinates, in pixels.
  public var frame = PixelRect.empty {
    willSet { if newValue != frame { invalidate() } }
    didSet {
      frame = frame.bounded
      guard frame != oldValue else { return }
      invalidate()
      updateVisibility()
      if frame.width != oldValue.width || frame.height != oldValue.height { layout() }
    }
  }

  /// The view in its own coordinates.
  public final var bounds: PixelRect { PixelRect(x: 0, y: 0, width: frame.width, height: frame.height) }

  /// A hidden view is neither drawn nor hit, and neither are its children.
  public var isHidden = false {
    willSet { if newValue { invalidate() } }
    didSet {
      guard isHidden != oldValue else { return }
      invalidate()
      updateVisibility()
    }
  }

  /// The opacity of the view and its children, 0 - 1. A fully transparent view counts as hidden.
  public var opacity = 1.0 {
    willSet { if newValue != opacity { invalidate() } }
    didSet {
      guard opacity != oldValue else { return }
      invalidate()
      updateVisibility()
    }
  }

  /// Whether the view itself is drawn and hit.
  private var isShown: Bool { !isHidden && opacity > 0 }

  /// Pixels per point, such as 2 on a dense screen. Sizes of letters and lines are multiplied by it.
  public final var scale: Int { root.stage?.scale ?? 1 }

  /// Measures and draws text in the stage's font.
  final var text: TextPainter {
    let stage = root.stage
    return TextPainter(font: stage?.font, scale: stage?.scale ?? 1)
  }

  private var root: View {
    var view = self
    while let parent = view.parent { view = parent }
    return view
  }

  // MARK: Tree

  /// Adds a view in front of the other children; it is removed from its earlier parent.
  public final func add(_ child: View) {
    var ancestor: View? = self
    while let view = ancestor {
      precondition(view !== child, "a view cannot be its own descendant")
      ancestor = view.parent
    }
    child.removeFromParent()
    children.append(child)
    child.parent = self
    child.invalidate()
    child.updateVisibility()
  }

  /// Adds a view in front of one child and behind those in front of it.
  final func insert(_ child: View, above sibling: View) {
    add(child)
    guard let place = children.firstIndex(where: { $0 === sibling }) else { return }
    children.insert(children.removeLast(), at: place + 1)
  }

  /// Removes the view from its parent, if it has one.
  public final func removeFromParent() {
    guard let parent, let place = parent.children.firstIndex(where: { $0 === self }) else { return }
    invalidate()
    parent.children.remove(at: place)
    self.parent = nil
    updateVisibility()
  }

  // MARK: For subclasses

  /// Draws the view, in its own coordinates; its children are drawn afterwards.
  open func draw(on surface: inout Surface) {}

  /// Places the children; called when the size has changed.
  open func layout() {}

  /// Starts or stops work after a change of ``visibility``; the children's visibility changes afterwards.
  open func visibilityChanged(from former: Visibility) {}

  /// Processes waiting events and advances animations. Called at each tick, also while hidden.
  ///
  /// - Returns: the latest instant of the next call, besides the clock's deadlines; nil for none.
  open func update(at now: PlaybackInstant) -> PlaybackInstant? { nil }

  /// Handles a pointer event in the view's coordinates. A view that handles a press gets all its later
  /// events.
  ///
  /// - Returns: whether it is handled; otherwise it is passed to the parent.
  open func pointer(_ event: PointerEvent) -> Bool { false }

  /// Follows a pointer that is not pressed, in the view's coordinates; nil when it leaves the view.
  open func hovered(at point: (x: Int, y: Int)?) {}

  /// Handles a wheel event in pixels, down if positive; returns whether it is handled.
  open func wheel(_ pixels: Int) -> Bool { false }

  // MARK: Visibility

  /// The distance in pixels within which children outside the view are near; nil for that of the stage.
  var nearMargin: Int? { nil }

  /// Derives the visibility of the view and its descendants.
  final func updateVisibility() {
    update(in: parent == nil ? stage.map { Viewport(stage: $0.surface.bounds) } : parent?.viewport)
  }

  private func update(in outer: Viewport?) {
    let viewport = isShown ? outer?.child(frame, margin: nearMargin) : nil
    guard viewport != self.viewport else { return }
    self.viewport = viewport
    let former = visibility
    visibility = viewport?.visibility ?? .hidden
    if visibility != former { visibilityChanged(from: former) }
    // A handler may remove a child.
    for child in children where child.parent === self { child.update(in: self.viewport) }
  }

  // MARK: Invalidation

  /// Marks a part of the view as damaged, in its coordinates; nil for all of it.
  public final func invalidate(_ part: PixelRect? = nil) {
    var area = (part?.bounded ?? bounds).intersection(bounds)
    var view = self
    while !area.isEmpty, view.isShown {
      guard let parent = view.parent else {
        view.stage?.damage(area)
        return
      }
      area = area.offset(x: view.frame.x, y: view.frame.y).intersection(parent.bounds)
      view = parent
    }
  }

  /// Draws the view and its descendants; the surface's region is that of the parent.
  final func drawTree(on surface: inout Surface) {
    guard isShown else { return }
    surface.inRegion(frame, opacity: opacity) { surface in
      draw(on: &surface)
      for child in children { child.drawTree(on: &surface) }
    }
  }

  /// Updates the view and its descendants; returns the earliest instant they return.
  final func updateTree(at now: PlaybackInstant) -> PlaybackInstant? {
    // Children first, as parents often show their state.
    var deadlines = children.map { $0.updateTree(at: now) }
    deadlines.append(update(at: now))
    return deadlines.compactMap { $0 }.min()
  }

  /// The frontmost view at a point in the view's coordinates, and that point in its own.
  public final func hit(x: Int, y: Int) -> (view: View, x: Int, y: Int)? {
    guard isShown, bounds.contains(x: x, y: y) else { return nil }
    for child in children.reversed() {
      if let hit = child.hit(x: x - child.frame.x, y: y - child.frame.y) { return hit }
    }
    return (self, x, y)
  }

  // MARK: Events

  /// Adds a handler for this view's events and for those that bubble up from its descendants.
  @discardableResult
  public final func on(_ handler: @escaping (ViewEvent) -> Void) -> ViewSubscription {
    handlers.add(handler)
  }

  /// Subscribes to another view until this one is released. The handler should capture this view weakly.
  public final func observe(_ other: View, _ handler: @escaping (ViewEvent) -> Void) {
    observations.append(other.on(handler))
  }

  /// Emits an event to this view's handlers and, if it bubbles, to those of its ancestors, innermost first.
  public final func emit(_ kind: ViewEvent.Kind) {
    let event = ViewEvent(target: self, kind: kind)
    // The parent is read before each call, as a handler may remove the view from its tree.
    var ancestor = parent
    handlers.notify(event)
    guard kind.route == .bubbling else { return }
    while let view = ancestor {
      ancestor = view.parent
      view.handlers.notify(event)
    }
  }
}
