import GIFTestSupport

@testable import GIFDecoding

/// All that a reader can tell of a file, so that two ways of reading it can be compared.
struct ReadingOutcome: Equatable {
  var error: GIFError?
  var facts: Facts?
  var show: Show?

  /// What is known without decoding.
  struct Facts: Equatable {
    var width: Int
    var height: Int
    var loopCount: LoopCount
    var isComplete: Bool
    var comments: [String]
    var byteCount: Int
    var frames: [FrameInfo]
    var diagnostics: [GIFDiagnostic]

    init(_ image: GIFImage) {
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
  struct Show: Equatable {
    var statuses: [FrameStatus] = []
    var pictures: [[UInt32]] = []

    init() {}

    /// All frames of an image in order, from a renderer of its own.
    init(_ image: GIFImage) throws(GIFError) {
      var renderer = try FrameRenderer(image)
      try self.init(&renderer)
    }

    /// All frames that a renderer has, in order.
    init(_ renderer: inout FrameRenderer) throws(GIFError) {
      for index in 0..<renderer.image.frameCount { append(try renderer.frame(at: index)) }
    }

    mutating func append(_ frame: Frame) {
      statuses.append(frame.status)
      pictures.append(frame.pixels.words)
    }
  }

  /// The outcome of reading; `read` opens the file in whatever way.
  init(_ read: () throws(GIFError) -> GIFImage) {
    do throws(GIFError) {
      let image = try read()
      facts = Facts(image)
      show = try Show(image)
    } catch {
      self.error = error
    }
  }

  /// Reads a file at once.
  init(whole bytes: [UInt8]) {
    self.init { () throws(GIFError) in try GIFImage(bytes: bytes) }
  }

  /// Reads a file that comes in these pieces.
  init(pieces: [[UInt8]]) {
    self.init { () throws(GIFError) in
      var stream = GIFStream()
      for piece in pieces { try stream.append(piece) }
      return try stream.finish()
    }
  }
}

/// Cuts bytes into pieces.
enum Split {
  /// Pieces of the same size; the last may be shorter.
  static func even(_ bytes: [UInt8], size: Int) -> [[UInt8]] {
    stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
  }

  /// Pieces of random sizes, empty ones among them.
  static func random(_ bytes: [UInt8], upTo most: Int, seed: UInt64) -> [[UInt8]] {
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
  static func at(_ place: Int, _ bytes: [UInt8]) -> [[UInt8]] {
    [Array(bytes[..<place]), Array(bytes[place...])]
  }
}
