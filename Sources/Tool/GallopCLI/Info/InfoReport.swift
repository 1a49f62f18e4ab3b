internal import Gallop

/// The report of `gallop info` on one file; its JSON form is part of the command line's contract.
struct InfoReport: Encodable {
  /// Total plays: the number, or `"forever"`.
  enum Plays: Encodable {
    case forever
    case times(Int)

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .forever: try container.encode("forever")
      case .times(let count): try container.encode(count)
      }
    }
  }

  struct FrameLine: Encodable {
    var index: Int
    var delayMs: Int
    var rawDelayMs: Int
    var x: Int
    var y: Int
    var width: Int
    var height: Int
    /// The stored bits, 0 - 7.
    var disposal: Int
    var interlaced: Bool
    var transparent: Bool
    var localPalette: Bool
    /// The colours of the frame's own palette; nil without one.
    var paletteSize: Int?
    var keyframe: Bool
    /// Null if the frames are not decoded.
    var status: String?
    /// The checksum of the composed frame as RGBA bytes; nil where none is asked for.
    var md5: String?
    /// The verdict of IRIS up to here; nil where it is not asked for.
    var flashes: String?
  }

  struct DiagnosticLine: Encodable {
    var code: String
    var frame: Int?
    var offset: Int
    var message: String
  }

  struct ExtensionLine: Encodable {
    var identifier: String
    var bytes: Int
    var offset: Int
  }

  /// The line for a file that cannot be used.
  struct Failure: Encodable {
    struct Reason: Encodable {
      /// That of a ``GIFError`` or ``GIFLoadingError``.
      var code: String
      var message: String
    }

    var path: String
    /// The path's bytes in hexadecimal digits, if it is not UTF-8.
    var pathHex: String?
    var error: Reason

    init(path: String, _ failure: FileFailure) {
      self.path = SourceReading.key(of: path)
      pathHex = NameText.hexadecimal(path)
      error = Reason(code: failure.code, message: failure.reason)
    }
  }

  var path: String
  /// The path's bytes in hexadecimal digits, if it is not UTF-8.
  var pathHex: String?
  /// `87a` or `89a`.
  var version: String
  var width: Int
  var height: Int
  var frameCount: Int
  var plays: Plays
  /// Whether ``plays`` is `"forever"`, for readers that want one type.
  var loopsForever: Bool
  var durationMs: Int
  /// On the average, over one play; nil without an animation.
  var framesPerSecond: Double?
  var isComplete: Bool
  var bytes: Int
  /// The colours of the global palette; nil without one.
  var globalPaletteSize: Int?
  var backgroundIndex: Int
  var applicationExtensions: [ExtensionLine]
  var comments: [String]
  var frames: [FrameLine]
  /// Nil where it was not asked for.
  var flashes: Flashes?
  var diagnostics: [DiagnosticLine]

  /// - Parameter path: the argument that names the file.
  init(path: String, image: GIFImage, checksFrames: Bool) {
    let check = checksFrames ? image.checkFrames() : nil
    self.path = SourceReading.key(of: path)
    pathHex = NameText.hexadecimal(path)
    version = image.metadata.version
    width = image.width
    height = image.height
    frameCount = image.frameCount
    switch image.loopCount {
    case .forever: plays = .forever
    case .plays(let count): plays = .times(count)
    }
    loopsForever = image.loopCount == .forever
    durationMs = image.durationMilliseconds()
    if image.frameCount > 1 {
      framesPerSecond = (Double(image.frameCount) * 1000 / Double(max(1, durationMs))).rounded(to: 3)
    }
    globalPaletteSize = image.metadata.globalPaletteSize
    backgroundIndex = Int(image.metadata.backgroundIndex)
    applicationExtensions = image.metadata.applicationExtensions.map {
      ExtensionLine(identifier: $0.identifier, bytes: $0.byteCount, offset: $0.offset)
    }
    isComplete = image.metadata.isComplete
    bytes = image.metadata.byteCount
    comments = image.metadata.comments
    frames = image.frames.map { frame in
      FrameLine(
        index: frame.index, delayMs: frame.delayMilliseconds(), rawDelayMs: frame.delayCentiseconds * 10,
        x: frame.rect.x, y: frame.rect.y, width: frame.rect.width, height: frame.rect.height,
        disposal: Int(frame.storedDisposal), interlaced: frame.isInterlaced,
        transparent: frame.transparentIndex != nil, localPalette: frame.paletteSize != nil,
        paletteSize: frame.paletteSize,
        keyframe: frame.isKeyframe, status: check?.statuses[frame.index].rawValue)
    }
    diagnostics = (image.diagnostics + (check?.diagnostics ?? [])).map {
      DiagnosticLine(code: $0.code.rawValue, frame: $0.frame, offset: $0.offset, message: $0.message)
    }
  }
}
