internal import GIFDecoding

/// The changes of samples that are no fine pattern's, as far as samples tell.
///
/// In the samples of a square, too, as many of a fine pattern become lighter as darker. Here those of one
/// direction outweigh the others by more than 1.5 standard deviations. By chance one in eight squares of a
/// pattern does so, too: far from a quarter of a field, and rarely seven times in a row.
struct UnbalancedChanges: Sendable {
  /// The square of the deviations.
  private static let variances = 2.25

  /// The side of a square, in samples: part of a word.
  private let side: Int
  /// The blocks that lie on the canvas as a whole, in a row and in a column.
  private let (columns, rows): (Int, Int)

  init(_ grid: SampleGrid) {
    side = SquareMeans.side / grid.side
    (columns, rows) = (grid.canvas.width / grid.side, grid.canvas.height / grid.side)
  }

  /// Those of some changes, of whole blocks; nil for none.
  func find(in changes: SampleChanges) -> BitRows? {
    guard var found = changes.all else { return nil }
    let (stride, height) = (found.stride, found.words.count / found.stride)
    for top in Swift.stride(from: 0, to: height, by: side) {
      let lines = top..<min(top + side, height)
      for word in 0..<stride {
        let kept = squares(changes, lines, word, stride) & whole(word)
        for line in lines { found[line * stride + word] &= line < rows ? kept : 0 }
      }
    }
    return found
  }

  /// The bits of the unbalanced squares, of words below each other.
  private func squares(_ changes: SampleChanges, _ lines: Range<Int>, _ word: Int, _ stride: Int) -> UInt64 {
    var found: UInt64 = 0
    for first in Swift.stride(from: 0, to: 64, by: side) {
      let square = (UInt64(1) << UInt64(side) - 1) << UInt64(first)
      var (rising, falling) = (0, 0)
      for line in lines {
        rising += (changes.rising[line * stride + word] & square).nonzeroBitCount
        falling += (changes.falling[line * stride + word] & square).nonzeroBitCount
      }
      if isUnbalanced(rising, falling) { found |= square }
    }
    return found
  }

  private func isUnbalanced(_ rising: Int, _ falling: Int) -> Bool {
    let count = Double(rising + falling)
    let excess = Double(abs(rising - falling)) - FinePattern.imbalance * count
    return excess > 0 && excess * excess > Self.variances * count
  }

  /// The bits of a word's whole blocks.
  private func whole(_ word: Int) -> UInt64 {
    let count = max(0, min(64, columns - word * 64))
    return count == 64 ? .max : UInt64(1) << UInt64(count) - 1
  }
}
