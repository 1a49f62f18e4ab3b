internal import GIFDecoding

/// A slider with a playhead and two knobs for a range: the playhead in its upper half, the range's in its
/// lower.
///
/// Without a playhead it selects a range only, and a press anywhere moves the nearer knob.
///
/// Emits ``ViewEvent/Kind/scrubbed(_:)`` at the start, at each change and at the end of a drag. Values set
/// from code emit nothing.
public final class ScrubberView: View {
  /// The design height, at scale 1.
  public static let height = 36

  /// The values of the knobs.
  public private(set) var model: ScrubberModel
  /// The dragged knob, and the distance of the press from its centre.
  private var drag: (knob: ScrubberModel.Knob, offset: Int)?
  /// The column of a pointer that is not pressed.
  private var hoveredColumn: Int?
  /// Whether a range is set, so that its knobs show without a pointer, too.
  public var hasRange = false {
    didSet { if hasRange != oldValue { invalidate() } }
  }

  /// Whether there is a playhead.
  public let hasPlayhead: Bool

  /// Creates a slider; one without a playhead selects a range only.
  public init(model: ScrubberModel = ScrubberModel(maximum: 0), hasPlayhead: Bool = true) {
    self.model = model
    self.hasPlayhead = hasPlayhead
    super.init()
  }

  // MARK: Commands

  /// Sets bounds, step, range and playhead at once; ends a drag.
  public func reset(to model: ScrubberModel) {
    guard model != self.model else { return }
    endDrag()
    self.model = model
    invalidate()
  }

  /// Sets a knob; a dragged knob keeps its value.
  public func set(_ knob: ScrubberModel.Knob, to value: Int) {
    guard drag?.knob != knob else { return }
    change { $0.set(knob, to: value) }
  }

  /// Sets both ends of the range.
  public func setRange(_ first: Int, _ last: Int) {
    guard drag == nil || drag?.knob == .playhead else { return }
    change { $0.setRange(first, last) }
  }

  /// Whether the user drags a knob.
  public var isDragging: Bool { drag != nil }

  /// The value under the pointer and its column: of the dragged playhead, or where a press would move it.
  var pointed: (value: Int, x: Int)? {
    if let drag { return (model[drag.knob], x(of: model[drag.knob])) }
    guard let hoveredColumn else { return nil }
    return (geometry.value(at: hoveredColumn, in: model), hoveredColumn)
  }

  var showsRangeKnobs: Bool { hasRange || hoveredColumn != nil || (drag != nil && drag?.knob != .playhead) }

  /// Shows the knobs of the range while the pointer is over the slider.
  public override func hovered(at point: (x: Int, y: Int)?) {
    let wasHovered = hoveredColumn != nil
    hoveredColumn = point?.x
    if wasHovered != (hoveredColumn != nil) { invalidate() }
  }

  private func change(_ body: (inout ScrubberModel) -> Void) {
    let former = model
    // A copy, as the body may read the model.
    var changed = former
    body(&changed)
    guard changed != former else { return }
    model = changed
    if model.start != former.start || model.end != former.end {
      invalidate()
    } else {
      invalidate(column(of: former.value))
      invalidate(column(of: model.value))
      // The track between them changes its colour.
      let (first, last) = (x(of: former.value), x(of: model.value))
      invalidate(
        PixelRect(x: min(first, last), y: 0, width: abs(first - last), height: frame.height))
    }
  }

  // MARK: Pointers

  public override func pointer(_ event: PointerEvent) -> Bool {
    // A pointer that hovers before the press does so after it, where the drag has led it.
    if hoveredColumn != nil, event.phase != .cancelled { hoveredColumn = event.x }
    switch event.phase {
    case .began:
      let isLowerHalf = event.y > frame.height / 2
      let knob =
        hasPlayhead
        ? geometry.knob(atX: event.x, isLowerHalf: isLowerHalf, in: model)
        : geometry.rangeKnob(atX: event.x, in: model)
      let distance = x(of: model[knob]) - event.x
      // A press beside a knob moves it; a press on a knob only starts the drag.
      drag = (knob, abs(distance) <= geometry.reach ? distance : 0)
      emit(.scrubbed(ScrubEvent(phase: .began, knob: knob, value: model[knob])))
      move(to: event.x)
    case .moved: move(to: event.x)
    case .ended:
      move(to: event.x)
      endDrag()
    case .cancelled: endDrag()
    }
    return true
  }

  private func move(to x: Int) {
    guard let drag else { return }
    let former = model
    change { $0.set(drag.knob, to: geometry.value(at: x + drag.offset, in: model)) }
    guard model[drag.knob] != former[drag.knob] else { return }
    emit(.scrubbed(ScrubEvent(phase: .changed, knob: drag.knob, value: model[drag.knob])))
  }

  private func endDrag() {
    guard let drag else { return }
    self.drag = nil
    emit(.scrubbed(ScrubEvent(phase: .ended, knob: drag.knob, value: model[drag.knob])))
  }

  // MARK: Drawing

  private var geometry: ScrubberGeometry {
    ScrubberGeometry(width: frame.width, margin: 14 * scale, reach: 10 * scale)
  }

  private func x(of value: Int) -> Int { geometry.x(of: value, in: model) }

  private func column(of value: Int) -> PixelRect {
    PixelRect(x: x(of: value) - 8 * scale, y: 0, width: 16 * scale + 1, height: frame.height)
  }

  public override func draw(on surface: inout Surface) {
    let geometry = geometry
    let (first, last) = (x(of: model.start), x(of: model.end))
    let playhead = x(of: model.value)
    let middle = frame.height / 2
    let thickness = 4 * scale
    func bar(_ from: Int, _ to: Int, _ color: Color) {
      let rect = PixelRect(
        x: from - thickness / 2, y: middle - thickness / 2, width: to - from + thickness, height: thickness)
      surface.fillRounded(rect, radius: thickness / 2, color)
    }
    bar(geometry.left, geometry.right, Theme.raised)
    bar(first, last, Theme.line)
    bar(first, hasPlayhead ? playhead : last, Theme.accent)
    guard hasPlayhead else {
      for x in [first, last] { drawKnob(on: &surface, x: x, middle: middle) }
      return
    }
    if showsRangeKnobs {
      drawRangeKnob(on: &surface, x: first, middle: middle, opensRight: true)
      drawRangeKnob(on: &surface, x: last, middle: middle, opensRight: false)
    }
    drawKnob(on: &surface, x: playhead, middle: middle)
  }

  private func drawKnob(on surface: inout Surface, x: Int, middle: Int) {
    surface.fillDisc(centerX: x, centerY: middle, diameter: 14 * scale, Theme.ground)
    surface.fillDisc(centerX: x, centerY: middle, diameter: 12 * scale, Theme.text)
  }

  /// A bracket below the track that points at its end of the range.
  private func drawRangeKnob(on surface: inout Surface, x: Int, middle: Int, opensRight: Bool) {
    let width = 8 * scale
    let left = opensRight ? x - width + scale : x - scale
    surface.fill(
      PixelRect(x: x - scale, y: middle - 6 * scale, width: 2 * scale, height: 12 * scale), Theme.warm)
    surface.fillRounded(
      PixelRect(x: left, y: middle + 4 * scale, width: width, height: 10 * scale), radius: 3 * scale,
      Theme.warm)
  }
}
