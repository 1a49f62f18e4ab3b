public import GIFDecoding
public import GIFFlashes
public import GIFLoading
public import GIFPlayback

/// An event of a view.
public struct ViewEvent {
  /// The view that emits the event, which may be a descendant of the handler's view.
  public let target: View
  /// What happened.
  public let kind: Kind

  /// The kinds of events.
  public enum Kind: Sendable {
    /// More of the image is loaded.
    case progressed(LoadingState)
    /// The image is completely loaded and has frames.
    case loaded(GIFImage)
    /// The image cannot be loaded or played. If a transfer was interrupted, its
    /// ``/Gallop/GIFLoadingError/partialImage`` plays.
    case failed(GIFLoadingError)
    /// Another frame is visible.
    case frameChanged(FrameChange)
    /// A loop is completed.
    case loopCompleted(LoopCompletion)
    /// All plays are over.
    case finished
    /// There is a verdict on the image's flashes, or playback follows another one.
    case flashesJudged(FlashState)
    /// A tap or a command starts (true) or pauses (false) playback.
    case playbackChanged(isPlaying: Bool)
    /// Pressed and released at one point.
    case tapped
    /// A knob of a range slider is moved.
    case scrubbed(ScrubEvent)
    /// Other items are visible.
    case scrolled(visible: Range<Int>)
  }

  /// The handlers that an event reaches.
  public enum Route: Sendable, Hashable {
    /// The handlers of the target only, for frequent or local events.
    case direct
    /// The target's handlers, then those of each ancestor.
    case bubbling
  }
}

extension ViewEvent.Kind: CustomStringConvertible {
  public var description: String {
    switch self {
    case .progressed(let state): "loading, \(state)"
    case .loaded(let image): "loaded, \(image.frameCount) frames"
    case .failed(let error): "failed: \(error)"
    case .frameChanged(let change): "frame \(change.currentFrameIndex) of \(change.frameCount)"
    case .loopCompleted(let completion): "loop \(completion.count) completed"
    case .finished: "finished"
    case .flashesJudged(let state): "flashes: \(state)"
    case .playbackChanged(let isPlaying): isPlaying ? "playing" : "paused"
    case .tapped: "tapped"
    case .scrubbed(let scrub): "\(scrub)"
    case .scrolled(let visible): "scrolled to items \(visible)"
    }
  }
}

extension ViewEvent: CustomStringConvertible {
  public var description: String { "view \(target.id): \(kind)" }
}

extension ViewEvent.Kind {
  /// The handlers that an event of this kind reaches.
  public var route: ViewEvent.Route {
    switch self {
    case .frameChanged, .loopCompleted, .progressed, .scrolled: .direct
    case .loaded, .failed, .finished, .flashesJudged, .playbackChanged, .tapped, .scrubbed: .bubbling
    }
  }
}

/// A subscription to a view's events; ends with ``cancel()`` or with the view. Releasing it does not cancel
/// it.
public final class ViewSubscription {
  private var onCancel: (() -> Void)?

  init(onCancel: @escaping () -> Void) { self.onCancel = onCancel }

  /// Ends the subscription.
  public func cancel() {
    onCancel?()
    onCancel = nil
  }
}

/// The handlers of one view, in the order of subscription.
final class HandlerList {
  private var entries: [(id: Int, handler: (ViewEvent) -> Void)] = []
  private var lastID = 0

  func add(_ handler: @escaping (ViewEvent) -> Void) -> ViewSubscription {
    lastID += 1
    let id = lastID
    entries.append((id, handler))
    return ViewSubscription { [weak self] in self?.entries.removeAll { $0.id == id } }
  }

  /// Calls the handlers that are subscribed at the start and are not cancelled meanwhile.
  func notify(_ event: ViewEvent) {
    for id in entries.map(\.id) { entries.first { $0.id == id }?.handler(event) }
  }
}
