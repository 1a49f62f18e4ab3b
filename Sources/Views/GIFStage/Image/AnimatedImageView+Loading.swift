internal import GIFCaching
internal import GIFDecoding
internal import GIFLoading
internal import GIFPlayback
internal import GIFTimeline

// The source and the load.
extension AnimatedImageView {
  /// Starts with the current source.
  func begin() {
    isPlaying = properties.autoplays && !properties.playsOnHover
    guard properties.source != nil else { return }
    phase = .waiting
    if visibility != .hidden { startLoading() }
  }

  /// Cancels loading and releases the player and the frame.
  func end() {
    load = nil
    releasePlayer()
    savedSnapshot = nil
    shown = nil
    fading = Fade()
    isResuming = false
    isScrubbing = false
    isHovered = false
    phase = .empty
    invalidate()
  }

  func startLoading() {
    guard let text = properties.source, case .waiting = phase else { return }
    do throws(GIFLoadingError) {
      let source = try GIFSource(text)
      phase = .loading(nil)
      load = services.loader.states(of: source).begin(onNews: services.wake)
    } catch {
      fail(error)
    }
  }

  /// Takes the newest state of the load.
  func takeProgress() {
    guard let load else { return }
    do throws(GIFLoadingError) {
      guard let state = try load.takeNews() else { return }
      if state.isComplete, let image = state.image {
        try finishLoading(image)
      } else {
        phase = .loading(state)
        invalidateProgress()
        emit(.progressed(state))
        grow(isComplete: false)
      }
    } catch {
      self.load = nil
      guard error.partialImage != nil else { return fail(error) }
      // As in browsers, the part that has arrived plays.
      phase = .failed(error)
      invalidateProgress()
      emit(.failed(error))
      grow(isComplete: true)
    }
  }

  private func finishLoading(_ image: GIFImage) throws(GIFLoadingError) {
    load = nil
    guard image.frameCount > 0 else {
      throw GIFLoadingError(
        .decoding, .unusableFile, source: GIFSource.withoutCredentials(properties.source ?? ""),
        detail: "has no frames to show")
    }
    phase = .ready(image)
    invalidateProgress()
    emit(.loaded(image))
    grow(isComplete: true)
  }

  /// Passes the image so far to the player, or makes the player.
  private func grow(isComplete: Bool) {
    guard let image else { return }
    if let player {
      player.update(image, isComplete: isComplete)
    } else {
      makePlayer()
    }
  }

  /// Ends loading and playback.
  func fail(_ error: GIFLoadingError) {
    load = nil
    releasePlayer()
    shown = nil
    isResuming = false
    phase = .failed(error)
    invalidate()
    emit(.failed(error))
  }

  /// The progress of loading in words; nil if it does not load.
  var loadingText: String? {
    guard case .loading(let state) = phase else { return nil }
    return LoadingText.progress(state, isStalled: player?.bufferingReason == .source)
  }

  /// The part of the file that has arrived, 0 - 1; nil if its size is unknown or it is not loading.
  var progress: Double? {
    guard case .loading(let state) = phase else { return nil }
    return state?.fractionCompleted
  }
}
