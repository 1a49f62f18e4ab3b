internal import EngineSupport
public import GIFCaching
internal import GIFDecoding
public import GIFLoading
internal import GIFTimeline

// Players that load their image themselves.

extension GIFPlayer {
  /// Makes a player of a GIF that it loads, and plays while it arrives.
  ///
  ///     let player = GIFPlayer(loading: "https://example.org/horse.gif")
  ///     player.onFrameChange(deliverOn: .mainActor) { show($0.frame.pixels) }
  ///     player.onLoading(deliverOn: .mainActor) { print($0) }
  ///     player.play()
  ///
  /// The load begins at once and ends with the player, with ``cancelLoading()``, or by itself. Until its size
  /// is known ``image`` has no canvas. The first frame shows as it arrives. Where playback reaches the end of
  /// what has come, it waits until enough follows: ``Options/resumeBuffer``. No loop ends before the image is
  /// complete.
  ///
  /// If the load fails or is cancelled, the frames that came play on as if they were all, as in browsers;
  /// without any the player fails. A text that is no path or URL fails in the same way.
  /// - Parameters:
  ///   - text: a path or URL, as ``GIFSource/init(_:)`` reads it.
  ///   - loader: what loads it.
  ///   - options: how it is played; ``Options/isComplete`` has no effect.
  public convenience init(
    loading text: String, loader: any ImageLoader = GIFLoader(), options: Options = Options(),
    clock: PlaybackClock = .shared, pool: DecodePool = .shared
  ) {
    self.init(toLoadWith: options, clock: clock, pool: pool)
    do throws(GIFLoadingError) {
      begin(loader.states(of: try GIFSource(text)))
    } catch {
      contents.withLock { $0.loading.begin(nil, phase: .loading(nil)) }
      take(.failed(error), isOnEngineThread: false)
    }
  }

  /// Makes a player of a GIF that it loads; see
  /// ``init(loading:loader:options:clock:pool:)-(String,_,_,_,_)``.
  public convenience init(
    loading source: GIFSource, loader: any ImageLoader = GIFLoader(), options: Options = Options(),
    clock: PlaybackClock = .shared, pool: DecodePool = .shared
  ) {
    self.init(toLoadWith: options, clock: clock, pool: pool)
    begin(loader.states(of: source))
  }

  private convenience init(toLoadWith options: Options, clock: PlaybackClock, pool: DecodePool) {
    var options = options
    options.isComplete = false
    self.init(.empty, options: options, clock: clock, pool: pool)
  }

  /// How far the load has come. A player that was made with an image is complete, or loads as long as
  /// ``update(_:isComplete:)`` has not said so.
  public var loading: LoadingPhase {
    contents.withLock { contents in
      contents.loading.phase ?? (contents.core.schedule.isComplete ? .complete : .loading(nil))
    }
  }

  /// Ends the load. The frames that have come play on as if they were all; without any the player fails.
  ///
  /// Does nothing once the load has ended. Another player's load of the same URL goes on.
  public func cancelLoading() {
    guard let load = contents.withLock({ $0.loading.running }) else { return }
    load.cancel()
    takeNews(isOnEngineThread: false)
  }

  // MARK: News of the load

  private func begin(_ states: LoadingStates) {
    let load = states.begin { [weak self] in self?.takeNews(isOnEngineThread: true) }
    contents.withLock { $0.loading.begin(load, phase: .loading(nil)) }
    // What came before the load was known here.
    takeNews(isOnEngineThread: false)
  }

  /// Takes what the load has to tell, unless another thread does.
  private func takeNews(isOnEngineThread: Bool) {
    guard let load = contents.withLock({ $0.loading.beginTaking() }) else { return }
    repeat {
      while let news = Self.news(of: load) { take(news, isOnEngineThread: isOnEngineThread) }
    } while contents.withLock { $0.loading.continueTaking() }
  }

  /// What a load tells.
  private enum News {
    case progress(LoadingState)
    case complete(GIFImage)
    case failed(GIFLoadingError)
  }

  private static func news(of load: LoadingStates.Load) -> News? {
    do throws(GIFLoadingError) {
      guard let state = try load.takeNews() else { return nil }
      if state.isComplete, let image = state.image { return .complete(image) }
      return .progress(state)
    } catch {
      return .failed(error)
    }
  }

  /// Reports news, and plays what has come.
  private func take(_ news: News, isOnEngineThread: Bool) {
    switch news {
    case .progress(let state):
      note(.loading(state))
      guard let image = state.image else { break }
      grow(to: image, isComplete: false, isOnEngineThread: isOnEngineThread)
    case .complete(let image):
      note(.complete)
      grow(to: image, isComplete: true, isOnEngineThread: isOnEngineThread)
    case .failed(let error):
      note(.failed(error))
      if let image = error.partialImage {
        grow(to: image, isComplete: true, isOnEngineThread: isOnEngineThread)
      } else {
        let code: GIFError.Code = error.code == .cancelled ? .cancelled : .notLoaded
        carryOut(isOnEngineThread: isOnEngineThread) { contents, _ in
          contents.core.fail(error.underlying ?? GIFError(code))
        }
      }
    }
    deliver(isOnEngineThread: isOnEngineThread)
  }

  private func note(_ phase: LoadingPhase) {
    // The load is released without the lock.
    _ = contents.withLock { contents in
      contents.loading.note(phase)
      contents.outbox.append(.loading(phase))
      if case .loading = phase { return nil as LoadingStates.Load? }
      return contents.loading.end()
    }
  }
}
