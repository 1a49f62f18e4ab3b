import GIFTestSupport
import GIFTimeline
import Testing

/// A small animation whose canvases are known: frame n fills 2 x 2 pixels with colour n of red, green and
/// blue in turn, but the last pixel of frame 0 is transparent.
struct Fixture {
  static let size = 2
  private static let colours: [RGB] = [0xFF0000, 0x00FF00, 0x0000FF]

  /// Stored delays in hundredths of a second, one for each frame.
  var delays: [Int]
  /// The number in the loop extension; nil without one.
  var loop: Int?

  static let still = Fixture(delays: [0], loop: nil)
  /// Three plays of four frames; the first and the last delay play as 100 ms.
  static let finite = Fixture(delays: [0, 3, 7, 1], loop: 2)
  static let endless = Fixture(delays: [2, 2, 3], loop: 0)

  var bytes: [UInt8] {
    var gif = writer
    gif.trailer()
    return gif.bytes
  }

  /// The file cut off before the last frame's last data byte.
  var truncatedBytes: [UInt8] {
    let gif = writer
    return gif.bytes(upTo: (gif.ranges(of: .imageData).last?.upperBound ?? 0) - 1)
  }

  private var writer: GIFWriter {
    var gif = GIFWriter(width: Self.size, height: Self.size, palette: [0x000000] + Self.colours)
    if let loop { gif.loop(loop) }
    for (index, delay) in delays.enumerated() {
      let colour = UInt8(index % 3 + 1)
      gif.graphicsControl(disposal: 1, delay: delay, transparent: index == 0 ? 0 : nil)
      gif.image(
        width: Self.size, height: Self.size, indices: [colour, colour, colour, index == 0 ? 0 : colour])
    }
    return gif
  }

  /// The finished picture of a frame as RGBA.
  static func canvas(_ index: Int) -> [UInt8] {
    let opaque = colours[index % 3].bytes + [255]
    return opaque + opaque + opaque + (index == 0 ? [0, 0, 0, 0] : opaque)
  }

  /// The finished pictures of some frames, one after another.
  static func canvases(_ range: Range<Int>) -> [UInt8] { range.flatMap(canvas) }

  /// Delays as browsers play them.
  var milliseconds: [Int] { delays.map { $0 <= 1 ? 100 : $0 * 10 } }
}

/// Larger pictures, for output that does not fit somewhere.
enum LargeFixture {
  /// A canvas takes 256 KB: more than a pipe holds.
  private static let side = 256

  /// Frames of noise, which stays large as a PNG too; all are the same.
  static func bytes(frames: Int) -> [UInt8] {
    var generator = SeededGenerator(seed: 7)
    let noise = (0..<side * side).map { _ in UInt8.random(in: 0...3, using: &generator) }
    var gif = GIFWriter(width: side, height: side, palette: [0x000000, 0xFF0000, 0x00FF00, 0x0000FF])
    let image = gif.image(width: side, height: side, indices: noise)
    let bytes = Array(gif.bytes[image])
    for _ in 1..<frames { gif.raw(bytes) }
    gif.trailer()
    return gif.bytes
  }
}

/// A file that can be opened and told of, but whose canvas has more pixels than are rendered.
enum HugeFixture {
  static let side = 8000
  static let reason = "has too many canvas pixels: 64000000, the limit is 33554432"

  static var bytes: [UInt8] {
    var gif = GIFWriter(width: side, height: side, palette: [0x000000, 0xFFFFFF])
    gif.loop(0)
    for _ in 0..<2 {
      gif.graphicsControl(delay: 2)
      gif.image(width: 1, height: 1, indices: [1])
    }
    gif.trailer()
    return gif.bytes
  }
}

/// Files that cannot be used at all, each with a word of the reason that must be given.
struct BadFile: Sendable, CustomTestStringConvertible {
  var name: String
  /// Nil where nothing is written.
  var bytes: [UInt8]?
  var reason: String

  var testDescription: String { name }

  static let missing = BadFile(name: "missing.gif", bytes: nil, reason: "No such file or directory")

  static let all: [BadFile] = [
    missing,
    BadFile(name: "folder", bytes: nil, reason: "s a directory"),
    BadFile(name: "empty.gif", bytes: [], reason: "is empty"),
    BadFile(name: "text.gif", bytes: Array("Not a picture at all.\n".utf8), reason: "is not a GIF"),
    BadFile(name: "header.gif", bytes: Array(Fixture.finite.bytes.prefix(9)), reason: "header"),
    BadFile(name: "palette.gif", bytes: Array(Fixture.finite.bytes.prefix(18)), reason: "header"),
    BadFile(name: "zero.gif", bytes: zeroCanvas, reason: "no canvas"),
  ]

  private static var zeroCanvas: [UInt8] {
    var gif = GIFWriter(width: 0, height: 0)
    gif.trailer()
    return gif.bytes
  }

  func put(into folder: TemporaryFolder) throws {
    if let bytes {
      try folder.write(bytes, to: name)
    } else if name == "folder" {
      try folder.makeFolder(name)
    }
  }
}
