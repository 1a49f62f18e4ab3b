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
/// A slow reader gets only the newest state. Each iteration asks the loader again. The load is cancelled with
/// its task or when the iterator is released. An error ends the sequence; frames received before it are in
/// ``GIFLoadingError/partialImage``.
public struct LoadingStates: AsyncSequence, Sendable {
  /// Begins a load, or joins one that is under way.
  typealias Opening = @Sendable (_ onNews: (@Sendable () -> Void)?) -> (LoadingSink, LoadingReaders.ID)

  private let source: String
  private let open: Opening
  private var prepare: ImagePreparation?
  private var completions: [@Sendable (GIFImage) -> Void] = []

  /// Creates a load that `start` performs.
  ///
  /// - Parameters:
  ///   - source: the path or URL in errors, without credentials.
  ///   - limits: ``DecodingLimits/streamBytes`` limits the file's size.
  ///   - start: called once for each iteration; it must not block, and puts bytes into the sink as they
  ///     arrive.
  public init(
    source: String, limits: DecodingLimits = .default, _ start: @escaping @Sendable (LoadingSink) -> Void
  ) {
    self.init(source: source) { onNews in
      let sink = LoadingSink(source: source, limits: limits)
      guard let reader = sink.join(onNews: onNews) else { preconditionFailure("a new load takes its reader") }
      start(sink)
      return (sink, reader)
    }
  }

  /// Creates a load that others may share.
  init(source: String, opening: @escaping Opening) {
    self.source = source
    open = opening
  }

  /// The same load with a change to each of its images, after those made before.
  package func preparing(_ prepare: @escaping ImagePreparation) -> LoadingStates {
    var states = self
    guard let first = self.prepare else {
      states.prepare = prepare
      return states
    }
    states.prepare = { image, isComplete throws(GIFLoadingError) in
      try prepare(try first(image, isComplete), isComplete)
    }
    return states
  }

  /// The same load with a call for its complete image, on a thread for such calls that may wait for a disk.
  ///
  /// A cache on disk saves ``GIFImage/fileBytes()`` there. A load that fails or is cancelled makes no call.
  /// The calls of all loads follow each other; the end of the process does not wait for them.
  public func onCompletion(_ body: @escaping @Sendable (GIFImage) -> Void) -> LoadingStates {
    var states = self
    states.completions.append(body)
    return states
  }

  /// Starts the load.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(load: begin(onNews: nil)) }

  /// Starts the load for a reader that polls it.
  ///
  /// - Parameter onNews: called on the loader's thread when ``Load/takeNews()`` has something to return.
  package func begin(onNews: (@Sendable () -> Void)?) -> Load {
    let (sink, reader) = open(onNews)
    return Load(sink: sink, reader: reader, prepare: prepare, completions: completions)
  }

  /// Loads to the end and returns the complete image; no other image is made.
  ///
  /// - Throws: ``GIFLoadingError``, with the frames received as its ``GIFLoadingError/partialImage``; its
  ///   code is ``GIFLoadingError/Code/cancelled`` if the task is cancelled.
  public func finalImage() async throws(GIFLoadingError) -> GIFImage {
    let load = begin(onNews: nil)
    while let state = try await load.next(onlyEnd: true) {
      if let image = state.image { return image }
    }
    throw GIFLoadingError(.receiving, .cancelled, source: source)
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

// MARK: - Running loads

extension LoadingStates {
  /// A reader's part in a running load; it is cancelled when it is released.
  package final class Load: Sendable {
    let sink: LoadingSink
    private let reader: LoadingReaders.ID
    private let prepare: ImagePreparation?
    private let completions: [@Sendable (GIFImage) -> Void]

    init(
      sink: LoadingSink, reader: LoadingReaders.ID, prepare: ImagePreparation?,
      completions: [@Sendable (GIFImage) -> Void]
    ) {
      self.sink = sink
      self.reader = reader
      self.prepare = prepare
      self.completions = completions
    }

    deinit { sink.leave(reader) }

    /// Cancels the load for this reader: the next state is an error with the frames so far, unless the end
    /// has come.
    package func cancel() { sink.cancel(reader) }

    /// The newest state if it has not been taken; nil if there is no news, and after the last state.
    package func takeNews() throws(GIFLoadingError) -> LoadingState? {
      switch sink.next(for: reader, onlyEnd: false) {
      case .state(let state): return try prepared(state)
      case .wait, .end: return nil
      case .failure(let error): throw prepared(error)
      }
    }

    /// The next state, or only the last one; waits for it and keeps the load alive.
    func next(onlyEnd: Bool) async throws(GIFLoadingError) -> LoadingState? {
      defer { withExtendedLifetime(self) {} }
      if Task.isCancelled { cancel() }
      while true {
        switch sink.next(for: reader, onlyEnd: onlyEnd) {
        case .state(let state): return try prepared(state)
        case .end: return nil
        case .failure(let error): throw prepared(error)
        case .wait: await sink.wait(as: reader, onlyEnd: onlyEnd)
        }
      }
    }

    private func prepared(_ state: LoadingState) throws(GIFLoadingError) -> LoadingState {
      guard let image = state.image else { return state }
      var state = state
      do throws(GIFLoadingError) {
        if let prepare { state.image = try prepare(image, state.isComplete) }
      } catch {
        // Reading may fail while the loader still works; nothing follows.
        sink.leave(reader)
        throw error
      }
      if state.isComplete, !completions.isEmpty {
        OpeningThreads.completions.run { [completions] in for completion in completions { completion(image) }
        }
      }
      return state
    }

    /// The error with its image prepared; an image that is refused is left out.
    private func prepared(_ error: GIFLoadingError) -> GIFLoadingError {
      sink.leave(reader)
      guard let prepare, let image = error.partialImage else { return error }
      var error = error
      error.partialImage = try? prepare(image, true)
      return error
    }
  }
}
