/// The strings that codes stand for, as the decoder has them after the same codes.
///
/// A decoder knows the last index of a new string only with the next code. So does this table: the string
/// that is under way may be looked up before, by the one index that it can end with then.
struct CodeTable {
  private static let codes = 4096
  private static let slotCount = 1 << 14
  /// No entry: a string is never its own prefix.
  private static let none = UInt32.max

  /// Entries of 20 bits for prefix and index, 12 for the code.
  private var slots = [UInt32](repeating: Self.none, count: Self.slotCount)
  private var prefixes = [UInt16](repeating: 0, count: Self.codes)
  private var firsts = [UInt8](repeating: 0, count: Self.codes)
  private var codeSize = 2
  private var next = 0
  private var previous: Int?
  /// The bits of the next code.
  private(set) var width = 3

  var clearCode: Int { 1 << codeSize }
  /// Whether no code is left.
  var isFull: Bool { next == Self.codes }
  /// Whether one code is left, or none.
  var isNearlyFull: Bool { next >= Self.codes - 1 }

  /// Empties the table but for the single indices.
  mutating func clear(codeSize: Int) {
    for place in slots.indices { slots[place] = Self.none }
    for index in 0..<1 << codeSize { firsts[index] = UInt8(truncatingIfNeeded: index) }
    self.codeSize = codeSize
    next = 1 << codeSize + 2
    width = codeSize + 1
    previous = nil
  }

  /// The code of a string with one index more, if there is one.
  func string(_ code: Int, followedBy index: UInt8) -> Int? {
    let key = Self.key(code, index)
    var slot = Self.slot(key)
    while slots[slot] != Self.none {
      if slots[slot] >> 12 == key { return Int(slots[slot] & 0xFFF) }
      slot = (slot + 1) & (Self.slotCount - 1)
    }
    // The string under way: it can be used at once only if it ends as it begins.
    guard code == previous, !isFull, index == firsts[code] else { return nil }
    return next
  }

  /// The code of a string without its last index.
  ///
  /// - Precondition: it has more than one, and was found with the table as it is.
  func prefix(of code: Int) -> Int {
    if code == next, let previous { return previous }
    return Int(prefixes[code])
  }

  /// Takes a code that was written: completes the string under way, and begins the next one.
  mutating func follow(_ code: Int) {
    if let previous, !isFull {
      // The code may be that very string, which begins like its prefix.
      let first = code == next ? firsts[previous] : firsts[code]
      (firsts[next], prefixes[next]) = (firsts[previous], UInt16(truncatingIfNeeded: previous))
      add(previous, first, code: next)
      next += 1
      if next == 1 << width, width < 12 { width += 1 }
    }
    previous = code
  }

  /// A string that the table has already keeps its code; the new one is never looked up.
  private mutating func add(_ prefix: Int, _ index: UInt8, code: Int) {
    let key = Self.key(prefix, index)
    var slot = Self.slot(key)
    while slots[slot] != Self.none {
      if slots[slot] >> 12 == key { return }
      slot = (slot + 1) & (Self.slotCount - 1)
    }
    slots[slot] = key << 12 | UInt32(truncatingIfNeeded: code)
  }

  private static func key(_ prefix: Int, _ index: UInt8) -> UInt32 {
    UInt32(truncatingIfNeeded: prefix) << 8 | UInt32(index)
  }

  private static func slot(_ key: UInt32) -> Int {
    Int(truncatingIfNeeded: (key &* 0x9E37_79B1) >> 18)
  }
}
