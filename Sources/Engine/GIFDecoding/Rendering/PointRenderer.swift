/// One point in each block of a canvas.
package struct BlockPoints: Sendable, Equatable {
  /// The side of a block in pixels.
  package let side: Int
  /// Blocks of a row, and of a column.
  package let (columns, rows): (Int, Int)
  /// The distance between the numbers of points below each other; at least as many as there are columns.
  package let rowLength: Int
  /// Where each point stands, by its number.
  fileprivate let places: [Place]

  /// A side of a canvas takes 17 bits.
  fileprivate struct Place: Sendable, Equatable {
    private let bits: UInt32

    init(x: Int, line: Int) { bits = UInt32(x) | UInt32(line) << 24 }

    /// The distance from the left edge of the canvas.
    var x: Int { Int(bits & 0xFF_FFFF) }
    /// The distance from the upper edge of the block.
    var line: Int { Int(bits >> 24) }
  }

  /// - Parameters:
  ///   - side: up to 255.
  ///   - offset: where in its block the point of a column and a row stands, from 0 to before the side. Points
  ///     beyond the edges of the canvas come to stand on its last pixels.
  package init(
    canvas: PixelSize, side: Int, rowLength: Int, offset: (_ column: Int, _ row: Int) -> (x: Int, y: Int)
  ) {
    self.side = side
    self.rowLength = rowLength
    (columns, rows) = ((canvas.width + side - 1) / side, (canvas.height + side - 1) / side)
    precondition(rowLength >= columns && side <= 255)
    var places = [Place](repeating: Place(x: 0, line: 0), count: rowLength * rows)
    for row in 0..<rows {
      for column in 0..<columns {
        let (x, y) = offset(column, row)
        places[row * rowLength + column] = Place(
          x: min(canvas.width - 1, column * side + x), line: min(canvas.height - 1 - row * side, y))
      }
    }
    self.places = places
  }

  /// Where a point stands on the canvas.
  package func position(_ point: Int) -> (x: Int, y: Int) {
    (places[point].x, point / rowLength * side + places[point].line)
  }

  /// The rows of blocks that a rectangle touches; it is not empty and lies on the canvas.
  fileprivate func rows(of rect: PixelRect) -> Range<Int> { rect.y / side..<(rect.maxY - 1) / side + 1 }

  /// The points of the blocks in a row that a rectangle touches.
  fileprivate func points(inRow row: Int, of rect: PixelRect) -> Range<Int> {
    let first = row * rowLength
    return first + rect.x / side..<first + (rect.maxX - 1) / side + 1
  }

  /// The points of some rows of blocks, and what lies between.
  fileprivate func points(inRows rows: Range<Int>) -> Range<Int> {
    rows.lowerBound * rowLength..<rows.upperBound * rowLength
  }
}

