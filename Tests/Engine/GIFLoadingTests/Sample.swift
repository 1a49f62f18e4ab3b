import GIFDecoding
import GIFLoading
import GIFTestSupport

/// A small animation of three frames, whose places in the file are known.
struct Sample: Sendable {
  let bytes: [UInt8]
  /// Where each frame's data end.
  let frameEnds: [Int]

  static let animation = Sample(frames: 3)

  var byteCount: Int64 { Int64(bytes.count) }

  init(frames: Int) {
    var gif = GIFWriter(width: 2, height: 2, palette: [0x000000, 0xFF0000, 0x00FF00, 0x0000FF])
    gif.loop(0)
    var ends: [Int] = []
    for frame in 0..<frames {
      gif.graphicsControl(disposal: 1, delay: 5)
      gif.image(width: 2, height: 2, indices: [UInt8](repeating: UInt8(frame % 3 + 1), count: 4))
      ends.append(gif.bytes.count)
    }
    gif.trailer()
    bytes = gif.bytes
    frameEnds = ends
  }

  /// The file up to the end of this many frames.
  func upTo(frames: Int) -> [UInt8] { Array(bytes.prefix(frameEnds[frames - 1])) }
}

/// What tests compare of an image: its structure and the first pixel of each frame.
struct Shown: Equatable {
  var isComplete: Bool
  var byteCount: Int
  var pixels: [[UInt8]]

  init(_ image: GIFImage) throws {
    isComplete = image.metadata.isComplete
    byteCount = image.metadata.byteCount
    var renderer = try FrameRenderer(image)
    pixels = []
    for index in 0..<image.frameCount {
      pixels.append(
        try unsafe renderer.frame(at: index).pixels.withUnsafeBytes { unsafe Array($0.prefix(4)) })
    }
  }

  /// What a whole file shows.
  init(file: [UInt8]) throws { try self.init(GIFImage(bytes: file)) }
}

extension LoadingSink {
  /// Puts in the file's next bytes.
  @discardableResult
  func put(_ bytes: some Collection<UInt8>) -> Bool { receive(Array(bytes).span) }
}

extension GIFLoader.Options {
  /// A busy machine may let a server of the tests wait for long, which no test is about. Each load has a
  /// transfer.
  static let patient: GIFLoader.Options = {
    var options = GIFLoader.Options()
    options.sharesLoads = false
    options.connectTimeout = .seconds(3600)
    options.idleTimeout = .seconds(3600)
    options.totalTimeout = .seconds(3600)
    return options
  }()
}

extension ImageLoader {
  /// Loads a path or URL to its end.
  func load(_ text: String) async throws(GIFLoadingError) -> GIFImage { try await load(GIFSource(text)) }
}

extension GIFLoader {
  static let patient = GIFLoader(options: .patient)
}
