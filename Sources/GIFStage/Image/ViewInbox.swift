internal import EngineSupport
internal import GIFCaching
internal import GIFDecoding
internal import GIFPlayback

/// What players and loaders tell a view, on its way from their threads to the view's owner.
///
/// Each message bears the number of the playback it belongs to, so that one that comes late is known for what it is.
final class ViewInbox: Sendable {
  enum Message: Sendable {
    case loaded(Result<GIFImage, ImageLoadingError>)
    case frameChanged(FrameChange)
    case loopCompleted(LoopCompletion)
    case finished
    case failed(GIFError)

    /// Whether a later one makes up for its loss.
    var isPassing: Bool {
      switch self {
      case .frameChanged, .loopCompleted: true
      case .loaded, .finished, .failed: false
      }
    }
  }

  /// Frames and loops kept for an owner that does not come; it then misses the oldest.
  static let limit = 128

  private let messages = Lock<[(episode: Int, message: Message)]>([])
  private let wake: @Sendable () -> Void

  /// - Parameter wake: called for each message, on the thread that brought it.
  init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

  func put(_ message: Message, episode: Int) {
    messages.withLock { messages in
      if messages.count >= Self.limit, let oldest = messages.firstIndex(where: { $0.message.isPassing }) {
        messages.remove(at: oldest)
      }
      messages.append((episode, message))
    }
    wake()
  }

  /// All messages of one playback, in order; those of others are thrown away.
  func takeAll(episode: Int) -> [Message] {
    let taken = messages.withLock { messages in
      defer { messages = [] }
      return messages
    }
    return taken.compactMap { $0.episode == episode ? $0.message : nil }
  }

  /// Listens to a player until the subscriptions are cancelled.
  func listen(to player: GIFPlayer, episode: Int) -> [Subscription] {
    [
      player.onFrameChange { self.put(.frameChanged($0), episode: episode) },
      player.onLoop { self.put(.loopCompleted($0), episode: episode) },
      player.onFinish { _ in self.put(.finished, episode: episode) },
      player.onFailure { self.put(.failed($0), episode: episode) },
    ]
  }
}
