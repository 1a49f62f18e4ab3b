package import GIFDecoding

extension PixelMemory {
  /// The pixels as an array, to be compared.
  package var words: [UInt32] { copied(span) }

  /// Whether the pixels of a range are those of a whole picture. Comparing slices is slow if not optimised.
  package func isSame(as picture: [UInt32], in range: Range<Int>) -> Bool {
    range.allSatisfy { span[$0] == picture[$0] }
  }
}
