internal import EngineSupport
internal import GIFDecoding
internal import GIFTimeline

/// One player of a store: where it stands, and what it waits for.
struct StorePlayer: Sendable {
  /// Identifies a player of a store.
  typealias ID = Int

  private(set) var playhead: Playhead
  /// How long each frame lasts at normal speed, in nanoseconds.
  private var durations: [Int64]
  private var meanDuration: Double
  private let readAheadNanoseconds: Double
  private var policy: CachePolicy
  /// Requests may overtake each other on their way here; only the newest counts.
  private var newestRequest = 0
  /// Whether it has ever moved.
  private(set) var isActive = false
  /// Whether playback is over and the last frame handed out.
  private var isFinished = false
  /// The frame that it looked for in vain.
  private var awaited: Int?
  /// The frame that it was given last, and keeps itself.
  private var shown: Int?
  /// Whether it ever played backwards or jumped, so that canvases kept on the way save decoding.
  private(set) var seeksBack = false
  private(set) var hits = 0
  private(set) var misses = 0

  /// - Parameter durations: how long each frame lasts at normal speed, in nanoseconds.
  init(durations: [Int64], policy: CachePolicy) {
    playhead = Playhead(frame: 0, range: 0..<durations.count)
    self.durations = durations
    meanDuration = Self.mean(durations)
    self.policy = policy
    readAheadNanoseconds = policy.readAhead.nanosecondCount
  }

  private static func mean(_ durations: [Int64]) -> Double {
    durations.isEmpty ? 0 : Double(durations.reduce(0, +)) / Double(durations.count)
  }

  // MARK: Commands

  /// Takes a newer playhead; an older request than the last one is ignored.
  mutating func move(to newer: Playhead, request: Int) -> Bool {
    guard request > newestRequest else { return false }
    newestRequest = request
    var newer = newer
    newer.range = newer.range.clamped(to: 0..<durations.count)
    if newer.direction != .forward || jumps(to: newer) { seeksBack = true }
    // A player that moves on without looking for its frame does not have that one, and a hidden player holds
    // no frame itself: it will need the current one again.
    if shown != newer.frame || newer.visibility == .hidden { shown = nil }
    playhead = newer
    isActive = true
    isFinished = newer.isFinished && hasCurrent
    return true
  }

  /// Whether a new playhead lies so far from the old one that playback alone does not lead there.
  private func jumps(to newer: Playhead) -> Bool {
    guard isActive, newer.range == playhead.range else { return false }
    return playhead.distance(to: newer.frame).map { $0 > 16 } ?? true
  }

  mutating func setPreload(_ preload: CachePolicy.Preload) { policy.preload = preload }

  /// Takes the durations of an image that has grown.
  mutating func grow(_ durations: [Int64]) {
    self.durations = durations
    meanDuration = Self.mean(durations)
  }

  /// Takes the durations of another image: what was shown of the former one counts no more.
  mutating func replaceImage(_ durations: [Int64]) {
    grow(durations)
    shown = nil
    awaited = nil
    playhead.range = playhead.range.clamped(to: 0..<durations.count)
  }

  /// Forgets that it was given a frame, which was replaced.
  mutating func forget(_ frame: Int) {
    if shown == frame { shown = nil }
  }

  /// Counts a look that found its frame.
  mutating func found(_ frame: Int) {
    hits += 1
    awaited = nil
    shown = frame
  }

  /// Counts a look that found nothing, once for each frame.
  mutating func missed(_ frame: Int) {
    if shown == frame { shown = nil }
    if awaited != frame {
      awaited = frame
      misses += 1
    }
  }

  // MARK: Needs

  var visibility: Visibility { playhead.visibility }

  /// What of it the budget reckons with.
  var demand: Demand {
    Demand(isServed: isServed, seeksBack: seeksBack, rate: playhead.rate, visibility: visibility)
  }

  /// A change of it changes what the store asks of the budget: `StorePlayers.move` compares it as a whole.
  struct Demand: Sendable, Equatable {
    let isServed: Bool
    let seeksBack: Bool
    let rate: Double
    let visibility: Visibility
  }

  /// Whether frames are decoded for it.
  var isServed: Bool { isActive && !isFinished && visibility != .hidden }

  /// Whether it waits for a frame to arrive.
  var isWaiting: Bool { awaited != nil }

  /// Whether it has been given the frame at its playhead, so that the frame need not be made again.
  private var hasCurrent: Bool { shown == playhead.frame }

