/// The JSON lines as users of the command line may rely on them: a missing or misnamed field fails to decode.
enum Contract {
  /// `"forever"` or a number.
  enum Plays: Decodable, Equatable {
    case forever
    case times(Int)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let count = try? container.decode(Int.self) {
        self = .times(count)
      } else if try container.decode(String.self) == "forever" {
        self = .forever
      } else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "neither forever nor a number")
      }
    }
  }

  struct Info: Decodable {
    struct Frame: Decodable, Equatable {
      var index: Int
      var delayMs: Int
      var rawDelayMs: Int
      var x: Int
      var y: Int
      var width: Int
      var height: Int
      var disposal: Int
      var interlaced: Bool
      var transparent: Bool
      var localPalette: Bool
      var keyframe: Bool
      var status: String?
    }

    struct Diagnostic: Decodable, Equatable {
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
    var loopsForever: Bool
    var durationMs: Int
    var isComplete: Bool
    var frames: [Frame]
    var diagnostics: [Diagnostic]
  }

  /// A line of `info --json` about a file that cannot be used.
  struct InfoFailure: Decodable, Equatable {
    struct Reason: Decodable, Equatable {
      var code: String
      var message: String
    }

    var path: String
    var error: Reason
  }

  /// A line of `play --events`.
  enum Event: Decodable, Equatable {
    case frameChange(FrameChange)
    case loopCompleted(LoopCompleted)
    case finished(target: Int)
    case buffering(target: Int)

    struct FrameChange: Decodable, Equatable {
      var target: Int
      var currentFrameIndex: Int
      var frameCount: Int
      var loop: Int
      var scheduledMs: Double
      var latenessMs: Double
      var skippedFrames: Int
      var cause: String
    }

    struct LoopCompleted: Decodable, Equatable {
      var target: Int
      var count: Int
      /// Nil for an animation without end.
      var remaining: Int?
    }

    private enum Key: String, CodingKey {
      case event, target
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      switch try container.decode(String.self, forKey: .event) {
      case "frameChange": self = .frameChange(try FrameChange(from: decoder))
      case "loopCompleted": self = .loopCompleted(try LoopCompleted(from: decoder))
      case "finished": self = .finished(target: try container.decode(Int.self, forKey: .target))
      case "buffering": self = .buffering(target: try container.decode(Int.self, forKey: .target))
      case let other:
        throw DecodingError.dataCorruptedError(
          forKey: .event, in: container, debugDescription: "unknown event \(other)")
      }
    }

    var target: Int {
      switch self {
      case .frameChange(let change): change.target
      case .loopCompleted(let completion): completion.target
      case .finished(let target), .buffering(let target): target
      }
    }
  }

  struct BenchDecode: Decodable {
    var path: String
    var frames: Int
    var pixels: Int
    var canvasPixels: Int
    var milliseconds: Double
    var megapixelsPerSecond: Double
  }

  struct BenchPlayback: Decodable {
    struct Lateness: Decodable {
      var p50: Double
      var p95: Double
      var p99: Double
      var max: Double
    }

    var players: Int
    var playersFailed: Int
    var seconds: Double
    var framesDue: Int
    var framesShown: Int
    var framesDropped: Int
    var latenessMs: Lateness
    var cpuSeconds: Double
    var cpuPercent: Double
    var peakCacheBytes: Int
    var peakResidentBytes: Int
    var wakeupsPerSecond: Double
    var decodedFrames: Int
  }
}
