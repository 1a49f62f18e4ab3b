/// The rows of a packed canvas, in bands that are packed each for itself.
///
/// A canvas that goes on needs only the bands that the next frame has to do with: packing and unpacking cost
/// as much as what changes, not as much as the canvas.
struct PackedRows: Sendable {
  private enum Band: Sendable {
    /// The canvas's words are not those of the band.
    case closed(PackedPixels)
    /// The words are those of the band, and so are the packed ones.
    case read(PackedPixels)
    /// The words alone are those of the band.
    case changed
  }

  private let width: Int
  private let height: Int
  private let bandHeight: Int
  private var bands: [Band]

  /// Enough pixels that the colours of a band, each packed again, take little beside them.
  private static let bandPixels = 1 << 14

  /// Rows of which none is packed yet.
  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    bandHeight = Self.bandHeight(width)
    bands = Array(repeating: .changed, count: (height + bandHeight - 1) / bandHeight)
  }

  private static func bandHeight(_ width: Int) -> Int { max(1, bandPixels / max(1, width)) }

  /// The most bytes that packed rows take.
  static func mostBytes(width: Int, height: Int) -> Int64 {
    let bandHeight = bandHeight(width)
    let (whole, rest) = height.quotientAndRemainder(dividingBy: bandHeight)
    let bytes = Int64(whole) * Int64(PackedPixels.mostBytes(count: bandHeight * width))
    return rest == 0 ? bytes : bytes + Int64(PackedPixels.mostBytes(count: rest * width))
  }

  /// Bytes of memory held.
  var byteCount: Int {
    bands.reduce(0) { sum, band in
      switch band {
      case .closed(let pixels), .read(let pixels): sum + pixels.byteCount
      case .changed: sum
      }
    }
  }

  /// Packs the bands that have changed; false where one has too many colours for that.
  mutating func close(_ words: Span<UInt32>) -> Bool {
    for place in bands.indices {
      switch bands[place] {
      case .closed: break
      case .read(let pixels): bands[place] = .closed(pixels)
      case .changed:
        let rows = rows(of: place)
        let band = words.extracting(rows.lowerBound * width..<rows.upperBound * width)
        guard let pixels = PackedPixels(band, width: width) else { return false }
        bands[place] = .closed(pixels)
      }
    }
    return true
  }

  /// Writes the bands that `rows` touch, and that are packed, to the canvas's words.
  ///
  /// - Parameter change: what the caller does with them: whether their pixels change, and whether every pixel
  ///   of `rows` is overwritten.
  mutating func open(_ rows: Range<Int>, for change: Change, _ words: inout PixelMemory) {
    guard !rows.isEmpty else { return }
    for place in rows.lowerBound / bandHeight...(rows.upperBound - 1) / bandHeight {
      let own = self.rows(of: place)
      if case .closed(let pixels) = bands[place] {
        let isCovered = rows.lowerBound <= own.lowerBound && own.upperBound <= rows.upperBound
        if !isCovered || change != .overwritten { pixels.unpack(into: &words, at: own.lowerBound * width) }
        bands[place] = .read(pixels)
      }
      if change != .none { bands[place] = .changed }
    }
  }

  /// Has the open bands that `rows` touch packed again where blocks of them have changed.
  mutating func change(_ rows: Range<Int>, where blocks: ChangedBlocks) {
    guard !rows.isEmpty else { return }
    for place in rows.lowerBound / bandHeight...(rows.upperBound - 1) / bandHeight {
      guard case .read = bands[place], blocks.bits(in: self.rows(of: place)) != 0 else { continue }
      bands[place] = .changed
    }
  }

  enum Change { case none, drawn, overwritten }

  private func rows(of band: Int) -> Range<Int> {
    band * bandHeight..<min((band + 1) * bandHeight, height)
  }
}
