internal import CUncachedCopy
internal import GIFDecoding

/// Memory of the caller for one frame's pixels.
///
/// Its bound: the caller states `size` bytes at `start`; ``check(_:)`` comes before every write.
@unsafe struct CallerPixels {
  let start: UnsafeMutableRawPointer
  let size: Int
  let stride: Int
  /// Whether pixels are written past the processor's caches.
  let isUncached: Bool

  /// - Parameter stride: bytes from row to row; 0 for rows without gaps.
  init(_ start: UnsafeMutableRawPointer?, size: Int, stride: Int, width: Int, isUncached: Bool = false)
    throws(Failure)
  {
    unsafe self.start = try unsafe given(start, "the pointer to the pixels")
    unsafe self.size = size
    unsafe self.stride = stride == 0 ? width * 4 : stride
    unsafe self.isUncached = isUncached
  }

  /// Throws unless a frame of this size fits.
  func check(_ picture: PixelSize) throws(Failure) {
    let (stride, size) = unsafe (self.stride, self.size)
    let row = picture.width * 4
    guard stride >= row else { throw .argument("a stride of \(stride) bytes is less than a row of \(row)") }
    let (rows, overflows) = stride.multipliedReportingOverflow(by: picture.height - 1)
    let (sum, exceeds) = rows.addingReportingOverflow(row)
    let needed = overflows || exceeds ? Int.max : sum
    // A size beyond Int, which no memory has, is below 0 here.
    guard needed <= size else {
      throw Failure(
        .bufferTooSmall, "the frame needs \(needed) bytes, and there are \(size)", value: Int64(needed),
        limit: Int64(size))
    }
  }

  /// Copies a rectangle of a picture that is `width` pixels wide.
  func copy(_ pixels: UnsafeRawBufferPointer, width: Int, rect: PixelRect) {
    guard !rect.isEmpty, let source = pixels.baseAddress else { return }
    precondition(rect.x >= 0 && rect.x + rect.width <= width)
    precondition(rect.y >= 0 && (rect.y + rect.height) * width * 4 <= pixels.count)
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

  /// Makes a rectangle transparent.
  func clear(_ rect: PixelRect) {
    for y in rect.y..<rect.y + rect.height {
      unsafe (start + y * stride + rect.x * 4).initializeMemory(
        as: UInt8.self, repeating: 0, count: rect.width * 4)
    }
  }
}
