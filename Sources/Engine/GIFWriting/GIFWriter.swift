public import GIFDecoding

/// Writes a GIF89a file into memory, frame by frame, from palettes and indices.
///
/// A frame has all of its pixels, and each of them a colour: what decoders would have to guess is an error.
///
///     import Gallop
///     import GIFWriting
///
///     func blink() throws -> [UInt8] {
///       let palette = try GIFPalette([GIFColor(0x000000), GIFColor(0xFFFFFF)])
///       var writer = try GIFWriter(width: 2, height: 1, palette: palette, loopCount: .forever)
///       try writer.append(GIFFrame(width: 2, height: 1, pixels: [0, 1]))
///       try writer.append(GIFFrame(width: 2, height: 1, pixels: [1, 0]))
///       return writer.finish()
///     }
public struct GIFWriter: ~Copyable {
  private let palette: GIFPalette?
  private var records = GIFRecordWriter()
  private var encoder = LZWEncoder()
  private var bytes: [UInt8] = []

  /// The number of frames written so far.
  public private(set) var frameCount = 0

  /// Starts a file.
  ///
  /// - Parameters:
  ///   - width: the width of the canvas, 1 to 65,535.
  ///   - height: the height of the canvas, 1 to 65,535.
  ///   - palette: the palette of all frames that have none of their own.
  ///   - loopCount: the total number of plays, at most 65,536.
  ///   - comment: a remark for readers of the file.
  public init(
    width: Int, height: Int, palette: GIFPalette?, loopCount: LoopCount = .plays(1), comment: String? = nil
  ) throws(GIFWritingError) {
    try Self.checkSize(width: width, height: height)
    self.palette = palette
    // Eight bits of each channel.
    records.begin(width: width, height: height, palette: palette?.bytes, screen: [0x70, 0, 0])
    records.loop(loopCount)
    if let comment { append(comment: comment) }
  }

  /// Writes a remark between frames.
  public mutating func append(comment: String) { records.comment(Array(comment.utf8)) }

  /// Writes a frame.
  public mutating func append(_ frame: GIFFrame) throws(GIFWritingError) {
    let colors = try check(frame)
    let written = WrittenFrame(
      rect: PixelRect(x: frame.left, y: frame.top, width: frame.width, height: frame.height),
      storedDisposal: frame.disposal?.storedBits ?? 0, centiseconds: Int(frame.delay),
      transparentIndex: frame.transparentIndex, isInterlaced: frame.isInterlaced,
      palette: frame.palette?.bytes)
    records.control(written)
    records.descriptor(written)
    var codeSize = 2
    while 1 << codeSize < colors { codeSize += 1 }
    let codes = encoder.encode(FramePixels(frame.storedPixels), codeSize: codeSize)
    records.codes(codes, codeSize: codeSize)
    bytes.append(contentsOf: records.take())
    frameCount += 1
  }

  /// Ends the file; returns its bytes.
  public consuming func finish() -> [UInt8] {
    records.end()
    return bytes + records.take()
  }

  private static func checkSize(width: Int, height: Int) throws(GIFWritingError) {
    guard (1...0xFFFF).contains(width), (1...0xFFFF).contains(height) else {
      throw .invalidSize(width: width, height: height)
    }
  }

  /// Returns the number of colours of a frame's palette.
  private func check(_ frame: GIFFrame) throws(GIFWritingError) -> Int {
    try Self.checkSize(width: frame.width, height: frame.height)
    guard (0...0xFFFF).contains(frame.left), (0...0xFFFF).contains(frame.top) else {
      throw .invalidOrigin(left: frame.left, top: frame.top)
    }
    let expected = frame.width * frame.height
    guard frame.pixels.count == expected else {
      throw .pixelCountMismatch(expected: expected, actual: frame.pixels.count)
    }
    guard let palette = frame.palette ?? palette else { throw .missingPalette }
    let highest = frame.pixels.max() ?? 0
    guard Int(highest) < palette.count else {
      throw .indexOutOfPalette(index: highest, paletteCount: palette.count)
    }
    return palette.count
  }
}
