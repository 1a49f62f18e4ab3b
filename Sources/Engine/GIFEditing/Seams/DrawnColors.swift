internal import GIFWriting

/// The colours that each frame draws, from which a global palette is made for as many frames as possible.
struct DrawnColors {
  /// How many frames draw just these colours, which are sorted.
  private var frameCounts: [[UInt32]: Int] = [:]

  /// The sets of colours from which the palette is made; of more, those that save most.
  private static let mostSets = 256

  /// Notes what a frame draws: the pixels that differ and are not erased. Frames that need more colours than
  /// a palette has do not count.
  mutating func add(from before: Span<UInt32>, to target: Span<UInt32>) {
    precondition(before.count == target.count)
    var colors = ColorIndices()
    for place in before.indices where before[place] != target[place] && target[place] >> 24 != 0 {
      guard colors.insert(target[place]) else { return }
    }
    guard !colors.colors.isEmpty else { return }
    frameCounts[colors.colors.sorted(), default: 0] += 1
  }

  /// About how many bytes frames save with this global palette: palettes of their own, and bits of the first
  /// codes, which are as wide as the highest index.
  func savedBytes(by palette: [UInt32]) -> Int {
    let known = ColorIndices(palette)
    return frameCounts.reduce(0) { sum, set in
      let (colors, count) = set
      let indices = colors.compactMap { known.index(of: $0) }
      guard let highest = indices.max(), indices.count == colors.count else {
        return sum + count * Self.savedCodeBytes(highest: colors.count)
      }
      return sum + count * (Self.paletteBytes(of: colors) + Self.savedCodeBytes(highest: Int(highest)))
    }
  }

  /// The bytes of the palette that saves most, chosen colour set by colour set; what most frames draw comes
  /// first. Nil where nothing is drawn.
  func commonPalette() -> [UInt8]? {
    var sets = frameCounts.map { (colors: $0.key, saving: $0.value * Self.paletteBytes(of: $0.key)) }
    sets.sort { one, other in
      if one.saving != other.saving { return one.saving > other.saving }
      if one.colors.count != other.colors.count { return one.colors.count < other.colors.count }
      return one.colors.lexicographicallyPrecedes(other.colors)
    }
    sets.removeLast(max(0, sets.count - Self.mostSets))
    var chosen = ColorIndices()
    while !sets.isEmpty {
      // The most bytes for each colour that is added.
      var best: (place: Int, added: Int)?
      for (place, set) in sets.enumerated() {
        let added = set.colors.count { chosen.index(of: $0) == nil }
        guard chosen.colors.count + added <= 256 else { continue }
        if let (other, more) = best, sets[other].saving * added >= set.saving * more { continue }
        best = (place, added)
        if added == 0 { break }
      }
      guard let best else { break }
      for color in sets.remove(at: best.place).colors { _ = chosen.insert(color) }
    }
    return chosen.colors.isEmpty ? nil : GIFPalette.stored(colors: inOrderOfUse(chosen))
  }

  /// The colours that most frames draw first: frames of few colours then have short codes.
  private func inOrderOfUse(_ chosen: ColorIndices) -> [UInt32] {
    var uses = [Int](repeating: 0, count: chosen.colors.count)
    for (colors, count) in frameCounts {
      let indices = colors.compactMap { chosen.index(of: $0) }
      guard indices.count == colors.count else { continue }
      for index in indices { uses[Int(index)] += count }
    }
    return uses.indices.sorted { (uses[$1], $0) < (uses[$0], $1) }.map { chosen.colors[$0] }
  }

  /// What a palette of these colours takes, and an index for what is not drawn.
  private static func paletteBytes(of colors: [UInt32]) -> Int {
    GIFPalette.stored([], count: colors.count + 1).count
  }

  /// What codes of the least width save beside those of eight bits, until they are as wide.
  private static func savedCodeBytes(highest index: Int) -> Int {
    let bits = FramePixels.codeSize(highest: UInt8(min(255, index)))
    return (bits..<8).reduce(0) { $0 + (8 - $1) << $1 } / 8
  }
}
