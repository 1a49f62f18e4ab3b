/// The immutable outcome of reading a file's records: all that rendering and playback need to know.
struct AnimationIndex: Sendable {
  var width: Int
  var height: Int
  var globalPalette: PaletteLocation?
  var frames: [FrameInfo]
  var loopCount: LoopCount
  var isComplete: Bool
  var comments: [String]
  var diagnostics: [GIFDiagnostic]

  var canvas: PixelRect { PixelRect(x: 0, y: 0, width: width, height: height) }

  /// Reads all records of a file.
  ///
  /// Time is proportional to the number of sub-blocks; pixels are not decoded.
  init(reading storage: ByteStorage, limits: DecodingLimits) throws(GIFError) {
    var reader = try RecordReader(storage)
    var builder = IndexBuilder(screen: reader.screen, limits: limits)
    while !builder.isFinished { try builder.consume(reader.next(), bytes: storage.bytes) }
    self = try builder.finish()
  }

  init(
    width: Int, height: Int, globalPalette: PaletteLocation?, frames: [FrameInfo], loopCount: LoopCount,
    isComplete: Bool, comments: [String], diagnostics: [GIFDiagnostic]
  ) {
    self.width = width
    self.height = height
    self.globalPalette = globalPalette
    self.frames = frames
    self.loopCount = loopCount
    self.isComplete = isComplete
    self.comments = comments
    self.diagnostics = diagnostics
  }
}
