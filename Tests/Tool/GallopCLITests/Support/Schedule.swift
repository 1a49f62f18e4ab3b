import Testing

/// What an animation must show when, worked out from its delays alone.
struct Schedule {
  /// The frame of each step of one loop.
  var order: [Int]
  /// How long each frame of the animation shows.
  var milliseconds: [Int]
  /// Total plays; nil for ever.
  var plays: Int?

  var loopDuration: Int { order.reduce(0) { $0 + milliseconds[$1] } }

  /// When a step begins, counted from the start of the first loop.
  func start(of step: Int) -> Int {
    let (loop, place) = step.quotientAndRemainder(dividingBy: order.count)
    return loop * loopDuration + order[..<place].reduce(0) { $0 + milliseconds[$1] }
  }

  /// How many steps begin before a time.
  func steps(before time: Int) -> Int {
    var count = 0
    while start(of: count) < time { count += 1 }
    return count
  }

  /// Checks each line against the step that it must be, skipped ones counted; returns the steps accounted
  /// for.
  ///
  /// Frames may be skipped on a busy machine, but never silently, and never by a millisecond beside their
  /// time.
  func check(_ changes: [Contract.Event.FrameChange], sourceLocation: SourceLocation = #_sourceLocation)
    -> Int
  {
    var next = 0
    for change in changes {
      let step = next + change.skippedFrames
      let (loop, place) = step.quotientAndRemainder(dividingBy: order.count)
      #expect(change.currentFrameIndex == order[place], sourceLocation: sourceLocation)
      #expect(change.loop == loop, sourceLocation: sourceLocation)
      #expect(change.scheduledMs == Double(start(of: step)), sourceLocation: sourceLocation)
      #expect(change.skippedFrames >= 0 && change.latenessMs >= 0, sourceLocation: sourceLocation)
      #expect(change.frameCount == milliseconds.count, sourceLocation: sourceLocation)
      next = step + 1
    }
    return next
  }

  /// Checks all events of one finite animation: every step, the ends of its loops, and its end as the last
  /// line.
  func checkWhole(_ events: [Contract.Event], sourceLocation: SourceLocation = #_sourceLocation) {
    let steps = check(events.frameChanges, sourceLocation: sourceLocation)
    #expect(steps == order.count * (plays ?? 0), sourceLocation: sourceLocation)
    #expect(events.frameChanges.first?.skippedFrames == 0, sourceLocation: sourceLocation)
    let loops = events.loopsCompleted
    // Ends of loops that fall together on a busy machine are told as one.
    #expect(zip(loops, loops.dropFirst()).allSatisfy { $0.count < $1.count }, sourceLocation: sourceLocation)
    #expect(loops.last?.count == plays, sourceLocation: sourceLocation)
    for loop in loops {
      #expect(loop.count + (loop.remaining ?? -1) == plays, sourceLocation: sourceLocation)
    }
    for (place, event) in events.enumerated() {
      guard case .frameChange(let change) = event else { continue }
      let later = Array(events[place...]).loopsCompleted
      #expect(
        later.allSatisfy { $0.count > change.loop }, "the end of a loop comes after a frame of the next",
        sourceLocation: sourceLocation)
    }
    #expect(events.finishedCount == 1, sourceLocation: sourceLocation)
    #expect(events.last.map { [$0].finishedCount } == 1, sourceLocation: sourceLocation)
  }
}

extension [Contract.Event] {
  var frameChanges: [Contract.Event.FrameChange] {
    compactMap { if case .frameChange(let change) = $0 { change } else { nil } }
  }

  var loopsCompleted: [Contract.Event.LoopCompleted] {
    compactMap { if case .loopCompleted(let completion) = $0 { completion } else { nil } }
  }

  var finishedCount: Int { count { if case .finished = $0 { true } else { false } } }
}
