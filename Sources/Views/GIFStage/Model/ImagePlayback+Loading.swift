internal import GIFDecoding
internal import GIFLoading
internal import GIFPlayback
internal import GIFTimeline

// The source and the load.
extension ImagePlayback {
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
    isScrubbing = false
    playsFlashes = false
    phase = .empty
    onEnd?()
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
      guard state.isComplete, let image = state.image else {
        return grow(.loading(state), .progressed(state))
      }
      guard image.frameCount > 0 else {
        throw GIFLoadingError(.decoding, .unusableFile, source: source, detail: "has no frames to play")
      }
      self.load = nil
      grow(.ready(image), .loaded(image))
    } catch {
      guard error.partialImage != nil else { return fail(error) }
      // As in browsers, the part that has arrived plays.
      self.load = nil
      grow(.failed(error), .failed(error))
    }
  }

  /// Passes the image so far to the player, or makes the player.
  private func grow(_ phase: ImagePhase, _ event: ViewEvent.Kind) {
    self.phase = phase
    onProgress?()
    onEvent?(event)
    guard let image else { return }
    if let player {
      player.update(image, isComplete: isComplete)
    } else {
      makePlayer()
    }
  }

  /// Whether all frames are known.
  package var isComplete: Bool {
    if case .loading = phase { return false }
    return true
  }

  /// Ends loading and playback.
  func fail(_ error: GIFLoadingError) {
    load = nil
    releasePlayer()
    shown = nil
    phase = .failed(error)
    onProgress?()
    onEvent?(.failed(error))
  }
}
