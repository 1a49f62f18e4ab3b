internal import GIFDecoding

/// Encodes pictures of at most 256 colours as sixels, exactly in these colours.
///
/// A picture is enlarged by repeating pixels, so that no others come up. Its memory is reused for all frames.
struct SixelEncoder {
  /// For each colour and column the pixels of the band: bit 0 is the topmost of six rows.
  private var masks: [UInt8] = []
  /// The first and last column of each colour in the band.
  private var spans: [(first: Int, last: Int)] = []

  /// Encodes a picture; costs its pixels at the size drawn, and the columns of each band that its colours
  /// span.
  ///
  /// - Parameters:
  ///   - indices: the number of each pixel's colour, as many as `size` asks for.
  ///   - palette: at most 256 colours; pixels of a transparent one stay as they are.
  ///   - target: the size drawn; the height is a multiple of six.
  mutating func encode(
    _ indices: [UInt8], palette: [UInt32], size: PixelSize, to target: PixelSize
  ) -> [UInt8] {
    let width = target.width
    masks = Array(repeating: 0, count: palette.count * width)
    spans = Array(repeating: (width, -1), count: palette.count)
    // Each pixel drawn samples the picture at its centre.
    let columns = (0..<width).map { (2 * $0 + 1) * size.width / (2 * width) }
    var bytes: [UInt8] = []
    // Aspect 1:1, and what is not drawn stays as it is.
    bytes.append("\u{1B}P0;1;0q\"1;1;\(width);\(target.height)")
    let isDrawn = palette.map { $0 >> 24 > 0 }
    for (number, color) in palette.enumerated() where isDrawn[number] {
      bytes.append(Self.definition(number, color))
    }
    for top in stride(from: 0, to: target.height, by: 6) {
      for row in 0..<6 {
        let line = (2 * (top + row) + 1) * size.height / (2 * target.height) * size.width
        mark(indices, line: line, columns: columns, bit: 1 << UInt8(row))
      }
      appendBand(width: width, isDrawn: isDrawn, to: &bytes)
    }
    bytes.append("\u{1B}\\")
    return bytes
  }

  /// A colour register in the only unit that all terminals know, percents.
  private static func definition(_ number: Int, _ color: UInt32) -> String {
    func percent(_ shift: UInt32) -> UInt32 { ((color >> shift & 0xFF) * 100 + 127) / 255 }
    return "#\(number);2;\(percent(0));\(percent(8));\(percent(16))"
  }

  private mutating func mark(_ indices: [UInt8], line: Int, columns: [Int], bit: UInt8) {
    let width = columns.count
    for x in 0..<width {
      let color = Int(indices[line + columns[x]])
      masks[color * width + x] |= bit
      if x < spans[color].first { spans[color].first = x }
      if x > spans[color].last { spans[color].last = x }
    }
  }

  /// Appends the band colour by colour, and empties it.
  private mutating func appendBand(width: Int, isDrawn: [Bool], to bytes: inout [UInt8]) {
    for color in spans.indices where isDrawn[color] {
      let (first, last) = spans[color]
      guard last >= first else { continue }
      bytes.append("#\(color)")
      Self.appendRun(of: 0, count: first, to: &bytes)
      var (mask, count): (UInt8, Int) = (masks[color * width + first], 0)
      for place in color * width + first...color * width + last {
        if masks[place] != mask {
          Self.appendRun(of: mask, count: count, to: &bytes)
          (mask, count) = (masks[place], 0)
        }
        count += 1
        masks[place] = 0
      }
      Self.appendRun(of: mask, count: count, to: &bytes)
      // Back to the left, for the next colour.
      bytes.append(UInt8(ascii: "$"))
      spans[color] = (width, -1)
    }
    bytes.append(UInt8(ascii: "-"))
  }

  private static func appendRun(of mask: UInt8, count: Int, to bytes: inout [UInt8]) {
    let character = mask + 0x3F
    if count > 3 {
      bytes.append(UInt8(ascii: "!"))
      bytes.append("\(count)")
      bytes.append(character)
    } else {
      for _ in 0..<count { bytes.append(character) }
    }
  }
}
