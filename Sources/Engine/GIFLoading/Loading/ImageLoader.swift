public import GIFDecoding

/// A loader of GIFs for views and tools; it runs any number of loads at once.
///
/// ``GIFLoader`` loads files and URLs. An app with a store of its own implements another one, which puts its
/// bytes into the ``LoadingSink`` of a ``LoadingStates``.
public protocol ImageLoader: Sendable {
  /// The states of a load, which starts when the sequence is iterated. Errors end the sequence.
  func states(of source: GIFSource) -> LoadingStates
}

extension ImageLoader {
  /// Loads a GIF to its end.
  ///
  /// - Throws: ``GIFLoadingError``; see ``LoadingStates/finalImage()``.
  public func load(_ source: GIFSource) async throws(GIFLoadingError) -> GIFImage {
    try await states(of: source).finalImage()
  }
}

extension GIFImage {
  /// Loads a `file:`, `http:`, `https:` or `data:` URL to its end; a path is opened by
  /// ``init(contentsOfFile:firstFrames:limits:)``.
  ///
  /// - Throws: ``GIFLoadingError``; see ``LoadingStates/finalImage()``.
  public init(url: String, loader: any ImageLoader = GIFLoader()) async throws(GIFLoadingError) {
    self = try await loader.load(GIFSource(url: url))
  }
}
