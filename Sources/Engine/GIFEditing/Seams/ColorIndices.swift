internal import GIFWriting

extension GIFPalette {
  /// The bytes of a palette of these pixels' colours, with room for at least `count`.
  static func stored(colors: [UInt32], count: Int = 2) -> [UInt8] {
    let bytes = colors.flatMap { color in [0, 8, 16].map { UInt8(truncatingIfNeeded: color >> $0) } }
    return stored(bytes, count: count)
  }
}

/// At most 256 colours and the index of each.
struct ColorIndices {
  /// The colours in the order of their indices, as pixels.
  private(set) var colors: [UInt32] = []
  /// Index plus one; 0 where no colour stands.
  private var slots = [UInt16](repeating: 0, count: Self.slotCount)
  private static let slotCount = 1024

  /// A palette's colours; of equal ones the first counts.
  init(_ palette: [UInt32] = []) {
    for color in palette.prefix(256) {
      let slot = slot(of: color)
      colors.append(color)
      if slots[slot] == 0 { slots[slot] = UInt16(truncatingIfNeeded: colors.count) }
    }
  }

  func index(of color: UInt32) -> UInt8? {
    let entry = slots[slot(of: color)]
    return entry == 0 ? nil : UInt8(truncatingIfNeeded: entry - 1)
  }

  /// Adds a colour; false if there is no room for it.
  mutating func insert(_ color: UInt32) -> Bool {
    let slot = slot(of: color)
    if slots[slot] != 0 { return true }
    guard colors.count < 256 else { return false }
    colors.append(color)
    slots[slot] = UInt16(truncatingIfNeeded: colors.count)
    return true
  }

  /// The first index of a palette that none of these colours needs; `.some(nil)` if all are needed, nil if
  /// the palette lacks a colour.
  func spareIndex(of palette: [UInt32]) -> UInt8?? {
    let known = ColorIndices(palette)
    guard colors.allSatisfy({ known.index(of: $0) != nil }) else { return nil }
    let spare = palette.indices.first { place in
      // Of equal colours only the first is used.
      index(of: palette[place]) == nil || known.index(of: palette[place]) != UInt8(place)
    }
    return .some(spare.map { UInt8(truncatingIfNeeded: $0) })
  }

  /// Where a colour stands, or would.
  private func slot(of color: UInt32) -> Int {
    var slot = Int(truncatingIfNeeded: (color &* 0x9E37_79B1) >> 22)
    while slots[slot] != 0, colors[Int(slots[slot]) - 1] != color { slot = (slot + 1) & (Self.slotCount - 1) }
    return slot
  }
}
