internal import CGallop
internal import CPixelPacking
internal import Gallop

/// What is written of each pixel, and how far apart: all four bytes, three over a background, or the
/// brightness.
struct PixelPacking {
  private let channels: Int
  /// Bytes from pixel to pixel.
  let pixelStride: Int
  /// Bytes from a channel of a pixel to the next.
  private let planeStride: Int
  /// The channels of the background, in the order of the pixels' bytes.
  private let background: pixel_packing_channels
  private let weights: pixel_packing_channels
  private let isPremultiplied: Bool

  /// No memory is as large, and times the pixels of a row it is a number.
  private static let mostStride = 1 << 40

  /// - Parameter format: of the pixels that are to be written.
  init(_ target: gallop_target, _ format: PixelFormat) throws(Failure) {
    channels =
      switch unsafe Int(target.channels) {
      case Int(GALLOP_CHANNELS_ALL): 4
      case Int(GALLOP_CHANNELS_RGB): 3
      case Int(GALLOP_CHANNELS_GRAY): 1
      default: throw unsafe .argument("there are no channels \(target.channels)")
      }
    // Sizes beyond Int are below 0 here.
    planeStride = unsafe target.plane_stride == 0 ? 1 : target.plane_stride
    pixelStride =
      unsafe target.pixel_stride != 0 ? target.pixel_stride : target.plane_stride != 0 ? 1 : channels
    let possible = 1...Self.mostStride
    guard possible.contains(pixelStride), possible.contains(planeStride) else {
      throw .argument("the strides are too large")
    }
    let color = unsafe target.background
    guard color < 1 << 24 else { throw .argument("the background is no color of 24 bits") }
    let isRedFirst = format.isRedFirst
    func ordered(_ red: UInt32, _ green: UInt32, _ blue: UInt32) -> pixel_packing_channels {
      pixel_packing_channels(first: isRedFirst ? red : blue, second: green, third: isRedFirst ? blue : red)
    }
    background = ordered(color >> 16, color >> 8 & 0xFF, color & 0xFF)
    // Of 65,536 in all, as ITU-R BT.601 has them.
    weights = ordered(19_595, 38_470, 7471)
    isPremultiplied = format.isPremultiplied
  }

  /// Whether pixels are written as they are.
  var isWhole: Bool { channels == 4 && pixelStride == 4 && planeStride == 1 }

  /// Bytes from the first one of a row to its last one.
  func byteCount(_ width: Int) -> Int { pixelStride * (width - 1) + planeStride * (channels - 1) + 1 }

  /// Writes pixels of a row.
  ///
  /// Its bound: ``byteCount(_:)`` bytes for their number lie at `target`.
  func write(_ words: UnsafeBufferPointer<UInt32>, to target: UnsafeMutableRawPointer) {
    guard var source = words.baseAddress else { return }
    // Pieces that stay in the first cache while they are laid over the background, and then written.
    let most = 256
    unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: most) { piece in
      guard let seen = piece.baseAddress else { return }
      var target = unsafe target.assumingMemoryBound(to: UInt8.self)
      for start in stride(from: 0, to: words.count, by: most) {
        let count = min(most, words.count - start)
        unsafe write(source, count: count, to: target, by: seen)
        unsafe source += count
        unsafe target += count * pixelStride
      }
    }
  }

  /// Writes at most as many pixels as `seen` has room for.
  private func write(
    _ pixels: UnsafePointer<UInt32>, count: Int, to target: UnsafeMutablePointer<UInt8>,
    by seen: UnsafeMutablePointer<UInt32>
  ) {
    var pixels = unsafe pixels
    if channels < 4, unsafe !pixels_are_opaque(pixels, count) {
      unsafe pixels_over(pixels, count, background, isPremultiplied, seen)
      unsafe pixels = UnsafePointer(seen)
    }
    if channels == 3, pixelStride == 3, planeStride == 1 {
      return unsafe pixels_pack_three(pixels, count, target)
    }
    if channels == 1 {
      return unsafe pixels_pack_brightness(pixels, count, weights, pixelStride, target)
    }
    for channel in 0..<channels {
      unsafe pixels_pack_channel(
        pixels, count, UInt32(channel * 8), pixelStride, target + channel * planeStride)
    }
  }
}
