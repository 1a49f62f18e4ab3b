/// Why a GIF could not be written.
public enum GIFWritingError: Error, Hashable, Sendable {
  /// A palette was to have this many colours; 1 to 256 are possible.
  case invalidPaletteSize(Int)
  /// A canvas or frame was to have this size; each side must be 1 to 65535 pixels.
  case invalidSize(width: Int, height: Int)
  /// A frame was to lie here; each coordinate must be 0 to 65535.
  case invalidOrigin(left: Int, top: Int)
  /// A frame came with a number of pixels that is not its width times its height.
  case pixelCountMismatch(expected: Int, actual: Int)
  /// Neither the frame nor the file has a palette.
  case missingPalette
  /// A pixel refers to an entry that the palette does not have.
  case indexOutOfPalette(index: UInt8, paletteCount: Int)
  /// A comment is longer than the writer takes, or has characters outside ASCII.
  case invalidComment
  /// giflib refused a step, for the reason it gave in words.
  case encoder(step: String, reason: String)
}

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
    case .invalidComment:
      "A comment must be at most 255 ASCII characters."
    case .encoder(let step, let reason):
      "giflib could not \(step): \(reason)."
    }
  }
}
