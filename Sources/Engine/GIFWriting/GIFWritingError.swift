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
}
