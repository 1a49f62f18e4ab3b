internal import GIFDecoding

/// Renders the frames of a look, and finds the samples that change.
///
/// Where only some pixels are looked at and the frames come in order, only those are composed. A damaged
/// image is drawn whole: what its frames show depends on more than the samples.
struct SampleRenderer: ~Copyable {
  private let grid: SampleGrid
  private let canvas: PixelSize
  /// The part of the canvas that the grid covers; nil for all.
  private let part: FlashingPart?
  /// Nil where whole pictures are drawn.
  private var points: PointRenderer?
  private var renderer: FrameRenderer
  /// The pixels of the last picture that was drawn whole, by the number of the sample.
  private var seen: [UInt32] = []
  /// Whether the last picture was blank.
  private var showsNothing = false
  /// Nil where no picture is wanted twice.
  private var kept: SampledPlay?
  /// Whether the picture before the next one was drawn.
  private var isNext = false

  /// - Parameters:
  ///   - isInOrder: whether the frames are asked for from the first to the last, again and again.
  ///   - isRepeated: whether pictures are asked for again, and kept for that.
  init(
    _ image: GIFImage, _ grid: SampleGrid, isInOrder: Bool, isRepeated: Bool, part: FlashingPart? = nil
  ) throws(GIFError) {
    // All that may fail comes first.
    let renderer = try FrameRenderer(notingChangesOf: image)
    let points = try isInOrder ? Self.pointRenderer(image, grid) : nil
    (self.grid, canvas) = (grid, image.size)
    self.part = part
    kept = isRepeated ? SampledPlay() : nil
    self.renderer = renderer
    self.points = points
  }

  private static func pointRenderer(
    _ image: GIFImage, _ grid: SampleGrid
  ) throws(GIFError) -> PointRenderer? {
    guard let points = grid.points else { return nil }
    return try PointRenderer(image, points)
  }

  /// Whether the picture of a step is kept.
  func keeps(_ step: Int) -> Bool { kept.map { step < $0.count } ?? false }

  /// Renders the next picture of a look: those of its samples that differ from the one before, or more.
  mutating func render(
    _ shown: LoopedFrames.Appearance, into picture: inout SampledPicture,
    isCancelled: (@Sendable () -> Bool)?
  ) throws(GIFError) {
    if shown.former == nil { isNext = false }
    if keeps(shown.step) {
      kept?.load(shown.step, into: &picture)
      isNext = false
      return
    }
    try draw(shown.frame, isWhole: !isNext, into: &picture, isCancelled: isCancelled)
    isNext = true
    // Those of a later play do not begin with a whole one.
    if shown.play == 0 { kept?.append(picture, step: shown.step) }
  }

  /// Draws a frame, and notes all samples or those that differ from the last picture drawn.
  private mutating func draw(
    _ frame: Int, isWhole: Bool, into picture: inout SampledPicture, isCancelled: (@Sendable () -> Bool)?
  ) throws(GIFError) {
    picture.removeAll()
    var isWhole = isWhole
    if let isSound = try points?.render(frame, isCancelled: isCancelled) {
      if isSound {
        if isWhole {
          points?.forEachPoint { picture.append($0, $1) }
        } else {
          points?.forEachChange { picture.append($0, $1) }
        }
        return
      }
      points = nil
      isWhole = true
    }
    let status = try renderer.render(frame, isCancelled: isCancelled)
    let changes = renderer.takeChanges()
    // What is seen again after nothing counts whole.
    isWhole = isWhole || showsNothing
    showsNothing = status == .blank
    // Taken out, since the canvas is borrowed from the renderer.
    var seen: [UInt32] = []
    swap(&seen, &self.seen)
    if seen.isEmpty { seen = Array(repeating: 0, count: grid.count) }
    note(changes, isWhole: isWhole, &seen, in: &picture)
    self.seen = seen
  }

  private func note(
    _ changes: ChangedBlocks?, isWhole: Bool, _ seen: inout [UInt32], in picture: inout SampledPicture
  ) {
    if isWhole || showsNothing { picture.makeRoom(for: grid.width * grid.height) }
    for row in 0..<grid.height {
      if let part {
        for columns in part.columns(inRow: row) { note(columns, row, isWhole: isWhole, &seen, in: &picture) }
      } else if isWhole || showsNothing {
        note(0..<grid.width, row, isWhole: true, &seen, in: &picture)
      } else if let changes {
        let lines = row * grid.side..<min((row + 1) * grid.side, grid.canvas.height)
        ChangedBlocks.forEachRun(in: changes.bits(in: lines)) { blocks in
          let first = changes.grid[blocks.lowerBound].lowerBound / grid.side
          let last = (changes.grid[blocks.upperBound - 1].upperBound - 1) / grid.side
          note(first..<last + 1, row, isWhole: false, &seen, in: &picture)
        }
      }
    }
  }

  /// Notes the samples of some columns of a row: all, or those that differ from what was seen.
  private func note(
    _ columns: Range<Int>, _ row: Int, isWhole: Bool, _ seen: inout [UInt32], in picture: inout SampledPicture
  ) {
    let first = row * grid.rowLength
    if showsNothing {
      for column in columns { picture.append(first + column, 0) }
      return
    }
    let pixels = renderer.canvasPixels
    guard let points = grid.points else {
      let place = (row + (part?.rect.y ?? 0)) * canvas.width + (part?.rect.x ?? 0)
      picture.append(
        first + columns.lowerBound,
        pixels.extracting(place + columns.lowerBound..<place + columns.upperBound),
        seen: &seen, isWhole: isWhole)
      return
    }
    for sample in first + columns.lowerBound..<first + columns.upperBound {
      let (x, y) = points.position(sample)
      let pixel = pixels[y * canvas.width + x]
      guard isWhole || seen[sample] != pixel else { continue }
      seen[sample] = pixel
      picture.append(sample, pixel)
    }
  }
}
