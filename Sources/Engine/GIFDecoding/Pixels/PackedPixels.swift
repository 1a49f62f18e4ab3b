/// Rows of pixels in few bytes, without loss: see ``PackedRows``.
///
/// Three kinds of runs: pixels as they are, repetitions of the pixel before, and copies of the row above. A
/// pixel is a byte that counts its colour in order of appearance. Colours beyond the first 255 are written
/// out.
struct PackedPixels: Sendable {
  private let bytes: [UInt8]
  private let colors: [UInt32]
  private let width: Int
  private let count: Int

  private enum Run: UInt8 {
    case literal, repeated, above
  }

  /// Runs are no shorter: a shorter one would save nothing.
  private static let shortestRun = 4
  /// A run of this length needs no comparison with another one.
  private static let longRun = 64
  /// The byte before a colour that is written out.
  private static let escape: UInt8 = 255

  /// Bytes of memory held.
  var byteCount: Int { bytes.count + colors.count * 4 }

  /// The most bytes that packed pixels take: a little more than a quarter of their memory. Pixels of up to
  /// 255 colours never take more.
  static func mostBytes(count: Int) -> Int { count + count / 32 + 16 + 4 * 255 }

  /// Packs rows of `width` pixels; nil where that takes more than ``mostBytes(count:)``.
  init?(_ words: Span<UInt32>, width: Int) {
    guard width > 0 else { return nil }
    var writer = Writer(mostBytes: Self.mostBytes(count: words.count) - 4 * 255)
    var place = 0
    var literal = 0
    while place < words.count {
      let run = Self.run(at: place, in: words, width: width)
      guard let run else {
        place += 1
        continue
      }
      writer.writeLiteral(literal..<place, of: words)
      writer.writeHead(run.kind, count: run.count)
      place += run.count
      literal = place
      if writer.isFull { return nil }
    }
    writer.writeLiteral(literal..<place, of: words)
    guard !writer.isFull else { return nil }
    bytes = Array(writer.bytes)
    colors = writer.colors
    self.width = width
    count = words.count
  }

  /// The longer of the two runs that begin at a pixel, if one is long enough.
  @inline(__always)
  private static func run(at place: Int, in words: Span<UInt32>, width: Int) -> (kind: Run, count: Int)? {
    let above = place >= width ? matchLength(at: place, distance: width, in: words) : 0
    // What is left of the row above is not worth another look.
    let repeated = place > 0 && above < longRun ? matchLength(at: place, distance: 1, in: words) : 0
    guard max(above, repeated) >= shortestRun else { return nil }
    return above >= repeated ? (.above, above) : (.repeated, repeated)
  }

  /// How many pixels from `place` on are those that stand `distance` before them.
  ///
  /// Its bound: `distance <= place`, and what is read begins no later than `words.count` minus its own
  /// length.
  @inline(__always)
  private static func matchLength(at place: Int, distance: Int, in words: Span<UInt32>) -> Int {
    guard words[place] == words[place - distance] else { return 0 }
    return unsafe words.withUnsafeBytes { bytes in
      var end = place + 1
      while end <= words.count - 8 {
        var differences: UInt64 = 0
        for pair in stride(from: end * 4, to: (end + 8) * 4, by: 8) {
          differences |=
            unsafe bytes.loadUnaligned(fromByteOffset: pair, as: UInt64.self)
            ^ bytes.loadUnaligned(fromByteOffset: pair - distance * 4, as: UInt64.self)
        }
        guard differences == 0 else { break }
        end += 8
      }
      while end < words.count, words[end] == words[end - distance] { end += 1 }
      return end - place
    }
  }

  /// Writes the pixels as they were, from `start` on.
  func unpack(into words: inout PixelMemory, at start: Int) {
    let source = bytes.span
    var (place, byte) = (start, 0)
    while place < start + count {
      let head = source[byte]
      byte += 1
      var length = Int(head >> 2)
      if length == 63 {
        length = 0
        var shift = 0
        while true {
          let next = source[byte]
          byte += 1
          length |= Int(next & 127) << shift
          shift += 7
          if next < 128 { break }
        }
      }
      let end = place + length
      switch Run(rawValue: head & 3) {
      case .above:
        words.repeat(from: place, count: length, distance: width)
        place = end
      case .repeated:
        words.repeat(from: place, count: length, distance: 1)
        place = end
      default:
        var target = words.mutableSpan
        while place < end {
          let index = source[byte]
          byte += 1
          if index == Self.escape {
            target[place] =
              UInt32(source[byte]) | UInt32(source[byte + 1]) << 8 | UInt32(source[byte + 2]) << 16
              | UInt32(source[byte + 3]) << 24
            byte += 4
          } else {
            target[place] = colors[Int(index)]
          }
          place += 1
        }
      }
    }
  }

  /// The bytes written so far, and the colours that have a number.
  private struct Writer {
    var bytes: [UInt8] = []
    var colors: [UInt32] = []
    /// For each hash the number of its colour, plus one.
    private var slots = [UInt8](repeating: 0, count: 1024)
    private let mostBytes: Int

    init(mostBytes: Int) {
      self.mostBytes = mostBytes
      bytes.reserveCapacity(mostBytes / 8)
    }

    var isFull: Bool { bytes.count > mostBytes }

    /// Writes the kind and length of a run: up to 62 in one byte, longer ones in groups of seven bits.
    mutating func writeHead(_ run: Run, count: Int) {
      guard count >= 63 else {
        bytes.append(UInt8(count) << 2 | run.rawValue)
        return
      }
      bytes.append(63 << 2 | run.rawValue)
      var rest = count
      while rest > 127 {
        bytes.append(UInt8(rest & 127) | 128)
        rest >>= 7
      }
      bytes.append(UInt8(rest))
    }

    mutating func writeLiteral(_ range: Range<Int>, of words: Span<UInt32>) {
      guard !range.isEmpty else { return }
      writeHead(.literal, count: range.count)
      var last: (word: UInt32, index: UInt8)?
      for place in range {
        let word = words[place]
        if let last, last.word == word {
          bytes.append(last.index)
        } else if let index = index(of: word) {
          bytes.append(index)
          last = (word, index)
        } else {
          bytes.append(PackedPixels.escape)
          for shift in [0, 8, 16, 24] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
        }
      }
    }

    /// The number of a colour, which gets the next one if it is new; nil where none is left.
    @inline(__always)
    private mutating func index(of word: UInt32) -> UInt8? {
      var slot = Int((word &* 0x9E37_79B1) >> 22)
      while true {
        let known = slots[slot]
        if known == 0 { break }
        if colors[Int(known) - 1] == word { return known - 1 }
        slot = (slot + 1) & 1023
      }
      guard colors.count < 255 else { return nil }
      colors.append(word)
      slots[slot] = UInt8(colors.count)
      return slots[slot] - 1
    }
  }
}
