internal import GIFDecoding

/// The received part of a load, and what its reader has seen of it. Pure: no lock, no waiting.
struct LoadingProgress: ~Copyable, Sendable {
  private enum Phase: Sendable {
    case receiving
    case finished(GIFImage)
    case failed(GIFLoadingError)
    /// The reader has seen the end.
    case over
  }

  private let source: String
  private let prepare: ImagePreparation?
  private var stream: GIFStream?
  private var phase = Phase.receiving
  private var byteCount: Int64 = 0
  private var announced: Int64?
  private var isSeen = true

  init(source: String, limits: DecodingLimits, prepare: ImagePreparation? = nil) {
    self.source = source
    self.prepare = prepare
    stream = GIFStream(limits: limits)
  }

  var isReceiving: Bool { if case .receiving = phase { true } else { false } }

  mutating func announce(byteCount: Int64?) { announced = byteCount }

  /// Takes bytes; returns whether the load wants more, which it does not after a failure.
  mutating func receive(_ bytes: Span<UInt8>) -> Bool {
    guard isReceiving else { return false }
    do throws(GIFError) {
      try stream?.append(bytes)
    } catch {
      fail(GIFLoadingError(error, source: source))
      return false
    }
    byteCount += Int64(bytes.count)
    isSeen = isSeen && bytes.isEmpty
    return true
  }

  /// Ends the load after its last byte.
  mutating func finish() {
    guard isReceiving, let stream = stream.take() else { return }
    do throws(GIFError) {
      phase = .finished(try stream.finish())
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

  /// Whether ``next(onlyEnd:)`` returns anything but ``Step/wait``.
  func hasNews(onlyEnd: Bool) -> Bool { !isReceiving || !onlyEnd && !isSeen }

  /// The newest state, if it has not been seen, or the end.
  ///
  /// - Parameter onlyEnd: whether earlier states are skipped, which saves making their images.
  mutating func next(onlyEnd: Bool) -> Step {
    switch phase {
    case .over:
      return .end
    case .failed(let error):
      phase = .over
      return .failure(prepared(error))
    case .finished(let image):
      phase = .over
      return step(image, isComplete: true)
    case .receiving:
      guard hasNews(onlyEnd: onlyEnd) else { return .wait }
      isSeen = true
      do throws(GIFError) {
        return step(try stream?.image, isComplete: false)
      } catch {
        return failure(GIFLoadingError(error, source: source))
      }
    }
  }

  private mutating func step(_ image: GIFImage?, isComplete: Bool) -> Step {
    var image = image
    do throws(GIFLoadingError) {
      if let unprepared = image, let prepare { image = try prepare(unprepared, isComplete) }
    } catch {
      return failure(error)
    }
    let expected = announced.flatMap { $0 >= byteCount ? $0 : nil }
    return .state(
      LoadingState(
        byteCount: byteCount, expectedByteCount: expected, image: image, isComplete: isComplete))
  }

  private mutating func failure(_ error: GIFLoadingError) -> Step {
    phase = .over
    stream = nil
    return .failure(error)
  }

  /// The error with its image prepared; an image that is refused is left out.
  private func prepared(_ error: GIFLoadingError) -> GIFLoadingError {
    guard let prepare, let image = error.partialImage else { return error }
    var error = error
    error.partialImage = try? prepare(image, true)
    return error
  }
}
