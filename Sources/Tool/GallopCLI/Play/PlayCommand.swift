public import ArgumentParser
public import GIFDecoding
public import GIFStage
internal import Gallop
internal import Glibc
public import TerminalDisplay

struct PlayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play",
    abstract: "Plays GIFs in the terminal, in a window, or without a display.",
    discussion: """
      Keys, in the terminal and in a window:

      \(keys)

      Several GIFs form a grid, and the keys for frames apply to the selected one; the wheel scrolls it. In a window a \
      double click opens a GIF, too. A range starts and ends at the current frame; frames are saved in the current folder.

      One after another (--one-by-one, and playlists), each GIF plays as often as its file says, an endless one once, \
      or all as often as --loops says; a still is shown for three seconds on a display. n and p go to the \
      next and the previous one.

      A frame's number counts from 0, here as in --range, file names and events, and is shown as #0.

      In the terminal, characters have the colours that COLORTERM or the terminfo entry of TERM promises, and none if \
      NO_COLOR is set.

      The mouse: drag along the frame bar to seek, click a picture to play or pause it. With --play hover a picture \
      plays while the mouse is over it.
      """)

  enum Display: String, EnumerableFlag {
    case terminal, window, headless

    static func help(for value: Display) -> ArgumentHelp? {
      switch value {
      case .terminal: "Show the pictures in the terminal. (default)"
      case .window: "Show the pictures in a window: one GIF, or a grid of several."
      case .headless: "Play without a display. (default with --events)"
      }
    }
  }

  @Flag var display: Display?

  @Flag(help: "Print a JSON line for each event on standard output; without --window nothing is shown.")
  var events = false

  @Option(help: "Speed, 0.05 to 20 times.")
  var speed: Double = 1

  @Option(help: "Order of the frames.")
  var mode: PlaybackMode = .forward

  @Option(
    name: [.customLong("range"), .customLong("frames")], parsing: .unconditional,
    help: "Frames to play, \(PlaybackRange.forms).", transform: PlaybackRange.init(parsing:))
  var range: PlaybackRange?

  @Option(help: "Total plays; 0 for endless. (default: the file's number)")
  var loops: Int?

  @Option(help: "Delays of frames: browser, encoded, minimum:MS, constant:MS.")
  var delays: DelayPolicy = .browser

  @Option(help: "Policy for late frames: skip, catch-up:N (show up to N of them at twice the speed), wait.")
  var late: LatePolicy = .skip

  @Option(
    help: """
      GIFs that flash more than WCAG 2.3.1 allows: allow, warn, hold (they wait for a key or a click), slow. \
      The verdict informs, and certifies nothing.
      """)
  var flashes: FlashPolicy = .allow

  @Option(help: "Graphics protocol of the terminal. (default: the best that it supports)")
  var graphics: TerminalGraphics?

  @Option(help: "Characters of --graphics symbols. (default: by the terminal)")
  var symbols: TerminalGlyphs?

  @Option(help: "How pictures are resized to their area.")
  var resizeMode: ResizeMode = .contain

  @Option(help: "Columns of a grid. (default: by the size)")
  var columns: Int?

  @Option(help: "The window's size: WxH.")
  var windowSize: PixelSize?

  @Flag(help: "Keep the window open although no file can be shown; it says why.")
  var keepOpen = false

  @Option(help: "Start paused (reduced) or playing (full), on a display. (default: the desktop's setting)")
  var motion: Motion?

  @Option(
    help: "What plays a GIF on a display: start, click, or hover (the mouse is over it). (default: --motion)")
  var play: PlayTrigger?

  @Flag(
    inversion: .prefixedNo,
    help: "Play the files one after another, or all at once. (default: one after another for a playlist)")
  var oneByOne: Bool?

  @Flag(help: "Show the debug overlay: cache, delays, lateness, memory.")
  var debug = false

  @Option(help: "End after this many seconds, whatever still loads.")
  var seconds: Double?

  @OptionGroup(title: "Tracing")
  var tracing: TraceOptions

  @OptionGroup var reading: ReadingOptions

  @OptionGroup var inputs: InputOptions

  var files: [String] { inputs.files }

  mutating func validate() throws {
    guard PlaybackRate.range.contains(speed) else { throw ValidationError("--speed takes 0.05 to 20.") }
    if let loops, loops < 0 { throw ValidationError("--loops takes 0 (endless) or more.") }
    if let seconds, !(seconds > 0 && seconds <= 1e9) { throw ValidationError("--seconds takes more than 0.") }
    if events, display == .terminal { throw ValidationError("--events goes with --headless or --window.") }
    if display != .window, windowSize != nil || keepOpen {
      throw ValidationError("--window-size and --keep-open go with --window.")
    }
    if graphics != nil || symbols != nil, !showsInTerminal {
      throw ValidationError("--graphics and --symbols go with --terminal.")
    }
    if symbols != nil, let graphics, graphics != .symbols {
      throw ValidationError("--symbols goes with --graphics symbols.")
    }
    if play != nil, motion != nil { throw ValidationError("--play and --motion exclude each other.") }
    if display != .window, !showsInTerminal, columns != nil || debug || motion != nil || play != nil {
      throw ValidationError("--columns, --debug, --motion and --play go with --terminal or --window.")
    }
    if let columns, !(1...1000).contains(columns) { throw ValidationError("--columns takes 1 to 1000.") }
  }

  func run() throws {
    // A refused trace file is reported before playback.
    try tracing.check(keeping: FileIdentity.inputs(files))
    if display == .window { return try WindowPlayback(self).run() }
    if showsInTerminal { return try TerminalPlayback(self).run() }
    guard display == .headless || events else {
      throw CommandFailure(
        reason: "standard output is not a terminal; --headless plays without a display, --events prints "
          + "each event, --window opens a window", exitCode: 64)
    }
    try playWithoutDisplay()
  }

  private var showsInTerminal: Bool {
    display == .terminal || (display == nil && !events && isatty(STDOUT_FILENO) == 1)
  }

  /// Whether GIFs play before the user starts them.
  var autoplays: Bool {
    if let play { return play == .start }
    return (motion ?? Motion.desktop) == .full
  }

  /// The graphics that the user asks for; characters are those of symbols.
  var chosenGraphics: TerminalGraphics? { graphics ?? (symbols == nil ? nil : .symbols) }

  /// Whether the files play one after another; a single file plays as always.
  var isOneByOne: Bool { files.count > 1 && (oneByOne ?? inputs.hasPlaylist) }

  /// Opens a file; a failure concerns this file only.
  func open(_ task: FileTask) throws -> GIFImage {
    let image = try reading.open(task)
    guard image.frameCount > 0 else { throw FileFailure(reason: "has no frames to play") }
    _ = try range?.range(in: image)
    task.warn(image.diagnostics)
    return image
  }

  /// Whether an image plays without end.
  func isEndless(_ image: GIFImage) -> Bool {
    let options = playerOptions
    let frameCount = options.range?.clamped(to: 0..<image.frameCount).count ?? image.frameCount
    return frameCount > 1 && (options.loopCount ?? image.loopCount) == .forever
  }

  /// The options of a player. Frames of the range that an image does not have yet are ignored.
  var playerOptions: GIFPlayer.Options { playedProperties.playerOptions }

  /// How each GIF is shown and played on a display.
  var imageProperties: ImageProperties {
    var image = playedProperties
    image.resizeMode = resizeMode
    image.autoplays = autoplays
    image.playsOnHover = play == .hover
    return image
  }

  private var playedProperties: ImageProperties {
    var image = ImageProperties()
    image.rate = speed
    image.mode = mode
    image.range = range.map { $0.lower..<($0.upper ?? .max) }
    image.delayPolicy = delays
    image.latePolicy = late
    image.flashPolicy = flashes
    image.loopCount = loops.map { $0 == 0 ? .forever : .plays($0) }
    return image
  }

  /// What the images of a display use.
  ///
  /// - Parameter wake: called from any thread when the display has something to do.
  func services(
    clock: PlaybackClock, recorder: TraceRecorder?, wake: @escaping @Sendable () -> Void
  ) -> StageServices {
    var services = StageServices(clock: clock, loader: CommandLoader(reading: reading, range: range))
    services.wake = wake
    if let recorder {
      services.onPlayer = { recorder.record($0, as: SourceReading.name(of: $1)) }
    }
    return services
  }

  /// The keys as lines of text, and where they are if not everywhere.
  private static let keys = SceneKey.all.map { key in
    let gap = String(repeating: " ", count: max(1, 11 - key.names.count))
    return "  " + key.names + gap + key.action + (key.isInTerminal ? "" : " (in a window)")
  }.joined(separator: "\n")
}

extension DamagePolicy: ExpressibleByArgument {}

extension Motion: ExpressibleByArgument {}

extension PlaybackMode: ExpressibleByArgument {}

extension ResizeMode: ExpressibleByArgument {}

extension PlayTrigger: ExpressibleByArgument {}

extension TerminalGlyphs: ExpressibleByArgument {}

extension TerminalGraphics: ExpressibleByArgument {}
