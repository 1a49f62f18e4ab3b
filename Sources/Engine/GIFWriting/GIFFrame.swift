public import GIFDecoding

/// One image of a GIF: a rectangle of palette indices, and how it is shown.
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
  /// The frame's own palette; nil for the file's.
  public var palette: GIFPalette?
  /// The index that leaves the canvas as it is, if any.
  public var transparentIndex: UInt8?
  /// The treatment of the frame's rectangle after its time; nil where the file does not say it, as with
  /// ``GIFDecoding/Disposal/keep``.
  public var disposal: Disposal?
  /// The time for which the frame is shown, in hundredths of a second.
  public var delay: UInt16
  /// Whether the rows are stored in the four interlaced passes.
  public var isInterlaced: Bool

  /// Makes a frame.
  public init(
    left: Int = 0, top: Int = 0, width: Int, height: Int, pixels: [UInt8], palette: GIFPalette? = nil,
    transparentIndex: UInt8? = nil, disposal: Disposal? = .keep, delay: UInt16 = 10,
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

  /// The pixels in the order in which the file has them.
  var storedPixels: [UInt8] {
    guard isInterlaced else { return pixels }
    var stored: [UInt8] = []
    stored.reserveCapacity(pixels.count)
    RowOrder(height: height, isInterlaced: true).forEachRow(in: 0..<height) { _, row, _ in
      stored.append(contentsOf: pixels[row * width..<(row + 1) * width])
    }
    return stored
  }
}
