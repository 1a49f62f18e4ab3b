internal import EngineSupport
internal import GIFStage
internal import Gallop

/// A GIF in the terminal: it loads, plays while it arrives, or has failed. Belongs to the main thread.
final class TerminalTile {
  private enum Phase {
    case waiting
    /// The image arrives; nil before its first bytes.
    case loading(LoadingState?)
    case ready
    /// The file cannot be used, with the reason.
    case failed(String)
  }

  /// The sources of images, and the receivers of players.
  struct Services {
    var loader: any ImageLoader
    /// Called from any thread when ``TerminalTile/update()`` has work.
    var wake: @Sendable () -> Void
    /// Called with each new player, before it plays.
    var onPlayer: (GIFPlayer) -> Void
  }

  /// The file or URL in messages, without credentials.
  let name: String
  /// The player; nil before the first frame has arrived.
  private(set) var player: GIFPlayer?
  /// The warnings about the file, each without the name.
  private(set) var warnings: [String] = []
  /// The damage of the file.
  private(set) var diagnostics: [GIFDiagnostic] = []
  private let argument: String
  private var options: GIFPlayer.Options
  private let clock: PlaybackClock
  private let pool: DecodePool
  private var phase = Phase.waiting
  private var services: Services?
  private var load: LoadingStates.Load?
  /// Whether it plays as soon as there is a frame.
  private var playsWhenLoaded: Bool
  private let playerFailure = Lock<GIFError?>(nil)

  init(
    _ argument: String, options: GIFPlayer.Options, autoplays: Bool = true, clock: PlaybackClock = .shared,
    pool: DecodePool = .shared
  ) {
    self.argument = argument
    playsWhenLoaded = autoplays
    self.options = options
    self.clock = clock
    self.pool = pool
    name = SourceReading.name(of: argument)
  }

  /// The name in a caption.
  var caption: String { Printable.text(OutputFile.baseName(of: argument)) }

  // MARK: Loading

  /// Starts to load.
  func start(_ services: Services) {
    self.services = services
    do throws(GIFLoadingError) {
      let source = try GIFSource(argument)
      phase = .loading(nil)
      load = services.loader.states(of: source).begin(onNews: services.wake)
    } catch {
      phase = .failed(error.reason)
    }
  }

  /// Loads a failed file again.
  func retry() {
    guard case .failed = phase, let services else { return }
    player?.pause()
    player = nil
    playerFailure.withLock { $0 = nil }
    playsWhenLoaded = true
    start(services)
  }

  /// Takes what has arrived since the last call, and a failure of the player.
  func update() {
    if let error = playerFailure.withLock({ $0 }) {
      load = nil
      phase = .failed(error.description)
    }
    guard let load else { return }
    do throws(GIFLoadingError) {
      guard let state = try load.takeNews() else { return }
      phase = .loading(state)
      if let image = state.image { show(image, isComplete: state.isComplete) }
    } catch {
      self.load = nil
      guard let image = error.partialImage else {
        phase = .failed(error.reason(for: name))
        return
      }
      warnings.append(error.warning(for: name))
      show(image, isComplete: true)
    }
  }

  private func show(_ image: GIFImage, isComplete: Bool) {
    if isComplete {
      load = nil
      diagnostics = image.diagnostics
      guard image.frameCount > 0 else {
        phase = .failed("has no frames to play")
        return
      }
      phase = .ready
    }
    if let player {
      player.update(image, isComplete: isComplete)
    } else if image.frameCount > 0 {
      makePlayer(image, isComplete: isComplete)
    }
  }

  private func makePlayer(_ image: GIFImage, isComplete: Bool) {
    options.isComplete = isComplete
    let player = GIFPlayer(image, options: options, clock: clock, pool: pool)
    self.player = player
    player.visibility = visibility
    player.onFailure { [playerFailure, wake = services?.wake] error in
      playerFailure.withLock { $0 = error }
      wake?()
    }
    services?.onPlayer(player)
    if playsWhenLoaded { player.play() } else { player.seek(to: .zero) }
    // The first frame shows as far as it has arrived.
    if !isComplete { player.showPoster(0) }
  }

  // MARK: State

  /// The reason that the file cannot be shown; nil if it can.
  var failure: String? {
    if case .failed(let reason) = phase { return reason }
    return nil
  }

  /// The progress of loading in words, in percent or bytes; nil if it does not load.
  var progress: String? {
    guard case .loading(let state) = phase else { return nil }
    return LoadingText.progress(state, isStalled: isStalled)
  }

  /// Whether playback waits for more of the file.
  var isStalled: Bool { player?.bufferingReason == .source }

  /// The frame shown; nil before the first one, and after a failure.
  var frame: Frame? { failure == nil ? player?.currentFrame : nil }

  /// The number of frames, as far as they are known.
  var frameCount: Int { player?.image.frameCount ?? 0 }

  /// Whether those are all.
  var isComplete: Bool { player?.isComplete ?? false }

  /// Saves the frame shown in the current folder; returns the message for the user.
  func saveFrame() -> String {
    guard let frame, let player else { return "no frame to save yet" }
    return FrameFile.save(player.image, frame: frame.index, of: argument)
  }

  // MARK: Settings

  /// Whether the tile is on the screen; a player that is not visible decodes nothing.
  var isVisible = true {
    didSet { if isVisible != oldValue { player?.visibility = visibility } }
  }

  private var visibility: Visibility { isVisible ? .visible : .hidden }

  var rate: Double {
    get { player?.rate ?? options.rate }
    set {
      options.rate = PlaybackRate.clamped(newValue)
      player?.rate = newValue
    }
  }

  var mode: PlaybackMode {
    get { player?.mode ?? options.mode }
    set {
      options.mode = newValue
      player?.mode = newValue
    }
  }

  var isPlaying: Bool { player.map { $0.state == .playing } ?? (failure == nil && playsWhenLoaded) }

  func play() {
    playsWhenLoaded = true
    player?.play()
  }

  func pause() {
    playsWhenLoaded = false
    player?.pause()
  }
}
