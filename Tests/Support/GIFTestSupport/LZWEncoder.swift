/// A plain GIF LZW compressor; its options let a test write every lawful form of the same pixels.
public struct LZWEncoder: Sendable, Equatable {
  /// When the encoder empties the table.
  public enum Clearing: Sendable, Equatable {
    /// As soon as the table is full.
    case whenFull
    /// Never: a full table stays as it is and the codes stay 12 bits wide (deferred clear).
    case never
    /// After every this many codes, whether the table is full or not.
    case every(Int)
  }

  /// The number of bits of a literal, 0 to 8; every index must fit in it.
  public var minimumCodeSize: Int
  /// Whether a clear code comes first.
  public var startsWithClear: Bool
  /// When the table is emptied.
  public var clearing: Clearing
  /// Whether an end code (EOI) comes last.
  public var endsWithEnd: Bool

  /// Makes an encoder; without options it writes what most encoders write.
  public init(
    minimumCodeSize: Int, startsWithClear: Bool = true, clearing: Clearing = .whenFull,
    endsWithEnd: Bool = true
  ) {
    self.minimumCodeSize = minimumCodeSize
    self.startsWithClear = startsWithClear
    self.clearing = clearing
    self.endsWithEnd = endsWithEnd
  }

  /// The smallest minimum code size that the GIF format allows for `indices`: 2 to 8.
  public static func smallestCodeSize(for indices: [UInt8]) -> Int {
    let bits = UInt8.bitWidth - (indices.max() ?? 0).leadingZeroBitCount
    return max(2, bits)
  }

  /// The packed codes of `indices`, not yet cut into sub-blocks.
  public func encode(_ indices: [UInt8]) -> [UInt8] {
    stream(of: indices).bytes
  }

  /// The codes of `indices`, to which a test can append more, such as a bad code after the last pixel.
  public func stream(of indices: [UInt8]) -> LZWCodeStream {
    var stream = LZWCodeStream(minimumCodeSize: minimumCodeSize)
    if startsWithClear { stream.appendClear() }

    // The code of each known string, keyed by the code of all but its last index, and that index.
    var table: [Int: Int] = [:]
    var codesSinceClear = 0
    var current: Int?
    for index in indices {
      let literal = Int(index)
      precondition(literal < stream.clearCode, "index \(index) does not fit in \(minimumCodeSize) bits")
      guard let prefix = current else {
        current = literal
        continue
      }
      let key = prefix << 8 | literal
      if let longer = table[key] {
        current = longer
        continue
      }
      stream.append(prefix)
      codesSinceClear += 1
      if mustClear(codesSinceClear: codesSinceClear, nextCode: stream.nextCode) {
        stream.appendClear()
        table.removeAll()
        codesSinceClear = 0
      } else if stream.nextCode < 4096 {
        table[key] = stream.nextCode
      }
      current = literal
    }
    if let current { stream.append(current) }
    if endsWithEnd { stream.appendEnd() }
    return stream
  }

  private func mustClear(codesSinceClear: Int, nextCode: Int) -> Bool {
    switch clearing {
    case .whenFull: nextCode == 4096
    case .never: false
    case .every(let count): codesSinceClear >= count
    }
  }
}
