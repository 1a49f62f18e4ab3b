/// Where the indices of a frame go on the canvas, row by row: interlace, clipping and frames that break off.
struct RowPlacement: Sendable {
  /// The part of the frame that lies on the canvas.
  let visible: PixelRect
  /// How many stored rows there are, the last one perhaps in part.
  let rowCount: Int
  /// Whether rows are repeated over the gaps below them, so that several stored rows write to the same
  /// pixels.
  let fillsGaps: Bool

  private let rect: PixelRect
  private let filled: Int
  private let order: RowOrder
  private let canvasWidth: Int

  /// - Parameters:
  ///   - filled: how many indices there are, in stored order.
  ///   - fillsGaps: see ``Canvas/draw(_:rect:isInterlaced:paint:replaces:fillsGaps:sharing:)``.
  init(_ rect: PixelRect, on canvas: PixelRect, filled: Int, isInterlaced: Bool, fillsGaps: Bool) {
    self.rect = rect
    self.filled = filled
    self.fillsGaps = fillsGaps
    visible = rect.intersection(canvas)
    order = RowOrder(height: rect.height, isInterlaced: isInterlaced)
    rowCount = visible.isEmpty ? 0 : min(rect.height, (filled + rect.width - 1) / rect.width)
    canvasWidth = canvas.width
  }

  /// Calls `body` with the runs of pixels that a range of stored rows becomes: the first index, how many
  /// there are, and the pixel on the canvas where they begin.
  ///
  /// Where no gaps are filled, the runs of different stored rows lie in different rows of the canvas.
  @inline(__always)
  func forEachRun(in rows: Range<Int>, _ body: (_ first: Int, _ count: Int, _ pixel: Int) -> Void) {
    let skipped = visible.x - rect.x
    let fullRows = filled / rect.width
    order.forEachRow(in: rows) { stored, row, gap in
      let first = stored * rect.width + skipped
      // The last row may break off before or inside the visible part.
      let end = min(first + visible.width, filled)
      guard first < end else { return }
      // Only whole rows are repeated.
      let copies = fillsGaps && stored < fullRows ? gap : 0
      for line in row...min(row + copies, rect.height - 1) {
        let y = rect.y + line
        guard y >= 0, y < visible.maxY else { continue }
        body(first, end - first, y * canvasWidth + visible.x)
      }
    }
  }
}

/// How a drawing is divided so that several threads can do it: bands of stored rows, from 0 on.
struct RowBands: Sendable, Equatable {
  let rowCount: Int
  let count: Int

  /// Pixels of a band, about: some microseconds of work, so that the drawing thread waits briefly for the
  /// last one.
  private static let bandPixels: Int64 = 1 << 13

  /// One band where sharing would not pay or where stored rows write to the same pixels.
  init(_ placement: RowPlacement) {
    rowCount = placement.rowCount
    let pixels = Int64(placement.rowCount) * Int64(placement.visible.width)
    let isWhole = placement.fillsGaps || pixels < 2 * Self.bandPixels
    count = isWhole ? 1 : min(rowCount, Int(clamping: pixels / Self.bandPixels), Int(UInt16.max))
  }

  /// The stored rows of a band. Bands are disjoint and cover all rows.
  subscript(band: Int) -> Range<Int> { border(band)..<border(band + 1) }

  private func border(_ band: Int) -> Int { Int(Int64(rowCount) * Int64(band) / Int64(count)) }
}
