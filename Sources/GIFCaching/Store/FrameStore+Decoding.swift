internal import EngineSupport
internal import GIFDecoding

// What a thread of the pool does for a store: one step towards the most urgent picture.

extension FrameStore {
  private typealias Job = StoreState<Frame, DecodedFrame>.Job

  func awaits(_ ticket: Int) -> Bool { state.withLock { $0.awaits(ticket) } }

  func decodeNext(_ ticket: Int) -> PoolTurn? {
    let turn = change { state in
      state.beginDecoding(ticket: ticket).map { (job: $0, spare: state.takeSpare()) }
    }
    guard let job = turn?.job else { return nil }
    let observer = observers.observer(for: job.client)
    let begin = observer?.now() ?? 0
    // Nobody else may hold the picture given up, or its memory cannot be used again.
    var spare = (consume turn)?.spare
    let (told, arrival, made) = decoder.withLock { decoder in
      let outcome = Result { () throws(GIFError) in try work(on: job, in: &decoder, reusing: spare.take()) }
      return change { state -> ([StoreClient.ID], Result<Int, GIFError>, Made) in
        defer { tidy(&decoder, &state) }
        switch outcome {
        case .success(let outcome):
          let (picture, made) = (outcome.picture, Made(outcome))
          let told = state.endDecoding(picture.map { ($0.index, $0) })
          return (told, .success(picture?.index ?? job.frame), made)
        case .failure(let error):
          return (state.fail(error), .failure(error), Made())
        }
      }
    }
    if let observer { observer.report(span(of: job, made, from: begin, to: observer.now())) }
    if case .failure = arrival { withdraw() } else { budget.settle() }
    let next = state.withLock { $0.turnToQueue() }
    for id in told { handlers.withLock { $0[id] }?(arrival) }
    return next
  }

  /// After a failure the store is of no use to new players and needs no memory.
  private func withdraw() {
    if let key = content.withLock({ $0.key }) { budget.withdraw(self, under: key) }
    budget.changed(self)
  }

  /// What came of a turn.
  private struct Made {
    var picture: Int?
    var codeStreams = 0

    init() {}

    init(_ outcome: StoreDecoder.Outcome) {
      picture = outcome.picture?.index
      codeStreams = outcome.decodedFrames
    }
  }

  private func span(of job: Job, _ made: Made, from begin: Int64, to end: Int64) -> DecodeSpan {
    DecodeSpan(
      frame: job.frame, finished: made.picture, codeStreams: made.codeStreams,
      store: ObjectIdentifier(self).hashValue, thread: DecodeObservers.thread, begin: begin, end: end)
  }

  /// Makes the next step towards a frame's picture; the outcome has the picture where it led to one.
  private func work(
    on job: Job, in decoder: inout StoreDecoder, reusing spare: consuming Frame?
  ) throws(GIFError) -> StoreDecoder.Outcome {
    let (image, version) = content.withLock { ($0.image, $0.version) }
    try decoder.open(image, version: version, size: size)
    _ = decoder.limitCheckpoints(to: state.withLock { $0.checkpointBytes })
    let outcome = try decoder.step(
      towards: job.frame, onTheWay: job.onTheWay, reusing: spare.take(),
      plane: { frame in state.withLock { $0.lendPlane(of: frame) } },
      keeps: { frame, bytes in change { $0.reservePlane(of: frame, bytes: bytes) } })
    change { state in
      state.countDecoded(outcome.decodedFrames)
      if let (frame, plane) = outcome.plane { state.insert(plane, of: frame, bytes: Int64(plane.byteCount)) }
    }
    return outcome
  }
}
