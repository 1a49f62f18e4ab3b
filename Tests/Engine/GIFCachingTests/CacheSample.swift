import GIFCaching
import GIFDecoding
import GIFTestSupport
import GIFTimeline

/// Images and budgets for caches.
enum CacheSample {
  /// The bytes of a GIF whose canvas is much larger than its frames, with every disposal.
  ///
  /// - Parameters:
  ///   - side: of the square canvas, at least 8.
  ///   - damaged: the frames of which only the first pixels are there.
  static func bytes(frames: Int, side: Int = 16, shift: Int = 0, damaged: Set<Int> = [], delay: Int = 10)
    -> [UInt8]
  {
    let palette: [RGB] = (0..<16).map { RGB(UInt32($0 + shift) * 0x0F_1E_2D & 0xFF_FFFF) }
    var writer = GIFWriter(width: side, height: side, palette: palette)
    for frame in 0..<frames {
      writer.graphicsControl(
        disposal: frame % 4, delay: delay, transparent: frame % 3 == 1 ? UInt8(frame % 16) : nil)
      let isWhole = frame == 0
      let (x, y) = isWhole ? (0, 0) : (frame * 3 % (side - 6), frame * 5 % (side - 6))
      let (width, height) = isWhole ? (side, side) : (6, 5)
      var coding = GIFWriter.ImageCoding()
      if damaged.contains(frame) { coding.pixelLimit = 11 }
      writer.image(
        x: x, y: y, width: width, height: height,
        indices: (0..<width * height).map { UInt8(($0 / 3 + frame) % 16) }, coding: coding)
    }
    writer.trailer()
    return writer.bytes
  }

  static func image(frames: Int, side: Int = 16, shift: Int = 0, damaged: Set<Int> = []) throws -> GIFImage {
    try .onDisk(bytes(frames: frames, side: side, shift: shift, damaged: damaged))
  }

  /// An animation of small opaque frames that stay, each of which is drawn on the one before.
  ///
  /// - Parameter damaged: the frames of which only the first pixels are there.
  static func chain(frames: Int, damaged: Set<Int> = []) throws -> GIFImage {
    var writer = GIFWriter(width: 32, height: 32, palette: [0x000000, 0xFF0000, 0x00FF00, 0x0000FF])
    for frame in 0..<frames {
      writer.graphicsControl(disposal: 1, delay: 10)
      let side = frame == 0 ? 32 : 4
      var coding = GIFWriter.ImageCoding()
      if damaged.contains(frame) { coding.pixelLimit = 11 }
      writer.image(
        x: frame % (33 - side), y: frame * 7 % (33 - side), width: side, height: side,
        indices: Array(repeating: UInt8(frame % 4), count: side * side), coding: coding)
    }
    writer.trailer()
    return try .onDisk(writer.bytes)
  }

  /// An animation of noise with more colours on its canvas than a palette has, each frame drawn on the one
  /// before.
  static func noise(frames: Int, side: Int, seed: Int) throws -> GIFImage {
    var writer = GIFWriter(width: side, height: side, palette: [0, 1])
    var generator = SeededGenerator(seed: UInt64(seed))
    for frame in 0..<frames {
      writer.graphicsControl(disposal: 1, delay: 10)
      let height = frame == 0 ? side : side / 2
      writer.image(
        y: frame % 2 * (side - height), width: side, height: height,
        indices: (0..<side * height).map { _ in UInt8.random(in: 0...255, using: &generator) },
        palette: (0..<256).map { RGB(UInt32($0 << 16 | frame)) })
    }
    writer.trailer()
    return try .onDisk(writer.bytes)
  }

  /// What a renderer and this many frames of an image take.
  static func byteCount(_ image: GIFImage, frames: Int, size: PixelSize? = nil) -> Int64 {
    image.rendererBytes(size: size) + Int64(frames) * (size?.area ?? image.pixelCount) * 4
  }

  /// All orders of playback.
  static let directions: [Playhead.Direction] = [
    .forward, .reverse, .bounce(isReturning: false), .bounce(isReturning: true),
  ]

  static func words(_ pixels: PixelBuffer) -> [UInt32] {
    (0..<pixels.height).flatMap { row in (0..<pixels.width).map { pixels[$0, row] } }
  }

  static func policy(readAhead: Int, preload: CachePolicy.Preload = .none) -> CachePolicy {
    CachePolicy(readAhead: .seconds(1_000), readAheadFrames: readAhead, preload: preload)
  }
}

/// A file that is not in memory for the engine, so that a budget counts nothing for its bytes.
final class StoredBytes: ByteSource {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var count: Int { bytes.count }

  func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) throws(GIFError) {
    unsafe target.copyBytes(from: bytes[offset..<offset + target.count])
  }
}

extension GIFImage {
  /// An image whose bytes are not in memory.
  static func onDisk(_ bytes: [UInt8], limits: DecodingLimits = .default) throws -> GIFImage {
    try GIFImage(source: StoredBytes(bytes), limits: limits)
  }
}
