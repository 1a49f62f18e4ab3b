internal import EngineSupport
internal import GIFDecoding
internal import Synchronization

/// What the threads of a pipeline do together: groups of frames are decoded by anyone, and reach the composing thread
/// through a ring of slots; large frames are drawn by whoever has nothing to decode.
///
/// A slot is handed round by its state alone: whoever claims it owns its frames until it sets it ready, then they are
/// the composer's until it sets it free. That is what makes the unchecked sendability right.
final class PipelineWork: PooledWork, @unchecked Sendable {
  private final class Slot: @unchecked Sendable {
    /// The group that the slot waits for or holds.
    let group: Atomic<Int>
    let isReady = Atomic<Bool>(false)
    var frames: [DecodedFrame] = []

    init(group: Int) { self.group = Atomic(group) }
  }

  /// Where the composer offers parts of its drawing.
  let board = BandBoard(pause: { EngineThread.yield() })

  private let image: GIFImage
  private let groups: FrameGroups
  private let slots: [Slot]
  private let nextGroup = Atomic<Int>(0)
  private let isOver = Atomic<Bool>(false)
  private let changes = EventCount()

  // The composer's place; only the composing thread touches these.
  private var currentGroup = 0
  private var currentOffset = 0

  /// - Parameter order: the frames to decode, in the order in which they are drawn.
  init(image: GIFImage, order: [Int], jobs: Int) {
    self.image = image
    groups = FrameGroups(image, order: order, jobs: jobs)
    slots = (0..<groups.slotCount(jobs: jobs, byteLimit: image.limits.decodedBytes)).map { Slot(group: $0) }
    for slot in slots { slot.frames = FrameBufferPool.shared.take() }
  }

  deinit {
    for slot in slots { FrameBufferPool.shared.give(slot.frames) }
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
    let frames = groups[group]
    while slot.frames.count < frames.count { slot.frames.append(DecodedFrame()) }
    for (place, frame) in frames.enumerated() {
      if isOver.load(ordering: .relaxed) { return false }
      decoder.decode(image.frames[frame], of: image, into: &slot.frames[place])
    }
    slot.isReady.store(true, ordering: .releasing)
    changes.notify()
    return true
  }

  private var canDecode: Bool { isFree(nextGroup.load(ordering: .relaxed)) }

  private func isFree(_ group: Int) -> Bool {
    group < groups.count && slots[group % slots.count].group.load(ordering: .acquiring) == group
  }

  /// The next group nobody works on, if its slot is free.
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
  var currentFrame: Int? {
    currentGroup < groups.count ? groups[currentGroup][groups[currentGroup].startIndex + currentOffset] : nil
  }

  /// Makes sure that the current frame is decoded: does what there is to do meanwhile, then waits.
  func prepareCurrent(with decoder: inout FrameDecoder) {
    let slot = slots[currentGroup % slots.count]
    while !slot.isReady.load(ordering: .acquiring) {
      if decodeGroup(with: &decoder) { continue }
      changes.wait { slot.isReady.load(ordering: .relaxed) }
    }
  }

  func withCurrent<Result>(
    _ body: (borrowing DecodedFrame) throws(GIFError) -> Result
  ) throws(GIFError) -> Result {
    try body(slots[currentGroup % slots.count].frames[currentOffset])
  }

  /// Goes on to the next frame; the slot of a finished group is free for a later one.
  func advance() {
    currentOffset += 1
    guard currentOffset == groups[currentGroup].count else { return }
    let slot = slots[currentGroup % slots.count]
    slot.isReady.store(false, ordering: .relaxed)
    slot.group.store(currentGroup + slots.count, ordering: .releasing)
    currentGroup += 1
    currentOffset = 0
    if currentGroup == groups.count { stop() } else { changes.notify() }
  }

  /// Has the helpers leave as soon as they can.
  func stop() {
    isOver.store(true, ordering: .releasing)
    changes.notify()
  }
}
