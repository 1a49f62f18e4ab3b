// Descriptions of errors for people. The portable build leaves this folder out.

extension GIFWritingError: CustomStringConvertible {
  /// The error in a sentence.
  public var description: String {
    switch self {
    case .invalidPaletteSize(let count):
      "A palette has 1 to 256 colours, not \(count)."
    case .invalidSize(let width, let height):
      "A size of \(width) by \(height) cannot be stored in a GIF."
    case .invalidOrigin(let left, let top):
      "A frame cannot lie at \(left), \(top)."
    case .pixelCountMismatch(let expected, let actual):
      "A frame needs \(expected) pixels and came with \(actual)."
    case .missingPalette:
      "There is neither a palette of the frame nor one of the file."
    case .indexOutOfPalette(let index, let count):
      "A pixel has index \(index) and the palette \(count) colours."
    }
  }
}
