/// What a player does with a frame's rectangle after the frame's time is over.
public enum GIFDisposal: UInt8, CaseIterable, Sendable {
  /// The file does not say; players treat it as ``keep``.
  case unspecified = 0
  /// The frame stays and the next one is drawn over it.
  case keep = 1
  /// The frame's rectangle is cleared (to transparent, in every current player).
  case restoreToBackground = 2
  /// The frame's rectangle gets back what it showed before the frame.
  case restoreToPrevious = 3
}

/// One image of a GIF: a rectangle of palette indices and how it is to be shown.
///
/// The rectangle may reach over the right and bottom edges of the canvas; players cut off what is outside.
public struct GIFFrame: Sendable {
  /// The column of the canvas at which the frame's first column lies.
  public var left: Int
  /// The row of the canvas at which the frame's first row lies.
  public var top: Int
  /// The width in pixels.
  public var width: Int
  /// The height in pixels.
  public var height: Int
  /// The palette indices, row by row from the top, whatever the order in which the file stores the rows.
  public var pixels: [UInt8]
  /// The frame's own palette, or `nil` to use the file's.
  public var palette: GIFPalette?
  /// The index that leaves the canvas as it is, if any.
  public var transparentIndex: UInt8?
  /// What happens to the frame's rectangle after its time.
  public var disposal: GIFDisposal
  /// How long the frame is shown, in hundredths of a second.
  public var delay: UInt16
  /// Whether the rows are stored in the four interlaced passes.
  public var isInterlaced: Bool

  /// Makes a frame; everything but its size and pixels has a plain default.
  public init(
    left: Int = 0,
    top: Int = 0,
    width: Int,
    height: Int,
    pixels: [UInt8],
    palette: GIFPalette? = nil,
    transparentIndex: UInt8? = nil,
    disposal: GIFDisposal = .keep,
    delay: UInt16 = 10,
    isInterlaced: Bool = false
  ) {
    self.left = left
    self.top = top
    self.width = width
    self.height = height
    self.pixels = pixels
    self.palette = palette
    self.transparentIndex = transparentIndex
    self.disposal = disposal
    self.delay = delay
    self.isInterlaced = isInterlaced
  }
}
