import GIFDecoding
import GIFTestSupport
import GIFTimeline
import Testing

/// What a player should do, kept as plain sums: media time is a number that is added to, loop by loop.
private struct PlainPlayer {
  let timeline: WalkedTimeline
  let stepCount: Int
  var state = PlaybackState.stopped
  /// In quarters of a nanosecond, so that all rates used are exact.
  var media: Int64 = 0
  var quarterRate: Int64 = 4
  /// Whether a frame must come before time runs.
  var isPending = false
  /// The absolute step shown; nil before the first.
  var shown: Int?

  var total: Int64? { timeline.plays.map { Int64($0) * timeline.loopLength } }

  var place: WalkedTimeline.Place { timeline.place(at: media / 4) }

  var absolute: Int { place.loop * stepCount + place.step }

  mutating func pass(_ nanoseconds: Int64) {
    if state == .playing, !isPending { media += nanoseconds * quarterRate }
  }

  mutating func jump(to time: Int64) {
    media = time * 4
    isPending = true
    if state == .finished || state == .stopped { state = .paused }
  }
}

@Suite("PlaybackMachine: random commands")
struct PlaybackMachineRandomTests {
  @Test("Shows, skips, loops and the end add up under any sequence of commands", arguments: 0..<150)
  func sequence(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let delays = (0..<Int.random(in: 2...6, using: &random)).map { _ in
      Int.random(in: 1...9, using: &random) * 8
    }
    let first = Int.random(in: 0..<delays.count - 1, using: &random)
    let range = first..<Int.random(in: first + 2...delays.count, using: &random)
    let mode = try #require(PlaybackMode.allCases.randomElement(using: &random))
    let plays: Int? = Bool.random(using: &random) ? Int.random(in: 1...4, using: &random) : nil
    let walk = WalkedTimeline(delays: delays, plays: plays, mode: mode, range: range)
    var model = PlainPlayer(timeline: walk, stepCount: walk.steps.count)
    var machine = PlaybackMachine(
      timeline: Timeline(
        delays: delays, loopCount: plays.map { .plays($0) } ?? .forever, mode: mode, range: range))
    var now = PlaybackInstant(nanoseconds: 1 << 40)
    var there = Set(range)
    var loopsTold = 0

    for round in 0..<150 {
      let note = Comment("seed \(seed) round \(round)")
      // Time passes: to the wake-up, a little, or much.
      var probe = machine
      let wake = probe.advance(at: now) { _, _ in false }.wakeAt
      let gap: Int64
      switch Int.random(in: 0..<8, using: &random) {
      case 0: gap = 0
      case 1: gap = Int64.random(in: 0...400, using: &random) * 4_000_000
      case 2...5: gap = wake.map { $0.nanoseconds - now.nanoseconds } ?? 4_000_000
      default: gap = Int64.random(in: 0...15, using: &random) * 4_000_000
      }
      now = PlaybackInstant(nanoseconds: now.nanoseconds + gap)
      model.pass(gap)
      there =
        Int.random(in: 0..<3, using: &random) > 0
        ? Set(range) : there.filter { _ in Bool.random(using: &random) }

      // The clock is not late for commands: what is due is reported first.
      loopsTold = try tick(&machine, &model, now, there, loopsTold, note)
      let jumps = command(&machine, &model, now, &random)
      if jumps { loopsTold = model.place.loop }
      loopsTold = try tick(&machine, &model, now, there, loopsTold, note)
    }
  }

