public import ArgumentParser
public import GIFDecoding
internal import Gallop

/// The options of reading files: limits, and the policy for damage.
struct ReadingOptions: ParsableArguments {
  @OptionGroup var messages: MessageOptions

  @OptionGroup(title: "Reading") var rules: ReadingRules

  @OptionGroup(title: "Limits") var bounds: ReadingBounds

  var damage: DamagePolicy { rules.damage }

  /// The size of the pieces in which files are read; nil to read them whole.
  var pieceSize: Int? { rules.pieceBytes.map { Int($0.bytes) } }

  /// The limits of the decoder.
  var limits: DecodingLimits {
    var limits = bounds.limits
    // Chromium's limit, which is the default, applies in any case.
    if damage != .chromium { limits.claimedPixels = max(limits.claimedPixels, bounds.maxCanvasPixels.bytes) }
    return limits
  }

  var loaderOptions: GIFLoader.Options {
    var options = GIFLoader.Options()
    options.limits = limits
    options.byteLimit = bounds.maxBytes.bytes
    return options
  }

  /// Opens the file of a task, or loads a URL to its end; a failure concerns this file only.
  ///
  /// - Parameter count: the number of frames to read of a file; nil for all.
  func open(_ task: FileTask, firstFrames count: Int? = nil) throws -> GIFImage {
    var image = try SourceReading.image(
      of: task.path, firstFrames: count, options: loaderOptions, pieceBytes: pieceSize,
      onCutOff: task.noteCutOff)
    image.damagePolicy = damage
    return image
  }
}

/// The options of how files are read.
struct ReadingRules: ParsableArguments {
  @Option(
    help: "What frames that depend on a damaged frame show: nothing, as in Chromium, or the decoded part.")
  var damage: DamagePolicy = .chromium

  @Option(help: "Feed files to the decoder in pieces of this many bytes, as from a network.")
  var pieceBytes: ByteAmount?

  func validate() throws {
    guard (1...(1 << 30)).contains(pieceBytes?.bytes ?? 1) else {
      throw ValidationError("--piece-bytes takes 1 to 1G.")
    }
  }
}

/// The options of what a file may cost.
struct ReadingBounds: ParsableArguments {
  @Option(help: "Largest number of pixels of a canvas and of pictures at another size.")
  var maxCanvasPixels = ByteAmount(bytes: DecodingLimits.default.canvasPixels)

  @Option(help: "Largest number of pixels of a frame.")
  var maxFramePixels = ByteAmount(bytes: DecodingLimits.default.framePixels)

  @Option(help: "Largest number of bytes of decoded pixels in flight.")
  var maxDecodedBytes = ByteAmount(bytes: DecodingLimits.default.decodedBytes)

  @Option(help: "Largest number of frames read.")
  var maxFrames: Int = DecodingLimits.default.frameCount

  @Option(help: "Largest number of bytes of comments kept.")
  var maxCommentBytes = ByteAmount(bytes: DecodingLimits.default.commentBytes)

  @Option(help: "Largest number of bytes of a URL's file, of a pipe and of standard input.")
  var maxBytes = ByteAmount(bytes: GIFLoader.Options().byteLimit)

  func validate() throws {
    let all = [maxCanvasPixels, maxFramePixels, maxDecodedBytes, maxCommentBytes, maxBytes].map(\.bytes)
    guard (all + [Int64(maxFrames)]).allSatisfy({ $0 >= 0 && $0 < 1 << 50 }) else {
      throw ValidationError("Limits take 0 or more.")
    }
  }

  /// The limits of the decoder.
  var limits: DecodingLimits {
    var limits = DecodingLimits.default
    limits.canvasPixels = maxCanvasPixels.bytes
    limits.framePixels = maxFramePixels.bytes
    limits.decodedBytes = maxDecodedBytes.bytes
    limits.frameCount = maxFrames
    limits.commentBytes = Int(maxCommentBytes.bytes)
    limits.streamBytes = Int(maxBytes.bytes)
    return limits
  }
}

/// The options of messages about files, and of the exit status that they lead to.
struct MessageOptions: ParsableArguments {
  @Flag(
    help: """
      Count a warning, a transfer that was cut off, and a GIF that `info --flashes` does not pass as a failure: the exit status \
      is 1, of compare 2.
      """)
  var strict = false

  @Flag(help: "Print no warnings, notes or progress; failures are still reported.")
  var quiet = false

  func validate() throws {
    if quiet { StandardError.silenceWarnings() }
  }
}

/// The check of --jobs.
enum JobCount {
  static func check(_ jobs: Int) throws {
    guard (1...256).contains(jobs) else { throw ValidationError("--jobs takes 1 to 256.") }
  }
}

extension PixelSize: ExpressibleByArgument {
  /// `WxH`, as in `320x240`.
  public init?(argument: String) {
    let sides = argument.lowercased().split(separator: "x", omittingEmptySubsequences: false)
    guard sides.count == 2, let width = Int(sides[0]), let height = Int(sides[1]) else { return nil }
    self.init(width: width, height: height)
  }

  public var defaultValueDescription: String { "\(width)x\(height)" }
}
