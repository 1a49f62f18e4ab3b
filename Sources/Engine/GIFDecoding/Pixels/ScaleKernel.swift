// Weighted sums of pixels over rows and columns: one of the module's kernels with unsafe pointers (the others
// are LZWKernel and BlendKernel).
//
// What bounds every access: `RowSums.add` states its ranges as preconditions, once a target row, and takes
// four pixels together only where at least four are left; `Columns` states its range once a target pixel.

/// The source pixels that one target column or row covers, and with what weight: `first` and `last` in part,
/// those between in full.
struct Coverage: Sendable {
  let first: Int
  let last: Int
  let firstWeight: UInt32
  /// 0 where the last one is the first.
  let lastWeight: UInt32
  /// What a pixel covered in full weighs, at most 256.
  let fullWeight: UInt32
  /// The weights of all positions together: at most 256 times 131,072.
  let total: UInt32

  /// The coverage of what lies from `start` to `end`, in parts of a pixel of which there are `unit`.
  init(from start: Int64, to end: Int64, unit: Int64) {
    let (first, last) = (start / unit, (end - 1) / unit)
    self.first = Int(first)
    self.last = Int(last)
    firstWeight = UInt32(min(end, (first + 1) * unit) - start)
    lastWeight = first == last ? 0 : UInt32(end - last * unit)
    fullWeight = UInt32(unit)
    total = UInt32(end - start)
  }

  /// From the first to before the one behind the last.
  var range: Range<Int> { first..<last + 1 }

  func weight(_ position: Int) -> UInt32 {
    position == first ? firstWeight : position == last ? lastWeight : fullWeight
  }
}

/// For each pixel of a row the weighted sums of its channels over several rows, in the channels' order in
/// memory.
///
/// A weight is at most 256 and all weights of one pixel at most ``mostWeight``: then every sum fits in 32
/// bits.
struct RowSums: Sendable {
  /// 255 times as much is less than 2^32.
  static let mostWeight = 256 * 65_535

  private var sums: [SIMD4<UInt32>]

  var byteCount: Int { sums.count * MemoryLayout<SIMD4<UInt32>>.size }

  init(width: Int) { sums = Array(repeating: .zero, count: width) }

  /// Starts over with the pixels of the rows of a coverage, each times its weight.
  ///
  /// - Parameter stride: the words of `words` from one row to the next; row 0 begins with the first.
  mutating func add(_ pixels: Range<Int>, of words: Span<UInt32>, stride: Int, rows: Coverage) {
    precondition(pixels.lowerBound >= 0 && pixels.upperBound <= min(stride, sums.count))
    precondition(rows.first >= 0 && rows.first <= rows.last && rows.last < words.count / max(1, stride))
    unsafe words.withUnsafeBytes { words in
      unsafe sums.withUnsafeMutableBufferPointer { sums in
        guard let source = words.baseAddress, let target = sums.baseAddress else { return }
        unsafe addRows(source, stride: stride, rows, to: target, pixels)
      }
    }
  }

  /// Gives `body` the sums, to add up columns of them.
  func withColumns(_ body: (Columns) -> Void) {
    unsafe sums.withUnsafeBufferPointer { sums in
      guard let start = sums.baseAddress else { return }
      unsafe body(Columns(start: start, count: sums.count))
    }
  }

  /// The sums of the four channels, for as long as their memory stands still.
  @unsafe struct Columns {
    fileprivate let start: UnsafePointer<SIMD4<UInt32>>
    fileprivate let count: Int

    /// The weighted sums over the columns of a coverage, where they are known to fit in 32 bits.
    @inline(__always)
    func narrowSum(_ column: Coverage) -> SIMD4<UInt32> {
      unsafe precondition(column.first >= 0 && column.first <= column.last && column.last < count)
      var inner = SIMD4<UInt32>.zero
      var place = column.first + 1
      while place < column.last {
        unsafe inner &+= start[place]
        place += 1
      }
      let ends = unsafe start[column.first] &* column.firstWeight &+ start[column.last] &* column.lastWeight
      return ends &+ inner &* column.fullWeight
    }

    /// The weighted sums over the columns of a coverage.
    func wideSum(_ column: Coverage) -> SIMD4<UInt64> {
      unsafe precondition(column.first >= 0 && column.first <= column.last && column.last < count)
      var sum = SIMD4<UInt64>.zero
      for place in column.first...column.last {
        let values = unsafe SIMD4<UInt64>(truncatingIfNeeded: start[place])
        sum &+= values &* UInt64(column.weight(place))
      }
      return sum
    }
  }
}

