public import GIFDecoding
public import GIFPlayback

/// Something that a view tells.
public struct ViewEvent {
  /// The view it happened to; not the one whose handler is called.
  public let target: View
  public let kind: Kind

  public enum Kind: Sendable {
    /// The image is there and has frames.
    case loaded(GIFImage)
    /// There will be no image, with the reason.
    case failed(String)
    /// Another frame is visible.
    case frameChanged(FrameChange)
    /// A loop came to its end.
    case loopCompleted(LoopCompletion)
    /// All plays are over.
    case finished
    /// Playback was begun (true) or held (false), by a tap or a command.
    case playbackChanged(isPlaying: Bool)
    /// Pressed and let go in one place.
    case tapped
    /// A knob of a range slider was moved.
    case scrubbed(ScrubEvent)
    /// Other items are visible.
    case scrolled(visible: Range<Int>)
  }

  /// Who is told.
  public enum Route: Sendable, Hashable {
    /// The handlers of the target only: what comes many times a second, or concerns nobody else.
    case direct
    /// The target's handlers, then those of each ancestor.
    case bubbling
  }
}

extension ViewEvent.Kind: CustomStringConvertible {
  public var description: String {
    switch self {
    case .loaded(let image): "loaded, \(image.frameCount) frames"
    case .failed(let reason): "failed: \(reason)"
    case .frameChanged(let change): "frame \(change.currentFrameIndex) of \(change.frameCount)"
    case .loopCompleted(let completion): "loop \(completion.count) completed"
    case .finished: "finished"
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
  public var route: ViewEvent.Route {
    switch self {
    case .frameChanged, .loopCompleted, .scrolled: .direct
    case .loaded, .failed, .finished, .playbackChanged, .tapped, .scrubbed: .bubbling
    }
  }
}

/// A handler's place with a view; ends with ``cancel()`` or with the view. Letting go of it changes nothing.
public final class ViewSubscription {
  private var onCancel: (() -> Void)?

  init(onCancel: @escaping () -> Void) { self.onCancel = onCancel }

  public func cancel() {
    onCancel?()
    onCancel = nil
  }
}

/// The handlers of one view, in the order they came.
final class HandlerList {
  private var entries: [(id: Int, handler: (ViewEvent) -> Void)] = []
  private var lastID = 0

  func add(_ handler: @escaping (ViewEvent) -> Void) -> ViewSubscription {
    lastID += 1
    let id = lastID
    entries.append((id, handler))
    return ViewSubscription { [weak self] in self?.entries.removeAll { $0.id == id } }
  }

  /// Tells those who were there when it began and have not left since.
  func tell(_ event: ViewEvent) {
    for id in entries.map(\.id) { entries.first { $0.id == id }?.handler(event) }
  }
}
