public import ArgumentParser
public import GIFDecoding
internal import GIFLoading

/// Frames chosen on the command line: `A..<B`, `A...B`, `A..` (to the end) or a single `A`.
struct FrameSelection: ExpressibleByArgument, Equatable {
  var lower: Int
  /// One past the last; nil for the end.
  var upper: Int?

  init?(argument: String) {
    for (separator, extra) in [("..<", 0), ("...", 1), ("..", 0)] {
      guard let place = argument.firstRange(of: separator) else { continue }
      guard let lower = Self.number(argument[..<place.lowerBound]) else { return nil }
      self.lower = lower
      let rest = argument[place.upperBound...]
      if rest.isEmpty, separator == ".." { return }
      guard let bound = Self.number(rest), bound + extra > lower else { return nil }
      upper = bound + extra
      return
    }
    guard let single = Self.number(argument[...]) else { return nil }
    lower = single
    upper = single + 1
  }

  private static func number(_ text: Substring) -> Int? {
    guard text.count <= 9, let value = Int(text), value >= 0 else { return nil }
    return value
  }

  /// The selected frames of an image.
  func range(in image: GIFImage) throws(FileFailure) -> Range<Int> {
    let upper = upper ?? image.frameCount
    guard lower < upper, upper <= image.frameCount else {
      throw FileFailure(
        reason: "has \(image.frameCount) frames; frames \(lower)..<\(upper) are not all there")
    }
    return lower..<upper
  }
}

/// The options of reading files: limits, and the policy for damage.
struct ReadingOptions: ParsableArguments {
  @Option(
    help: "What frames that depend on a damaged frame show: nothing, as in Chromium, or the decoded part.")
  var damage: DamagePolicy = .chromium

  @Option(help: "Largest number of pixels of a canvas and of pictures at another size.")
  var maxCanvasPixels: Int64 = DecodingLimits.default.canvasPixels

  @Option(help: "Largest number of pixels of a frame.")
  var maxFramePixels: Int64 = DecodingLimits.default.framePixels

  @Option(help: "Largest number of bytes of decoded pixels in flight.")
  var maxDecodedBytes: Int64 = DecodingLimits.default.decodedBytes

  @Option(help: "Largest number of frames read.")
  var maxFrames: Int = DecodingLimits.default.frameCount

  @Option(help: "Largest number of bytes of comments kept.")
  var maxCommentBytes: Int = DecodingLimits.default.commentBytes

  @Option(help: "Largest number of bytes of a URL's file.")
  var maxBytes: Int64 = GIFLoader.Options().byteLimit

  @Option(help: "Feed files to the decoder in pieces of this many bytes, as from a network.")
  var pieceBytes: Int?

  func validate() throws {
    guard (1...(1 << 30)).contains(pieceBytes ?? 1) else {
      throw ValidationError("--piece-bytes takes 1 to 1073741824.")
    }
    let counts = [maxFrames, maxCommentBytes].map(Int64.init)
    let all = [maxCanvasPixels, maxFramePixels, maxDecodedBytes, maxBytes] + counts
    guard all.allSatisfy({ $0 >= 0 && $0 < 1 << 50 }) else { throw ValidationError("Limits take 0 or more.") }
  }

  /// The limits of the decoder.
  var limits: DecodingLimits {
    var limits = DecodingLimits.default
    limits.canvasPixels = maxCanvasPixels
    // Chromium's limit, which is the default, applies in any case.
    if damage != .chromium { limits.claimedPixels = max(limits.claimedPixels, maxCanvasPixels) }
    limits.framePixels = maxFramePixels
    limits.decodedBytes = maxDecodedBytes
    limits.frameCount = maxFrames
    limits.commentBytes = maxCommentBytes
    return limits
  }

  /// The options of a loader.
  var loaderOptions: GIFLoader.Options {
    var options = GIFLoader.Options()
    options.limits = limits
    options.byteLimit = maxBytes
    return options
  }

  /// Opens a file, or loads a URL fully; a failure concerns this file only.
  func open(_ path: String) throws -> GIFImage {
    var image = try SourceReading.image(of: path, options: loaderOptions, pieceBytes: pieceBytes)
    image.damagePolicy = damage
    return image
  }

  /// Opens a file, or loads a URL to its end, with everything at its default.
  static func standard(_ path: String) throws -> GIFImage {
    try SourceReading.image(of: path, options: GIFLoader.Options(), pieceBytes: nil)
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
