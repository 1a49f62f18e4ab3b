internal import GIFDecoding

/// The received part of a load, without those that read it.
struct LoadingProgress: ~Copyable, Sendable {
  /// Where the load stands.
  enum Phase: Sendable {
    case receiving
    case finished(GIFImage)
    case failed(GIFLoadingError)
  }

  private let source: String
  private var stream: GIFStream?
  private(set) var phase = Phase.receiving
  private(set) var byteCount: Int64 = 0
  private var announced: Int64?
  /// The image of the bytes so far, made for the first of several readers; nil if it is not made yet.
  private var made: GIFImage??

  init(source: String, limits: DecodingLimits) {
    self.source = source
    stream = GIFStream(limits: limits)
  }

  var isReceiving: Bool { if case .receiving = phase { true } else { false } }

  mutating func announce(byteCount: Int64?) { announced = byteCount }

  /// Takes bytes; returns whether the load wants more, which it does not after a failure.
  mutating func receive(_ bytes: Span<UInt8>) -> Bool {
    guard isReceiving else { return false }
    made = nil
    do throws(GIFError) {
      try stream?.append(bytes)
    } catch {
      fail(GIFLoadingError(error, source: source))
      return false
    }
    byteCount += Int64(bytes.count)
    return true
  }

  /// Ends the load after its last byte.
  ///
  /// - Parameter keep: changes the image before any reader gets it.
  mutating func finish(keep: (GIFImage) -> GIFImage = { $0 }) {
    guard isReceiving, let stream = stream.take() else { return }
    made = nil
    do throws(GIFError) {
      phase = .finished(keep(try stream.finish()))
    } catch {
      phase = .failed(GIFLoadingError(error, source: source))
    }
  }

  /// Ends the load with an image that needs no bytes.
  mutating func finish(with image: GIFImage) {
    guard isReceiving else { return }
    stream = nil
    byteCount = Int64(image.metadata.byteCount)
    announced = byteCount
    phase = .finished(image)
  }

  /// Ends the load with an error; the frames received so far go with it.
  mutating func fail(_ error: GIFLoadingError) {
    guard isReceiving else { return }
    made = nil
    var error = error
    if let stream = stream.take(), error.leavesPartialImage, let image = try? stream.finish(),
      image.frameCount > 0
    {
      error.partialImage = image
    }
    phase = .failed(error)
  }

  /// Ends the load because no reader is left.
  mutating func abandon() {
    guard isReceiving else { return }
    stream = nil
    made = nil
    phase = .failed(GIFLoadingError(.receiving, .cancelled, source: source))
  }

  /// The error for a reader that cancels, with the frames that have come.
  mutating func cancellation() -> GIFLoadingError {
    var error = GIFLoadingError(.receiving, .cancelled, source: source)
    if let image = try? imageSoFar(), image.frameCount > 0 { error.partialImage = image }
    return error
  }

  /// The state of what has been received.
  mutating func state() throws(GIFLoadingError) -> LoadingState {
    do throws(GIFError) {
      return state(of: try imageSoFar(), isComplete: false)
    } catch {
      throw GIFLoadingError(error, source: source)
    }
  }

  /// The last state, which has the whole image.
  func finalState(_ image: GIFImage) -> LoadingState { state(of: image, isComplete: true) }

  private mutating func imageSoFar() throws(GIFError) -> GIFImage? {
    if let made { return made }
    let image = try stream?.image
    made = .some(image)
    return image
  }

  private func state(of image: GIFImage?, isComplete: Bool) -> LoadingState {
    let expected = announced.flatMap { $0 >= byteCount ? $0 : nil }
    return LoadingState(
      byteCount: byteCount, expectedByteCount: expected, image: image, isComplete: isComplete)
  }
}
