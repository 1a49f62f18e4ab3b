internal import EngineSupport
public import GIFDecoding

/// Where a loader puts what it loads; the other end is ``LoadingStates``.
///
/// Bytes are read as a GIF when they are put in, on the loader's thread: nothing waits in between, and a loader learns at
/// once that more is of no use. What is held is the file itself, within the limit of its size. All methods may be called
/// from any thread; those behind the end of a load do nothing.
public final class LoadingSink: Sendable {
  private struct State: ~Copyable, Sendable {
    var progress: LoadingProgress
    var reader: CheckedContinuation<Void, Never>?
    var readerWantsOnlyEnd = false
    var onCancel: (@Sendable () -> Void)?
    var isCancelled = false

    mutating func takeReader(isEnd: Bool) -> CheckedContinuation<Void, Never>? {
      isEnd || !readerWantsOnlyEnd ? reader.take() : nil
    }
  }

  /// The path or URL that is being loaded, for errors.
  public let source: String
  private let state: Monitor<State>

  init(source: String, limits: DecodingLimits) {
    self.source = source
    state = Monitor(State(progress: LoadingProgress(source: source, limits: limits)))
  }

  // MARK: The loader's side

  /// Tells how many bytes the whole file has; nil where that is not known. Only for showing: more or fewer may come.
  public func announce(byteCount: Int?) {
    state.withLock { $0.progress.announce(byteCount: byteCount) }
  }

  /// Takes the file's next bytes, any number.
  ///
  /// - Returns: whether more are wanted; false where the load has failed (it is no GIF, it is too large) or was
  ///   cancelled.
  @discardableResult
  public func receive(_ bytes: Span<UInt8>) -> Bool {
    let (isWanted, reader) = state.withLock { state in
      let isWanted = state.progress.receive(bytes)
      return (isWanted, state.takeReader(isEnd: !isWanted))
    }
    reader?.resume()
    return isWanted
  }

  /// All bytes have come.
  public func finish() { end { $0.finish() } }

  /// The image was there at once.
  public func finish(with image: GIFImage) { end { $0.finish(with: image) } }

  /// No more will come. An image that already shows something goes with the error.
  public func fail(_ error: GIFLoadingError) { end { $0.fail(error) } }

  /// What is to happen when the reader gives up; at once where it has already. Called once, under no lock.
  public func onCancel(_ handler: @escaping @Sendable () -> Void) {
    let isLate = state.withLock { state in
      if !state.isCancelled, state.progress.isReceiving { state.onCancel = handler }
      return state.isCancelled
    }
    if isLate { handler() }
  }

  private func end(_ change: (inout LoadingProgress) -> Void) {
    let reader = state.withLock { state in
      change(&state.progress)
      state.onCancel = nil
      return state.takeReader(isEnd: true)
    }
    reader?.resume()
  }

  // MARK: The reader's side

  /// The newest state that was not seen yet, when there is one; nil behind the end.
  func next(onlyEnd: Bool) async throws(GIFLoadingError) -> LoadingState? {
    if Task.isCancelled { cancel() }
    while true {
      switch state.withLock({ $0.progress.next(onlyEnd: onlyEnd) }) {
      case .state(let state): return state
      case .end: return nil
      case .failure(let error):
        // Reading what had come may have failed while the loader still works.
        cancel()
        throw error
      case .wait: await news(onlyEnd: onlyEnd)
      }
    }
  }

  /// Comes back when there may be something new, or when the task is cancelled.
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

  /// The reader gives up: the loader is told to stop.
  func cancel() {
    let (handler, reader) = state.withLock { state in
      state.progress.cancel()
      state.isCancelled = true
      return (state.onCancel.take(), state.takeReader(isEnd: true))
    }
    handler?()
    reader?.resume()
  }
}
