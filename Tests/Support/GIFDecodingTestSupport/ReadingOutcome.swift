package import GIFDecoding
internal import GIFTestSupport

/// All that a reader can tell of a file, so that two ways of reading it can be compared.
package struct ReadingOutcome: Equatable {
  package var error: GIFError?
  package var facts: Facts?
  package var show: Show?

  /// What is known without decoding.
  package struct Facts: Equatable {
    package var width: Int
    package var height: Int
    package var loopCount: LoopCount
    package var isComplete: Bool
    package var comments: [String]
    package var byteCount: Int
    package var frames: [FrameInfo]
    package var diagnostics: [GIFDiagnostic]

    package init(_ image: GIFImage) {
      width = image.width
      height = image.height
      loopCount = image.loopCount
      isComplete = image.metadata.isComplete
      comments = image.metadata.comments
      byteCount = image.metadata.byteCount
      frames = image.frames
      diagnostics = image.diagnostics
    }
  }

  /// What is seen, frame by frame.
  package struct Show: Equatable {
    package var statuses: [FrameStatus] = []
    package var pictures: [[UInt32]] = []

    package init() {}

    /// All frames of an image in order, from a renderer of its own.
    package init(_ image: GIFImage) throws(GIFError) {
      var renderer = try FrameRenderer(image)
      try self.init(&renderer)
    }

    /// All frames that a renderer has, in order.
    package init(_ renderer: inout FrameRenderer) throws(GIFError) {
      for index in 0..<renderer.image.frameCount { append(try renderer.frame(at: index)) }
    }

    package mutating func append(_ frame: Frame) {
      statuses.append(frame.status)
      pictures.append(copied(frame.pixels.span))
    }
  }

  /// The outcome of reading; `read` opens the file in whatever way.
  package init(_ read: () throws(GIFError) -> GIFImage) {
    do throws(GIFError) {
      let image = try read()
      facts = Facts(image)
      show = try Show(image)
    } catch {
      self.error = error
    }
  }

  /// Reads a file at once.
  package init(whole bytes: [UInt8]) {
    self.init { () throws(GIFError) in try GIFImage(bytes: bytes) }
  }
}

/// Cuts bytes into pieces.
package enum Split {
  /// Pieces of the same size; the last may be shorter.
  package static func even(_ bytes: [UInt8], size: Int) -> [[UInt8]] {
    stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
  }

  /// Pieces of random sizes, empty ones among them.
  package static func random(_ bytes: [UInt8], upTo most: Int, seed: UInt64) -> [[UInt8]] {
    var generator = SeededGenerator(seed: seed)
    var pieces: [[UInt8]] = []
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + Int.random(in: 0...most, using: &generator))
      pieces.append(Array(bytes[start..<end]))
      start = end
    }
    return pieces
  }

  /// Two pieces.
  package static func at(_ place: Int, _ bytes: [UInt8]) -> [[UInt8]] {
    [Array(bytes[..<place]), Array(bytes[place...])]
  }
}
