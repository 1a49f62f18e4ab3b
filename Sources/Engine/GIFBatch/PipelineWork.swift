internal import EngineSupport
internal import GIFDecoding
internal import Synchronization

/// The work of a pipeline: any thread decodes groups of frames, which reach the composing thread through a
/// ring of slots.
///
/// Threads without a group to decode help to draw large frames. The state of a slot decides its owner: the
/// thread that claims it owns its frames until it sets the slot ready, then the composer until it sets the
/// slot free. The unchecked sendability rests on this.
final class PipelineWork: PooledWork, @unchecked Sendable {
  private final class Slot: @unchecked Sendable {
    /// The group that belongs into the slot.
    let group: Atomic<Int>
    let isReady = Atomic<Bool>(false)
    var frames = FrameBufferPool.shared.take()

    init(group: Int) { self.group = Atomic(group) }
  }

  /// Shares the composer's drawing.
  let board = BandBoard(pause: { EngineThread.yield() })

  private let image: GIFImage
  private let groups: FrameGroups
  private let slots: [Slot]
  private let nextGroup = Atomic<Int>(0)
  private let isOver = Atomic<Bool>(false)
  private let changes = EventCount()

  // The composer's place; only the composing thread touches these.
  private var currentGroup = 0
  private var currentPlace = 0

  /// - Parameter order: the frames to decode, in the order in which they are drawn.
  init(image: GIFImage, order: [Int], jobs: Int) {
    self.image = image
    groups = FrameGroups(image, order: order, jobs: jobs)
    slots = (0..<groups.slotCount(jobs: jobs, byteLimit: image.limits.decodedBytes)).map { Slot(group: $0) }
  }

  /// Makes the work, and assigns threads of the pool to it.
  ///
  /// - Parameter leastSharedTime: nanoseconds of decoding below which the calling thread works alone.
  /// - Returns: nil where the calling thread works alone.
  static func begin(_ image: GIFImage, order: [Int], jobs: Int, leastSharedTime: Int64) -> PipelineWork? {
    let jobs = FrameGroups.usefulJobs(
      WorkerPool.clamped(jobs), for: image, order: order, leastTime: leastSharedTime)
    guard jobs > 1 else { return nil }
    let work = PipelineWork(image: image, order: order, jobs: jobs)
    WorkerPool.shared.assign(min(jobs, work.groupCount) - 1, to: work)
    return work
  }

  deinit {
    // The first slot, which often holds a whole canvas, gets the same buffer in the next pipeline.
    for slot in slots.reversed() { FrameBufferPool.shared.give(slot.frames) }
  }

  var groupCount: Int { groups.count }

  // MARK: Helpers

  func help(with decoder: inout FrameDecoder) {
    while !isOver.load(ordering: .acquiring) {
      if decodeGroup(with: &decoder) || board.help() { continue }
      changes.wait { canDecode || board.hasWork || isOver.load(ordering: .relaxed) }
    }
  }

  /// Decodes one group. Returns false where none is left or no slot is free.
  func decodeGroup(with decoder: inout FrameDecoder) -> Bool {
    guard let group = claim() else { return false }
    let slot = slots[group % slots.count]
    slot.frames.begin(room: groups.room(for: group))
    for place in groups[group] {
      if isOver.load(ordering: .relaxed) { return false }
      slot.frames.append(image.frames[groups.frame(at: place)], of: image, with: &decoder)
    }
    slot.isReady.store(true, ordering: .releasing)
    changes.notify()
    return true
  }

  private var canDecode: Bool { isFree(nextGroup.load(ordering: .relaxed)) }

  private func isFree(_ group: Int) -> Bool {
    group < groups.count && slots[group % slots.count].group.load(ordering: .acquiring) == group
  }

  /// The next group that no thread has taken, if its slot is free.
  private func claim() -> Int? {
    var group = nextGroup.load(ordering: .relaxed)
    while isFree(group) {
      let (exchanged, now) = nextGroup.compareExchange(
        expected: group, desired: group + 1, ordering: .acquiringAndReleasing)
      if exchanged { return group }
      group = now
    }
    return nil
  }

  // MARK: The composer

  /// The frame to draw next; nil after the last one.
  private var currentFrame: Int? { currentGroup < groups.count ? groups.frame(at: currentPlace) : nil }

  /// Decodes or waits until the current frame is decoded.
  private func prepareCurrent(with decoder: inout FrameDecoder) {
    let slot = slots[currentGroup % slots.count]
    while !slot.isReady.load(ordering: .acquiring) {
      if decodeGroup(with: &decoder) { continue }
      changes.wait { slot.isReady.load(ordering: .relaxed) }
    }
  }

  private func withCurrent<Result>(
    _ body: (FrameOutcome, Span<UInt8>) throws(GIFError) -> Result
  ) throws(GIFError) -> Result {
    let slot = slots[currentGroup % slots.count]
    return try slot.frames.withFrame(at: currentPlace - groups[currentGroup].lowerBound, body)
  }

  /// Draws the frames on the way to one, then that one; nil where the order ends before.
  func render(
    _ target: Int, with renderer: inout FrameRenderer, decoder: inout FrameDecoder
  ) throws(GIFError) -> FrameStatus? {
    while let step = currentFrame {
      prepareCurrent(with: &decoder)
      let status = try withCurrent { outcome, indices throws(GIFError) in
        try renderer.render(step, outcome: outcome, indices: indices, sharing: board)
      }
      advance()
      if step == target { return status }
    }
    return nil
  }

  /// Moves to the next frame; the slot of a finished group becomes free.
  private func advance() {
    currentPlace += 1
    guard currentPlace == groups[currentGroup].upperBound else { return }
    let slot = slots[currentGroup % slots.count]
    slot.isReady.store(false, ordering: .relaxed)
    slot.group.store(currentGroup + slots.count, ordering: .releasing)
    currentGroup += 1
    if currentGroup == groups.count { stop() } else { changes.notify() }
  }

  /// Releases the helpers as soon as possible.
  func stop() {
    isOver.store(true, ordering: .releasing)
    changes.notify()
  }
}
