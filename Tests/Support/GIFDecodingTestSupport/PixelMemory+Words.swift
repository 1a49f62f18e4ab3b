@testable import GIFDecoding

extension PixelMemory {
  /// The pixels as an array, to be compared.
  var words: [UInt32] { (0..<count).map { span[$0] } }
}
