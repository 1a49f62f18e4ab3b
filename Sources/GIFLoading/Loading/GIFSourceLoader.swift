public import GIFDecoding

/// What loads GIFs for views and tools. ``GIFLoader`` is the real one; tests and apps with a store of their own bring
/// another, which hands its bytes to the ``LoadingSink`` of a ``LoadingStates``.
public protocol GIFSourceLoader: Sendable {
  /// A load, which begins when the sequence is iterated. Faults are told by the sequence.
  func states(of source: GIFSource) -> LoadingStates
}

extension GIFSourceLoader {
  /// Loads to the end.
  ///
  /// - Throws: ``GIFLoadingError``; see ``LoadingStates/finalImage()``.
  public func load(_ source: GIFSource) async throws(GIFLoadingError) -> GIFImage {
    try await states(of: source).finalImage()
  }

  /// Loads a path or URL, as ``GIFSource/init(_:)`` reads it, to the end.
  ///
  /// - Throws: ``GIFLoadingError``; see ``LoadingStates/finalImage()``.
  public func load(_ url: String) async throws(GIFLoadingError) -> GIFImage {
    try await load(GIFSource(url))
  }
}

extension GIFImage {
  /// Loads a path or a `file:`, `http:`, `https:` or `data:` URL to the end.
  ///
  /// - Throws: ``GIFLoadingError``; see ``LoadingStates/finalImage()``.
  public init(
    url: String, loader: any GIFSourceLoader = GIFLoader()
  ) async throws(GIFLoadingError) {
    self = try await loader.load(url)
  }
}
