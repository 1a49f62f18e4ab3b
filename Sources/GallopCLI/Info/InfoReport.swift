internal import GIFDecoding

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
    var keyframe: Bool
    /// Null if the frames are not decoded.
    var status: String?
  }

  struct DiagnosticLine: Encodable {
    var code: String
    var frame: Int?
    var offset: Int
    var message: String
  }

  var path: String
  var width: Int
  var height: Int
  var frameCount: Int
  var plays: Plays
  var durationMs: Int
  var isComplete: Bool
  var bytes: Int
  var comments: [String]
  var frames: [FrameLine]
  var diagnostics: [DiagnosticLine]

  init(path: String, image: GIFImage, checksFrames: Bool) {
    let check = checksFrames ? image.checkFrames() : nil
    self.path = path
    width = image.width
    height = image.height
    frameCount = image.frameCount
    switch image.loopCount {
    case .forever: plays = .forever
    case .plays(let count): plays = .times(count)
    }
    durationMs = image.durationMilliseconds()
    isComplete = image.metadata.isComplete
    bytes = image.metadata.byteCount
    comments = image.metadata.comments
    frames = image.frames.map { frame in
      FrameLine(
        index: frame.index, delayMs: frame.delayMilliseconds(), rawDelayMs: frame.delayCentiseconds * 10,
        x: frame.rect.x, y: frame.rect.y, width: frame.rect.width, height: frame.rect.height,
        disposal: Int(frame.storedDisposal), interlaced: frame.isInterlaced,
        transparent: frame.transparentIndex != nil, localPalette: frame.paletteSize != nil,
        keyframe: frame.isKeyframe, status: check?.statuses[frame.index].rawValue)
    }
    diagnostics = (image.diagnostics + (check?.diagnostics ?? [])).map {
      DiagnosticLine(code: $0.code.rawValue, frame: $0.frame, offset: $0.offset, message: $0.message)
    }
  }
}
