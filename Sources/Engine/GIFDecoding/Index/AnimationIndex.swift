/// The immutable outcome of reading a file's records: the animation, and what rendering and reports need.
struct AnimationIndex: Sendable {
  var animation: Animation
  var globalPalette: PaletteLocation?
  /// The bytes of the comments.
  var comments: [[UInt8]]
  var applicationExtensions: [ApplicationExtension]
  var diagnostics: [GIFDiagnostic]
}
