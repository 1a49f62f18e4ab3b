/// One bit for each sample of a picture, row by row; each row begins with a word of its own.
struct BitRows: Sendable, Equatable {
  /// Words of a row.
  let stride: Int
  private(set) var words: [UInt64]

  /// No bit is set.
  init(width: Int, height: Int) {
    stride = Self.stride(width: width)
    words = Array(repeating: 0, count: stride * height)
  }

  init(stride: Int, words: [UInt64]) { (self.stride, self.words) = (stride, words) }

  static func stride(width: Int) -> Int { (width + 63) / 64 }

  mutating func removeAll() {
    for place in words.indices { words[place] = 0 }
  }

  var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

  /// How many bits are set.
  var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  subscript(word: Int) -> UInt64 {
    get { words[word] }
    set { words[word] = newValue }
  }

  /// Whether all its bits are set in another one.
  func isSubset(of other: BitRows) -> Bool { words.indices.allSatisfy { words[$0] & ~other.words[$0] == 0 } }

  /// The bits of either.
  func union(_ other: BitRows) -> BitRows {
    var result = self
    for place in words.indices { result.words[place] |= other.words[place] }
    return result
  }

  /// In how many runs the set bits of the rows stand; one that ends with a word may count twice.
  var runCount: Int { words.reduce(0) { $0 + ($1 & ~($1 << 1)).nonzeroBitCount } }

  /// How many samples of each row have their bits set.
  var rowCounts: [Int] {
    guard stride > 0 else { return [] }
    return Swift.stride(from: 0, to: words.count, by: stride).map { start in
      (start..<start + stride).reduce(0) { $0 + words[$1].nonzeroBitCount }
    }
  }

  /// The samples of a row whose bits are set, from the left.
  func forEachColumn(inRow row: Int, _ body: (Int) -> Void) {
    for word in 0..<stride {
      var rest = words[row * stride + word]
      while rest != 0 {
        body(word * 64 + rest.trailingZeroBitCount)
        rest &= rest - 1
      }
    }
  }
}