  /// One advance, checked against the plain player. Returns the loops reported so far.
  private func tick(
    _ machine: inout PlaybackMachine, _ model: inout PlainPlayer, _ now: PlaybackInstant, _ there: Set<Int>,
    _ loopsTold: Int, _ note: Comment
  ) throws -> Int {
    var loopsTold = loopsTold
    let place = model.place
    let outcome = machine.advance(at: now) { frame, _ in there.contains(frame) }
    var finishes = 0
    for event in outcome.events {
      switch event {
      case .finished: finishes += 1
      case .loopCompleted(let count, let remaining):
        try #require(count > loopsTold, note)
        try #require(remaining == model.timeline.plays.map { $0 - count }, note)
        loopsTold = count
      case .shown(let shown):
        try #require(there.contains(shown.frame), note)
        try check(shown, &model, place, now, note)
      case .stateChanged, .buffering, .failed: Issue.record("a machine reports no \(event)")
      }
    }
    let isDueThere = there.contains(place.frame)
    if model.state != .stopped {
      try #require(machine.isWaiting == (model.isPending || model.shown != model.absolute), note)
    }
    if isDueThere, model.state != .stopped { try #require(model.shown == model.absolute, note) }
    if model.state == .playing, !model.isPending {
      try #require(loopsTold == place.loop + (place.isFinished ? 1 : 0), note)
    }
    let ends =
      model.state == .playing && place.isFinished && !model.isPending && model.shown == model.absolute
    try #require(finishes == (ends ? 1 : 0), note)
    if ends {
      model.state = .finished
      model.media = (model.total ?? 0) * 4
    }
    try #require(machine.state == model.state, note)
    try #require(machine.mediaTime(at: now) == model.media / 4, note)
    try checkWake(outcome, model, now, note)
    return loopsTold
  }

  private func check(
    _ shown: ShownFrame, _ model: inout PlainPlayer, _ place: WalkedTimeline.Place,
    _ now: PlaybackInstant, _ note: Comment
  ) throws {
    if model.isPending {
      try #require(shown.frame == place.frame && shown.loop == place.loop, note)
      try #require(shown.skipped == 0 && shown.lateness == 0, note)
      try #require([.play, .seek, .step, .restart].contains(shown.cause), note)
      model.isPending = false
      model.shown = model.absolute
      return
    }
    let last = try #require(model.shown, note)
    let step = last + 1 + shown.skipped
    try #require(step > last && step <= model.absolute, note)
    try #require(model.timeline.steps[step % model.stepCount].frame == shown.frame, note)
    try #require(shown.loop == step / model.stepCount, note)
    try #require(shown.cause == (shown.loop > last / model.stepCount ? .loop : .play), note)
    if model.quarterRate == 4, model.state == .playing {
      try #require(shown.lateness == model.media / 4 - shown.mediaTime, note)
    }
    model.shown = step
  }

  private func checkWake(
    _ outcome: PlaybackMachine.Outcome, _ model: PlainPlayer, _ now: PlaybackInstant, _ note: Comment
  ) throws {
    guard model.state == .playing, !model.isPending, let next = model.place.nextChange else {
      try #require(outcome.wakeAt == nil, note)
      return
    }
    let wake = try #require(outcome.wakeAt, note)
    try #require(wake > now, note)
    let quarters = (wake.nanoseconds - now.nanoseconds) * model.quarterRate
    try #require(model.media + quarters >= next * 4, note)
    try #require(model.media + quarters - model.quarterRate < next * 4, note)
  }

  /// Gives both the same command. Returns whether the position was set again.
  private func command(
    _ machine: inout PlaybackMachine, _ model: inout PlainPlayer, _ now: PlaybackInstant,
    _ random: inout SeededGenerator
  ) -> Bool {
    switch Int.random(in: 0..<16, using: &random) {
    case 0...3:
      machine.play(at: now)
      guard model.state != .playing else { return false }
      let isAnew = model.state == .finished
      if isAnew { model.media = 0 }
      if isAnew || (model.state == .stopped && model.shown == nil) { model.isPending = true }
      model.state = .playing
      return isAnew
    case 4:
      machine.pause(at: now)
      if model.state == .playing { model.state = .paused }
      return false
    case 5:
      machine.stop(at: now)
      guard model.state != .stopped else { return false }
      model.state = .stopped
      model.media = 0
      model.isPending = true
      return true
    case 6:
      machine.restart(at: now)
      model.state = .playing
      model.media = 0
      model.isPending = true
      return true
    case 7:
      let step = Int.random(in: 0..<model.stepCount, using: &random)
      let frame = model.timeline.steps[step].frame
      machine.seek(toFrame: frame, at: now)
      let first = model.timeline.steps.firstIndex { $0.frame == frame } ?? 0
      let loop = model.state == .finished ? 0 : model.place.loop
      model.jump(to: start(of: loop * model.stepCount + first, model))
      return true
    case 8:
      let time = Int64.random(in: -5...400, using: &random) * 4_000_000
      machine.seek(toMedia: time, at: now)
      model.jump(to: min(max(0, time), model.total.map { $0 - 1 } ?? .max))
      return true
    case 9:
      let count = Int.random(in: -7...7, using: &random)
      machine.step(by: count, at: now)
      guard count != 0 else { return false }
      let last = model.timeline.plays.map { $0 * model.stepCount - 1 } ?? .max
      model.jump(to: start(of: min(last, max(0, model.absolute + count)), model))
      model.state = .paused
      return true
    case 10:
      let quarters = [1, 2, 4, 4, 8, 16].randomElement(using: &random) ?? 4
      // Only where no fraction would be cut off.
      guard model.media % 4 == 0 else { return false }
      machine.setRate(Double(quarters) / 4, at: now)
      model.quarterRate = Int64(quarters)
      return false
    default:
      return false
    }
  }

  private func start(of absolute: Int, _ model: PlainPlayer) -> Int64 {
    var sum = Int64(absolute / model.stepCount) * model.timeline.loopLength
    for step in model.timeline.steps.prefix(absolute % model.stepCount) { sum += step.length }
    return sum
  }
}
