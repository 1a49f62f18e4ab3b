public import GIFDecoding
public import GIFPlayback
internal import Synchronization

/// A part of a stage: has a place, may have children, draws itself, is told of pointers and tells of events.
///
/// Views are not `Sendable`: the compiler keeps a tree of them with one owner, be it an actor or a thread. What
/// players and loaders tell on their threads is left in an inbox and taken out in ``update(at:)``.
open class View {
  /// Tells views of one process apart.
  public struct ID: Hashable, Sendable, CustomStringConvertible {
    public let rawValue: Int

    public var description: String { "\(rawValue)" }
  }

  public let id: ID
  public private(set) weak var parent: View?
  /// From back to front.
  public private(set) var children: [View] = []
  /// Set for the root of a stage.
  weak var stage: Stage?
  var handlers = HandlerList()
  /// What this view listens to elsewhere; ends with it.
  private var observations: [ViewSubscription] = []

  private static let lastID = Atomic<Int>(0)

  public init() {
    id = ID(rawValue: Self.lastID.wrappingAdd(1, ordering: .relaxed).newValue)
  }

  deinit {
    for observation in observations { observation.cancel() }
  }

  // MARK: Place

  /// The place in the parent, in pixels.
  public var frame = PixelRect.empty {
    willSet { if newValue != frame { invalidate() } }
    didSet {
      frame = frame.bounded
      guard frame != oldValue else { return }
      invalidate()
      if frame.width != oldValue.width || frame.height != oldValue.height { layout() }
    }
  }

  /// The view in its own coordinates.
  public final var bounds: PixelRect { PixelRect(x: 0, y: 0, width: frame.width, height: frame.height) }

  /// A hidden view is neither drawn nor hit, and neither are its children.
  public var isHidden = false {
    willSet { if newValue { invalidate() } }
    didSet { if !isHidden { invalidate() } }
  }

  /// Pixels a point: 2 on a screen of double density. Sizes of letters and lines are multiplied by it.
  public final var scale: Int { root.stage?.scale ?? 1 }

  private var root: View {
    var view = self
    while let parent = view.parent { view = parent }
    return view
  }

  // MARK: Tree

  /// Adds a view in front of the other children; one that has a parent leaves it.
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
  }

  public final func removeFromParent() {
    guard let parent, let place = parent.children.firstIndex(where: { $0 === self }) else { return }
    invalidate()
    parent.children.remove(at: place)
    self.parent = nil
  }

  // MARK: For subclasses

  /// Draws the view, in its own coordinates; its children are drawn afterwards.
  open func draw(on surface: inout Surface) {}

  /// Places the children; called when the size has changed.
  open func layout() {}

  /// Takes in what has come since the last time and moves what moves. Called at each tick, also while hidden.
  ///
  /// - Returns: when to be called next at the latest, beside the deadlines of the stage's clock; nil for never.
  open func update(at now: PlaybackInstant) -> PlaybackInstant? { nil }

  /// Deals with a pointer, in the view's coordinates. Who takes a press gets all of it until it ends.
  ///
  /// - Returns: whether it is taken; otherwise the parent is asked.
  open func pointer(_ event: PointerEvent) -> Bool { false }

  /// Deals with a turn of the wheel by so many pixels, down where positive; returns whether it did.
  open func wheel(_ pixels: Int) -> Bool { false }

  // MARK: Drawing anew

  /// Has a part drawn anew, in the view's coordinates; all of it without one.
  public final func invalidate(_ part: PixelRect? = nil) {
    var area = (part?.bounded ?? bounds).intersection(bounds)
    var view = self
    while !area.isEmpty, !view.isHidden {
      guard let parent = view.parent else {
        view.stage?.damage(area)
        return
      }
      area = area.offset(x: view.frame.x, y: view.frame.y).intersection(parent.bounds)
      view = parent
    }
  }

  /// Draws the view and what is in it; the surface's region is that of the parent.
  final func drawTree(on surface: inout Surface) {
    guard !isHidden else { return }
    surface.inRegion(frame) { surface in
      draw(on: &surface)
      for child in children { child.drawTree(on: &surface) }
    }
  }

  /// Updates the view and what is in it; returns the earliest of what they ask for.
  final func updateTree(at now: PlaybackInstant) -> PlaybackInstant? {
    // Children first: what a parent shows often follows from them.
    var wishes = children.map { $0.updateTree(at: now) }
    wishes.append(update(at: now))
    return wishes.compactMap { $0 }.min()
  }

  /// The frontmost view at a point in the view's coordinates, and that point in its own.
  public final func hit(x: Int, y: Int) -> (view: View, x: Int, y: Int)? {
    guard !isHidden, bounds.contains(x: x, y: y) else { return nil }
    for child in children.reversed() {
      if let hit = child.hit(x: x - child.frame.x, y: y - child.frame.y) { return hit }
    }
    return (self, x, y)
  }

  // MARK: Events

  /// Has `handler` called for this view's events and for those that bubble up from within it.
  @discardableResult
  public final func on(_ handler: @escaping (ViewEvent) -> Void) -> ViewSubscription {
    handlers.add(handler)
  }

  /// Listens to another view for as long as this one lives. `handler` should hold this view weakly.
  public final func observe(_ other: View, _ handler: @escaping (ViewEvent) -> Void) {
    observations.append(other.on(handler))
  }

  /// Tells an event of this view: to its own handlers, and by kind to those of its ancestors, innermost first.
  public final func emit(_ kind: ViewEvent.Kind) {
    let event = ViewEvent(target: self, kind: kind)
    // Looked up before each telling: a handler may take the view out of its tree.
    var ancestor = parent
    handlers.tell(event)
    guard kind.route == .bubbling else { return }
    while let view = ancestor {
      ancestor = view.parent
      view.handlers.tell(event)
    }
  }
}
