// Weighted sums of pixels over rows and columns: one of the module's kernels with unsafe pointers (the others are
// LZWKernel and BlendKernel).
//
// What bounds every access: `add` states its ranges as preconditions, once a row, and takes four pixels together only
// where at least four are left; `Planes.sum` states its range once a sum.

/// The source pixels that one target column or row covers, and with what weight: `first` and `last` in part, those
/// between in full.
struct Coverage: Sendable {
  var first: Int
  var last: Int
  var firstWeight: UInt64
  /// 0 where the last one is the first.
  var lastWeight: UInt64
  /// What a pixel covered in full weighs, at most 256.
  var fullWeight: UInt64

  func weight(_ position: Int) -> UInt64 {
    position == first ? firstWeight : position == last ? lastWeight : fullWeight
  }

  /// The weights of all positions together.
  var total: UInt64 { firstWeight + lastWeight + UInt64(max(0, last - first - 1)) * fullWeight }
}

/// For each pixel of a row the weighted sums of its channels over several rows, one plane of sums a channel.
///
/// A weight is at most 256 and all weights of one pixel at most ``mostWeight``: then every sum fits in 32 bits.
struct RowSums: Sendable {
  /// 255 times as much is less than 2^32.
  static let mostWeight = 256 * 65_535

  private let width: Int
  /// Four planes, each a multiple of four numbers.
  private var sums: [UInt32]

  var byteCount: Int { sums.count * 4 }

  init(width: Int) {
    self.width = (width + 3) / 4 * 4
    sums = Array(repeating: 0, count: 4 * self.width)
  }

  /// Adds the pixels of one row, each times `weight`, or begins anew with them.
  ///
  /// - Parameters:
  ///   - row: the place in `words` of the row's pixel 0.
  ///   - weight: 0 - 256.
  mutating func add(
    _ pixels: Range<Int>, of words: Span<UInt32>, row: Int, weight: UInt64, isFirst: Bool
  ) {
    precondition(pixels.lowerBound >= 0 && pixels.upperBound <= width && weight <= 256)
    precondition(row >= 0 && row <= words.count - pixels.upperBound)
    let plane = width * 4
    unsafe words.withUnsafeBytes { words in
      unsafe sums.withUnsafeMutableBytes { sums in
        guard let source = words.baseAddress, let target = sums.baseAddress else { return }
        let kept: UInt32 = isFirst ? 0 : .max
        unsafe addRow(source + row * 4, to: target, plane: plane, pixels, UInt16(weight), kept: kept)
      }
    }
  }

  /// Gives `body` the sums, to add up columns of them.
  func withPlanes(_ body: (Planes) -> Void) {
    unsafe sums.withUnsafeBufferPointer { sums in
      guard let start = sums.baseAddress else { return }
      unsafe body(Planes(start: start, width: width))
    }
  }

  /// The sums of the four channels, for as long as their memory stands still.
  @unsafe struct Planes {
    fileprivate let start: UnsafePointer<UInt32>
    fileprivate let width: Int

    /// The weighted sums over the columns of a coverage, in the channels' order in memory.
    @inline(__always)
    func sum(_ column: Coverage) -> (UInt64, UInt64, UInt64, UInt64) {
      unsafe precondition(column.first >= 0 && column.first <= column.last && column.last < width)
      let (first, second) = unsafe (start, start + width)
      let (third, fourth) = unsafe (start + 2 * width, start + 3 * width)
      var inner: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
      var place = column.first + 1
      while place < column.last {
        unsafe inner.0 += UInt64(first[place])
        unsafe inner.1 += UInt64(second[place])
        unsafe inner.2 += UInt64(third[place])
        unsafe inner.3 += UInt64(fourth[place])
        place += 1
      }
      func whole(_ plane: UnsafePointer<UInt32>, _ inner: UInt64) -> UInt64 {
        let ends = unsafe (UInt64(plane[column.first]), UInt64(plane[column.last]))
        return ends.0 * column.firstWeight + ends.1 * column.lastWeight + inner * column.fullWeight
      }
      return unsafe (
        whole(first, inner.0), whole(second, inner.1), whole(third, inner.2), whole(fourth, inner.3)
      )
    }
  }
}

/// - Parameters:
///   - plane: the bytes from one channel's sums to the next one's.
///   - kept: what of the sums so far counts: all bits, or none.
private func addRow(
  _ source: UnsafeRawPointer, to sums: UnsafeMutableRawPointer, plane: Int, _ pixels: Range<Int>,
  _ weight: UInt16, kept: UInt32
) {
  var pixel = pixels.lowerBound
  let weights = SIMD8(repeating: weight)
  let low = SIMD4<UInt32>(repeating: 0xFFFF)
  let kept4 = SIMD4(repeating: kept)
  while pixels.upperBound - pixel >= 4 {
    // A byte times a weight fits in 16 bits: two channels of four pixels are multiplied at once.
    let bytes = unsafe source.loadUnaligned(fromByteOffset: pixel * 4, as: SIMD8<UInt16>.self)
    let even = unsafe unsafeBitCast((bytes & 0xFF) &* weights, to: SIMD4<UInt32>.self)
    let odd = unsafe unsafeBitCast((bytes &>> 8) &* weights, to: SIMD4<UInt32>.self)
    let place = unsafe sums + pixel * 4
    unsafe increase(place, by: even & low, kept4)
    unsafe increase(place + plane, by: odd & low, kept4)
    unsafe increase(place + 2 * plane, by: even &>> 16, kept4)
    unsafe increase(place + 3 * plane, by: odd &>> 16, kept4)
    pixel += 4
  }
  while pixel < pixels.upperBound {
    let word = unsafe source.loadUnaligned(fromByteOffset: pixel * 4, as: UInt32.self).littleEndian
    for channel in 0..<4 {
      let value = (word >> UInt32(8 * channel) & 0xFF) * UInt32(weight)
      let place = unsafe sums + channel * plane + pixel * 4
      let old = unsafe place.loadUnaligned(as: UInt32.self) & kept
      unsafe place.storeBytes(of: old &+ value, as: UInt32.self)
    }
    pixel += 1
  }
}

@inline(__always)
private func increase(_ place: UnsafeMutableRawPointer, by values: SIMD4<UInt32>, _ kept: SIMD4<UInt32>) {
  let old = unsafe place.loadUnaligned(as: SIMD4<UInt32>.self) & kept
  unsafe place.storeBytes(of: old &+ values, as: SIMD4<UInt32>.self)
}
