internal import EngineSupport
public import GIFDecoding

/// The loader's end of a load; the reader's end is ``LoadingStates``.
///
/// The sink parses bytes as they arrive, on the loader's thread, so a loader learns at once that more is of no use. All
/// methods may be called from any thread; after the end of the load they do nothing.
public final class LoadingSink: Sendable {
  private struct State: ~Copyable, Sendable {
    var progress: LoadingProgress
    var reader: CheckedContinuation<Void, Never>?
    var readerWantsOnlyEnd = false
    var onNews: (@Sendable () -> Void)?
    var onCancel: (@Sendable () -> Void)?
    var isCancelled = false
  }

  /// The readers to notify of a change.
  private struct Audience: Sendable {
    var reader: CheckedContinuation<Void, Never>?
    var onNews: (@Sendable () -> Void)?

    func notify() {
      reader?.resume()
      onNews?()
    }
  }

  /// The path or URL in errors.
  package let source: String
  private let state: Monitor<State>

  init(source: String, limits: DecodingLimits, prepare: ImagePreparation? = nil) {
    self.source = source
    state = Monitor(State(progress: LoadingProgress(source: source, limits: limits, prepare: prepare)))
  }

  // MARK: The loader's side

  /// Sets the number of bytes of the whole file, for display only; nil if it is unknown.
  public func announce(byteCount: Int64?) {
    state.withLock { $0.progress.announce(byteCount: byteCount) }
  }

  /// Adds any number of bytes to the file.
  ///
  /// - Returns: whether the load wants more; false after a failure (no GIF, too large) or a cancellation.
  @discardableResult
  public func receive(_ bytes: Span<UInt8>) -> Bool {
    change { $0.receive(bytes) }
  }

  /// Ends the load after its last byte.
  public func finish() { end { $0.finish() } }

  /// Ends the load with an image that needs no bytes.
  public func finish(with image: GIFImage) { end { $0.finish(with: image) } }

  /// Ends the load with an error; frames received so far become its ``GIFLoadingError/partialImage``.
  public func fail(_ error: GIFLoadingError) { end { $0.fail(error) } }

  /// Sets the handler for a reader that cancels; it is called once, without a lock, at once after a cancellation.
  public func onCancel(_ handler: @escaping @Sendable () -> Void) {
    let isLate = state.withLock { state in
      if !state.isCancelled, state.progress.isReceiving { state.onCancel = handler }
      return state.isCancelled
    }
    if isLate { handler() }
  }

  private func end(_ body: (inout LoadingProgress) -> Void) {
    change { progress in
      body(&progress)
      return false
    }
  }

  /// Changes the progress and notifies the readers; `body` returns whether the load goes on.
  @discardableResult
  private func change(_ body: (inout LoadingProgress) -> Bool) -> Bool {
    let (isWanted, audience) = state.withLock { state in
      let hadNews = state.progress.hasNews(onlyEnd: false)
      let wasReceiving = state.progress.isReceiving
      let isWanted = body(&state.progress)
      let isEnd = !state.progress.isReceiving
      if isEnd { state.onCancel = nil }
      var audience = Audience()
      if isEnd || !state.readerWantsOnlyEnd { audience.reader = state.reader.take() }
      // One notification until the news is seen, and one for the end.
      let isNews = isEnd ? wasReceiving : !hadNews && state.progress.hasNews(onlyEnd: false)
      if isNews { audience.onNews = state.onNews }
      return (isWanted, audience)
    }
    audience.notify()
    return isWanted
  }

  // MARK: The reader's side

  /// Whether the reader has cancelled the load.
  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Sets the handler for news, which is called on the loader's thread: once until the news is taken.
  func onNews(_ handler: @escaping @Sendable () -> Void) { state.withLock { $0.onNews = handler } }

  /// The newest state, if there is an unseen one; nil if there is none, and after the end.
  func takeNews() throws(GIFLoadingError) -> LoadingState? {
    switch state.withLock({ $0.progress.next(onlyEnd: false) }) {
    case .state(let state): return state
    case .wait, .end: return nil
    case .failure(let error):
      cancel()
      throw error
    }
  }

  /// Waits for the newest unseen state; nil after the end.
  func next(onlyEnd: Bool) async throws(GIFLoadingError) -> LoadingState? {
    if Task.isCancelled { cancel() }
    while true {
      switch state.withLock({ $0.progress.next(onlyEnd: onlyEnd) }) {
      case .state(let state): return state
      case .end: return nil
      case .failure(let error):
        // Reading may fail while the loader still works.
        cancel()
        throw error
      case .wait: await news(onlyEnd: onlyEnd)
      }
    }
  }

  /// Waits until there may be news, or the task is cancelled.
  private func news(onlyEnd: Bool) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        let isThere = state.withLock { state in
          if state.progress.hasNews(onlyEnd: onlyEnd) { return true }
          state.reader = continuation
          state.readerWantsOnlyEnd = onlyEnd
          return false
        }
        if isThere { continuation.resume() }
      }
    } onCancel: {
      cancel()
    }
  }

  /// Cancels the load on behalf of its reader.
  func cancel() {
    let (handler, reader) = state.withLock { state in
      state.progress.cancel()
      state.isCancelled = true
      state.onNews = nil
      return (state.onCancel.take(), state.reader.take())
    }
    handler?()
    reader?.resume()
  }
}
