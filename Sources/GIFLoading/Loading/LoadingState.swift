public import GIFDecoding

/// How far a load has come.
public struct LoadingState: Sendable {
  /// Bytes received.
  public let byteCount: Int
  /// Bytes of the whole file where the server announced them believably: for a plain body, and no fewer than came.
  public let expectedByteCount: Int?
  /// The image so far; nil while not even its size is known. With the last state it is the finished one.
  public let image: GIFImage?
  /// Whether this is the last state.
  public let isFinished: Bool
}

/// What of a load has come, and what its reader has seen of it. Pure: no lock, no waiting.
struct LoadingProgress: ~Copyable, Sendable {
  private enum Phase: Sendable {
    case receiving
    case finished(GIFImage)
    case failed(GIFLoadingError)
    /// The end has been told.
    case over
  }

  private let source: String
  private var stream: GIFStream?
  private var phase = Phase.receiving
  private var byteCount = 0
  private var announced: Int?
  private var isSeen = true

  init(source: String, limits: DecodingLimits) {
    self.source = source
    stream = GIFStream(limits: limits)
  }

  var isReceiving: Bool { if case .receiving = phase { true } else { false } }

  mutating func announce(byteCount: Int?) { announced = byteCount }

  /// Takes bytes; returns false where no more are wanted, since the load has failed or was given up.
  mutating func receive(_ bytes: Span<UInt8>) -> Bool {
    guard isReceiving else { return false }
    do throws(GIFError) {
      try stream?.append(bytes)
    } catch {
      fail(GIFLoadingError(error, source: source))
      return false
    }
    byteCount += bytes.count
    isSeen = isSeen && bytes.isEmpty
    return true
  }

  /// All bytes have come.
  mutating func finish() {
    guard isReceiving, let stream = stream.take() else { return }
    do throws(GIFError) {
      phase = .finished(try stream.finish())
    } catch {
      phase = .failed(GIFLoadingError(error, source: source))
    }
  }

  /// The image was there at once.
  mutating func finish(with image: GIFImage) {
    guard isReceiving else { return }
    stream = nil
    byteCount = image.metadata.byteCount
    announced = byteCount
    phase = .finished(image)
  }

  /// No more will come. What has come stays usable where it shows something.
  mutating func fail(_ error: GIFLoadingError) {
    guard isReceiving else { return }
    var error = error
    if let stream = stream.take(), error.leavesPartialImage, let image = try? stream.finish(),
      image.frameCount > 0
    {
      error.partialImage = image
    }
    phase = .failed(error)
  }

  mutating func cancel() {
    fail(GIFLoadingError(.receiving, .cancelled, source: source))
  }

  /// What a reader gets next.
  enum Step {
    case state(LoadingState)
    case failure(GIFLoadingError)
    case wait
    case end
  }

  /// Whether ``next(onlyEnd:)`` would give something.
  func hasNews(onlyEnd: Bool) -> Bool { !isReceiving || !onlyEnd && !isSeen }

  /// The newest state, if it has not been seen, or the end.
  ///
  /// - Parameter onlyEnd: whether states on the way are passed over, which spares making their images.
  mutating func next(onlyEnd: Bool) -> Step {
    switch phase {
    case .over:
      return .end
    case .failed(let error):
      phase = .over
      return .failure(error)
    case .finished(let image):
      phase = .over
      return .state(state(image, isFinished: true))
    case .receiving:
      guard hasNews(onlyEnd: onlyEnd) else { return .wait }
      isSeen = true
      do throws(GIFError) {
        return .state(state(try stream?.image, isFinished: false))
      } catch {
        phase = .over
        stream = nil
        return .failure(GIFLoadingError(error, source: source))
      }
    }
  }

  private func state(_ image: GIFImage?, isFinished: Bool) -> LoadingState {
    let expected = announced.flatMap { $0 >= byteCount ? $0 : nil }
    return LoadingState(
      byteCount: byteCount, expectedByteCount: expected, image: image, isFinished: isFinished)
  }
}
