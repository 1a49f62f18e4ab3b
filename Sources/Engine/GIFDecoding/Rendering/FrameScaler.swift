/// Delivers the canvas at another size, by area averaging: each pixel delivered is the mean of the part of
/// the canvas it covers, weighted by coverage and by alpha, so that transparent neighbours lend no colour.
/// Enlarged frames keep hard pixel edges.
///
/// Keeps the last frame and averages again only where the canvas has changed.
struct FrameScaler: Sendable {
  let size: PixelSize
  /// Whether colours are multiplied by alpha.
  private let isPremultiplied: Bool
  private let columns: [Coverage]
  private let rows: [Coverage]
  /// The target columns that each block of the canvas's columns has to do with.
  private let blockTargets: [Range<Int>]
  /// The frame at its size, one word a pixel.
  private(set) var words: PixelMemory
  /// The frame that was averaged last.
  var frame: Int?
  /// The source rows of one target row, added up.
  private var sums: RowSums
  /// The pixels made from them, before they are compared with the frame's.
  private var averages: [UInt32]

  init(size: PixelSize, canvas: PixelRect, isPremultiplied: Bool = false) throws(GIFError) {
    self.size = size
    self.isPremultiplied = isPremultiplied
    columns = Self.coverages(of: canvas.width, by: size.width, fullWeight: 256)
    // A canvas may have 131,070 rows; should one target row cover nearly all of them, each must weigh less.
    let mostRows = canvas.height / size.height + 2
    rows = Self.coverages(
      of: canvas.height, by: size.height, fullWeight: mostRows * 256 <= RowSums.mostWeight ? 256 : 64)
    let (grid, all) = (ChangedBlocks.Grid(width: canvas.width), columns)
    blockTargets = (0..<grid.count).map { Self.span(all, grid[$0].lowerBound, grid[$0].upperBound) }
    words = try PixelMemory(count: size.width * size.height)
    sums = RowSums(width: canvas.width)
    averages = [UInt32](repeating: 0, count: size.width)
  }

  /// Bytes of memory held, but for the coverages.
  var byteCount: Int { (words.count + averages.count) * 4 + sums.byteCount }

  /// - Parameter unit: what a source pixel covered in full weighs: the parts in which coverage is counted.
  private static func coverages(of source: Int, by target: Int, fullWeight unit: Int) -> [Coverage] {
    // The products pass 32 bits.
    let (parts, count, unit) = (Int64(source) * Int64(unit), Int64(target), Int64(unit))
    return (0..<count).map { index in
      // At least one part, so that no weight is zero.
      let start = index * parts / count
      let end = max(start + 1, (index + 1) * parts / count)
      return Coverage(from: start, to: end, unit: unit)
    }
  }

  /// The target pixels that a part of the canvas has to do with.
  func target(of rect: PixelRect) -> PixelRect {
    guard !rect.isEmpty else { return .empty }
    let x = Self.span(columns, rect.x, rect.maxX)
    let y = Self.span(rows, rect.y, rect.maxY)
    return PixelRect(x: x.lowerBound, y: y.lowerBound, width: x.count, height: y.count)
  }

