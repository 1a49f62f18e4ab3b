/// How often an animation plays.
public enum GIFLoop: Hashable, Sendable {
  /// The file says nothing, and players show the animation once.
  case once
  /// The animation starts over without end.
  case forever
  /// The animation starts over this many times, so that it plays once more than that.
  case repeats(UInt16)

  /// The number in the NETSCAPE2.0 extension, where 0 means without end.
  var netscapeCount: UInt16? {
    switch self {
    case .once, .repeats(0): nil
    case .forever: 0
    case .repeats(let count): count
    }
  }
}

/// Writes a GIF89a file into memory, frame by frame.
///
/// A writer checks what giflib does not: that each frame has all of its pixels and that each of them has a
/// colour.
///
///     var writer = try GIFWriter(width: 2, height: 1, palette: palette, loop: .forever)
///     try writer.append(GIFFrame(width: 2, height: 1, pixels: [0, 1]))
///     let bytes = try writer.finish()
public struct GIFWriter: ~Copyable {
  private static let commentFunction: Int32 = 0xFE
  private static let graphicControlFunction: Int32 = 0xF9
  private static let applicationFunction: Int32 = 0xFF

  private let encoder: EncoderHandle
  private let palette: GIFPalette?

  /// The number of frames written so far.
  public private(set) var frameCount = 0

  /// Starts a file.
  ///
  /// - Parameters:
  ///   - width: The width of the canvas, 1 to 65535.
  ///   - height: The height of the canvas, 1 to 65535.
  ///   - palette: The palette of all frames that have none of their own.
  ///   - loop: How often the animation plays.
  ///   - comment: A remark for readers of the file: ASCII, at most 255 characters.
  public init(
    width: Int, height: Int, palette: GIFPalette?, loop: GIFLoop = .once, comment: String? = nil
  ) throws(GIFWritingError) {
    try Self.checkSize(width: width, height: height)
    let encoder = try EncoderHandle()
    try encoder.putScreen(width: width, height: height, palette: palette)
    if let count = loop.netscapeCount {
      let data: [UInt8] = [1, UInt8(truncatingIfNeeded: count), UInt8(truncatingIfNeeded: count >> 8)]
      try encoder.putExtension(Self.applicationFunction, blocks: [Array("NETSCAPE2.0".utf8), data])
    }
    if let comment { try Self.put(comment, to: encoder) }
    self.encoder = encoder
    self.palette = palette
  }

  /// Writes a remark between frames: ASCII, at most 255 characters.
  public func putComment(_ comment: String) throws(GIFWritingError) {
    try Self.put(comment, to: encoder)
  }

  private static func put(_ comment: String, to encoder: borrowing EncoderHandle) throws(GIFWritingError) {
    let bytes = Array(comment.utf8)
    guard (1...255).contains(bytes.count), bytes.allSatisfy({ $0 < 0x80 }) else { throw .invalidComment }
    try encoder.putExtension(commentFunction, blocks: [bytes])
  }

  /// Writes a frame.
  public mutating func append(_ frame: GIFFrame) throws(GIFWritingError) {
    try check(frame)
    try encoder.putExtension(Self.graphicControlFunction, blocks: [Self.graphicControl(of: frame)])
    try encoder.putImageDescriptor(of: frame)
    for row in InterlaceOrder.rows(height: frame.height, isInterlaced: frame.isInterlaced) {
      let start = row * frame.width
      try encoder.putLine(Array(frame.pixels[start..<start + frame.width]))
    }
    frameCount += 1
  }

  /// Ends the file and gives back its bytes.
  public consuming func finish() throws(GIFWritingError) -> [UInt8] {
    try encoder.close()
  }

  private static func graphicControl(of frame: GIFFrame) -> [UInt8] {
    [
      frame.disposal.rawValue << 2 | (frame.transparentIndex == nil ? 0 : 1),
      UInt8(truncatingIfNeeded: frame.delay),
      UInt8(truncatingIfNeeded: frame.delay >> 8),
      frame.transparentIndex ?? 0,
    ]
  }

  private static func checkSize(width: Int, height: Int) throws(GIFWritingError) {
    guard (1...0xFFFF).contains(width), (1...0xFFFF).contains(height) else {
      throw .invalidSize(width: width, height: height)
    }
  }

  private func check(_ frame: GIFFrame) throws(GIFWritingError) {
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
  }
}
