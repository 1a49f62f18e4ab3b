internal import GIFDecoding

/// A YUV4MPEG2 stream: a line of text, then each picture as a line and three planes.
///
/// Colours are BT.601 in limited range, which readers assume where a stream names nothing else, without subsampling.
/// Transparent pixels show white: a web page without a background is white, and ffmpeg, too, lays GIFs over white.
struct Y4MVideo {
  let rate: ConstantRate
  private let size: PixelSize

  /// Bytes of small pictures that are handed to the system together.
  private static let batchBytes = 1 << 20

  /// - Throws: ``FileFailure`` where the repeated pictures take more than `byteLimit` bytes.
  init(_ image: GIFImage, frames: [Int], size: PixelSize, byteLimit: Int64) throws {
    rate = ConstantRate(centiseconds: frames.map { image.frames[$0].delayMilliseconds() / 10 })
    self.size = size
    let count = rate.pictureCount
    let bytes = Int64(count).multipliedReportingOverflow(by: YCbCrPicture.byteCount(size))
    guard !bytes.overflow, bytes.partialValue <= byteLimit else {
      let total = Double(count) * Double(YCbCrPicture.byteCount(size))
      throw FileFailure(
        reason: "makes a video of \(amount(total)): its delays take \(count) pictures at \(rate.description) "
          + "a second; choose --frames or --size, or raise --max-video-bytes")
    }
  }

  /// The line that begins the stream: progressive, square pixels.
  var header: String {
    "YUV4MPEG2 W\(size.width) H\(size.height) F\(rate.numerator):\(rate.denominator) Ip A1:1 C444 XCOLORRANGE=LIMITED\n"
  }

  /// Writes the stream; returns the damage found.
  func write(
    _ pictures: consuming PictureSource, to target: OutputDescriptor
  ) throws -> [GIFDiagnostic] {
    try target.write(Array(header.utf8))
    return try pictures.deliver(
      encoding: { _, picture in YCbCrPicture.encode(picture.pixels) },
      to: { place, bytes in
        var rest = rate.repeats[place]
        let together = min(rest, max(1, Self.batchBytes / bytes.count))
        var batch = bytes
        batch.reserveCapacity(together * bytes.count)
        for _ in 1..<together { batch += bytes }
        while rest >= together {
          try target.write(batch)
          rest -= together
        }
        for _ in 0..<rest { try target.write(bytes) }
      })
  }
}

extension ConstantRate {
  /// Pictures a second, with two decimals at the most.
  var description: String {
    denominator == 1 ? "\(numerator)" : "\((Double(numerator) / Double(denominator)).rounded(to: 2))"
  }
}

/// A picture of a YUV4MPEG2 stream.
enum YCbCrPicture {
  private static let line = Array("FRAME\n".utf8)

  /// Bytes of a picture with its line.
  static func byteCount(_ size: PixelSize) -> Int64 { Int64(line.count) + 3 * size.area }

  /// The picture over white: its line, then the planes Y, Cb and Cr, one byte a pixel each.
  static func encode(_ picture: PixelBuffer) -> [UInt8] {
    let pixels = picture.span
    let area = pixels.count
    var bytes = [UInt8](repeating: 0, count: line.count + 3 * area)
    var output = bytes.mutableSpan
    for index in line.indices { output[index] = line[index] }
    var place = line.count
    // Neighbours often have the same colour, so the last one is cached.
    var last: UInt32 = 0xFFFF_FFFF
    var color = YCbCr(red: 255, green: 255, blue: 255)
    for index in 0..<area {
      let pixel = UInt32(littleEndian: pixels[index])
      if pixel != last {
        color = YCbCr(overWhite: pixel)
        last = pixel
      }
      output[place] = color.luma
      output[place + area] = color.blue
      output[place + 2 * area] = color.red
      place += 1
    }
    return bytes
  }
}

/// A colour by ITU-R BT.601, 8 bits in limited range: luma 16 - 235, differences 16 - 240 around 128.
struct YCbCr: Equatable {
  let luma: UInt8
  /// The blue and the red difference.
  let blue: UInt8
  let red: UInt8

  /// Rounded to the nearest. The factors are BT.601's, 219 / 255 and 224 / 255 included, in 65,536ths; each row's sum is
  /// exact, so that greys have differences of 128 and white has luma 235.
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
