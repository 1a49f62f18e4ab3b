public import Gallop

/// Ends the process where two answers that must agree do not; the fuzzer keeps the input.
public func check(_ holds: Bool, _ what: @autoclosure () -> String) {
  if !holds { fatalError(what()) }
}

extension DecodingLimits {
  /// Small, so that no input takes long.
  public static let fuzzing = {
    var limits = DecodingLimits.default
    (limits.canvasPixels, limits.claimedPixels, limits.framePixels) = (1 << 14, 1 << 20, 1 << 15)
    (limits.decodedBytes, limits.frameCount) = (1 << 18, 64)
    (limits.commentBytes, limits.streamBytes) = (256, 1 << 20)
    return limits
  }()
}

/// All that is known of an image without decoding, or why there is none.
public struct Facts: Equatable {
  public var error: GIFError?
  public var frames: [FrameInfo] = []
  public var diagnostics: [GIFDiagnostic] = []
  public var words: [String] = []

  /// Reads in whatever way.
  public init(_ read: () throws(GIFError) -> GIFImage) {
    do throws(GIFError) {
      let image = try read()
      frames = image.frames
      diagnostics = image.diagnostics
      words =
        image.metadata.comments + [
          "\(image.width) x \(image.height), \(image.loopCount), \(image.metadata.isComplete)",
          "\(image.metadata.byteCount)",
        ]
    } catch {
      self.error = error
    }
  }
}
