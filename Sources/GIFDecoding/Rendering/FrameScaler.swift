/// Delivers the canvas at another size, by area averaging: each pixel delivered is the mean of the part of the canvas
/// it covers, weighted by coverage and by alpha, so that transparent neighbours lend no colour. Enlarged pictures keep
/// hard pixel edges.
///
/// Keeps the last picture and averages anew only where the canvas has changed.
struct FrameScaler: Sendable {
  let size: PixelSize
  private let columns: [Coverage]
  private let rows: [Coverage]
  /// The picture at its size, one word a pixel.
  private(set) var words: [UInt32]

  /// The source pixels that one target column or row covers, and with what weight: `first` and `last` in part, those
  /// between in full. All weights are in 256ths of a source pixel.
  private struct Coverage: Sendable {
    var first: Int
    var last: Int
    var firstWeight: UInt64
    var lastWeight: UInt64

    func weight(_ position: Int) -> UInt64 {
      position == first ? firstWeight : position == last ? lastWeight : 256
    }
  }

  init(size: PixelSize, canvas: PixelRect) {
    self.size = size
    columns = Self.coverages(of: canvas.width, by: size.width)
    rows = Self.coverages(of: canvas.height, by: size.height)
    words = Array(repeating: 0, count: size.width * size.height)
  }

  private static func coverages(of source: Int, by target: Int) -> [Coverage] {
    (0..<target).map { index in
      // In 256ths of a source pixel; at least one of them, so that no weight is zero.
      let start = index * source * 256 / target
      let end = max(start + 1, (index + 1) * source * 256 / target)
      let first = start / 256
      let last = (end - 1) / 256
      return Coverage(
        first: first, last: last, firstWeight: UInt64(min(end, (first + 1) * 256) - start),
        lastWeight: first == last ? 0 : UInt64(end - last * 256))
    }
  }

  /// The target pixels that a part of the canvas has to do with.
  func target(of rect: PixelRect) -> PixelRect {
    guard !rect.isEmpty else { return .empty }
    let x = Self.span(columns, rect.x, rect.maxX)
    let y = Self.span(rows, rect.y, rect.maxY)
    return PixelRect(x: x.lowerBound, y: y.lowerBound, width: x.count, height: y.count)
  }

  /// The coverages that touch the source positions from `lower` to before `upper`; both lists are in order.
  private static func span(_ list: [Coverage], _ lower: Int, _ upper: Int) -> Range<Int> {
    let start = list.firstIndex { $0.last >= lower } ?? list.count
    let end = list.lastIndex { $0.first < upper }.map { $0 + 1 } ?? 0
    return start..<max(start, end)
  }

  /// Averages anew what lies in `rect` of the canvas. Costs its source pixels and, less, its target pixels.
  mutating func update(_ rect: PixelRect, of canvas: borrowing Canvas) {
    let target = target(of: rect)
    guard !target.isEmpty else { return }
    let source = canvas.span
    let stride = canvas.bounds.width
    let (columns, rows, width) = (columns, rows, size.width)
    var output = words.mutableSpan
    for y in target.y..<target.maxY {
      let row = rows[y]
      for x in target.x..<target.maxX {
        output[y * width + x] = Self.mean(source, stride: stride, columns[x], row)
      }
    }
  }

  @inline(__always)
  private static func mean(
    _ source: Span<UInt32>, stride: Int, _ column: Coverage, _ row: Coverage
  ) -> UInt32 {
    var sums: (UInt64, UInt64, UInt64) = (0, 0, 0)
    var opaque: UInt64 = 0
    var all: UInt64 = 0
    for y in row.first...row.last {
      let line = y * stride
      let vertical = row.weight(y)
      for x in column.first...column.last {
        let weight = vertical * column.weight(x)
        all += weight
        let pixel = UInt64(UInt32(littleEndian: source[line + x]))
        // Alpha is 0 or 255, and a transparent pixel's colour is 0.
        let covering = weight & (0 &- (pixel >> 24 & 1))
        opaque += covering
        sums.0 += covering * (pixel & 0xFF)
        sums.1 += covering * (pixel >> 8 & 0xFF)
        sums.2 += covering * (pixel >> 16 & 0xFF)
      }
    }
    guard opaque > 0 else { return 0 }
    let half = opaque / 2
    let alpha = (opaque * 255 + all / 2) / all
    guard alpha > 0 else { return 0 }
    let (first, second, third) = (
      (sums.0 + half) / opaque, (sums.1 + half) / opaque, (sums.2 + half) / opaque
    )
    // A shift binds more tightly than a division.
    let color = first | second << 8 | third << 16 | alpha << 24
    return UInt32(truncatingIfNeeded: color).littleEndian
  }
}
