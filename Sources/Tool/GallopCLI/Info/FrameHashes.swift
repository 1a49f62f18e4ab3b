internal import Gallop

/// MD5 checksums of composed frames.
enum FrameHashes {
  /// What a checksum is of.
  enum Pixels: Sendable {
    /// The bytes that `decode --format rgba` writes.
    case rgba
    /// The same, but as ffmpeg has them: transparent pixels are white.
    case ffmpeg
  }

  /// Calls `body` with the place of each frame among the chosen ones and its checksum; returns the damage
  /// found.
  static func forEach(
    of image: GIFImage, frames: [Int], as pixels: Pixels, _ task: FileTask,
    _ body: (Int, String) throws -> Void
  ) throws -> [GIFDiagnostic] {
    let pictures = try PictureSource(task, image, frames: frames, format: .rgba, size: nil, background: nil)
    return try pictures.deliver(
      encoding: { _, picture in digest(picture.pixels, as: pixels) }, to: body)
  }

  private static func digest(_ picture: PixelBuffer, as pixels: Pixels) -> String {
    guard pixels == .ffmpeg else { return unsafe picture.withUnsafeBytes { unsafe MD5.digest($0) } }
    let source = picture.span
    let words = source.indices.map { place in
      UInt32(littleEndian: source[place]) >> 24 == 0 ? UInt32(0x00FF_FFFF).littleEndian : source[place]
    }
    return unsafe words.withUnsafeBytes { unsafe MD5.digest($0) }
  }
}

/// The text of ffmpeg's `-f framemd5`, version 2: a header, and a line for each frame with times in
/// hundredths of a second.
struct FrameMD5Text {
  private var start = 0
  private let size: PixelSize

  init(size: PixelSize) { self.size = size }

  var header: String {
    """
    #format: frame checksums
    #version: 2
    #hash: MD5
    #tb 0: 1/100
    #media_type 0: video
    #codec_id 0: rawvideo
    #dimensions 0: \(size.width)x\(size.height)
    #sar 0: 0/1
    #stream#, dts,        pts, duration,     size, hash

    """
  }

  /// The line of the next frame.
  ///
  /// - Parameter milliseconds: the frame's delay as it is played, a multiple of ten.
  mutating func line(milliseconds: Int, hash: String) -> String {
    let duration = milliseconds / 10
    defer { start += duration }
    let columns = [(start, 10), (start, 10), (duration, 8), (Int(size.area) * 4, 8)].map { value, width in
      let text = "\(value)"
      return String(repeating: " ", count: max(0, width - text.count)) + text
    }
    return "0, " + columns.joined(separator: ", ") + ", " + hash + "\n"
  }
}
