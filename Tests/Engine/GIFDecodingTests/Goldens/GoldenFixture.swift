import Foundation
import GIFDecoding
import GIFTestSupport
import Testing

/// A small file for a row of the table in `BrokenGIFs.md` of which browsers have been asked what they show.
struct GoldenFixture: Sendable, CustomTestStringConvertible {
  /// The name of the file in the recording, without `.gif`.
  let name: String
  let bytes: [UInt8]

  var testDescription: String { name }

  static let palette: [RGB] = [0x1A1A1A, 0xD02020, 0x20B040, 0x3060E0]
  static let width = 6
  static let height = 4

  /// - Parameters:
  ///   - name: `row-` and a number first.
  ///   - screen: the logical screen; nil where `build` writes header and screen, too.
  ///   - ends: whether a trailer follows what `build` writes.
  init(
    _ name: String, screen: (Int, Int)? = (width, height), palette: [RGB]? = palette, ends: Bool = true,
    _ build: (inout GIFWriter) -> Void
  ) {
    self.name = name
    var writer = GIFWriter()
    if let screen { writer = GIFWriter(width: screen.0, height: screen.1, palette: palette) }
    build(&writer)
    if ends { writer.trailer() }
    bytes = writer.bytes
  }

  /// Indices that tell every place of a rectangle from its neighbours.
  static func pattern(_ width: Int, _ height: Int, from first: Int = 0) -> [UInt8] {
    (0..<width * height).map { UInt8((first + $0 % max(1, width) + $0 / max(1, width) * 2) % 4) }
  }
}

extension GIFWriter {
  /// A frame of the pattern, of the whole screen unless told otherwise.
  mutating func patterned(
    x: Int = 0, y: Int = 0, width: Int = GoldenFixture.width, height: Int = GoldenFixture.height,
    from first: Int = 0, disposal: Int = 0, delay: Int = 5, transparent: UInt8? = nil, palette: [RGB]? = nil,
    interlaced: Bool = false, coding: ImageCoding = ImageCoding()
  ) {
    graphicsControl(disposal: disposal, delay: delay, transparent: transparent)
    image(
      x: x, y: y, width: width, height: height,
      indices: GoldenFixture.pattern(width, height, from: first), palette: palette, interlaced: interlaced,
      coding: coding)
  }

  /// A damaged frame, of the whole screen unless told otherwise: some pixels, and then what is given.
  mutating func damaged(
    pixels: Int, then codes: [Int], x: Int = 0, y: Int = 0, height: Int = GoldenFixture.height,
    transparent: UInt8? = nil, disposal: Int = 0
  ) {
    graphicsControl(disposal: disposal, delay: 5, transparent: transparent)
    let indices = GoldenFixture.pattern(GoldenFixture.width, height, from: 2)
    var stream = LZWEncoder(minimumCodeSize: 2, endsWithEnd: false).stream(of: Array(indices.prefix(pixels)))
    for code in codes { stream.append(code) }
    image(x: x, y: y, width: GoldenFixture.width, height: height, codes: stream)
  }
}

/// A line of the recording: what browsers made of one file.
struct GoldenLine: Decodable {
  struct Frame: Decodable {
    var ms: Int?
    var sha: String?
    var why: String?
  }

  /// A number of plays, or "forever".
  enum Plays: Decodable, Equatable {
    case number(Int)
    case forever

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      self = if let number = try? container.decode(Int.self) { .number(number) } else { .forever }
    }
  }

  var file: String
  var sha256: String
  var width: Int?
  var height: Int?
  var frameCount: Int?
  var plays: Plays?
  var frames: [Frame]
  var agree: String?
  /// The digest of what the page shows where frame 0 failed.
  var shown: String?
  /// Where a frame has no picture: the digests of what the page shows in each frame's time.
  var painted: [String]?

  /// The recording beside this file, by file name without `.gif`.
  static func recorded() throws -> [String: GoldenLine] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let data = try Data(contentsOf: folder.appendingPathComponent("goldens.jsonl"))
    var lines: [String: GoldenLine] = [:]
    for text in data.split(separator: UInt8(ascii: "\n")) {
      let line = try JSONDecoder().decode(GoldenLine.self, from: Data(text))
      lines[String(line.file.dropLast(4))] = line
    }
    return lines
  }
}
