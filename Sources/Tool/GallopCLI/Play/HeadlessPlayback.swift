internal import ArgumentParser
internal import EngineSupport
internal import GIFStage
internal import Gallop

/// Playback without a display, for its events.
///
/// Files on disk are opened first, and play together. What comes from a network or a pipe loads meanwhile,
/// and plays when it is whole. The time of `--seconds` counts from the start of playback, whatever loads.
struct HeadlessPlayback {
  /// A player; `target` counts all files of the command line, also those that cannot be played.
  private struct Entry {
    let target: Int
    let name: String
    let player: GIFPlayer
    /// The media time to play; nil to play to the end.
    let limit: Duration?
    /// The media time of the last picture.
    var shown: Duration?
  }

  /// A file that arrives.
  private struct Arrival {
    let target: Int
    let name: String
    let load: LoadingStates.Load
  }

  private let command: PlayCommand
  /// The files to play, counted over the command line.
  private let targets: [Int]
  private let seconds: Double?
  /// Whether an endless animation plays once.
  private let endsEndless: Bool
  private let recorder: TraceRecorder?
  private let queue = PrintedEvents()
  /// The instant at which the time of `--seconds` is over.
  private var end: PlaybackInstant?
  private var running: [Int: Entry] = [:]
  private var arrivals: [Arrival] = []
  private var outcomes = FileOutcomes()
  private var saysThatItIsEndless: Bool

  /// - Parameters:
  ///   - targets: the files to play, counted over the command line; nil for all.
  ///   - seconds: the time to play; nil to play every animation to its end.
  ///   - endsEndless: whether an endless animation plays once.
  init(
    _ command: PlayCommand, targets: [Int]? = nil, seconds: Double?, endsEndless: Bool = false,
    recorder: TraceRecorder?
  ) {
    self.command = command
    self.targets = targets ?? Array(command.files.indices)
    self.seconds = seconds
    self.endsEndless = endsEndless
    self.recorder = recorder
    saysThatItIsEndless = seconds == nil
  }

  /// Plays until all animations have ended, the time is over, or a signal.
  ///
  /// - Returns: what became of the files, whose failures are reported.
  /// - Throws: the exit status of a signal; failures of the output.
  mutating func run() throws -> FileOutcomes {
    Interruption.watch()
    let isAtHand = targets.map { SourceReading.isAtHand(command.files[$0]) }
    startLoading(zip(targets, isAtHand).filter { !$0.1 }.map(\.0))
    let images = try open(zip(targets, isAtHand).filter { $0.1 }.map(\.0))
    if !images.isEmpty || !arrivals.isEmpty {
      let start = PlaybackInstant.now
      end = seconds.map { start + .seconds($0) }
      play(images)
      try loop()
    }
    return outcomes
  }

  // MARK: Files

  /// Opens the files on disk; a file that fails is reported, and the others are still opened.
  private mutating func open(_ targets: [Int]) throws -> [(target: Int, image: GIFImage)] {
    var place = -1
    var images: [(target: Int, image: GIFImage)] = []
    do {
      try forEachFile(targets.map { command.files[$0] }, command.reading.messages) { task in
        place += 1
        images.append((targets[place], try command.open(task)))
      }
    } catch is ExitCode {
      // That of a signal comes again; the others follow from what is counted here.
      try Interruption.check()
    }
    outcomes.used += images.count
    outcomes.failed += targets.count - images.count
    outcomes.hasWarnings = images.contains { !$0.image.diagnostics.isEmpty }
    return images
  }

  private mutating func startLoading(_ targets: [Int]) {
    let loader = CommandLoader(reading: command.reading, range: command.range)
    for target in targets {
      let name = SourceReading.name(of: command.files[target])
      do throws(GIFLoadingError) {
        let states = loader.states(of: try GIFSource(command.files[target]))
        let load = states.begin { [queue] in queue.wake() }
        arrivals.append(Arrival(target: target, name: name, load: load))
      } catch {
        fail(name, error.reason(for: name))
      }
    }
  }

  /// Plays what has arrived since the last call.
  private mutating func takeArrivals() {
    var waiting: [Arrival] = []
    for arrival in arrivals {
      switch news(of: arrival) {
      case nil: waiting.append(arrival)
      case .success(let image):
        outcomes.used += 1
        play([(arrival.target, image)])
      case .failure(let failure): fail(arrival.name, failure.reason)
      }
    }
    arrivals = waiting
  }

