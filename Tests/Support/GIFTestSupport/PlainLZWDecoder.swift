/// The reference for LZW decoding: the simplest decoder that follows Chromium's (Wuffs's) rules to the
/// letter. A test compares a fast decoder's indices and outcome with it.
public enum PlainLZWDecoder {
  /// Why decoding ended.
  public enum Outcome: Sendable, Equatable {
    /// An end code came before the wanted number of pixels.
    case endOfInformation
    /// The bytes ran out before the wanted number of pixels.
    case outOfData
    /// The code with this number (the first code, clears included, is 0) stands for nothing.
    case invalidCode(at: Int)
    /// All wanted pixels are there; whatever follows was not looked at.
    case pixelsComplete
  }

  /// What came out.
  public struct Result: Sendable, Equatable {
    /// The palette indices, in stored order, at most as many as were wanted.
    public var indices: [UInt8]
    /// Why decoding ended.
    public var outcome: Outcome

    /// Makes a result; lets a test spell the one it expects.
    public init(indices: [UInt8], outcome: Outcome) {
      self.indices = indices
      self.outcome = outcome
    }
  }

  /// A table entry: a string is the string of `prefix` and then `suffix`; a literal has no prefix.
  private struct Entry {
    var prefix: Int?
    var suffix: UInt8
  }

  /// Decodes `data`, the joined sub-blocks, whose literals have `literalWidth` (0 to 8) bits.
  public static func decode(_ data: [UInt8], literalWidth: Int, pixelLimit: Int) -> Result {
    precondition((0...8).contains(literalWidth), "a literal has 0 to 8 bits")
    let clearCode = 1 << literalWidth
    let endCode = clearCode + 1

    var table = [Entry?](repeating: nil, count: 4096)
    for literal in 0..<clearCode {
      table[literal] = Entry(prefix: nil, suffix: UInt8(literal))
    }
    var saveCode = endCode
    var previousCode: Int?
    var width = literalWidth + 1

    var indices: [UInt8] = []
    var position = 0
    var codeNumber = 0
    while indices.count < pixelLimit {
      guard let code = readBits(width, of: data, at: position) else {
        return Result(indices: indices, outcome: .outOfData)
      }
      position += width
      defer { codeNumber += 1 }

      if code == clearCode {
        saveCode = endCode
        previousCode = nil
        width = literalWidth + 1
        continue
      }
      if code == endCode {
        return Result(indices: indices, outcome: .endOfInformation)
      }

      let string: [UInt8]
      if code < clearCode {
        string = [UInt8(code)]
      } else if let previousCode, code == saveCode {
        let previous = self.string(of: previousCode, in: table)
        string = previous + [previous[0]]
      } else if code < saveCode {
        string = self.string(of: code, in: table)
      } else {
        return Result(indices: indices, outcome: .invalidCode(at: codeNumber))
      }
      indices.append(contentsOf: string.prefix(pixelLimit - indices.count))

      if saveCode <= 4095 {
        // The first code after a clear has nothing before it: it takes up a number all the same.
        if let previousCode {
          table[saveCode] = Entry(prefix: previousCode, suffix: string[0])
        }
        saveCode += 1
        if saveCode >= 1 << width, width < 12 { width += 1 }
      }
      previousCode = code
    }
    return Result(indices: indices, outcome: .pixelsComplete)
  }

  /// The `width` bits from bit `position` on, lowest first, or nil when the data ends before the last of
  /// them.
  private static func readBits(_ width: Int, of data: [UInt8], at position: Int) -> Int? {
    guard position + width <= data.count * 8 else { return nil }
    var value = 0
    for offset in 0..<width {
      let bit = position + offset
      value |= (Int(data[bit / 8]) >> (bit % 8) & 1) << offset
    }
    return value
  }

  /// The whole string of `code`, found from its end to its start.
  private static func string(of code: Int, in table: [Entry?]) -> [UInt8] {
    var reversed: [UInt8] = []
    var next: Int? = code
    while let current = next, let entry = table[current] {
      reversed.append(entry.suffix)
      next = entry.prefix
    }
    return reversed.reversed()
  }
}
