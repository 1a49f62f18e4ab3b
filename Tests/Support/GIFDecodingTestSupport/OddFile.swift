internal import GIFTestSupport

/// A small random file of sound and malformed pieces in any order, sometimes cut off or with bytes changed:
/// what a reader has to treat the same way however the bytes come.
package struct OddFile: Sendable, CustomStringConvertible {
  package let seed: UInt64
  package let bytes: [UInt8]

  package var description: String { "odd file \(seed)" }

  /// The files of this many seeds.
  package static func files(_ count: Int, from first: UInt64 = 0) -> [OddFile] {
    (0..<UInt64(count)).map { make(seed: first + $0) }
  }

  package static func make(seed: UInt64) -> OddFile {
    var pieces = OddPieces(seed: seed)
    for _ in 0..<pieces.number(2...10) { pieces.appendAny() }
    if pieces.isChosen(3, of: 4) { pieces.writer.trailer() }
    if pieces.isChosen(1, of: 6) { pieces.writer.raw([1, 2, 3]) }
    var bytes = pieces.writer.bytes
    switch pieces.number(0...5) {
    case 0:
      bytes = Array(bytes.prefix(pieces.number(0...bytes.count)))
    case 1:
      for _ in 0..<pieces.number(1...3) {
        bytes[pieces.number(0...bytes.count - 1)] = UInt8(pieces.number(0...255))
      }
    default: break
    }
    return OddFile(seed: seed, bytes: bytes)
  }
}

/// Writes pieces by chance.
private struct OddPieces {
  static let palette: [RGB] = [0x102030, 0xFF0000, 0x00FF00, 0x0000FF]

  var writer = GIFWriter()
  private var generator: SeededGenerator
  private var frames = 0
  private let width: Int
  private let height: Int

  init(seed: UInt64) {
    var generator = SeededGenerator(seed: seed &+ 0x0DD)
    width = Int.random(in: 1...9, using: &generator)
    height = Int.random(in: 1...9, using: &generator)
    self.generator = generator
    let hasScreen = isChosen(11, of: 12)
    writer.header(isChosen(1, of: 5) ? "GIF87a" : "GIF89a")
    writer.logicalScreen(
      width: hasScreen ? width : 0, height: hasScreen ? height : 0,
      palette: isChosen(5, of: 6) ? Self.palette : nil)
  }

  mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &generator) }

  mutating func isChosen(_ hits: Int, of tries: Int) -> Bool { number(0...tries - 1) < hits }

  mutating func appendAny() {
    switch number(0...23) {
    case 0: writer.loop(number(0...3), identifier: isChosen(1, of: 4) ? "NETSCAPE1.0" : "NETSCAPE2.0")
    case 1: writer.application(Array("ANIMEXTS1.0".utf8), subBlocks: [[UInt8(number(0...9)), 1, 0]])
    case 2: writer.comment("odd pieces", subBlockSize: number(1...9), hasTerminator: isChosen(9, of: 10))
    case 3: writer.plainText("abc")
    case 4: writer.unknownExtension(label: UInt8(number(0...255)), subBlocks: [[0x2C], [0x3B, 0x21]])
    case 5: writer.unknownExtension(label: 0x42)
    case 6: appendMalformedControl()
    case 7 where isChosen(1, of: 4): writer.raw([UInt8(number(0...255))])
    default: appendFrame()
    }
  }

  private mutating func appendMalformedControl() {
    let forms: [GIFWriter.GraphicsControlForm] = [
      .blockSize(0), .blockSize(3), .blockSize(5), .extraSubBlock([1]), .noTerminator,
    ]
    // A fault before the first frame refuses the file: now and then, not always.
    guard frames > 0 || isChosen(1, of: 4) else { return appendFrame() }
    writer.graphicsControl(disposal: 1, delay: 5, form: forms[number(0...forms.count - 1)])
  }

  private mutating func appendFrame() {
    frames += 1
    for _ in 0..<[0, 1, 1, 1, 1, 2][number(0...5)] {
      writer.graphicsControl(
        disposal: [0, 1, 1, 2, 2, 3, 3, 4, 6][number(0...8)], delay: number(0...12),
        transparent: isChosen(1, of: 2) ? UInt8(number(0...5)) : nil)
    }
    let isFull = isChosen(1, of: 3)
    let x = isFull ? 0 : number(0...width - 1)
    let y = isFull ? 0 : number(0...height - 1)
    let frameWidth = isFull ? width : number(isChosen(1, of: 9) ? 0...0 : 1...width)
    let frameHeight = isFull ? height : number(1...height)
    let indices = (0..<frameWidth * frameHeight).map { _ in UInt8(number(0...3)) }
    let palette: [RGB]? = isChosen(1, of: 4) ? [0x445566, 0xFFFFFF] : nil
    let interlaced = isChosen(1, of: 4)
    guard isChosen(1, of: 7), !indices.isEmpty else {
      writer.image(
        x: x, y: y, width: frameWidth, height: frameHeight, indices: indices, palette: palette,
        interlaced: interlaced, coding: anyCoding())
      return
    }
    var codes = LZWEncoder(minimumCodeSize: 2, endsWithEnd: false).stream(
      of: Array(indices.prefix(number(0...indices.count))))
    codes.append(isChosen(1, of: 2) ? 4095 : codes.endCode)
    writer.image(
      x: x, y: y, width: frameWidth, height: frameHeight, codes: codes, palette: palette,
      flags: palette == nil && interlaced ? 0x40 : nil, subBlockSize: number(1...9))
  }

  private mutating func anyCoding() -> GIFWriter.ImageCoding {
    var coding = GIFWriter.ImageCoding()
    coding.subBlockSize = isChosen(1, of: 2) ? 255 : number(1...20)
    switch number(0...15) {
    case 0: coding.pixelLimit = number(0...8)
    case 1: coding.extraPixels = [1, 2, 3]
    case 2: coding.endsWithEnd = false
    case 3: coding.hasTerminator = isChosen(1, of: 2)
    case 4: coding.declaredCodeSize = UInt8(isChosen(1, of: 3) ? number(9...255) : number(0...8))
    case 5: coding.startsWithClear = false
    case 6: coding.minimumCodeSize = number(2...8)
    default: break
    }
    return coding
  }
}
