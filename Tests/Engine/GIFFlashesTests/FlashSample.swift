import GIFDecoding
import GIFFlashes
import GIFTestSupport
import Testing

/// A small GIF whose flashes are known.
struct FlashSample {
  let (width, height): (Int, Int)
  var palette: [RGB]
  /// For each frame the indices of the whole canvas, and the delay in centiseconds.
  var frames: [(indices: [UInt8], delay: Int)] = []

  init(width: Int, height: Int, palette: [RGB]) {
    (self.width, self.height) = (width, height)
    // The length of a palette is a power of two.
    let count = [2, 4, 8, 16, 32, 64, 128, 256].first { $0 >= palette.count } ?? 256
    self.palette = palette + Array(repeating: RGB(0), count: count - palette.count)
  }

  static let (black, white): (RGB, RGB) = (0x000000, 0xFFFFFF)

  /// Colours in turn, all over.
  static func blinking(_ colors: [RGB] = [black, white], delays: [Int]) -> FlashSample {
    var sample = FlashSample(width: 40, height: 30, palette: colors)
    for (place, delay) in delays.enumerated() { sample.fill(UInt8(place % colors.count), delay: delay) }
    return sample
  }

  /// Adds a frame of one colour.
  mutating func fill(_ color: UInt8, delay: Int) {
    frames.append((Array(repeating: color, count: width * height), delay))
  }

  /// Adds a frame of one colour with rectangles of others.
  mutating func add(_ background: UInt8, _ parts: [(PixelRect, UInt8)], delay: Int) {
    var indices = [UInt8](repeating: background, count: width * height)
    for (rect, color) in parts {
      for row in rect.y..<rect.maxY {
        for column in rect.x..<rect.maxX { indices[row * width + column] = color }
      }
    }
    frames.append((indices, delay))
  }

  var bytes: [UInt8] {
    var writer = GIFWriter(width: width, height: height, palette: palette)
    writer.loop(0)
    for frame in frames {
      writer.graphicsControl(disposal: 1, delay: frame.delay)
      writer.image(width: width, height: height, indices: frame.indices)
    }
    writer.trailer()
    return writer.bytes
  }

  func image() throws -> GIFImage { try GIFImage(bytes: bytes) }

  /// The report at a size of so many CSS pixels a pixel.
  func report(scale: Double = 1, rate: Double = 1) throws -> FlashReport {
    try image().flashes(options(scale, rate))
  }

  /// The same for the verdict alone.
  func verdict(
    scale: Double = 1, rate: Double = 1, isCancelled: (@Sendable () -> Bool)? = nil
  ) throws -> FlashReport {
    var options = options(scale, rate)
    options.isVerdictOnly = true
    return try image().flashes(options, isCancelled: isCancelled)
  }

  private func options(_ scale: Double, _ rate: Double) -> FlashOptions {
    let size = PixelSize(
      width: Int((Double(width) * scale).rounded()), height: Int((Double(height) * scale).rounded()))
    var options = FlashOptions(size: size, rate: rate)
    // The same samples in each run of a test.
    options.secret = 0
    return options
  }

  /// The second implementation of the rule, for that size.
  func judge(scale: Double) throws -> PlainFlashJudge {
    let colors = palette.map { color in
      UInt32(color.red) | UInt32(color.green) << 8 | UInt32(color.blue) << 16 | 0xFF00_0000
    }
    let shown = PixelSize(
      width: Int((Double(width) * scale).rounded()),
      height: Int((Double(height) * scale).rounded()))
    return PlainFlashJudge(
      width: width, height: height,
      pictures: frames.map { frame in frame.indices.map { colors[Int($0)] } },
      delays: frames.map { $0.delay * 10 }, shown: try #require(shown))
  }
}
