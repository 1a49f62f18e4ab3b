public import GIFDecoding

/// A GIF that loads, as a sequence of images each of which shows more than the one before.
///
/// The last element is the finished image. A fault of the chunks' own source ends it the same way as the end of the
/// data would, with that error; what came before stays usable.
public struct GIFImageSequence<Chunks: AsyncSequence>: AsyncSequence where Chunks.Element == [UInt8] {
  public typealias Element = GIFImage

  private let chunks: Chunks
  private let limits: DecodingLimits

  /// - Parameter chunks: the file's bytes in order, in pieces of any size.
  public init(_ chunks: Chunks, limits: DecodingLimits = .default) {
    self.chunks = chunks
    self.limits = limits
  }

  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(chunks: chunks.makeAsyncIterator(), state: State(limits: limits))
  }

  /// A reference, since the stream cannot be copied and iterators can.
  final class State {
    var stream: GIFStream?
    var shown: (frames: Int, bytesOfFirst: Int) = (0, 0)

    init(limits: DecodingLimits) { stream = GIFStream(limits: limits) }
  }

  public struct AsyncIterator: AsyncIteratorProtocol {
    private var chunks: Chunks.AsyncIterator
    private let state: State

    init(chunks: Chunks.AsyncIterator, state: State) {
      self.chunks = chunks
      self.state = state
    }

    /// The next image that shows more, or the finished one; nil after that.
    public mutating func next() async throws -> GIFImage? {
      // Taken out meanwhile: after an error there is nothing more.
      guard var stream = state.stream.take() else { return nil }
      while let chunk = try await chunks.next() {
        try stream.append(chunk)
        guard let image = try stream.image, state.showsMore(image) else { continue }
        state.stream = consume stream
        return image
      }
      return try stream.finish()
    }
  }
}

extension GIFImageSequence.State {
  /// Whether there is a frame more, or more of the only one.
  func showsMore(_ image: GIFImage) -> Bool {
    guard let first = image.frames.first else { return false }
    let visible = (image.frameCount, image.frameCount == 1 ? first.data.upperBound : shown.bytesOfFirst)
    defer { shown = visible }
    return visible != shown
  }
}
