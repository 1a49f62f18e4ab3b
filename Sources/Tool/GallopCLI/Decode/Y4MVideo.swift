internal import Gallop

/// A YUV4MPEG2 stream: a line of text, then each picture as a line and three planes.
///
/// Colours are BT.601 in limited range, which readers assume where a stream names nothing else, without
/// subsampling. Transparent pixels show white: a web page without a background is white, and ffmpeg, too,
/// lays GIFs over white.
struct Y4MVideo {
  let rate: ConstantRate
  private let size: PixelSize

  /// The bytes that are handed to the system together at the most, where a picture has fewer.
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
    var picture = try YCbCrPicture(size)
    return try pictures.deliver { place, frame in
      picture.show(frame)
      var rest = rate.repeats[place]
      let bytes = picture.bytes
      // Small pictures are handed to the system together.
      let together = min(rest, Self.batchBytes / bytes.count)
      if together > 1 {
        var batch: [UInt8] = []
        batch.reserveCapacity(together * bytes.count)
        for _ in 0..<together { batch += bytes }
        while rest >= together {
          try target.write(batch)
          rest -= together
        }
      }
      for _ in 0..<rest { try target.write(bytes) }
    }
  }
}

extension ConstantRate {
  /// Pictures a second, with two decimals at the most.
  var description: String {
    denominator == 1 ? "\(numerator)" : "\((Double(numerator) / Double(denominator)).rounded(to: 2))"
  }
}
