internal import EngineSupport
internal import GIFTimeline

/// One player of a store: where it stands and what it waits for. Pure.
struct StoreClient: Sendable {
  /// Tells the players of a store apart.
  typealias ID = Int

  var playhead: Playhead
  /// How long each frame lasts at normal speed, in nanoseconds.
  private(set) var durations: [Int64]
  /// Their mean.
  private var meanDuration: Double
  private let readAheadNanoseconds: Double
  var policy: CachePolicy
  var visibility = Visibility.visible
  /// Requests may overtake each other on their way here; only the newest counts.
  var newestRequest = 0
  /// Whether it has ever asked for anything.
  var isActive = false
  /// Whether it was purged and has not moved since.
  var isPurged = false
  /// The frame it asked for in vain.
  var awaited: Int?
  /// The frame whose picture it was given last: it keeps that one itself.
  var shown: Int?
  /// Whether it ever went backwards or jumped.
  var seeksBack = false
  var statistics = CacheStatistics()

  init(frameCount: Int, durations: [Int64], policy: CachePolicy) {
    playhead = Playhead(frame: 0, range: 0..<frameCount)
    self.durations = durations
    meanDuration = Self.mean(durations)
    self.policy = policy
    readAheadNanoseconds = policy.readAhead.nanosecondCount
  }

  /// Takes in that there are more frames.
  mutating func setDurations(_ durations: [Int64]) {
    self.durations = durations
    meanDuration = Self.mean(durations)
  }

  private static func mean(_ durations: [Int64]) -> Double {
    durations.isEmpty ? 0 : Double(durations.reduce(0, +)) / Double(durations.count)
  }

  /// Whether frames are decoded for it.
  var isServed: Bool { isActive && !isPurged && visibility != .hidden }

  /// Whether a new playhead lies so far from the old one that playback alone does not lead there.
  func jumps(to newer: Playhead) -> Bool {
    guard isActive, newer.range == playhead.range else { return false }
    return playhead.distance(to: newer.frame).map { $0 > 16 } ?? true
  }

  /// How many frames after the current one are decoded before they are due, by the policy's time at this speed; at
  /// least one, and no more than the policy's number.
  var readAhead: Int {
    let most = max(1, min(policy.readAheadFrames, durations.count))
    let mean = meanDuration / rate
    guard mean > 0 else { return most }
    let wanted = (readAheadNanoseconds / mean).rounded(.up)
    return Int(max(1, min(wanted, Double(most))))
  }

  /// How many frames beyond the current one are decoded while there is room.
  func preload(frameCount: Int) -> Int {
    switch policy.preload {
    case .none: return 0
    case .frames(let count): return min(frameCount, max(0, count))
    case .all: return frameCount
    case .time(let time):
      var left = time.nanosecondCount * rate
      var count = 0
      playhead.forEachUpcoming(frameCount) { frame in
        left -= Double(durations.indices.contains(frame) ? durations[frame] : 0)
        count += 1
        return left > 0
      }
      return count
    }
  }

  /// When a picture is needed, on the players' clock: the smaller, the more urgent.
  ///
  /// The current picture is overdue since the one before it was over. Those of players to whom nothing is due come
  /// after all others, in the order in which they would be shown; only what such a player is to show now comes first,
  /// unless the player says when it is due.
  ///
  /// - Parameter delaysBefore: how long the frames between the current one and this one last at normal speed.
  func urgency(place: Int, delaysBefore: Int64) -> Int64 {
    guard let nextDue = playhead.nextDue else {
      return place == 0 ? min(playhead.frameDue ?? .min, Self.idle) : Self.idle + Int64(place)
    }
    let current = durations.indices.contains(playhead.frame) ? durations[playhead.frame] : 0
    let offset = Double(place == 0 ? -current : delaysBefore) / rate
    let (urgency, isTooMuch) = nextDue.addingReportingOverflow(Int64(max(-1e18, min(offset, 1e18))))
    return isTooMuch ? (offset < 0 ? .min : Self.idle) : min(urgency, Self.idle)
  }

  private var rate: Double { playhead.rate > 0 ? playhead.rate : 1 }

  /// Whether the current picture has been handed out, so that it need not be made again.
  var hasCurrent: Bool { shown == playhead.frame }

  /// How soon it needs a frame, beside other players: the smaller, the sooner; `Int.max` where it never does.
  ///
  /// First what is to be shown now; then what comes next, of those who play before those who are near before those
  /// who pause; the pictures that hidden players showed last stand behind what others need soon. A picture that was
  /// handed out is needed when it comes round again.
  func rank(of frame: Int) -> Int {
    guard isActive, let distance = playhead.distance(to: frame) else { return .max }
    guard isServed else { return distance == 0 ? Self.keptRank : .max }
    let comesIn = distance > 0 || !hasCurrent ? distance : max(1, playhead.range.count)
    // What is to be shown now is made for everybody in turn; once handed out it is in nobody's way.
    guard comesIn > 0 else { return 0 }
    let isIdle = playhead.nextDue == nil
    return comesIn + (visibility == .near ? Self.nearRank : 0) + (isIdle ? Self.idleRank : 0)
  }

  private static let keptRank = 16
  private static let nearRank = 1 << 24
  private static let idleRank = 1 << 26

  /// The urgency of what nobody waits for.
  static let idle = Int64.max / 2
}
