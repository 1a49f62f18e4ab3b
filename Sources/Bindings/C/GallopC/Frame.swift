internal import CGallop
internal import Gallop

/// A frame, as C holds it: its pixels stay at their address as long as it lives.
final class FrameObject: HandleObject {
  static let kind = HandleKind.frame
  static let hasThreads = false

  let frame: Frame
  private let delay: Int64
  /// Where the memory goes when the last handle is released.
  private let spare: SpareFrame?
  /// Of several frames, one below another; held for C.
  private let list: FrameList?

  init(_ frame: Frame, delay: Int64, spare: SpareFrame? = nil, list: FrameList? = nil) {
    self.frame = frame
    self.delay = delay
    self.spare = spare
    self.list = list
  }

  deinit { spare?.give(frame) }

  /// Bytes of its pixels.
  var byteCount: Int { frame.pixels.memory.count * 4 }

  var view: gallop_frame_view {
    let pixels = frame.pixels
    return unsafe gallop_frame_view(
      struct_size: 0, pixels: pixels.memory.unsafeAddress.baseAddress?.assumingMemoryBound(to: UInt8.self),
      stride: pixels.width * 4, size: pixels.memory.count * 4, width: UInt32(pixels.width),
      height: UInt32(clamping: pixels.height), format: pixels.format.number, status: frame.status.number,
      index: Int64(frame.index), delay_ms: delay, changed: gallop_rect(frame.changedRect))
  }

  /// Copies the pixels in another format.
  func copy(_ format: PixelFormat, to target: CallerPixels) throws(Failure) {
    let pixels = frame.pixels
    guard let size = PixelSize(width: pixels.width, height: pixels.height) else {
      throw .argument("several frames cannot be copied at once")
    }
    try unsafe target.check(size)
    let conversion = try PixelConversion(from: pixels.format, to: format)
    let source = unsafe pixels.memory.unsafeAddress
    guard conversion.isChange else {
      let whole = PixelRect(x: 0, y: 0, width: size.width, height: size.height)
      return unsafe target.copy(source, width: size.width, rect: whole)
    }
    for y in 0..<size.height {
      for x in 0..<size.width {
        let pixel = unsafe source.load(fromByteOffset: (y * size.width + x) * 4, as: UInt32.self)
        unsafe target.start.storeBytes(
          of: conversion(pixel), toByteOffset: y * target.stride + x * 4, as: UInt32.self)
      }
    }
  }
}

/// A frame that the program has released, for the decoder that may draw the next one in its memory.
///
/// Under the lock of the process, which a fork cannot leave locked: frames are released in children, too.
final class SpareFrame: @unchecked Sendable {
  private var frame: Frame?

  func give(_ frame: Frame) {
    // The one before is released outside the lock; without this the compiler may do it earlier.
    withExtendedLifetime(exchange(frame)) {}
  }

  func take() -> Frame? { exchange(nil) }

  private func exchange(_ new: Frame?) -> Frame? {
    ProcessState.shared.withLock { _ in
      defer { frame = new }
      return frame
    }
  }
}

/// The way from one pixel format to another.
struct PixelConversion {
  let swapsRedAndBlue: Bool
  let multiplies: Bool
  var isChange: Bool { swapsRedAndBlue || multiplies }

  /// - Throws: for premultiplied pixels that are to be straight.
  init(from old: PixelFormat, to new: PixelFormat) throws(Failure) {
    let (isOld, isNew) = (old.isPremultiplied, new.isPremultiplied)
    guard !isOld || isNew else { throw .argument("alpha cannot be divided out of premultiplied pixels") }
    swapsRedAndBlue = old.isRedFirst != new.isRedFirst
    multiplies = isNew && !isOld
  }

  /// Converts a pixel, of which the lowest byte comes first in memory.
  func callAsFunction(_ pixel: UInt32) -> UInt32 {
    var pixel = UInt32(littleEndian: pixel)
    if swapsRedAndBlue { pixel = pixel & 0xFF00_FF00 | pixel >> 16 & 0xFF | (pixel & 0xFF) << 16 }
    let alpha = pixel >> 24
    if multiplies, alpha < 255 {
      // The nearest number to channel * alpha / 255.
      let channels = [0, 8, 16].reduce(UInt32(0)) { sum, place in
        let product = (pixel >> UInt32(place) & 0xFF) * alpha + 128
        return sum | ((product + product >> 8) >> 8) << UInt32(place)
      }
      pixel = channels | alpha << 24
    }
    return pixel.littleEndian
  }
}
