/// The pixels of a canvas in few bytes, without loss, for a renderer that rests.
///
/// Three kinds of runs: pixels as they are, repetitions of the pixel before, and copies of the row above. A pixel is a
/// byte that counts its colour in order of appearance. Colours beyond the first 255 are written out.
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
  /// The byte before a colour that is written out.
  private static let escape: UInt8 = 255

  /// Bytes of memory held.
  var byteCount: Int { bytes.count + colors.count * 4 }

  /// The most bytes that packed pixels take: a little more than a quarter of their memory. Pixels of up to 255 colours
  /// never take more.
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
    let word = words[place]
    var above = 0
    if place >= width, word == words[place - width] {
      above = 1
      while place + above < words.count, words[place + above] == words[place + above - width] { above += 1 }
    }
    var repeated = 0
    if place > 0, word == words[place - 1] {
      repeated = 1
      while place + repeated < words.count, words[place + repeated] == word { repeated += 1 }
    }
    guard max(above, repeated) >= shortestRun else { return nil }
    return above >= repeated ? (.above, above) : (.repeated, repeated)
  }

  /// The pixels as they were.
  func unpacked() -> PixelMemory {
    var words = PixelMemory(unwrittenCount: count)
    var target = words.mutableSpan
    let source = bytes.span
    var (place, byte) = (0, 0)
    while place < count {
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
        while place < end {
          target[place] = target[place - width]
          place += 1
        }
      case .repeated:
        let word = target[place - 1]
        while place < end {
          target[place] = word
          place += 1
        }
      default:
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
    return words
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
