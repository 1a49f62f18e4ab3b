internal import GIFDecoding
internal import Synchronization

/// The groups of frames that a pipeline's workers decode, and the ring of slots through which they reach the composer.
///
/// A slot is handed round by its state alone: whoever claims it owns its frames until it sets it ready, then they are
/// the composer's until it sets it free. That is what makes the unchecked sendability right.
final class PipelineWork: @unchecked Sendable {
  private final class Slot: @unchecked Sendable {
    /// The group that the slot waits for or holds; see ``state``.
    let group: Atomic<Int>
    let isReady = Atomic<Bool>(false)
    var frames: [DecodedFrame] = []

    init(group: Int) { self.group = Atomic(group) }
  }

  private let image: GIFImage
  /// The frames to decode, in the order in which they are drawn.
  private let order: [Int]
  /// Where each group begins in ``order``, and last its end.
  private let borders: [Int]
  private let slots: [Slot]
  private let nextGroup = Atomic<Int>(0)
  private let isStopped = Atomic<Bool>(false)
  private let bell = Monitor(())

  // The composer's place; only the composing thread touches these.
  private var currentGroup = 0
  private var currentOffset = 0

  /// Indices of a group at the least: enough that handing it over costs nothing beside decoding it.
  private static let groupPixels: Int64 = 1 << 16

  init(image: GIFImage, order: [Int], jobs: Int) {
    self.image = image
    self.order = order
    var borders = [0]
    var pixels: Int64 = 0
    for (place, frame) in order.enumerated() {
      pixels += image.frames[frame].rect.area + 256
      if pixels >= Self.groupPixels || place == order.count - 1 {
        borders.append(place + 1)
        pixels = 0
      }
    }
    self.borders = borders
    slots = (0..<max(1, min(2 * jobs, borders.count - 1))).map { Slot(group: $0) }
  }

  var groupCount: Int { borders.count - 1 }

  // MARK: Workers

  /// Decodes one group. Returns false where none is left, or, unless it is to wait, where no slot is free.
  func decodeGroup(with decoder: inout FrameDecoder, waits: Bool) -> Bool {
    while let group = claim() {
      let slot = slots[group % slots.count]
      let range = borders[group]..<borders[group + 1]
      while slot.frames.count < range.count { slot.frames.append(DecodedFrame()) }
      for (place, position) in range.enumerated() {
        if isStopped.load(ordering: .relaxed) { return false }
        decoder.decode(image.frames[order[position]], of: image, into: &slot.frames[place])
      }
      slot.isReady.store(true, ordering: .releasing)
      ring()
      return true
    }
    guard waits, hasUnclaimed else { return false }
    wait { !hasUnclaimed || isNextSlotFree || isStopped.load(ordering: .relaxed) }
    return !isStopped.load(ordering: .relaxed) && hasUnclaimed
  }

  private var hasUnclaimed: Bool { nextGroup.load(ordering: .acquiring) < groupCount }

  private var isNextSlotFree: Bool {
    let group = nextGroup.load(ordering: .acquiring)
    return group < groupCount && slots[group % slots.count].group.load(ordering: .acquiring) == group
  }

  /// The next group nobody works on, if its slot is free.
  private func claim() -> Int? {
    while true {
      let group = nextGroup.load(ordering: .acquiring)
      guard group < groupCount, !isStopped.load(ordering: .relaxed),
        slots[group % slots.count].group.load(ordering: .acquiring) == group
      else { return nil }
      if nextGroup.compareExchange(expected: group, desired: group + 1, ordering: .acquiringAndReleasing)
        .exchanged
      {
        return group
      }
    }
  }

  // MARK: The composer

  /// The frame to draw next; nil after the last one.
  var currentFrame: Int? {
    currentGroup < groupCount ? order[borders[currentGroup] + currentOffset] : nil
  }

  var isCurrentReady: Bool { slots[currentGroup % slots.count].isReady.load(ordering: .acquiring) }

  func waitForCurrent() { wait { isCurrentReady } }

  func withCurrent<Result>(
    _ body: (borrowing DecodedFrame) throws(GIFError) -> Result
  ) throws(GIFError) -> Result {
    try body(slots[currentGroup % slots.count].frames[currentOffset])
  }

  /// Goes on to the next frame; the slot of a finished group is free for a later one.
  func advance() {
    currentOffset += 1
    guard borders[currentGroup] + currentOffset == borders[currentGroup + 1] else { return }
    let slot = slots[currentGroup % slots.count]
    slot.isReady.store(false, ordering: .relaxed)
    slot.group.store(currentGroup + slots.count, ordering: .releasing)
    currentGroup += 1
    currentOffset = 0
    ring()
  }

  /// Has the workers end as soon as they can.
  func stop() {
    isStopped.store(true, ordering: .releasing)
    ring()
  }

  // MARK: Waiting

  private func ring() {
    bell.withLock { _ in }
    bell.broadcast()
  }

  /// Waits until something is true that somebody rings for. Looks a few times before it sleeps: most waits are shorter
  /// than a thread's way to sleep and back.
  private func wait(_ condition: () -> Bool) {
    for _ in 0..<2000 where condition() { return }
    bell.waitingWithLock { _ -> MonitorStep<Void> in condition() ? .done(()) : .wait(until: nil) }
  }
}
