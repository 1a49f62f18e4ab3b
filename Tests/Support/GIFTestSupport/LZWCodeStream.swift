/// Packs numbers of any width into bytes, lowest bit first, as GIF does.
public struct BitPacker: Sendable, Equatable {
  /// Everything packed so far; the unused high bits of the last byte are zero.
  public private(set) var bytes: [UInt8] = []
  /// How many bits have been packed.
  public private(set) var bitCount = 0

  /// Makes an empty packer.
  public init() {}

  /// Appends the low `width` bits of `value`; higher bits are dropped.
  public mutating func append(_ value: Int, width: Int) {
    for position in 0..<width {
      if bitCount % 8 == 0 { bytes.append(0) }
      let bit = UInt8(truncatingIfNeeded: value >> position) & 1
      bytes[bitCount / 8] |= bit << UInt8(bitCount % 8)
      bitCount += 1
    }
  }
}

/// A list of LZW codes packed at the width that a decoder expects for each; lets a test write any code
/// sequence, valid or not, and with `append(_:width:)` even codes of a wrong width.
///
/// A decoder takes its width from its next free code, which starts at the end code and rises by one with
/// every code that is neither clear nor end. The width grows as soon as the next free code no longer fits in
/// it, up to 12 bits. The very first code after a clear counts too, so at minimum code size 1 the width is 2
/// bits for the first literal and 3 bits right after it.
public struct LZWCodeStream: Sendable, Equatable {
  /// The number of bits of a literal, as the byte before the sub-blocks tells it.
  public let minimumCodeSize: Int
  /// The number a decoder has free for its next table entry; stays at 4096 once the table is full.
  public private(set) var nextCode: Int
  /// The width in bits of the next code.
  public private(set) var width: Int
  /// Every code appended so far.
  public private(set) var codes: [Int] = []
  private var packer = BitPacker()

  /// Makes an empty stream; sizes past 8 can be written although no browser of the profile reads them.
  public init(minimumCodeSize: Int) {
    precondition((0...16).contains(minimumCodeSize), "a literal has 0 to 16 bits")
    self.minimumCodeSize = minimumCodeSize
    nextCode = (1 << minimumCodeSize) + 1
    width = minimumCodeSize + 1
  }

  /// Makes a stream of `codes`, each at its proper width.
  public init(minimumCodeSize: Int, codes: [Int]) {
    self.init(minimumCodeSize: minimumCodeSize)
    for code in codes { append(code) }
  }

  /// The code that empties the table.
  public var clearCode: Int { 1 << minimumCodeSize }

  /// The code that ends the data (EOI).
  public var endCode: Int { clearCode + 1 }

  /// The packed codes, not yet cut into sub-blocks.
  public var bytes: [UInt8] { packer.bytes }

  /// How many bits have been packed.
  public var bitCount: Int { packer.bitCount }

  /// Appends `code` at its proper width; bits that do not fit are dropped.
  public mutating func append(_ code: Int) {
    append(code, width: width)
  }

  /// Appends `code` at a width of the test's choice; the expected width of the following codes is as ever.
  public mutating func append(_ code: Int, width: Int) {
    packer.append(code, width: width)
    codes.append(code)
    advance(past: code)
  }

  /// Appends the clear code.
  public mutating func appendClear() {
    append(clearCode)
  }

  /// Appends the end code.
  public mutating func appendEnd() {
    append(endCode)
  }

  private mutating func advance(past code: Int) {
    if code == clearCode {
      nextCode = endCode
      width = minimumCodeSize + 1
    } else if code != endCode, nextCode < 4096 {
      nextCode += 1
      if nextCode >= 1 << width, width < 12 { width += 1 }
    }
  }
}
