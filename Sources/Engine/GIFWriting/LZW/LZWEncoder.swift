/// Compresses palette indices to the code stream of a frame.
///
/// A pixel may have two indices that show the same: its colour, and the transparent index where the canvas
/// shows that colour already. The encoder takes whichever makes the longer string.
package struct LZWEncoder {
  /// When the table is emptied that has all its 4,096 codes.
  package enum Clearing: CaseIterable {
    /// At once.
    case whenFull
    /// One code earlier, as giflib does: no result is longer than giflib's.
    case oneEarlier
    /// When codes stand for fewer pixels than they did: soon after that, or later.
    case soon, late

    /// How many pixels are looked at for a decision.
    fileprivate var window: Int {
      switch self {
      case .whenFull, .oneEarlier: 0
      case .soon: 2048
      case .late: 16_384
      }
    }
  }

  /// How many ways of clearing and choosing are tried where the table fills.
  package enum Effort {
    /// As giflib clears, in one pass: for a frame that is a small part of its file.
    case quick
    /// All ways of clearing.
    case usual
    /// These, and strings chosen with a look ahead.
    case thorough

    /// The ways of clearing, the first one first.
    fileprivate var clearings: [Clearing] { self == .quick ? [.oneEarlier] : Clearing.allCases }
  }

  private var table = CodeTable()
  private var candidates: [UInt16] = []
  private var longer: [UInt16] = []
  /// The strings that are followed at once: pixels with two indices have more of them than can be tried.
  private static let mostCandidates = 12
  /// How many indices a string gives up at the most, so that the next one becomes longer by more than that.
  private static let mostGivenUp = 3

  package init() {}

  /// Compresses a frame in whichever way gives the fewest bytes.
  ///
  /// Time: a pass over the pixels, four where some have two indices, and where the table fills and the effort
  /// is not quick three more, or seven with look ahead.
  /// - Parameters:
  ///   - pixels: the indices in stored order.
  ///   - codeSize: the bits of an index, 2 to 8; every index is below 2 to its power.
  /// - Returns: the codes without blocks.
  package mutating func encode(_ pixels: FramePixels, codeSize: Int, effort: Effort = .usual) -> [UInt8] {
    var best = pixels
    let first = effort.clearings[0]
    var shortest = encode(pixels, codeSize: codeSize, clearing: first)
    // The longest string is not always the best one: where indices change often, few strings come again.
    for choice in pixels.withOneIndexEach {
      let other = encode(choice, codeSize: codeSize, clearing: first)
      if other.codes.count < shortest.codes.count { (shortest, best) = (other, choice) }
    }
    // Without a look ahead: where that never fills the table, a longer result may still do so.
    let filledTable = shortest.filledTable
    let looks = effort == .thorough
    for clearing in effort.clearings where filledTable || looks {
      for looksAhead in [false, true] where looksAhead ? looks : clearing != first {
        let other = encode(best, codeSize: codeSize, clearing: clearing, looksAhead: looksAhead)
        if other.codes.count < shortest.codes.count { shortest = other }
      }
      if !filledTable { break }
    }
    return shortest.codes
  }

  /// Compresses a frame with one clearing; tells whether the table was ever full.
  package mutating func encode(
    _ pixels: FramePixels, codeSize: Int, clearing: Clearing, looksAhead: Bool = false
  ) -> (codes: [UInt8], filledTable: Bool) {
    precondition((2...8).contains(codeSize))
    var bits = BitWriter()
    var watch = RatioWatch(window: clearing.window)
    var filledTable = false
    table.clear(codeSize: codeSize)
    bits.append(table.clearCode, width: table.width)
    var place = 0
    while place < pixels.count {
      var (code, length) = longestString(in: pixels, at: place)
      if looksAhead { (code, length) = bestString(in: pixels, at: place, longest: (code, length)) }
      bits.append(code, width: table.width)
      table.follow(code)
      place += length
      guard table.isFull || clearing == .oneEarlier && table.isNearlyFull else { continue }
      filledTable = true
      if watch.asksForClear(pixels: length, bits: table.width), place < pixels.count {
        bits.append(table.clearCode, width: table.width)
        table.clear(codeSize: codeSize)
        watch.begin()
      }
    }
    bits.append(table.clearCode + 1, width: table.width)
    return (bits.finish(), filledTable)
  }

  /// The string with which, and with the one behind it, most pixels are done.
  private mutating func bestString(
    in pixels: FramePixels, at place: Int, longest: (code: Int, length: Int)
  ) -> (code: Int, length: Int) {
    var (best, most) = (longest, 0)
    var string = longest
    for _ in 0...Self.mostGivenUp {
      let end = place + string.length
      let reach = end < pixels.count ? end + longestString(in: pixels, at: end).length : end
      if reach > most { (best, most) = (string, reach) }
      guard string.length > 1, end < pixels.count else { break }
      string = (table.prefix(of: string.code), string.length - 1)
    }
    return best
  }

  /// The longest string of the table that stands for the pixels from `place` on.
  private mutating func longestString(in pixels: FramePixels, at place: Int) -> (code: Int, length: Int) {
    guard pixels.hasAlternatives else { return onlyString(in: pixels, at: place) }
    let first = pixels[place]
    candidates.removeAll(keepingCapacity: true)
    candidates.append(UInt16(first.index))
    if first.alternative != first.index { candidates.append(UInt16(first.alternative)) }
    var end = place + 1
    while end < pixels.count {
      let pixel = pixels[end]
      longer.removeAll(keepingCapacity: true)
      for code in candidates where longer.count < Self.mostCandidates {
        if let next = table.string(Int(code), followedBy: pixel.index) { longer.append(UInt16(next)) }
        if pixel.alternative != pixel.index,
          let next = table.string(Int(code), followedBy: pixel.alternative)
        {
          longer.append(UInt16(next))
        }
      }
      guard !longer.isEmpty else { break }
      swap(&candidates, &longer)
      end += 1
    }
    return (Int(candidates[0]), end - place)
  }

  /// The longest string of pixels that have one index each, found without lists of strings.
  private func onlyString(in pixels: FramePixels, at place: Int) -> (code: Int, length: Int) {
    var code = Int(pixels.indices[place])
    var end = place + 1
    while end < pixels.count, let next = table.string(code, followedBy: pixels.indices[end]) {
      code = next
      end += 1
    }
    return (code, end - place)
  }
}

