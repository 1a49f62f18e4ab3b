internal import Gallop

/// The present picture of a YUV4MPEG2 stream: its line, then the planes Y, Cb and Cr, one byte a pixel each.
///
/// Most frames change a part of the canvas, and only that is converted.
struct YCbCrPicture {
  private static let line = Array("FRAME\n".utf8)

  private(set) var bytes: [UInt8]
  private let width: Int
  private let height: Int
  /// The frame that the planes show.
  private var shown: Int?

  /// - Throws: ``GIFError/Code/outOfMemory``.
  init(_ size: PixelSize) throws(GIFError) {
    width = size.width
    height = size.height
    let count = Self.line.count + 3 * Int(size.area)
    try SystemMemory.require(count)
    bytes = [UInt8](repeating: 0, count: count)
    bytes.replaceSubrange(..<Self.line.count, with: Self.line)
  }

  /// Bytes of a picture with its line.
  static func byteCount(_ size: PixelSize) -> Int64 { Int64(line.count) + 3 * size.area }

  /// Shows a frame over white.
  ///
  /// - Precondition: it has the picture's size.
  mutating func show(_ frame: Picture) {
    let whole = PixelRect(x: 0, y: 0, width: width, height: height)
    let isNext = shown.map { $0 + 1 == frame.index } ?? false
    let rect = isNext ? frame.changedRect.intersection(whole) : whole
    shown = frame.index
    let area = width * height
    precondition(frame.pixels.span.count == area)
    unsafe frame.pixels.withUnsafeBytes { pixels in
      unsafe bytes.withUnsafeMutableBytes { bytes in
        let planes = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[Self.line.count...])
        for y in rect.y..<rect.maxY {
          let start = y * width
          unsafe Self.convert(pixels, start + rect.x..<start + rect.maxX, into: planes, area: area)
        }
      }
    }
  }

  /// Converts pixels that follow each other in a row.
  ///
  /// Safety: `range` lies within the picture's `area`; `pixels` have four bytes each, and `planes` three
  /// times `area`.
  private static func convert(
    _ pixels: UnsafeRawBufferPointer, _ range: Range<Int>, into planes: UnsafeMutableRawBufferPointer,
    area: Int
  ) {
    var place = range.lowerBound
    // Transparent neighbours are all white.
    let white = YCbCr(overWhite: 0)
    while place < range.upperBound {
      let rest = range.upperBound - place
      if rest >= YCbCrLanes.count {
        let lanes = unsafe pixels.loadUnaligned(fromByteOffset: 4 * place, as: SIMD8<UInt32>.self)
        if let colors = YCbCrLanes.areOpaque(lanes) ? YCbCrLanes(opaque: lanes) : nil {
          unsafe planes.storeBytes(of: colors.luma, toByteOffset: place, as: SIMD8<UInt8>.self)
          unsafe planes.storeBytes(of: colors.blue, toByteOffset: place + area, as: SIMD8<UInt8>.self)
          unsafe planes.storeBytes(of: colors.red, toByteOffset: place + 2 * area, as: SIMD8<UInt8>.self)
          place += YCbCrLanes.count
          continue
        }
      }
      for _ in 0..<min(rest, YCbCrLanes.count) {
        let pixel = unsafe pixels.loadUnaligned(fromByteOffset: 4 * place, as: UInt32.self)
        let color = pixel == 0 ? white : YCbCr(overWhite: UInt32(littleEndian: pixel))
        unsafe planes[place] = color.luma
        unsafe planes[place + area] = color.blue
        unsafe planes[place + 2 * area] = color.red
        place += 1
      }
    }
  }
}

/// The colours of eight pixels at once, the same as ``YCbCr`` has.
struct YCbCrLanes {
  static let count = 8

  let luma: SIMD8<UInt8>
  let blue: SIMD8<UInt8>
  let red: SIMD8<UInt8>

  /// Whether all of eight pixels, as they lie in memory, are opaque.
  ///
  /// Words of 64 bits are compared: masks of SIMD are not inlined by the compiler, and take fifteen times as
  /// long.
  @inline(__always)
  static func areOpaque(_ pixels: SIMD8<UInt32>) -> Bool {
    // The lanes below are little-endian.
    guard UInt32(1).littleEndian == 1 else { return false }
    let words = unsafe unsafeBitCast(pixels, to: SIMD4<UInt64>.self)
    return words[0] & words[1] & words[2] & words[3] & 0xFF00_0000_FF00_0000 == 0xFF00_0000_FF00_0000
  }

  /// Pixels with red in the lowest byte, whose alpha is left out.
  @inline(__always)
  init(opaque pixels: SIMD8<UInt32>) {
    let red = SIMD8<Int32>(truncatingIfNeeded: pixels & 0xFF)
    let green = SIMD8<Int32>(truncatingIfNeeded: pixels &>> 8 & 0xFF)
    let blue = SIMD8<Int32>(truncatingIfNeeded: pixels &>> 16 & 0xFF)
    let half = SIMD8<Int32>(repeating: 1 << 15)
    // In parts, which the compiler can check in time.
    let lumaPart = 16_829 &* red &+ 33_039 &* green
    let bluePart = 28_784 &* blue &- 9714 &* red
    let redPart = 28_784 &* red &- 24_103 &* green
    luma = SIMD8(truncatingIfNeeded: (lumaPart &+ 6416 &* blue &+ half) &>> 16 &+ 16)
    self.blue = SIMD8(truncatingIfNeeded: (bluePart &- 19_070 &* green &+ half) &>> 16 &+ 128)
    self.red = SIMD8(truncatingIfNeeded: (redPart &- 4681 &* blue &+ half) &>> 16 &+ 128)
  }
}

/// A colour by ITU-R BT.601, 8 bits in limited range: luma 16 - 235, differences 16 - 240 around 128.
struct YCbCr: Equatable {
  let luma: UInt8
  /// The blue and the red difference.
  let blue: UInt8
  let red: UInt8

  /// Rounded to the nearest. The factors are BT.601's, 219 / 255 and 224 / 255 included, in 65,536ths; each
  /// row's sum is exact, so that greys have differences of 128 and white has luma 235.
  init(red: Int32, green: Int32, blue: Int32) {
    let half: Int32 = 1 << 15
    luma = UInt8(truncatingIfNeeded: 16 + (16_829 * red + 33_039 * green + 6416 * blue + half) >> 16)
    self.blue = UInt8(
      truncatingIfNeeded: 128 + (28_784 * blue - 9714 * red - 19_070 * green + half) >> 16)
    self.red = UInt8(
      truncatingIfNeeded: 128 + (28_784 * red - 24_103 * green - 4681 * blue + half) >> 16)
  }

  /// A pixel with red in the lowest byte and straight alpha in the highest, laid over white.
  init(overWhite pixel: UInt32) {
    let alpha = Int32(pixel >> 24)
    func channel(_ shift: UInt32) -> Int32 {
      (Int32(pixel >> shift & 0xFF) * alpha + 255 * (255 - alpha) + 127) / 255
    }
    self.init(red: channel(0), green: channel(8), blue: channel(16))
  }
}
