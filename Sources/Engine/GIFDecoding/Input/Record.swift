/// The logical screen descriptor, as stored.
struct LogicalScreen: Sendable {
  var width: Int
  var height: Int
  var palette: PaletteLocation?
}

/// One record of the file: where it is, and what can be said without knowing what came before.
enum Record: Sendable {
  case image(ImageRecord)
  case `extension`(ExtensionRecord)
  case trailer(at: Int)
  /// A byte that introduces no record. Browsers take it for the trailer.
  case foreign(at: Int)
  /// The file ends, at `at` or inside the record that begins there.
  case endOfData(at: Int)
}

/// An image descriptor with its code blocks.
struct ImageRecord: Sendable {
  /// Offset of the image separator.
  var offset: Int
  var rect: PixelRect
  var isInterlaced: Bool
  var palette: PaletteLocation?
  /// The minimum code size as stored, also beyond 8; nil where the file ends before it.
  var codeSize: UInt8?
  /// The code blocks with their length bytes and terminator.
  var data: Range<Int>
  /// Whether the file ends before the terminator.
  var isTruncated: Bool
}

extension ImageRecord {
  /// The image whose separator is at `start`, with all bytes behind its code size for data: where they end is
  /// not looked for. Nil before its rectangle is whole.
  ///
  /// Chromium counts a frame from there on: flags that are not there yet count as 0 (row 27).
  init?(at start: Int, in bytes: ByteWindow) {
    guard start + 9 <= bytes.count else { return nil }
    func number(_ place: Int) -> Int { Int(bytes[start + place]) | Int(bytes[start + place + 1]) << 8 }
    let flags = start + 9 < bytes.count ? bytes[start + 9] : 0
    offset = start
    rect = PixelRect(x: number(1), y: number(3), width: number(5), height: number(7))
    isInterlaced = flags & 0x40 != 0
    palette = PaletteLocation(flags: flags, offset: start + 10)
    let codeSizeOffset = start + 10 + (palette?.byteCount ?? 0)
    codeSize = codeSizeOffset < bytes.count ? bytes[codeSizeOffset] : nil
    data = min(codeSizeOffset + 1, bytes.count)..<bytes.count
    isTruncated = true
  }

  /// Beyond 8 browsers read no further.
  var hasCodes: Bool { codeSize.map { $0 <= 8 } ?? false }
}

/// An extension with its sub-blocks.
struct ExtensionRecord: Sendable {
  /// Offset of the extension introducer.
  var offset: Int
  var label: UInt8
  /// The sub-blocks with their length bytes and terminator.
  var blocks: Range<Int>
  /// Whether the file ends before the terminator.
  var isTruncated: Bool
}

extension ExtensionRecord {
  static let graphicsControl: UInt8 = 0xF9
  static let application: UInt8 = 0xFF
  static let comment: UInt8 = 0xFE

  /// Whether the sub-blocks from `start` on begin with the identifier of a loop extension.
  static func isLoop(_ label: UInt8, blocks start: Int, in bytes: ByteWindow) -> Bool {
    guard label == application, start + 12 <= bytes.count, bytes[start] == 11 else { return false }
    let name = start + 1..<start + 12
    return name.matches("NETSCAPE2.0", in: bytes) || name.matches("ANIMEXTS1.0", in: bytes)
  }
}

extension Range<Int> {
  /// Whether the bytes in this range are exactly those of `text`.
  fileprivate func matches(_ text: StaticString, in bytes: ByteWindow) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    for (index, position) in enumerated() where unsafe text.utf8Start[index] != bytes[position] {
      return false
    }
    return true
  }
}

extension PaletteLocation {
  var byteCount: Int { 3 * count }

  /// The palette that the packed flags of a descriptor announce, if any.
  init?(flags: UInt8, offset: Int) {
    guard flags & 0x80 != 0 else { return nil }
    self.init(offset: offset, count: 2 << Int(flags & 7))
  }
}

/// Steps through a run of sub-blocks: a length byte, that many bytes, and so on to a length of zero.
///
/// Ends where the bytes end, too; the last block of a cut-off run may be short.
struct SubBlocks {
  private var rest: Range<Int>

  init(_ range: Range<Int>) { rest = range }

  /// Where the run that begins at `start` ends, behind its terminator; where its next length byte stands if
  /// the bytes end before that.
  ///
  /// Each length says where the next one is, which may cost a wait for memory. Most runs of codes have full
  /// blocks, so eight lengths are looked at together, where full blocks have them.
  static func end(ofRunAt start: Int, in bytes: Span<UInt8>) -> (place: Int, isWhole: Bool) {
    let (full, stride) = (UInt8.max, 256)
    var place = start
    while place < bytes.count {
      var length = bytes[place]
      while length == full, place &+ 8 &* stride < bytes.count {
        var common = full
        for step in 1..<8 { common &= bytes[place &+ step &* stride] }
        guard common == full else { break }
        place &+= 8 &* stride
        length = bytes[place]
      }
      place += 1 + Int(length)
      if length == 0 { return (place, true) }
    }
    return (place, false)
  }

  /// The place of the next block's bytes, without its length byte; nil after the last one.
  mutating func next(in bytes: ByteWindow) -> Range<Int>? {
    guard let first = rest.first, bytes[first] > 0 else { return nil }
    let block = first + 1..<min(first + 1 + Int(bytes[first]), rest.upperBound)
    rest = block.upperBound..<rest.upperBound
    return block
  }
}