/// Composes the frames of an undamaged image in order, at some points of the canvas only.
///
/// Decoding a frame and looking up few of its indices costs less than drawing all of it.
package struct PointRenderer: ~Copyable, Sendable {
  private let image: GIFImage
  private let points: BlockPoints
  private var decoder = FrameDecoder()
  private var plane = IndexPlane()
  private var paints: FramePaints
  /// What the canvas shows at each point, 0 where that is nothing.
  private var pixels: [UInt32]
  /// The same when ``forEachChange(_:)`` was called last.
  private var taken: [UInt32]
  /// The rows of blocks that may have changed since.
  private var touched = 0..<0
  /// The pixels to restore when the last frame is over, in some rows of blocks.
  private var undo: (rows: Range<Int>, pixels: [UInt32])?
  /// The number of frames drawn.
  private var count = 0

  /// Makes a renderer; decodes nothing yet.
  ///
  /// - Throws: ``GIFError/Code/canvasTooLarge``, as other renderers do.
  package init(_ image: GIFImage, _ points: BlockPoints) throws(GIFError) {
    try image.checkRenderer(size: nil)
    self.image = image
    self.points = points
    pixels = Array(repeating: 0, count: points.rowLength * points.rows)
    taken = pixels
    paints = FramePaints(image, format: .rgba)
  }

  /// Composes a frame, and those before it that have not been drawn.
  ///
  /// - Returns: false where a frame is damaged. What comes then is undefined until a frame before it is asked
  ///   for.
  /// - Throws: as ``FrameRenderer/render(_:isCancelled:)``.
  package mutating func render(
    _ index: Int, isCancelled: (@Sendable () -> Bool)? = nil
  ) throws(GIFError) -> Bool {
    if index < count - 1 { count = 0 }
    while count <= index {
      guard try renderNext(isCancelled) else { return false }
    }
    return true
  }

  private mutating func renderNext(_ isCancelled: CancelQuestion) throws(GIFError) -> Bool {
    if let isCancelled, isCancelled() { throw GIFError(.cancelled) }
    let frame = image.frames[count]
    var plane = IndexPlane()
    swap(&plane, &self.plane)
    let outcome = decoder.decode(frame, of: image, into: &plane, isCancelled: isCancelled)
    if let failure = outcome.failure { throw failure }
    // The rows of a frame that was cropped are stored in another order.
    guard outcome.status == .complete, !outcome.isCropped else { return false }
    dispose()
    draw(plane.indices, frame, try paints.paint(for: frame, of: image))
    self.plane = plane
    count += 1
    return true
  }

  /// Takes the last frame off, as its disposal asks.
  private mutating func dispose() {
    defer { undo = nil }
    guard count > 0 else {
      for point in pixels.indices { pixels[point] = 0 }
      touch(0..<points.rows)
      return
    }
    if let undo {
      pixels.replaceSubrange(points.points(inRows: undo.rows), with: undo.pixels)
      touch(undo.rows)
    } else if image.frames[count - 1].disposal == .background {
      clear(image.frames[count - 1].rect.intersection(image.animation.canvas))
    }
  }

  private mutating func clear(_ rect: PixelRect) {
    guard !rect.isEmpty else { return }
    let rows = points.rows(of: rect)
    touch(rows)
    for row in rows {
      let top = row * points.side
      for point in points.points(inRow: row, of: rect) {
        let place = points.places[point]
        if rect.contains(x: place.x, y: top + place.line) { pixels[point] = 0 }
      }
    }
  }

  private mutating func draw(_ indices: Span<UInt8>, _ frame: FrameInfo, _ paint: Paint) {
    let rect = frame.rect.intersection(image.animation.canvas)
    guard !rect.isEmpty else { return }
    let rows = points.rows(of: rect)
    touch(rows)
    if frame.disposal == .previous { undo = (rows, Array(pixels[points.points(inRows: rows)])) }
    let order = RowOrder(height: frame.rect.height, isInterlaced: frame.isInterlaced)
    // Where the lines of a block begin in the indices, as if they began at the left edge of the canvas.
    var starts = [Int](repeating: 0, count: points.side)
    let colors = paint.colors.span
    let points = points
    let places = points.places.span
    var pixels = self.pixels.mutableSpan
    for row in rows {
      let top = row * points.side
      for line in 0..<points.side {
        let stored = order.storedRow(of: min(max(0, top + line - frame.rect.y), frame.rect.height - 1))
        starts[line] = stored * frame.rect.width - frame.rect.x
      }
      for point in points.points(inRow: row, of: rect) {
        let place = places[point]
        guard rect.contains(x: place.x, y: top + place.line) else { continue }
        let color = colors[Int(indices[starts[place.line] + place.x])]
        // The pixel of the transparent index is 0.
        if color != 0 { pixels[point] = color }
      }
    }
  }

  private mutating func touch(_ rows: Range<Int>) {
    touched =
      touched.isEmpty
      ? rows : min(touched.lowerBound, rows.lowerBound)..<max(touched.upperBound, rows.upperBound)
  }

  /// Calls `body` with each point that differs from what it was at the last call, and its pixel.
  package mutating func forEachChange(_ body: (_ point: Int, _ pixel: UInt32) -> Void) {
    Self.forEachDifference(of: pixels, to: &taken, in: points.points(inRows: touched), body)
    touched = 0..<0
  }

  private static func forEachDifference(
    of pixels: [UInt32], to taken: inout [UInt32], in range: Range<Int>, _ body: (Int, UInt32) -> Void
  ) {
    let pixels = pixels.span
    var taken = taken.mutableSpan
    for point in range where pixels[point] != taken[point] {
      taken[point] = pixels[point]
      body(point, pixels[point])
    }
  }

  /// Calls `body` with each point and its pixel.
  package mutating func forEachPoint(_ body: (_ point: Int, _ pixel: UInt32) -> Void) {
    for row in 0..<points.rows {
      for point in row * points.rowLength..<row * points.rowLength + points.columns {
        body(point, pixels[point])
      }
    }
    taken = pixels
    touched = 0..<0
  }
}
