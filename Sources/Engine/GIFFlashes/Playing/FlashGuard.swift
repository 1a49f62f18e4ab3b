package import GIFDecoding
package import GIFTimeline

/// What a player does about flashes, as decisions: what is to be judged, and how much motion there may be.
///
/// A verdict holds for an order of frames, a size and a rate. What passes there passes at each lower rate,
/// and at each smaller size if the picture lies within a field: of a larger one a field holds more, the
/// smaller it is shown. Verdicts are about one play after the other, so other changes take a rest: what was
/// seen before and what follows together may be too much.
package struct FlashGuard: Sendable {
  /// What the player, or its user, asks for.
  package var policy: FlashPolicy
  /// The size at which the frames are shown in CSS pixels; nil for their own.
  package var shownSize: PixelSize?
  /// What else plays in its field.
  package var sharing: FieldSharing

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
    var viewing: FlashViewing
    /// Nil for what could not be judged.
    var report: FlashReport?

    /// The greatest rate that is known to pass; nil where none is.
    var passingRate: Double? { passes ? viewing.rate : report?.safeRate }

    var passes: Bool { report?.result == .passes }

    /// Whether what passes here passes at another size, too.
    func holds(at size: PixelSize) -> Bool {
      let judged = viewing.size
      return judged == size
        || (FlashLimits.isWithinField(judged) && size.width <= judged.width && size.height <= judged.height)
    }

    func fails(at rate: Double) -> Bool {
      if passes { return false }
      // What is not measured fails at its rate and above.
      return viewing.hasMargin ? rate >= viewing.rate : rate > report?.safeRate ?? 0
    }
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

  package init(policy: FlashPolicy, shownSize: PixelSize?, sharing: FieldSharing) {
    (self.policy, self.shownSize, self.sharing) = (policy, shownSize, sharing)
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
    verdicts.append(Verdict(viewing: asked, report: report))
  }

  /// Goes on in the place of another guard of the same image: what that one knows, and what was seen, counts.
  /// The first frame is the one that is seen.
  package mutating func replace(_ former: FlashGuard) {
    (viewing, verdicts, lastChange) = (former.viewing, former.verdicts, former.lastChange)
    (rest, joined, isUnjoined) = (former.rest, former.joined, false)
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
    if FlashLimits.isWithinField(size) { joined = (size, max(old.speed, new.speed)) }
  }

  /// Whether what was seen and what will be pass together if each does.
  private func isContinued(_ old: FlashViewing, _ new: FlashViewing) -> Bool {
    if old.content == new.content { return old.size == new.size }
    // An image that loads stands until it is judged; frames that come were not seen.
    return !old.content.isComplete && new.content.order.starts(with: old.content.order)
  }

  /// - Parameter isJumping: whether another frame is to be shown than the one that is seen.
  private mutating func advanceRest(isJumping: Bool, at now: PlaybackInstant) {
    if case .frozen = rest, let joined, let passing = passingRate(at: joined.size),
      passing >= joined.speed * FlashViewing.margin
    {
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

  /// The greatest rate that is known to pass at a size.
  private func passingRate(at size: PixelSize) -> Double? {
    verdicts.filter { $0.holds(at: size) }.compactMap { $0.passingRate }.max()
  }

  private mutating func decision(on new: FlashViewing, isCalm: Bool) -> (FlashState, MotionLimit) {
    if isCalm { return (.passes, .none) }
    let here = verdicts.filter { $0.viewing.size == new.size }
    if here.contains(where: { $0.report == nil }) {
      return policy == .warn ? (.unjudged, .none) : (.held(nil), .still)
    }
    let passing = passingRate(at: new.size) ?? 0
    if policy == .warn {
      if passing >= new.speed { return (.passes, .none) }
    } else {
      let fast = new.withMargin
      if passing >= fast.rate { return (.passes, .paced(.infinity)) }
      guard here.contains(where: { $0.fails(at: fast.rate) }) else { return ask(fast) }
      if passing >= new.speed { return (.passes, .paced(passing / FlashViewing.margin)) }
    }
    guard let report = here.last(where: { !$0.passes && !$0.viewing.hasMargin })?.report else {
      return ask(new)
    }
    return decision(on: report, passing: passing)
  }

  private mutating func ask(_ new: FlashViewing) -> (FlashState, MotionLimit) {
    if new.content.isComplete, question != new { (question, isQuestionNew) = (new, true) }
    return (.judging, policy == .warn ? .none : .still)
  }

  private func decision(on report: FlashReport, passing rate: Double) -> (FlashState, MotionLimit) {
    switch policy {
    case .allow, .warn: return (.warned(report), .none)
    case .slow:
      let speed = rate / FlashViewing.margin
      if speed >= PlaybackRate.range.lowerBound { return (.slowed(rate: speed, report), .paced(speed)) }
      return (.held(report), .still)
    case .hold: return (.held(report), .still)
    }
  }
}