/// The pixels of a frame in stored order, each with the index that it has and one that would show the same.
package struct FramePixels {
  package let indices: [UInt8]
  package let alternatives: [UInt8]
  /// Whether a pixel has two indices.
  fileprivate let hasAlternatives: Bool

  /// Pixels with one index each.
  package init(_ indices: [UInt8]) { self.init(indices, or: indices) }

  /// Pixels with two indices each, of which either shows the same.
  package init(_ indices: [UInt8], or alternatives: [UInt8]) {
    precondition(indices.count == alternatives.count)
    self.indices = indices
    self.alternatives = alternatives
    hasAlternatives = indices != alternatives
  }

  package var count: Int { indices.count }

  /// The bits of indices up to this one.
  package static func codeSize(highest index: UInt8) -> Int {
    var size = 2
    while size < 8, index >> UInt8(size) > 0 { size += 1 }
    return size
  }

  /// The same pixels with the first index of each, with the second, and with the second where it is the same
  /// all along; none where all have one.
  ///
  /// Of pixels with two indices the first is one and the same: that of what need not be drawn.
  package var withOneIndexEach: [FramePixels] {
    guard hasAlternatives, let place = indices.indices.first(where: { indices[$0] != alternatives[$0] })
    else {
      return []
    }
    return [indices, alternatives, withPlainRuns(of: indices[place])].map { FramePixels($0) }
  }

  /// The first indices, but for runs of this one in which the second is the same all along.
  ///
  /// Such a run mostly goes on with the colour of the pixels before it, while any other one is shorter as a
  /// run of the first index.
  private func withPlainRuns(of index: UInt8) -> [UInt8] {
    var chosen = indices
    var place = 0
    while place < count {
      guard indices[place] == index else {
        place += 1
        continue
      }
      let (start, second) = (place, alternatives[place])
      var isPlain = true
      while place < count, indices[place] == index {
        if alternatives[place] != second { isPlain = false }
        place += 1
      }
      if isPlain { for place in start..<place { chosen[place] = second } }
    }
    return chosen
  }

  package subscript(place: Int) -> (index: UInt8, alternative: UInt8) {
    (indices[place], alternatives[place])
  }
}

/// Whether codes of a full table stand for fewer pixels than they did.
private struct RatioWatch {
  let window: Int
  private var pixels = 0
  private var bits = 0
  /// The most pixels for 4,096 bits of any window since the table was full.
  private var best = 0

  init(window: Int) { self.window = window }

  mutating func begin() { (pixels, bits, best) = (0, 0, 0) }

  mutating func asksForClear(pixels count: Int, bits width: Int) -> Bool {
    guard window > 0 else { return true }
    pixels += count
    bits += width
    guard pixels >= window else { return false }
    let ratio = pixels * 4096 / bits
    (pixels, bits) = (0, 0)
    defer { best = max(best, ratio) }
    return ratio * 16 < best * 15
  }
}

/// Writes codes of up to 12 bits, the lowest bit first.
private struct BitWriter {
  private var bytes: [UInt8] = []
  private var bits: UInt32 = 0
  private var count = 0

  mutating func append(_ code: Int, width: Int) {
    bits |= UInt32(truncatingIfNeeded: code) << UInt32(count)
    count += width
    while count >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: bits))
      bits >>= 8
      count -= 8
    }
  }

  consuming func finish() -> [UInt8] {
    if count > 0 { bytes.append(UInt8(truncatingIfNeeded: bits)) }
    return bytes
  }
}