@_optimize(speed)
private func addRows(
  _ source: UnsafeRawPointer, stride: Int, _ rows: Coverage, to sums: UnsafeMutablePointer<SIMD4<UInt32>>,
  _ pixels: Range<Int>
) {
  let step = 4 &* stride
  var pixel = pixels.lowerBound
  var start = unsafe source + (rows.first * step + 4 * pixel)
  while pixels.upperBound - pixel >= 4 {
    var fours = FourSums()
    unsafe fours.add(start, weight: rows.firstWeight)
    var (row, place) = unsafe (rows.first &+ 1, start + step)
    while row < rows.last {
      var inner = PlainSums()
      let end = min(rows.last, row &+ PlainSums.mostRows)
      while row < end {
        unsafe inner.add(place)
        unsafe (row, place) = unsafe (row &+ 1, place + step)
      }
      fours.add(inner, weight: rows.fullWeight)
    }
    if row == rows.last { unsafe fours.add(place, weight: rows.lastWeight) }
    for lane in 0..<4 { unsafe sums[pixel + lane] = fours[lane] }
    unsafe (pixel, start) = unsafe (pixel &+ 4, start + 16)
  }
  while pixel < pixels.upperBound {
    var (sum, place) = unsafe (SIMD4<UInt32>.zero, start)
    for row in rows.first...rows.last {
      let word = unsafe place.loadUnaligned(as: UInt32.self).littleEndian
      sum &+= (SIMD4(word, word &>> 8, word &>> 16, word &>> 24) & 0xFF) &* rows.weight(row)
      unsafe place += step
    }
    unsafe sums[pixel] = sum
    unsafe (pixel, start) = unsafe (pixel &+ 1, start + 4)
  }
}

/// The sums of four pixels, one vector for each channel.
private struct FourSums {
  private var red = SIMD4<UInt32>.zero
  private var green = SIMD4<UInt32>.zero
  private var blue = SIMD4<UInt32>.zero
  private var alpha = SIMD4<UInt32>.zero

  /// Adds four pixels, each times `weight`.
  @inline(__always)
  mutating func add(_ pixels: UnsafeRawPointer, weight: UInt32) {
    // A byte times a weight fits in 16 bits: two channels of four pixels are multiplied at once.
    let weights = SIMD8(repeating: UInt16(truncatingIfNeeded: weight))
    let low = SIMD4<UInt32>(repeating: 0xFFFF)
    let bytes = unsafe pixels.loadUnaligned(as: SIMD8<UInt16>.self)
    let even = unsafe unsafeBitCast((bytes & 0xFF) &* weights, to: SIMD4<UInt32>.self)
    let odd = unsafe unsafeBitCast((bytes &>> 8) &* weights, to: SIMD4<UInt32>.self)
    red &+= even & low
    green &+= odd & low
    blue &+= even &>> 16
    alpha &+= odd &>> 16
  }

  /// Adds sums of four pixels, each times `weight`, which is a power of two.
  @inline(__always)
  mutating func add(_ sums: PlainSums, weight: UInt32) {
    let low = SIMD4<UInt32>(repeating: 0xFFFF)
    let shift = SIMD4<UInt32>(repeating: UInt32(truncatingIfNeeded: weight.trailingZeroBitCount))
    let even = unsafe unsafeBitCast(sums.even, to: SIMD4<UInt32>.self)
    let odd = unsafe unsafeBitCast(sums.odd, to: SIMD4<UInt32>.self)
    red &+= (even & low) &<< shift
    green &+= (odd & low) &<< shift
    blue &+= (even &>> 16) &<< shift
    alpha &+= (odd &>> 16) &<< shift
  }

  /// The sums of one pixel.
  @inline(__always)
  subscript(lane: Int) -> SIMD4<UInt32> { SIMD4(red[lane], green[lane], blue[lane], alpha[lane]) }
}

/// Sums of four pixels that all have the same weight: 16 bits for each channel.
private struct PlainSums {
  /// 255 times as much fits in 16 bits.
  static let mostRows = 256

  private(set) var even = SIMD8<UInt16>.zero
  private(set) var odd = SIMD8<UInt16>.zero

  /// Adds four pixels.
  @inline(__always)
  mutating func add(_ pixels: UnsafeRawPointer) {
    let bytes = unsafe pixels.loadUnaligned(as: SIMD8<UInt16>.self)
    even &+= bytes & 0xFF
    odd &+= bytes &>> 8
  }
}
