public import GIFDecoding

/// A load as the sequence of its states: each when more bytes have come, the last one with the finished image.
///
///     for try await state in GIFLoader().states(of: source) {
///       if let image = state.image { show(image) }
///     }
///
/// A reader that is slow gets the newest state and misses those between. Each iteration loads anew. The transfer stops
/// when the reading task is cancelled or the iterator is dropped. An error ends the sequence; where pictures had come
/// by then they are in ``GIFLoadingError/partialImage``.
public struct LoadingStates: AsyncSequence, Sendable {
  public typealias Element = LoadingState
  public typealias Failure = GIFLoadingError

  private let source: String
  private let limits: DecodingLimits
  private let start: @Sendable (LoadingSink) -> Void

  /// A load done by `start`, which is called once for each iteration and must not block: it keeps the sink and puts in
  /// what comes.
  ///
  /// - Parameters:
  ///   - source: what is loaded, for errors, without credentials.
  ///   - limits: what the file may ask for; ``DecodingLimits/streamBytes`` bounds its size.
  public init(
    source: String, limits: DecodingLimits = .default, _ start: @escaping @Sendable (LoadingSink) -> Void
  ) {
    self.source = source
    self.limits = limits
    self.start = start
  }

  public func makeAsyncIterator() -> AsyncIterator {
    let sink = LoadingSink(source: source, limits: limits)
    start(sink)
    return AsyncIterator(lifetime: Lifetime(sink: sink))
  }

  /// The finished image, when it is there; nothing is made of the states before.
  ///
  /// - Throws: ``GIFLoadingError``, with what had come as its ``GIFLoadingError/partialImage``; one of the code
  ///   ``GIFLoadingError/Code/cancelled`` where the task is cancelled.
  public func finalImage() async throws(GIFLoadingError) -> GIFImage {
    let lifetime = makeAsyncIterator().lifetime
    while let state = try await lifetime.next(onlyEnd: true) {
      if let image = state.image { return image }
    }
    throw GIFLoadingError(.receiving, .cancelled, source: source)
  }

  /// Ends a load that nobody reads any more.
  final class Lifetime: Sendable {
    let sink: LoadingSink

    init(sink: LoadingSink) { self.sink = sink }

    deinit { sink.cancel() }

    /// The next state, or only the last one. The load lives meanwhile.
    func next(onlyEnd: Bool) async throws(GIFLoadingError) -> LoadingState? {
      defer { withExtendedLifetime(self) {} }
      return try await sink.next(onlyEnd: onlyEnd)
    }
  }

  public struct AsyncIterator: AsyncIteratorProtocol {
    let lifetime: Lifetime

    /// The next state; nil behind the last one.
    public mutating func next() async throws(GIFLoadingError) -> LoadingState? {
      try await lifetime.next(onlyEnd: false)
    }

    /// The next state; nil behind the last one.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(GIFLoadingError) -> LoadingState? {
      try await lifetime.next(onlyEnd: false)
    }
  }
}
