/// The pixels that frames are drawn into: `width` x `height` pixels, row by row from the top.
///
/// Transparent at first, and without memory until something is drawn or ``takeMemory()`` is called.
///
/// All rectangles are clipped here; frames may lie anywhere.
struct Canvas: Sendable {
  let bounds: PixelRect
  private var shared: SharedPixels
  /// Whether the caller asks for ``takeChanges()``.
  let notesChanges: Bool
  /// Where pixels may have changed since ``takeChanges()`` was called last; nil where none has.
  private var changed: ChangedBlocks?
  /// The rows that are packed; nil for a canvas that was not packed.
  private var packed: PackedRows?

  /// The number of pixels in memory: all or none.
  var pixelCount: Int { shared.words.count }

  /// Whether ``span`` has all pixels.
  var isWhole: Bool { packed == nil }

  /// One word a pixel; empty without memory. Where the canvas was packed, only of rows opened since: see
  /// ``open(_:)``.
  var span: Span<UInt32> {
    @_lifetime(borrow self)
    get { shared.span }
  }

  /// A transparent canvas.
  ///
  /// - Parameter notesChanges: whether the caller asks for ``takeChanges()``. Drawing then looks at what is
  ///   there first.
  init(width: Int, height: Int, notesChanges: Bool = false) {
    bounds = PixelRect(x: 0, y: 0, width: width, height: height)
    shared = SharedPixels(width: width, height: height)
    self.notesChanges = notesChanges
    note(bounds)
  }

  /// Where pixels may have changed since the last ``takeChanges()``, everything at first; nil where none has.
  var changes: ChangedBlocks? { changed }

  /// Ends ``changes``.
  @discardableResult
  mutating func takeChanges() -> ChangedBlocks? { changed.take() }

  private mutating func note(_ rect: PixelRect) {
    guard notesChanges, !rect.isEmpty else { return }
    var blocks = changed.take() ?? ChangedBlocks(width: bounds.width, height: bounds.height)
    blocks.insert(rect)
    changed = blocks
  }

  /// Gives the canvas memory, if it has none; its pixels are transparent then.
  ///
  /// - Throws: ``GIFError/Code/outOfMemory``, as all do that change pixels; these are then as they were.
  mutating func takeMemory() throws(GIFError) { try shared.takeMemory() }

  private mutating func willChange(_ rect: PixelRect, isOverwritten: Bool = false) throws(GIFError) {
    try shared.willChange(rect, isOverwritten: isOverwritten)
    note(rect)
    guard packed != nil, !rect.isEmpty else { return }
    let isWide = rect.width == bounds.width
    try open(rect.y..<rect.maxY, for: isOverwritten && isWide ? .overwritten : .drawn)
  }

  private mutating func open(_ rows: Range<Int>, for change: PackedRows.Change) throws(GIFError) {
    guard packed != nil else { return }
    // A canvas that was kept on the way has the same memory.
    try shared.unshare()
    guard var former = packed.take() else { return }
    shared.withWords { former.open(rows, for: change, &$0) }
    packed = former
  }

  /// Has ``span`` show these rows.
  mutating func open(_ rows: Range<Int>) throws(GIFError) { try open(rows, for: .none) }

  /// The pixels as they are, to be kept. Costs no copy now; what is drawn later is drawn on other pixels.
  mutating func publish() throws(GIFError) -> PixelMemory {
    try takeMemory()
    return shared.publish()
  }

  /// Takes a snapshot that the caller no longer needs, to draw in its memory; nil releases the one taken
  /// before.
  mutating func reuse(_ snapshot: consuming PixelMemory?) { shared.reuse(snapshot) }

  /// Takes memory for the drawing after a snapshot that is still in use: see ``SharedPixels/supply(_:)``.
  mutating func supply(_ memory: () -> PixelMemory?) { shared.supply(memory) }

  /// Shows what another canvas of the same size shows.
  mutating func show(_ other: Canvas) {
    shared.show(other.shared)
    packed = other.packed
    note(bounds)
  }

  /// Makes everything transparent, and releases the memory.
  mutating func release() {
    packed = nil
    note(bounds)
    shared.release()
  }

  /// Packs the pixels and releases their memory; returns the bytes held now. Nothing else may be called
  /// before ``unpack()``. Nil where they have too many colours, or no memory: the canvas is then as it was.
  mutating func pack() -> Int? {
    guard shared.hasMemory else { return nil }
    var rows = packed ?? PackedRows(width: bounds.width, height: bounds.height)
    guard rows.close(span) else {
      if (try? open(0..<bounds.height)) != nil { packed = nil }
      return nil
    }
    shared.exchange(PixelMemory())
    packed = rows
    return rows.byteCount
  }

  /// Takes memory for the pixels after ``pack()``; rows are unpacked as they are needed.
  mutating func unpack() throws(GIFError) {
    shared.exchange(try PixelMemory(unwrittenCount: bounds.width * bounds.height))
  }

