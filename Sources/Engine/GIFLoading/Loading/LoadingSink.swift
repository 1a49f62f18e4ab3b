internal import EngineSupport
public import GIFDecoding

/// The loader's end of a load; the reader's end is ``LoadingStates``.
///
/// The sink parses bytes as they arrive, on the loader's thread, so a loader learns at once that more is of
/// no use. All methods may be called from any thread; after the end of the load they do nothing.
public final class LoadingSink: Sendable {
  /// A reader's way to learn of news.
  private struct Ear: Sendable {
    var onNews: (@Sendable () -> Void)?
    /// The task that waits for news, and whether only for the end.
    var task: CheckedContinuation<Void, Never>?
    var wantsOnlyEnd = false
    /// The error of the reader's cancellation, with the frames of that moment.
    var cancellation: GIFLoadingError?
  }

  private struct State: ~Copyable, Sendable {
    var progress: LoadingProgress
    var readers = LoadingReaders()
    var ears: [LoadingReaders.ID: Ear] = [:]
    var onCancel: (@Sendable () -> Void)?

    func hasNews(for id: LoadingReaders.ID, onlyEnd: Bool) -> Bool {
      readers.hasNews(
        for: id, byteCount: progress.byteCount, hasEnded: !progress.isReceiving, onlyEnd: onlyEnd)
    }
  }

  /// What a reader takes.
  enum Step: Sendable {
    case wait
    case state(LoadingState)
    case failure(GIFLoadingError)
    case end
  }

  /// The path or URL in errors.
  package let source: String
  private let state: Monitor<State>
  /// Others that share the load; nil if it has one reader.
  private let share: LoadShare?

  /// - Parameter share: keeps the image for others, and learns of the end.
  init(source: String, limits: DecodingLimits, share: LoadShare? = nil) {
    self.source = source
    self.share = share
    state = Monitor(State(progress: LoadingProgress(source: source, limits: limits)))
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
  public func finish() {
    end { progress in progress.finish { share?.keep($0) ?? $0 } }
  }

  /// Ends the load with an image that needs no bytes.
  public func finish(with image: GIFImage) { end { $0.finish(with: image) } }

  /// Ends the load with an error; frames received so far become its ``GIFLoadingError/partialImage``.
  public func fail(_ error: GIFLoadingError) { end { $0.fail(error) } }

  /// Sets the handler for a load that is cancelled: its only reader or the last of several is gone. It is
  /// called once, without a lock, at once after a cancellation.
  public func onCancel(_ handler: @escaping @Sendable () -> Void) {
    let isLate = state.withLock { state in
      if !state.readers.isAbandoned, state.progress.isReceiving { state.onCancel = handler }
      return state.readers.isAbandoned
    }
    if isLate { handler() }
  }

  /// Whether the load is cancelled.
  var isCancelled: Bool { state.withLock { $0.readers.isAbandoned } }

  private func end(_ body: (inout LoadingProgress) -> Void) {
    change { progress in
      body(&progress)
      return false
    }
  }

  /// Changes the progress and notifies the readers; `body` returns whether the load goes on.
  @discardableResult
  private func change(_ body: (inout LoadingProgress) -> Bool) -> Bool {
    let (isWanted, hasEnded, tasks, handlers) = state.withLock { state in
      let wasReceiving = state.progress.isReceiving
      // One notification until the news is seen, and one for the end.
      let unaware = state.ears.keys.filter { !state.hasNews(for: $0, onlyEnd: false) }
      let isWanted = body(&state.progress)
      let isEnd = !state.progress.isReceiving
      if isEnd { state.onCancel = nil }
      var tasks: [CheckedContinuation<Void, Never>] = []
      for id in Array(state.ears.keys) where isEnd || state.ears[id]?.wantsOnlyEnd == false {
        if let task = state.ears[id]?.task.take() { tasks.append(task) }
      }
      var notified: [LoadingReaders.ID] = []
      if !isEnd {
        notified = unaware.filter { state.hasNews(for: $0, onlyEnd: false) }
      } else if wasReceiving {
        notified = Array(state.ears.keys)
      }
      return (isWanted, wasReceiving && isEnd, tasks, notified.compactMap { state.ears[$0]?.onNews })
    }
    if hasEnded { share?.end() }
    for task in tasks { task.resume() }
    for handler in handlers { handler() }
    return isWanted
  }

  // MARK: The readers' side

  /// Adds a reader; nil once the load is cancelled.
  ///
  /// - Parameter onNews: called on the loader's thread, once until the news is taken.
  func join(onNews: (@Sendable () -> Void)?) -> LoadingReaders.ID? {
    state.withLock { state in
      guard let id = state.readers.join() else { return nil }
      state.ears[id] = Ear(onNews: onNews)
      return id
    }
  }

  /// What a reader gets now. A task that waits passes itself on with ``wait(as:onlyEnd:)``.
  func next(for id: LoadingReaders.ID, onlyEnd: Bool) -> Step {
    state.withLock { state in
      let hasEnded = !state.progress.isReceiving
      switch state.readers.next(
        for: id, byteCount: state.progress.byteCount, hasEnded: hasEnded, onlyEnd: onlyEnd)
      {
      case .wait: return .wait
      case .nothing: return .end
      case .cancellation: return state.ears[id]?.cancellation.map { .failure($0) } ?? .end
      case .state:
        do throws(GIFLoadingError) {
          return .state(try state.progress.state())
        } catch {
          return .failure(error)
        }
      case .end:
        switch state.progress.phase {
        case .finished(let image): return .state(state.progress.finalState(image))
        case .failed(let error): return .failure(error)
        case .receiving: return .wait
        }
      }
    }
  }

  /// Waits until a reader may have news, or its task is cancelled.
  func wait(as id: LoadingReaders.ID, onlyEnd: Bool) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        let isThere = state.withLock { state in
          if state.ears[id] == nil || state.hasNews(for: id, onlyEnd: onlyEnd) { return true }
          state.ears[id]?.task = continuation
          state.ears[id]?.wantsOnlyEnd = onlyEnd
          return false
        }
        if isThere { continuation.resume() }
      }
    } onCancel: {
      cancel(id)
    }
  }

  /// Cancels the load for one reader, who gets an error with the frames so far. The last one cancels the
  /// load.
  func cancel(_ id: LoadingReaders.ID) {
    depart { state in
      let hasEnded = !state.progress.isReceiving
      let departure = state.readers.cancel(id, hasEnded: hasEnded)
      if !hasEnded, state.ears[id]?.cancellation == nil {
        state.ears[id]?.cancellation = state.progress.cancellation()
      }
      // The reader knows already.
      state.ears[id]?.onNews = nil
      return (departure, state.ears[id]?.task.take())
    }
  }

  /// Ends the load for one reader, who takes nothing more. The last one cancels the load.
  func leave(_ id: LoadingReaders.ID) {
    depart { state in
      let departure = state.readers.leave(id, hasEnded: !state.progress.isReceiving)
      return (departure, state.ears.removeValue(forKey: id)?.task)
    }
  }

  private func depart(
    _ body: (inout State) -> (LoadingReaders.Departure, CheckedContinuation<Void, Never>?)
  ) {
    let (isOver, handler, task) = state.withLock { state in
      let (departure, task) = body(&state)
      guard departure == .cancelsLoad else { return (false, (@Sendable () -> Void)?.none, task) }
      state.progress.abandon()
      return (true, state.onCancel.take(), task)
    }
    if isOver { share?.end() }
    handler?()
    task?.resume()
  }
}
