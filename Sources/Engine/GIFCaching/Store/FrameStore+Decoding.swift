internal import EngineSupport
internal import GIFDecoding

// What a thread of the pool does for a store: one step towards the most urgent frame.

extension FrameStore {
  package func awaits(_ ticket: Int) -> Bool { state.withLock { $0.turns.isNewest(ticket) } }

  package func decodeNext(_ ticket: Int) -> PoolTurn? {
    let turn = change { state in
      state.begin(ticket: ticket).map { (job: $0, era: state.era, spare: state.takeSpare()) }
    }
    guard let job = turn?.job, let era = turn?.era else { return nil }
    let observer = observers.observer(for: job.player)
    let begin = observer?.now() ?? 0
    // The frame evicted must have no other holder, or its memory cannot be used again.
    var spare = (consume turn)?.spare
    let end = decoder.withLock { decoder in
      let outcome = Result { () throws(GIFError) in
        try work(on: job, era: era, in: &decoder, reusing: spare.take())
      }
      pack(&decoder, after: try? outcome.get().frame?.index)
      return change { state in
        defer { tidy(&decoder, &state) }
        return TurnEnd(of: job, outcome, in: &state)
      }
    }
    if let observer { observer.report(span(of: job, end, from: begin, to: observer.now())) }
    if case .failure = end.arrival {
      withdraw()
    } else if state.withLock({ $0.takePacksInVain() }) {
      budget.demandChanged(of: self)
    } else {
      budget.settle()
    }
    let next = state.withLock { $0.turnToQueue() }
    notify(end.players, of: end.arrival)
    return next
  }

  /// What came of a turn.
  private struct TurnEnd: Sendable {
    /// The players to notify.
    let players: [StorePlayer.ID]
    let arrival: Result<Int, GIFError>
    let finished: Int?
    let codeStreams: Int

    init(
      of job: DecodeJob, _ outcome: Result<StoreDecoder.Outcome, GIFError>,
      in state: inout StoreState<Frame, DecodedFrame>
    ) {
      switch outcome {
      case .success(let outcome):
        players = state.end(outcome.frame.map { ($0.index, $0) })
        arrival = .success(outcome.frame?.index ?? job.frame)
        finished = outcome.frame?.index
        codeStreams = outcome.decodedFrames
      case .failure(let error):
        let failed = state.fail(error)
        players = failed ?? []
        arrival = failed == nil ? .success(job.frame) : .failure(error)
        finished = nil
        codeStreams = 0
      }
    }
  }

  /// After a failure the store is of no use to new players and needs no memory.
  private func withdraw() {
    if let key = content.withLock({ $0.key }) { budget.withdraw(self, under: key) }
    budget.demandChanged(of: self)
  }

  private func span(of job: DecodeJob, _ turn: TurnEnd, from begin: Int64, to end: Int64) -> DecodeSpan {
    DecodeSpan(
      frame: job.frame, finished: turn.finished, codeStreams: turn.codeStreams,
      store: ObjectIdentifier(self).hashValue, thread: EngineThread.current, begin: begin, end: end)
  }

  /// Makes the next step towards a frame; the outcome has the finished frame if the step led to one.
  private func work(
    on job: DecodeJob, era: Int, in decoder: inout StoreDecoder, reusing spare: consuming Frame?
  ) throws(GIFError) -> StoreDecoder.Outcome {
    let (image, version) = content.withLock { ($0.image, $0.version) }
    // The frame was chosen in an image that another one has replaced since.
    guard version.era == era else { return StoreDecoder.Outcome() }
    try decoder.open(image, version: version, size: sizing.size(of: image.animation))
    _ = decoder.limitCheckpoints(to: state.withLock { $0.held.canvasBytes })
    let outcome = try decoder.step(
      towards: job.frame, onTheWay: job.onTheWay, reusing: spare.take(),
      indices: { frame in state.withLock { $0.lendIndices(of: frame) } },
      keeps: { frame, bytes in change { $0.reserveIndices(of: frame, bytes: bytes) } })
    change { state in
      state.countDecoded(outcome.decodedFrames)
      if let (frame, indices) = outcome.warm {
        state.insertIndices(indices, of: frame, bytes: Int64(indices.byteCount))
      }
    }
    return outcome
  }
}
