internal import GIFDecoding

/// The mean colours of squares of 32 pixels, and how they change: a square of a fine pattern looks like its
/// mean.
struct SquareMeans: Sendable {
  /// The side of a square: half the bits of a word.
  static let side = 32

  /// The changes of the means.
  var tracker: FlashTracker

  private let grid: SampleGrid
  private let squares: SampleGrid
  private let measures = ColorMeasures.shared
  /// Of each sample, the pixel that was seen last; empty before the first picture.
  private var seen: [UInt32] = []
  /// Of each square, the sums of its pixels' linear light: red, green, blue.
  private var sums: [SIMD4<Int64>] = []
  private var means = SampledPicture()

  /// - Parameter grid: that of each pixel.
  init(_ grid: SampleGrid, red: FlashTracker.RedDetail) {
    self.grid = grid
    squares = SampleGrid(
      canvas: PixelSize(
        clampingWidth: (grid.width + Self.side - 1) / Self.side,
        height: (grid.height + Self.side - 1) / Self.side))
    tracker = FlashTracker(squares, red: red)
  }

  /// Whether the bit of a square is set.
  func isSet(_ column: Int, _ row: Int, in bits: BitRows) -> Bool {
    column < squares.width && bits[row * bits.stride + column / 64] >> UInt64(column % 64) & 1 == 1
  }

  /// Takes the next picture, the first one whole.
  mutating func take(_ picture: SampledPicture) {
    let isFirst = seen.isEmpty
    if isFirst {
      seen = Array(repeating: Backdrop.black.rawValue, count: grid.count)
      sums = Array(repeating: .zero, count: squares.count)
    }
    var changed = [Bool](repeating: isFirst, count: squares.count)
    add(picture, &changed)
    means.removeAll()
    for row in 0..<squares.height {
      for square in row * squares.rowLength..<row * squares.rowLength + squares.width where changed[square] {
        means.append(square, mean(square, row))
      }
    }
    tracker.take(means)
  }

  /// Adds what a picture's samples differ from those that were seen.
  private mutating func add(_ picture: SampledPicture, _ changed: inout [Bool]) {
    // Taken out, since the rest of this is read meanwhile.
    var (seenPixels, sums): ([UInt32], [SIMD4<Int64>]) = ([], [])
    swap(&seenPixels, &seen)
    swap(&sums, &self.sums)
    note(picture, &seenPixels, &sums, &changed)
    swap(&seenPixels, &seen)
    swap(&sums, &self.sums)
  }

  private func note(
    _ picture: SampledPicture, _ seenPixels: inout [UInt32], _ sums: inout [SIMD4<Int64>],
    _ changed: inout [Bool]
  ) {
    var seen = seenPixels.mutableSpan
    var sums = sums.mutableSpan
    var changed = changed.mutableSpan
    let (samples, pixels) = (picture.samples, picture.pixels)
    // Samples of a row follow one another.
    var (row, start) = (0, 0)
    for place in samples.indices {
      let sample = Int(samples[place])
      if sample < start || sample >= start + grid.rowLength {
        row = sample / grid.rowLength
        start = row * grid.rowLength
      }
      let pixel = tracker.backdrop.shown(pixels[place])
      let square = row / Self.side * squares.rowLength + (sample - start) / Self.side
      sums[square] &+= measures.light(pixel) &- measures.light(seen[sample])
      seen[sample] = pixel
      changed[square] = true
    }
  }

  /// The mean colour of a square.
  private func mean(_ square: Int, _ row: Int) -> UInt32 {
    let column = square - row * squares.rowLength
    let (width, height) = (
      min(Self.side, grid.width - column * Self.side), min(Self.side, grid.height - row * Self.side)
    )
    let count = Int64(width * height)
    let sum = sums[square]
    let (red, green, blue) = (
      measures.value(ofLight: sum.x / count), measures.value(ofLight: sum.y / count),
      measures.value(ofLight: sum.z / count)
    )
    return Backdrop.black.rawValue | red | green << 8 | blue << 16
  }
}
