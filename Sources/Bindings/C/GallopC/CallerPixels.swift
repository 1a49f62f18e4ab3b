internal import CGallop
internal import CUncachedCopy
internal import Gallop

/// Memory of the caller for one frame's pixels.
///
/// Its bound: the caller states `size` bytes at `start`; ``check(_:)`` comes before every write.
@unsafe struct CallerPixels {
  let start: UnsafeMutableRawPointer
  let size: Int
  /// Bytes from row to row.
  let stride: Int
  /// What is written of each pixel, and where; nil for its four bytes, next to each other.
  let packing: PixelPacking?
  /// Whether pixels are written past the processor's caches.
  let isUncached: Bool

  /// - Parameter stride: bytes from row to row; 0 for rows without gaps.
  init(_ start: UnsafeMutableRawPointer?, size: Int, stride: Int, width: Int, isUncached: Bool = false)
    throws(Failure)
  {
    unsafe self.start = try unsafe given(start, "the pointer to the pixels")
    unsafe self.size = size
    unsafe self.stride = stride == 0 ? width * 4 : stride
    unsafe packing = nil
    unsafe self.isUncached = isUncached
  }

  /// The memory of a target, whose sizes are the caller's.
  ///
  /// - Parameter format: of the pixels that are to be written.
  init(_ target: gallop_target, width: Int, format: PixelFormat, isUncached: Bool) throws(Failure) {
    let packing = try unsafe PixelPacking(target, format)
    unsafe start = try unsafe given(target.pixels, "the pointer to the pixels")
    unsafe size = target.size
    unsafe stride = target.row_stride == 0 ? width * packing.pixelStride : target.row_stride
    unsafe self.packing = packing.isWhole ? nil : packing
    unsafe self.isUncached = isUncached
  }

  /// Throws unless a frame of this size fits.
  func check(_ picture: PixelSize) throws(Failure) {
    let (stride, size) = unsafe (self.stride, self.size)
    let row = unsafe rowBytes(picture)
    // A stride beyond Int is below 0 here.
    guard stride >= 0 else { throw .argument("the strides are too large") }
    if unsafe packing == nil, stride < row {
      throw .argument("a stride of \(stride) bytes is less than a row of \(row)")
    }
    let needed = unsafe byteCount(picture)
    // A size beyond Int, which no memory has, is below 0 here.
    guard needed <= size else {
      throw Failure(
        .bufferTooSmall, "the frame needs \(needed) bytes, and there are \(size)", value: Int64(needed),
        limit: Int64(size))
    }
  }

  /// Bytes from the first one of a frame to its last one; `Int.max` where no number says it.
  func byteCount(_ picture: PixelSize) -> Int {
    let (rows, overflows) = unsafe stride.multipliedReportingOverflow(by: picture.height - 1)
    let (sum, exceeds) = unsafe rows.addingReportingOverflow(rowBytes(picture))
    return overflows || exceeds ? Int.max : sum
  }

  /// Bytes from the first one of a row to its last one.
  private func rowBytes(_ picture: PixelSize) -> Int {
    unsafe packing.map { $0.byteCount(picture.width) } ?? picture.width * 4
  }

  /// Copies a rectangle of a picture that is `width` pixels wide.
  func copy(_ pixels: UnsafeRawBufferPointer, width: Int, rect: PixelRect) {
    guard !rect.isEmpty, let source = pixels.baseAddress else { return }
    precondition(rect.x >= 0 && rect.x + rect.width <= width)
    precondition(rect.y >= 0 && (rect.y + rect.height) * width * 4 <= pixels.count)
    if let packing = unsafe packing {
      for y in rect.y..<rect.y + rect.height {
        let words = unsafe (source + (y * width + rect.x) * 4).assumingMemoryBound(to: UInt32.self)
        unsafe packing.write(
          UnsafeBufferPointer(start: words, count: rect.width),
          to: start + y * stride + rect.x * packing.pixelStride)
      }
      return
    }
    if rect.width == width, unsafe stride == width * 4 {
      let place = rect.y * width * 4
      unsafe copy(source + place, to: start + place, byteCount: rect.height * width * 4)
      return
    }
    for y in rect.y..<rect.y + rect.height {
      unsafe copy(
        source + (y * width + rect.x) * 4, to: start + y * stride + rect.x * 4, byteCount: rect.width * 4)
    }
  }

  @inline(__always)
  private func copy(_ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, byteCount: Int) {
    if unsafe isUncached {
      unsafe copy_uncached(target, source, byteCount)
    } else {
      unsafe target.copyMemory(from: source, byteCount: byteCount)
    }
  }

  /// Makes a whole picture transparent.
  func clear(_ picture: PixelSize) {
    guard let packing = unsafe packing else {
      for y in 0..<picture.height {
        unsafe (start + y * stride).initializeMemory(as: UInt8.self, repeating: 0, count: picture.width * 4)
      }
      return
    }
    // Little enough for the stack, as memory of the heap may be refused.
    let most = min(picture.width, 256)
    unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: most) { pixels in
      unsafe pixels.initialize(repeating: 0)
      for y in 0..<picture.height {
        for x in Swift.stride(from: 0, to: picture.width, by: most) {
          let piece = unsafe UnsafeBufferPointer(rebasing: pixels[..<min(most, picture.width - x)])
          unsafe packing.write(piece, to: start + y * stride + x * packing.pixelStride)
        }
      }
    }
  }
}
