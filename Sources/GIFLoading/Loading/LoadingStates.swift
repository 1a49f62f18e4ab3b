public import GIFDecoding

/// A change to each image of a load before its reader sees it; an error ends the load.
package typealias ImagePreparation =
  @Sendable (_ image: GIFImage, _ isComplete: Bool) throws(GIFLoadingError) -> GIFImage

/// A load as the sequence of its states; the last one has the complete image.
///
///     for try await state in GIFLoader().states(of: source) {
///       if let image = state.image { show(image) }
///     }
///
/// A slow reader gets only the newest state. Each iteration starts another load. The load is cancelled with its task or
/// when the iterator is released. An error ends the sequence; frames received before it are in
/// ``GIFLoadingError/partialImage``.
public struct LoadingStates: AsyncSequence, Sendable {
  private let source: String
  private let limits: DecodingLimits
  private let prepare: ImagePreparation?
  private let start: @Sendable (LoadingSink) -> Void

  /// Creates a load that `start` performs.
  ///
  /// - Parameters:
  ///   - source: the path or URL in errors, without credentials.
  ///   - limits: ``DecodingLimits/streamBytes`` limits the file's size.
  ///   - start: called once for each iteration; it must not block, and puts bytes into the sink as they arrive.
  public init(
    source: String, limits: DecodingLimits = .default, _ start: @escaping @Sendable (LoadingSink) -> Void
  ) {
    self.init(source: source, limits: limits, prepare: nil, start)
  }

  private init(
    source: String, limits: DecodingLimits, prepare: ImagePreparation?,
    _ start: @escaping @Sendable (LoadingSink) -> Void
  ) {
    self.source = source
    self.limits = limits
    self.prepare = prepare
    self.start = start
  }

  /// The same load with a change to each of its images.
  package func preparing(_ prepare: @escaping ImagePreparation) -> LoadingStates {
    LoadingStates(source: source, limits: limits, prepare: prepare, start)
  }

  /// Starts the load.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(load: begin(onNews: nil)) }

  /// Starts the load for a reader that polls it.
  ///
  /// - Parameter onNews: called on the loader's thread when ``Load/takeNews()`` has something to return.
  package func begin(onNews: (@Sendable () -> Void)?) -> Load {
    let sink = LoadingSink(source: source, limits: limits, prepare: prepare)
    if let onNews { sink.onNews(onNews) }
    start(sink)
    return Load(sink: sink)
  }

  /// Loads to the end and returns the complete image; no other image is made.
  ///
  /// - Throws: ``GIFLoadingError``, with the frames received as its ``GIFLoadingError/partialImage``; its code is
  ///   ``GIFLoadingError/Code/cancelled`` if the task is cancelled.
  public func finalImage() async throws(GIFLoadingError) -> GIFImage {
    let load = begin(onNews: nil)
    while let state = try await load.next(onlyEnd: true) {
      if let image = state.image { return image }
    }
    throw GIFLoadingError(.receiving, .cancelled, source: source)
  }

  /// A running load; it is cancelled when it is released.
  package final class Load: Sendable {
    let sink: LoadingSink

    init(sink: LoadingSink) { self.sink = sink }

    deinit { sink.cancel() }

    /// The newest state if it has not been taken; nil if there is no news, and after the last state.
    package func takeNews() throws(GIFLoadingError) -> LoadingState? { try sink.takeNews() }

    /// The next state, or only the last one; waits for it and keeps the load alive.
    func next(onlyEnd: Bool) async throws(GIFLoadingError) -> LoadingState? {
      defer { withExtendedLifetime(self) {} }
      return try await sink.next(onlyEnd: onlyEnd)
    }
  }

  /// The reader of one load.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let load: Load

    /// The newest state that has not been returned; nil after the last one.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(GIFLoadingError) -> LoadingState? {
      try await load.next(onlyEnd: false)
    }
  }
}