  /// The image of a load, or the reason that it cannot be used; nil while it arrives.
  private mutating func news(of arrival: Arrival) -> Result<GIFImage, FileFailure>? {
    var image: GIFImage?
    do throws(GIFLoadingError) {
      guard let state = try arrival.load.takeNews(), state.isComplete else { return nil }
      image = state.image
    } catch {
      guard error.partialImage != nil else {
        return .failure(FileFailure(reason: error.reason(for: arrival.name)))
      }
      StandardError.note("\(arrival.name): \(error.warning(for: arrival.name))")
      image = error.partialImage
      outcomes.isCutOff = true
    }
    guard let image, image.frameCount > 0 else {
      return .failure(FileFailure(reason: "has no frames to play"))
    }
    for line in Warnings.lines(arrival.name, image.diagnostics) { StandardError.note(line) }
    outcomes.hasWarnings = outcomes.hasWarnings || !image.diagnostics.isEmpty
    return .success(image)
  }

  private mutating func fail(_ name: String, _ reason: String) {
    CommandFailure(subject: name, reason: reason).report()
    outcomes.failed += 1
  }

  // MARK: Playback

  /// Starts the players of images together.
  private mutating func play(_ images: [(target: Int, image: GIFImage)]) {
    // What arrives late has less time.
    let limit = end.map { max(.nanoseconds(1), ($0 - PlaybackInstant.now) * command.speed) }
    let whole = seconds.map { Duration.seconds($0 * command.speed) }
    for (target, image) in images {
      let name = SourceReading.name(of: command.files[target])
      var options = command.playerOptions
      let isEndless = command.isEndless(image)
      if isEndless, endsEndless, options.loopCount == nil { options.loopCount = .plays(1) }
      let player = GIFPlayer(image, options: options)
      recorder?.record(player, as: name)
      queue.subscribe(to: player, target: target)
      let isArrival = arrivals.contains { $0.target == target }
      running[target] = Entry(target: target, name: name, player: player, limit: isArrival ? limit : whole)
      if saysThatItIsEndless, isEndless, options.loopCount != .plays(1) {
        saysThatItIsEndless = false
        StandardError.note("playback is endless; Ctrl-C ends it, as do --seconds and --loops")
      }
    }
    for (target, _) in images { running[target]?.player.play() }
  }

  private mutating func loop() throws {
    while !running.isEmpty || !arrivals.isEmpty, Interruption.signal == nil {
      // The wait is short, so that signals and the end of the time are noticed.
      for entry in queue.takeAll(until: PlaybackInstant.now + .milliseconds(20)) {
        try take(entry.event, of: entry.target)
      }
      running = running.filter { !Self.hasPlayedItsTime($0.value) }
      takeArrivals()
      if let end, PlaybackInstant.now >= end {
        for arrival in arrivals { fail(arrival.name, "did not load in the time of --seconds") }
        arrivals = []
      }
    }
    try Interruption.check()
  }

  private mutating func take(_ event: PlayerEvent, of target: Int) throws {
    if command.events, isWithinTime(event, of: target), let line = EventLine(target: target, event) {
      try JSONLine.print(line)
    }
    switch event {
    case .finished:
      running[target] = nil
    case .failed(let error):
      if let entry = running.removeValue(forKey: target) {
        outcomes.used -= 1
        fail(entry.name, error.description)
      }
    case .frameChange(let change):
      running[target]?.shown = change.mediaTime
    case .loopCompleted, .buffering, .stateChanged, .loading:
      break
    case .flashes(let state):
      // Nothing would ever end it.
      guard case .held = state, let entry = running.removeValue(forKey: target) else { break }
      outcomes.used -= 1
      fail(entry.name, FlashText.state(state) ?? "held")
    }
  }

  // MARK: Time

  /// Whether a frame is due within the time; other events always are.
  ///
  /// Time is each animation's own media time, which begins with its first picture.
  private func isWithinTime(_ event: PlayerEvent, of target: Int) -> Bool {
    guard case .frameChange(let change) = event, seconds != nil else { return true }
    guard let limit = running[target]?.limit else { return false }
    return change.mediaTime < limit
  }

  /// Whether the time is over and the last picture due in it, or a later one, has been printed.
  private static func hasPlayedItsTime(_ entry: Entry) -> Bool {
    guard let limit = entry.limit, let shown = entry.shown, entry.player.position >= limit else {
      return false
    }
    let lastMoment = min(limit, longest).wholeNanoseconds - 1
    guard let due = entry.player.timeline.position(at: lastMoment) else { return true }
    return shown.wholeNanoseconds >= due.start
  }

  /// A limit below which nanoseconds fit 64 bits.
  private static let longest = Duration.seconds(9_000_000_000)
}
