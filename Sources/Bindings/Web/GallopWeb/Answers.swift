internal import GIFDecoding
internal import GIFTimeline

// What calls return to the page, as numbers in one block. NaN stands for a value that is not there.

typealias Numbers = SharedBlock<Double>

extension Numbers {
  mutating func append(_ value: Int) { append(Double(value)) }

  mutating func append(_ value: Int?) { append(value.map { Double($0) } ?? .nan) }

  mutating func append(_ rect: PixelRect) {
    append(rect.x)
    append(rect.y)
    append(rect.width)
    append(rect.height)
  }

  /// What is known of an image: 12 numbers, and the address of the file's bytes.
  mutating func append(_ image: GIFImage, isComplete: Bool) {
    append(image.width)
    append(image.height)
    append(image.frameCount)
    append(image.loopCount.number)
    append(isComplete ? 1 : 0)
    append(image.metadata.byteCount)
    append(image.metadata.globalPaletteSize)
    append(Int(image.metadata.backgroundIndex))
    append(image.metadata.signature[4] == UInt8(ascii: "7") ? 87 : 89)
    append(image.durationMilliseconds())
    append(image.metadata.commentTexts.count)
    append(image.diagnostics.count)
    // The page reads the bytes again when the instance has stopped; it never writes there.
    append(Double(image.fileMemory.map { unsafe UInt(bitPattern: $0.start) } ?? 0))
  }

  /// What is known of a frame without decoding: 13 numbers.
  mutating func append(_ frame: FrameInfo, policy: DelayPolicy) {
    append(frame.delayMilliseconds(policy))
    append(frame.delayMilliseconds(.encoded))
    append(frame.rect)
    append(frame.disposal == .keep ? 0 : frame.disposal == .background ? 1 : 2)
    append((frame.isInterlaced ? 1 : 0) | (frame.isKeyframe ? 2 : 0) | (frame.isTruncated ? 4 : 0))
    append(frame.paletteSize)
    append(frame.transparentIndex.map { Int($0) })
    append(frame.requiredFrame)
    append(frame.offset)
    append(frame.compressedByteCount)
  }

  /// The state of a player after a tick: 8 numbers, and 8 for each event.
  mutating func append(_ core: inout PlayerCore, at now: PlaybackInstant, _ actions: PlayerCore.Actions?) {
    append(core.state.number)
    append(actions?.wakeAt.map { Milliseconds.of($0.nanoseconds) } ?? .infinity)
    append(actions?.playhead.flatMap { $0.nextFrame } ?? -1)
    append(Milliseconds.of(core.machine.timeInLoop(at: now)))
    append(Milliseconds.of(core.machine.timeline.loopNanoseconds))
    append(core.machine.bufferingReason == nil ? 0 : 1)
    append(core.isJumping(at: now) ? 1 : 0)
    append(actions?.events.count ?? 0)
    for event in actions?.events ?? [] { append(event, frameCount: core.animation.frameCount) }
  }

  private mutating func append(_ event: PlaybackEvent, frameCount: Int) {
    switch event {
    case .shown(let shown):
      append([0, Double(shown.frame), Double(shown.loop), Double(shown.cause.number)])
      append([Milliseconds.of(shown.mediaTime), Milliseconds.of(shown.lateness), Double(shown.skipped)])
      append(frameCount)
    case .loopCompleted(let count, let remaining):
      append([1, Double(count), remaining.map { Double($0) } ?? .infinity, 0, 0, 0, 0, 0])
    case .finished: append([2, 0, 0, 0, 0, 0, 0, 0])
    case .stateChanged(let state): append([3, Double(state.number), 0, 0, 0, 0, 0, 0])
    case .buffering(let reason):
      append([4, reason.map { $0 == .source ? 0 : 1 } ?? -1, 0, 0, 0, 0, 0, Double(frameCount)])
    case .failed: append([5, 0, 0, 0, 0, 0, 0, 0])
    }
  }

  private mutating func append(_ values: [Double]) { append(contentsOf: values) }
}

extension Playhead {
  /// The frame to draw ahead; nil if none follows.
  var nextFrame: Int? {
    guard nextDue != nil, !isFinished else { return nil }
    var isReturning = direction == .reverse || direction == .bounce(isReturning: true)
    return next(after: frame, isReturning: &isReturning)
  }
}

extension LoopCount {
  var number: Double { if case .plays(let count) = self { Double(count) } else { .infinity } }
}

extension PlaybackState {
  var number: Int {
    switch self {
    case .stopped: 0
    case .playing: 1
    case .paused: 2
    case .finished: 3
    case .failed: 4
    }
  }
}

extension ChangeCause {
  var number: Int {
    switch self {
    case .play: 0
    case .loop: 1
    case .seek: 2
    case .step: 3
    case .restart: 4
    case .appear: 5
    }
  }
}

extension FrameStatus {
  /// As in gallop.h.
  var number: Int {
    switch self {
    case .complete: 0
    case .truncated: 1
    case .failed: 2
    case .blank: 3
    }
  }
}
