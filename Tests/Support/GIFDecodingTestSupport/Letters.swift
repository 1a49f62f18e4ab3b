package import GIFTestSupport

/// Pictures as text: one letter a pixel, rows joined by `/`, so that fixture and expectation can be compared
/// by eye.
package enum Letters {
  /// R, G, B and W are the colours 0 - 3 of the test palette.
  package static let palette: [RGB] = [0xFF0000, 0x00FF00, 0x0000FF, 0xFFFFFF]
  private static let names: [Character] = ["R", "G", "B", "W"]

  /// The stored indices of a picture; `.` is index 3, which the fixtures declare transparent.
  package static func indices(_ text: String) -> [UInt8] {
    text.filter { $0 != "/" }.map { letter in
      UInt8(names.firstIndex(of: letter) ?? 3)
    }
  }

  /// The size of a picture.
  package static func size(_ text: String) -> (width: Int, height: Int) {
    let rows = text.split(separator: "/", omittingEmptySubsequences: false)
    return (rows.first?.count ?? 0, rows.count)
  }

  /// A canvas as text: `.` for transparent, `K` for opaque black, `?` for what is no test colour.
  package static func text(_ pixels: [UInt32], width: Int) -> String {
    stride(from: 0, to: pixels.count, by: width).map { start in
      String(pixels[start..<start + width].map(letter))
    }.joined(separator: "/")
  }

  private static func letter(_ pixel: UInt32) -> Character {
    switch pixel {
    case 0: "."
    case 0xFF00_0000: "K"
    default: palette.firstIndex { $0.opaquePixel == pixel }.map { names[$0] } ?? "?"
    }
  }
}

extension GIFWriter {
  /// Appends a picture given as text, with a graphics control extension where one of its fields is given.
  package mutating func frame(
    _ text: String, x: Int = 0, y: Int = 0, disposal: Int? = nil, delay: Int? = nil,
    transparent: UInt8? = nil,
    interlaced: Bool = false, coding: ImageCoding = ImageCoding()
  ) {
    if disposal != nil || delay != nil || transparent != nil {
      graphicsControl(disposal: disposal ?? 0, delay: delay ?? 0, transparent: transparent)
    }
    let size = Letters.size(text)
    image(
      x: x, y: y, width: size.width, height: size.height, indices: Letters.indices(text),
      interlaced: interlaced, coding: coding)
  }

  /// Appends an image whose codes are given one by one.
  package mutating func codes(
    _ codes: [Int], x: Int = 0, y: Int = 0, width: Int, height: Int, codeSize: Int = 2, disposal: Int? = nil,
    transparent: UInt8? = nil, interlaced: Bool = false
  ) {
    if disposal != nil || transparent != nil {
      graphicsControl(disposal: disposal ?? 0, transparent: transparent)
    }
    image(
      x: x, y: y, width: width, height: height,
      codes: LZWCodeStream(minimumCodeSize: codeSize, codes: codes), interlaced: interlaced)
  }
}

extension LZWCodeStream {
  /// Two-bit literals with a clear code before each, then `ending`, then clear codes until the last byte is
  /// full: a decoder that reads on finds the data at an end and makes no pixel of padding bits.
  ///
  /// All codes are three bits wide: 4 is the clear code, 5 the end code, 7 stands for nothing after a clear.
  package static func exactly(_ literals: [UInt8], ending: [Int] = []) -> LZWCodeStream {
    var codes = literals.flatMap { [4, Int($0)] } + ending
    while codes.isEmpty || codes.count % 8 != 0 { codes.append(4) }
    return LZWCodeStream(minimumCodeSize: 2, codes: codes)
  }

  /// A code that stands for nothing.
  package static let invalid = [4, 7]
  /// The end code.
  package static let end = [4, 5]
}
