/// The immutable outcome of reading a file's records: all that rendering and playback need to know.
struct AnimationIndex: Sendable {
  var width: Int
  var height: Int
  var globalPalette: PaletteLocation?
  var frames: [FrameInfo]
  var loopCount: LoopCount
  var isComplete: Bool
  /// The bytes of the comments.
  var comments: [[UInt8]]
  var applicationExtensions: [ApplicationExtension]
  var diagnostics: [GIFDiagnostic]

  var canvas: PixelRect { PixelRect(x: 0, y: 0, width: width, height: height) }
}
