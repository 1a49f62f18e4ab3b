package import GIFDecoding
package import GIFTimeline

/// What a player does about flashes, as decisions: what is to be judged, and how much motion there may be.
///
/// A verdict holds for an order of frames, a size and a speed. What passes there passes at each smaller size
/// and lower speed. Verdicts are about one play after the other, so other changes take a rest: what was seen
/// before and what follows together may be too much.
package struct FlashGuard: Sendable {
  /// What the player, or its user, asks for.
  package var policy: FlashPolicy
  /// The size at which the frames are shown in CSS pixels; nil for their own.
  package var shownSize: PixelSize?
  package var sharesField: Bool

  package private(set) var state = FlashState.unjudged
  private var viewing: FlashViewing?
  /// What is known of the present content.
  private var verdicts: [Verdict] = []
  /// What is being judged.
  package private(set) var question: FlashViewing?
  private var isQuestionNew = false
  private var isStateNew = false
  private var rest = Rest.none
  /// Whether what follows was not judged together with the frame that is seen.
  private var isUnjoined = false
  /// What ends the rest early if it passes: what was seen before and what follows, as if all were so large
  /// and so fast.
  private var joined: (size: PixelSize, speed: Double)?
  /// When the last frame was shown.
  private var lastChange: PlaybackInstant?

  /// Nanoseconds after which what was shown counts no more: the second of the rule.
  static let period: Int64 = 1_000_000_000

  /// A window that is resized has many sizes.
  private static let mostVerdicts = 32

  private struct Verdict: Sendable {
    var size: PixelSize
    var speed: Double
    /// Nil for what could not be judged.
    var report: FlashReport?

    /// The greatest speed that is known to pass; nil where none is.
    var passingSpeed: Double? {
      report.flatMap { report in
        report.result == .passes ? speed : report.safeRate.map(FlashViewing.speed(ofSafeRate:))
      }
    }

    var passes: Bool { report?.result == .passes }
  }

  /// The second in which nothing moves between two kinds of playing.
  private enum Rest: Sendable, Equatable {
    case none
    /// The frame that is seen stays.
    case frozen(until: PlaybackInstant)
    /// The first frame of what follows is to be shown.
    case awaitsFrame
    /// It stands.
    case still(until: PlaybackInstant)
  }

  package init(policy: FlashPolicy, shownSize: PixelSize?, sharesField: Bool) {
    (self.policy, self.shownSize, self.sharesField) = (policy, shownSize, sharesField)
  }

  // MARK: What the player asks and tells

  /// When the rest ends; nil without one.
  package var restEnd: PlaybackInstant? {
    switch rest {
    case .frozen(let end), .still(let end): end
    case .none, .awaitsFrame: nil
    }
  }

  /// Takes what is to be judged next, once.
  package mutating func takeQuestion() -> FlashViewing? {
    defer { isQuestionNew = false }
    return isQuestionNew ? question : nil
  }

  /// Takes the state, if it has changed since it was taken last.
  package mutating func takeState() -> FlashState? {
    defer { isStateNew = false }
    return isStateNew ? state : nil
  }

  /// Notes that a frame has been shown.
  package mutating func noteChange(at now: PlaybackInstant) {
    lastChange = now
    isUnjoined = false
    if rest == .awaitsFrame { rest = .still(until: now.advanced(byNanoseconds: Self.period)) }
  }

  /// Whether a question still waits for its answer.
  package func awaits(_ asked: FlashViewing) -> Bool { asked == question }

  /// Takes the answer to a question; nil if it cannot be judged.
  package mutating func take(_ report: FlashReport?, of asked: FlashViewing) {
    guard asked == question else { return }
    question = nil
    guard asked.content == viewing?.content else { return }
    if verdicts.count == Self.mostVerdicts { verdicts.removeFirst() }
    verdicts.append(Verdict(size: asked.size, speed: asked.speed, report: report))
  }

  // MARK: Decisions

  /// Follows a change of the player, of its settings here, or of the time.
  ///
  /// - Parameters:
  ///   - new: how the frames are seen now.
  ///   - canvas: the size of the image.
  ///   - isJumping: whether another frame is to be shown than the one that is seen.
  /// - Returns: the motion that is left.
  package mutating func follow(
    _ new: FlashViewing, of canvas: PixelSize, isJumping: Bool, at now: PlaybackInstant
  ) -> MotionLimit {
    guard policy != .allow else { return end() }
    if new != viewing { change(to: new, canvas) }
    advanceRest(isJumping: isJumping, at: now)
    let (state, limit) = decision(on: new, isCalm: new.isStill || new.isTooSmall(canvas))
    set(state)
    return limited(limit)
  }

  /// Forgets what was judged: nothing is to be. Returns the motion that is left, all of it.
  package mutating func end() -> MotionLimit {
    (viewing, question, rest, verdicts) = (nil, nil, .none, [])
    set(.unjudged)
    return .none
  }

  private mutating func set(_ new: FlashState) {
    if new != state { (state, isStateNew) = (new, true) }
  }

  private mutating func change(to new: FlashViewing, _ canvas: PixelSize) {
    let old = viewing
    viewing = new
    guard let old else { return }
    if old.content != new.content { verdicts = [] }
    guard policy != .warn, let lastChange, !isContinued(old, new) else { return }
    isUnjoined = true
    guard !new.isTooSmall(canvas) else { return }
    let mayEndEarly = rest == .none || joined != nil
    rest = .frozen(until: lastChange.advanced(byNanoseconds: Self.period))
    joined = nil
    // What plays without a limit may have gone faster for a while.
    guard mayEndEarly, old.content == new.content, !old.isTooSmall(canvas) else { return }
    let size = PixelSize(
      clampingWidth: max(old.size.width, new.size.width), height: max(old.size.height, new.size.height))
    joined = (size, max(old.speed, new.speed))
  }

  /// Whether what was seen and what will be pass together if each does.
  private func isContinued(_ old: FlashViewing, _ new: FlashViewing) -> Bool {
    if old.content == new.content { return old.size == new.size }
    // An image that loads stands until it is judged; frames that come were not seen.
    return !old.content.isComplete && new.content.order.starts(with: old.content.order)
  }

  /// - Parameter isJumping: whether another frame is to be shown than the one that is seen.
  private mutating func advanceRest(isJumping: Bool, at now: PlaybackInstant) {
    if case .frozen = rest, let joined, let passing = passingSpeed(at: joined.size), passing >= joined.speed {
      (rest, isUnjoined) = (.none, false)
    }
    if let end = restEnd, now >= end { rest = .none }
    if rest == .awaitsFrame, !isJumping { rest = .none }
    // A jump may be followed by as many changes as pass.
    if rest == .none, isUnjoined, isJumping { rest = .awaitsFrame }
  }

  private func limited(_ limit: MotionLimit) -> MotionLimit {
    switch rest {
    case .none: limit
    case .frozen: .frozen
    case .awaitsFrame, .still: .still
    }
  }

  /// The greatest speed that is known to pass at a size.
  private func passingSpeed(at size: PixelSize) -> Double? {
    verdicts.filter { $0.size.width >= size.width && $0.size.height >= size.height }
      .compactMap { $0.passingSpeed }.max()
  }

  private mutating func decision(on new: FlashViewing, isCalm: Bool) -> (FlashState, MotionLimit) {
    if isCalm { return (.passes, .none) }
    if let passing = passingSpeed(at: new.size), passing >= new.speed {
      return (.passes, policy == .warn ? .none : .paced(.infinity))
    }
    if let verdict = verdicts.last(where: { $0.size == new.size && !$0.passes }) {
      return decision(on: verdict)
    }
    if new.content.isComplete, question != new { (question, isQuestionNew) = (new, true) }
    return (.judging, policy == .warn ? .none : .still)
  }

  private func decision(on verdict: Verdict) -> (FlashState, MotionLimit) {
    guard let report = verdict.report else {
      return policy == .warn ? (.judging, .none) : (.held(nil), .still)
    }
    switch policy {
    case .allow, .warn: return (.warned(report), .none)
    case .slow:
      if let speed = verdict.passingSpeed, speed >= PlaybackRate.range.lowerBound {
        return (.slowed(rate: speed, report), .paced(speed))
      }
      return (.held(report), .still)
    case .hold: return (.held(report), .still)
    }
  }
}