  /// The rows of the canvas that ``update(_:of:)`` reads, in ranges that do not touch.
  func sourceRows(of changes: ChangedBlocks) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    for row in rows where changes.bits(in: row.range) != 0 {
      if let last = ranges.last, row.first <= last.upperBound {
        ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, row.range.upperBound)
      } else {
        ranges.append(row.range)
      }
    }
    return ranges
  }

  /// The coverages that touch the source positions from `lower` to before `upper`; both lists are in order.
  private static func span(_ list: [Coverage], _ lower: Int, _ upper: Int) -> Range<Int> {
    let start = list.firstIndex { $0.last >= lower } ?? list.count
    let end = list.lastIndex { $0.first < upper }.map { $0 + 1 } ?? 0
    return start..<max(start, end)
  }

  /// Averages again what has changed on the canvas, and returns where that changes the frame. Costs the
  /// source pixels of the changes and, less, their target pixels.
  ///
  /// For each target row the source rows are added up first, four pixels at once, then the columns of the
  /// sums. A frame in use is copied before the first pixel that differs: frames that look the same share
  /// their memory.
  ///
  /// - Throws: ``GIFError/Code/outOfMemory`` where the last frame is in use; the frame is then as it was.
  mutating func update(_ changes: ChangedBlocks, of canvas: borrowing Canvas) throws(GIFError) -> PixelRect {
    let stride = canvas.bounds.width
    var changed = PixelRect.empty
    for y in rows.indices {
      try ChangedBlocks.forEachRun(in: changes.bits(in: rows[y].range)) { blocks throws(GIFError) in
        let targets =
          blockTargets[blocks.lowerBound].lowerBound..<blockTargets[blocks.upperBound - 1].upperBound
        let pixels = columns[targets.lowerBound].first..<columns[targets.upperBound - 1].last + 1
        sums.add(pixels, of: canvas.span, stride: stride, rows: rows[y])
        average(targets, ofRow: y)
        let other = differences(of: targets, inRow: y)
        guard !other.isEmpty else { return }
        try words.makeUnique()
        let (averages, first) = (averages, other.lowerBound)
        words.replace(from: y * size.width + first, count: other.count, with: averages.span, from: first)
        changed = changed.union(PixelRect(x: other.lowerBound, y: y, width: other.count, height: 1))
      }
    }
    return changed
  }

  /// Makes a row of target pixels from the sums of its source rows.
  @_optimize(speed)
  private mutating func average(_ targets: Range<Int>, ofRow y: Int) {
    let height = UInt64(rows[y].total)
    let (columns, sums, isPremultiplied) = (columns, sums, isPremultiplied)
    var output = averages.mutableSpan
    unsafe sums.withColumns { source in
      var divide = Divisor(1)
      for x in targets {
        let column = columns[x]
        let weight = UInt64(column.total) &* height
        let isNarrow = weight <= Divisor.mostExact
        // Sums that pass 32 bits come from more than 256 pixels each, and are rare.
        let sum =
          unsafe isNarrow
          ? SIMD4<UInt64>(truncatingIfNeeded: source.narrowSum(column)) : source.wideSum(column)
        output[x] = Self.mean(sum, weight: weight, &divide, isPremultiplied: isPremultiplied)
      }
    }
  }

  /// From the first to the last of a row's averages that differ from the frame.
  private func differences(of targets: Range<Int>, inRow y: Int) -> Range<Int> {
    let start = y * size.width
    let (former, averages) = (words.span, averages.span)
    var (first, end) = (targets.lowerBound, targets.upperBound)
    while first < end, averages[first] == former[start + first] { first += 1 }
    while first < end, averages[end - 1] == former[start + end - 1] { end -= 1 }
    return first..<end
  }

  /// The pixel of four sums. Alpha is 0 or 255, and a transparent pixel's colour is 0, so its colour is left
  /// out.
  ///
  /// - Parameters:
  ///   - weight: of all source pixels together.
  ///   - divide: the divisor of the pixel before, which is often the same.
  @inline(__always)
  private static func mean(
    _ sums: SIMD4<UInt64>, weight: UInt64, _ divide: inout Divisor, isPremultiplied: Bool
  ) -> UInt32 {
    let opaque = sums[3] == weight &* 255 ? weight : sums[3] / 255
    guard opaque > 0 else { return 0 }
    let coverage = opaque == weight ? 255 : (sums[3] &+ weight / 2) / weight
    guard coverage > 0 else { return 0 }
    if opaque != divide.divisor { divide = Divisor(opaque) }
    let half = opaque / 2
    var (red, green, blue) = (divide(sums[0] &+ half), divide(sums[1] &+ half), divide(sums[2] &+ half))
    if isPremultiplied, coverage < 255 {
      red = premultiplied(red, alpha: coverage)
      green = premultiplied(green, alpha: coverage)
      blue = premultiplied(blue, alpha: coverage)
    }
    return UInt32(truncatingIfNeeded: red | green &<< 8 | blue &<< 16 | coverage &<< 24).littleEndian
  }

  /// Divides several numbers by the same one, for quotients up to 255.
  private struct Divisor {
    let divisor: UInt64
    private let reciprocal: UInt64

    /// Up to here a multiplication gives the exact quotient.
    static let mostExact: UInt64 = 1 << 24

    init(_ divisor: UInt64) {
      self.divisor = divisor
      reciprocal = divisor <= Self.mostExact ? (1 << 56) / divisor + 1 : 0
    }

    /// The quotient, cut off.
    ///
    /// The reciprocal is too large by at most 1 of 2^56, so the product by less than 256 divisors: less than
    /// one part of 2^56 by the divisor up to 2^24, which reaches no other whole number. The product is less
    /// than 2^64.
    @inline(__always)
    func callAsFunction(_ number: UInt64) -> UInt64 {
      reciprocal == 0 ? number / divisor : (number &* reciprocal) &>> 56
    }
  }
}
