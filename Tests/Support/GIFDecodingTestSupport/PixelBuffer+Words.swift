package import GIFDecoding

extension PixelBuffer {
  /// The pixels as an array, to be compared.
  package var words: [UInt32] { copied(span) }
}