  private var rate: Double { playhead.rate > 0 ? playhead.rate : 1 }

  /// How many frames after the current one are decoded before they are due: at least one, and no more than
  /// the policy allows.
  var readAhead: Int {
    let most = max(1, min(policy.readAheadFrames, durations.count))
    let mean = meanDuration / rate
    guard mean > 0 else { return most }
    let wanted = (readAheadNanoseconds / mean).rounded(.up)
    return Int(max(1, min(wanted, Double(most))))
  }

  /// How many frames after the current one are decoded while there is room; none for a player that is only
  /// near.
  private var preload: Int {
    guard visibility == .visible else { return 0 }
    switch policy.preload {
    case .none: return 0
    case .frames(let count): return min(durations.count, max(0, count))
    case .all: return durations.count
    case .time(let time):
      var left = time.nanosecondCount * rate
      var count = 0
      playhead.forEachUpcoming(durations.count) { frame in
        left -= Double(durations.indices.contains(frame) ? durations[frame] : 0)
        count += 1
        return left > 0
      }
      return count
    }
  }

  /// The first frame that it needs and that is not there.
  ///
  /// - Parameters:
  ///   - id: its own.
  ///   - room: how many frames can be held together; more are not worth decoding.
  ///   - isThere: whether a frame is held or on its way.
  func firstMissing(as id: ID, room: Int, isThere: (Int) -> Bool) -> MissingFrame? {
    guard isServed else { return nil }
    let readAhead = readAhead
    let ahead = max(readAhead, preload)
    var missing: MissingFrame?
    var place = 0
    var delays: Int64 = 0
    playhead.forEachUpcoming(min(room, durations.count, 1 + ahead)) { frame in
      guard durations.indices.contains(frame) else { return false }
      if place > 0 || !hasCurrent, !isThere(frame) {
        var urgency = urgency(place: place, delaysBefore: delays)
        // What lies beyond the read-ahead has time, and so has a player that is only near.
        if place > readAhead { urgency = Self.idle + Int64(place) }
        if visibility == .near { urgency = max(urgency, Self.idle / 2 + Int64(place)) }
        missing = MissingFrame(player: id, frame: frame, urgency: urgency, isCurrent: place == 0)
        return false
      }
      if place > 0 { delays += durations[frame] }
      place += 1
      return true
    }
    return missing
  }

  /// When a frame is needed, on the players' clock: the smaller, the more urgent.
  ///
  /// The current frame has been overdue since the one before it was over. Players to whom nothing is due come
  /// last, in the order in which they would show their frames. Only the current frame of such a player comes
  /// first, unless the playhead says when it is due.
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

  /// The urgency of a frame that no player waits for.
  static let idle = Int64.max / 2

  /// How soon it needs a frame, compared with other players.
  ///
  /// The frame that it was given is needed last, but goes only for the one that it shows next. While the
  /// player keeps it, its eviction releases nothing, and the next frame is drawn in other memory as a whole.
  func rank(of frame: Int) -> FrameRank {
    guard isActive, let distance = playhead.distance(to: frame) else { return .never }
    guard isServed else { return distance == 0 ? .shownAtRest : .never }
    let kind: FrameRank.PlayerKind =
      visibility == .near ? .near : playhead.nextDue == nil ? .paused : .playing
    guard distance == 0 else { return FrameRank(after: distance, kind) }
    return hasCurrent ? .shown(kind) : .now
  }
}

extension Animation {
  /// How long each frame lasts, in nanoseconds. Delays beyond all clocks are cut, so that sums stay numbers.
  func durations(_ policy: DelayPolicy) -> [Int64] {
    let longest = Int64.max / 1_000_000 / Int64(frameCount + 1)
    return frames.map { min(longest, max(0, Int64($0.delayMilliseconds(policy)))) * 1_000_000 }
  }
}

/// A frame that a player needs and that is not there.
struct MissingFrame: Sendable, Hashable {
  let player: StorePlayer.ID
  let frame: Int
  /// When it is needed; see ``StorePlayer/urgency(place:delaysBefore:)``.
  let urgency: Int64
  /// Whether the player shows nothing newer until it arrives.
  let isCurrent: Bool

  /// Whether this one is decoded before the other.
  func isBefore(_ other: MissingFrame) -> Bool {
    (urgency, frame, player) < (other.urgency, other.frame, other.player)
  }
}