  /// Makes everything transparent.
  mutating func clear() throws(GIFError) { try clear(bounds) }

  /// Makes a rectangle transparent.
  mutating func clear(_ rect: PixelRect) throws(GIFError) {
    let rect = rect.intersection(bounds)
    guard !rect.isEmpty else { return }
    try willChange(rect, isOverwritten: true)
    shared.withWords { fillRows(&$0, stride: bounds.width, rect: rect) }
  }

  /// A copy of a rectangle's pixels, as far as it lies on the canvas.
  mutating func copy(_ rect: PixelRect) throws(GIFError) -> SavedPixels {
    let rect = rect.intersection(bounds)
    guard shared.hasMemory else { return SavedPixels(rect: rect, pixels: nil) }
    var saved = try PixelMemory(unwrittenCount: Int(rect.area))
    try open(rect.y..<rect.maxY)
    for row in 0..<rect.height {
      let source = (rect.y + row) * bounds.width + rect.x
      saved.replace(from: row * rect.width, count: rect.width, with: span, from: source)
    }
    return SavedPixels(rect: rect, pixels: saved)
  }

  /// Puts back what ``copy(_:)`` gave.
  mutating func restore(_ saved: SavedPixels) throws(GIFError) {
    guard let pixels = saved.pixels else {
      try clear(saved.rect)
      return
    }
    try willChange(saved.rect)
    for row in 0..<saved.rect.height {
      let target = (saved.rect.y + row) * bounds.width + saved.rect.x
      let source = row * saved.rect.width
      shared.withWords {
        $0.replace(from: target, count: saved.rect.width, with: pixels.span, from: source)
      }
    }
  }
}

/// A rectangle's pixels, kept to undo a frame that restores what was before it.
struct SavedPixels: Sendable {
  let rect: PixelRect
  /// Nil where all are transparent.
  let pixels: PixelMemory?
}

// MARK: - Drawing

extension Canvas {
  /// Draws the indices of a frame as far as there are any, clipped; a transparent index leaves the pixel as
  /// it is.
  ///
  /// - Parameters:
  ///   - replaces: whether a transparent index makes the pixel transparent: the same, and less work, where it
  ///     already is. A canvas that notes changes has to be transparent.
  ///   - fillsGaps: whether the rows of an unfinished interlaced frame are repeated downwards over the rows
  ///     that later passes would have filled, as Chromium does with the first frame.
  ///   - sharing: through which other threads may take part in a large drawing.
  mutating func draw(
    _ indices: Span<UInt8>, rect: PixelRect, isInterlaced: Bool, paint: Paint, replaces: Bool = false,
    fillsGaps: Bool = false, sharing: (any BandSharing)? = nil
  ) throws(GIFError) {
    let placement = RowPlacement(
      rect, on: bounds, filled: indices.count, isInterlaced: isInterlaced, fillsGaps: fillsGaps)
    guard placement.rowCount > 0 else {
      try takeMemory()
      return
    }
    guard notesChanges else {
      let overwrites = replaces || paint.transparentIndex == nil
      try willChange(placement.visible, isOverwritten: overwrites && Int64(indices.count) >= rect.area)
      unsafe draw(indices, placement, paint, replaces: replaces, nil, sharing)
      return
    }
    let rows = placement.visible.y..<placement.visible.maxY
    try shared.willChange(placement.visible)
    try open(rows)
    var blocks = changed.take() ?? ChangedBlocks(width: bounds.width, height: bounds.height)
    let grid = blocks.grid
    unsafe blocks.withUnsafeRows { rows in
      unsafe draw(indices, placement, paint, replaces: false, ChangeNotes(rows: rows, grid: grid), sharing)
    }
    packed?.change(rows, where: blocks)
    changed = blocks
  }

  private mutating func draw(
    _ indices: Span<UInt8>, _ placement: RowPlacement, _ paint: Paint, replaces: Bool,
    _ notes: ChangeNotes?, _ sharing: (any BandSharing)?
  ) {
    unsafe withBlendTarget(indices, paint, replaces: replaces, notes) { target in
      let drawing = unsafe BandedDrawing(target: target, placement: placement)
      if let sharing, unsafe drawing.bandCount > 1 {
        unsafe sharing.draw(drawing)
      } else {
        unsafe drawing.draw(0..<placement.rowCount)
      }
    }
  }

  /// The memory of the pixels, for the blend kernel.
  mutating func withUnsafePixels(_ body: (UnsafeMutableRawBufferPointer) -> Void) {
    shared.withWords { words in unsafe words.withUnsafeMutableBytes { unsafe body($0) } }
  }
}

/// Sets a rectangle to transparent. `rect` lies within rows of `stride` pixels.
private func fillRows(_ pixels: inout PixelMemory, stride: Int, rect: PixelRect) {
  for row in rect.y..<rect.maxY { pixels.clear(from: row * stride + rect.x, count: rect.width) }
}
