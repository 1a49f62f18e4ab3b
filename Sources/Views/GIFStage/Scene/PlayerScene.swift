internal import EngineSupport
internal import GIFCaching
public import GIFDecoding
internal import GIFPlayback
public import GIFTimeline

/// A complete player: one image or a grid, a control bar and a debug overlay. It is an example of how to use
/// the views.
public final class PlayerScene: View {
  /// The contents and the standard settings of a scene.
  public struct Options: Sendable {
    /// The images; one is shown alone, several in a grid.
    public var items: [GridItem]
    /// How all images are shown and played; the source is each item's own.
    public var image = ImageProperties()
    /// The columns of a grid.
    public var columns = GridLayout.Columns.largest(width: 180)
    /// Whether the debug overlay is shown at first.
    public var showsOverlay = false
    /// Bytes of memory in use by the process, for the overlay: its resident memory, unless a program has
    /// another figure.
    public var memoryInUse: @Sendable () -> Int64? = { ProcessMemory.residentBytes }

    /// Creates the standard options.
    public init(items: [GridItem]) { self.items = items }
  }

  /// Called for each event of an item's image view, and of the slider while it moves the item's frames.
  public var onItemEvent: ((_ item: Int, _ event: ViewEvent) -> Void)?
  /// Called for each change by the user, in order with ``onItemEvent``.
  public var onEvent: ((SceneEvent) -> Void)?
  /// Called for the quit command.
  public var onQuit: (() -> Void)?
  /// Enters or leaves the full screen; returns whether it has done so.
  public var onFullscreen: ((_ isFull: Bool) -> Bool)?
  /// Saves a part of an item; returns a message for the user.
  public var onSave: ((_ item: Int, _ image: GIFImage, _ part: SavedPart) -> String)?

  let items: [GridItem]
  let content: Content
  let bar = ControlBar()
  let overlay = DebugOverlay()
  let help = HelpView()
  /// The time and the frame under the pointer, above the slider.
  let tooltip = Label()
  /// A message that disappears after a while.
  let messageLabel = Label()
  package let services: StageServices
  let readMemory: @Sendable () -> Int64?
  package var recorder = StatisticsRecorder()
  package var state: SceneState {
    didSet { if state.selected != oldValue.selected { grid?.selectedItem = state.selected } }
  }
  var openedView: AnimatedImageView?
  /// The last tap on an item, which a second one makes a double tap.
  var lastTap: (item: Int, time: PlaybackInstant)?
  /// Whether a double tap waits for the end of its event.
  var doubleTappedItem: Int?
  /// The item whose slider is dragged, also if another one is selected meanwhile.
  var draggedItem: Int?
  /// What the bar shows, also of an item that is scrolled away.
  var barContent: BarContent?

  enum Content {
    case single(AnimatedImageView)
    case wall(GridView)
  }

  /// Creates the root view of a player.
  public init(_ options: Options, services: StageServices) {
    items = options.items
    self.services = services
    readMemory = options.memoryInUse
    state = SceneState(itemCount: items.count, showsOverlay: options.showsOverlay)
    var image = options.image
    if items.count == 1 {
      image.source = items[0].source
      content = .single(AnimatedImageView(image, services: services))
    } else {
      var grid = GridProperties()
      grid.items = options.items
      grid.image = image
      grid.columns = options.columns
      content = .wall(GridView(grid, services: services))
    }
    super.init()
    add(contentView)
    add(bar)
    add(overlay)
    for view in [tooltip, messageLabel, help] {
      view.isHidden = true
      add(view)
    }
    overlay.isHidden = !state.showsOverlay
    subscribe()
  }

  private func subscribe() {
    switch content {
    case .single(let view):
      observe(view) { [weak self] in self?.take($0, item: 0) }
    case .wall(let grid):
      grid.selectedItem = items.isEmpty ? nil : 0
      grid.onItemEvent = { [weak self] item, event in self?.take(event, item: item) }
      observe(grid) { [weak self] event in
        if case .scrolled(let visible) = event.kind { self?.onEvent?(.scrolled(visible: visible)) }
      }
    }
    observe(bar.button) { [weak self] _ in self?.perform(.togglePlayback) }
    observe(help) { [weak self] _ in self?.perform(.toggleHelp) }
    observe(bar.scrubber) { [weak self] event in
      if case .scrubbed(let scrub) = event.kind { self?.take(scrub, event) }
    }
  }

  var contentView: View {
    switch content {
    case .single(let view): view
    case .wall(let grid): grid
    }
  }

  /// The view of the selected item; nil while it has no cell.
  public var selectedView: AnimatedImageView? { view(of: selectedItem) }

  func view(of item: Int) -> AnimatedImageView? {
    switch content {
    case .single(let view): view
    case .wall(let grid): item == openedItem ? openedView : grid.imageView(of: item)
    }
  }

  /// The views of all items with a cell, or of the one shown large.
  public var imageViews: [(item: Int, view: AnimatedImageView)] {
    switch content {
    case .single(let view): [(0, view)]
    case .wall(let grid): openedItem.flatMap { item in openedView.map { [(item, $0)] } } ?? grid.imageViews
    }
  }

  /// The grid; nil with a single image.
  public var grid: GridView? {
    if case .wall(let grid) = content { return grid }
    return nil
  }

  /// The selected item, to which keys and the slider apply.
  public var selectedItem: Int { state.selected }

  /// The item of the grid that is shown large; nil for none.
  public var openedItem: Int? { state.opened }

  /// Whether the debug overlay is shown.
  public var isOverlayShown: Bool { state.showsOverlay }

  /// Whether the scene fills the screen.
  public var isFullscreen: Bool { state.isFullscreen }

  // MARK: Events

  func take(_ event: ViewEvent, item: Int) {
    switch event.kind {
    case .frameChanged(let change): recorder.add(change)
    case .tapped: return noteTap(on: item)
    default: break
    }
    onItemEvent?(item, event)
  }

  private func take(_ scrub: ScrubEvent, _ event: ViewEvent) {
    if scrub.phase == .began {
      revealSelected()
      draggedItem = selectedItem
    }
    guard let item = draggedItem else { return }
    // The drag ends after its last event is handled.
    defer { if scrub.phase == .ended { draggedItem = nil } }
    onItemEvent?(item, event)
    switch (scrub.knob, scrub.phase) {
    case (.playhead, .began): view(of: item)?.beginScrubbing()
    case (.playhead, .changed): view(of: item)?.scrub(toFrame: scrub.value)
    case (.playhead, .ended): view(of: item)?.endScrubbing()
    case (_, .ended):
      let model = bar.scrubber.model
      limit(item, to: model.start..<model.end + 1, frameCount: model.maximum + 1)
    case (_, .began), (_, .changed): break
    }
  }

  // MARK: Layout and time

  public override func layout() {
    let height = bar.isHidden ? 0 : min(frame.height, ControlBar.height * scale)
    var area = PixelRect(x: 0, y: 0, width: frame.width, height: frame.height - height)
    bar.frame = PixelRect(x: 0, y: area.height, width: frame.width, height: height)
    if !overlay.isHidden { area = overlay.place(in: area) }
    contentView.frame = area
    openedView?.frame = area
    help.place(in: area)
  }

  public override func update(at now: PlaybackInstant) -> PlaybackInstant? {
    openDoubleTappedItem()
    recorder.noteTick()
    updateBar()
    let next = updateMessage(at: now)
    guard !overlay.isHidden else { return next }
    let isNew = sampleStatistics(at: now)
    overlay.show(statistics, isNewSample: isNew)
    return [next, recorder.nextSample].compactMap { $0 }.min()
  }
}
