import GIFCaching
import GIFDecoding
import GIFPlayback
import GIFTimeline
import Synchronization
import Testing

@testable import GIFStage

/// What the items of a large grid cost: those in sight, and those that are not.
@Suite("GridView: 500 items in a budget of 32 MB")
struct HiddenItemsTests {
  private static let budgetBytes: Int64 = 32 << 20
  private let rig = StageRig()
  private let wakes = Counter()
  private let services: StageServices

  private final class Counter: Sendable {
    private let count = Atomic<Int>(0)
    var value: Int { count.load(ordering: .relaxed) }
    func add() { count.add(1, ordering: .relaxed) }
  }

  /// Costs over some time.
  private struct Costs: Equatable {
    var ticks = 0
    var wakes = 0
    var decodes = 0
  }

  init() {
    var services = rig.services
    services.budget = FrameBudget(limit: Self.budgetBytes)
    services.wake = { [wakes] in wakes.add() }
    self.services = services
  }

  /// A grid of items, four in a row, each with an image of its own of 16 - 18 frames.
  private func grid(_ items: Range<Int>) throws -> GridView {
    let files = (0..<3).map {
      TestImage.flatFile(frames: 16 + $0, width: 30, height: 20, delay: 4 + $0 % 2).bytes
    }
    for item in items {
      var file = files[item % files.count]
      // Another colour of the palette, so that no two images share their frames.
      file.replaceSubrange(13..<16, with: [UInt8(item & 0xFF), UInt8(item >> 8), 7])
      rig.loader["\(item)"] = try GIFImage(bytes: file)
    }
    var properties = GridProperties()
    properties.items = items.map { GridItem(id: $0, source: "\($0)") }
    properties.columns = .count(4)
    properties.image.fade = .zero
    let grid = GridView(properties, services: services)
    rig.show(grid, width: 640, height: 400)
    return grid
  }

  /// Runs the ticks that the stage asks for, and counts what happens.
  private func costs(_ duration: Duration) -> Costs {
    let before = (wakes: wakes.value, decodes: decodes)
    var costs = Costs()
    let end = rig.time.now() + duration
    while let next = rig.stage?.tick(), next <= end {
      costs.ticks += 1
      rig.time.move(to: max(next, rig.time.now() + .nanoseconds(1)))
    }
    rig.time.move(to: end)
    rig.settle()
    (costs.wakes, costs.decodes) = (wakes.value - before.wakes, decodes - before.decodes)
    return costs
  }

  private var decodes: Int {
    services.budget.snapshot.stores.reduce(0) { $0 + $1.store.decodedFrames }
  }

  @Test("Scrolling through all of them holds no more than the budget, and only what is near keeps an image")
  func scrolling() throws {
    let grid = try grid(0..<500)
    var largest: Int64 = 0
    for item in stride(from: 0, to: 500, by: 12) {
      grid.scrollToItem(item, at: .top)
      _ = costs(.milliseconds(200))
      let snapshot = services.budget.snapshot
      largest = max(largest, snapshot.peakBytes)
      #expect(snapshot.animationCount == grid.imageViews.count)
      #expect(grid.imageViews.count <= 28)
    }
    #expect(largest > 0 && largest <= Self.budgetBytes)
  }

  @Test("The 484 items out of sight cost no tick, no wake-up, no decode: the 16 in sight alone cost the same")
  func outOfSight() throws {
    let whole = try grid(0..<500)
    #expect(whole.visibleItems == 0..<16)
    _ = costs(.seconds(1))
    let all = costs(.seconds(4))
    #expect(all.ticks > 100 && all.wakes > 500)

    let few = HiddenItemsTests()
    let seen = try few.grid(0..<16)
    _ = few.costs(.seconds(1))
    #expect(seen.visibleItems == whole.visibleItems && few.costs(.seconds(4)) == all)
  }

  @Test(
    "A hidden grid, one beside the stage and a removed one cost nothing, hold no frame, and resume in place")
  func hidden() throws {
    let grid = try grid(0..<500)
    let root = View()
    root.frame = PixelRect(0, 0, 640, 400)
    rig.show(root, width: 640, height: 400)
    root.add(grid)
    grid.scrollToItem(240, at: .top)
    for (hide, show) in [
      ({ grid.isHidden = true }, { grid.isHidden = false }),
      ({ grid.frame.x = 100_000 }, { grid.frame.x = 0 }),
      ({ grid.removeFromParent() }, { root.add(grid) }),
    ] as [(() -> Void, () -> Void)] {
      _ = costs(.seconds(1))
      let frames = grid.imageViews.map { $0.view.snapshot?.elapsed }
      hide()
      rig.settle()
      #expect(costs(.seconds(60)) == Costs() && rig.stage?.tick() == nil)
      #expect(services.budget.snapshot.animationCount == 0 && services.budget.snapshot.heldBytes == 0)
      show()
      rig.settle()
      #expect(grid.imageViews.map { $0.view.snapshot?.elapsed } == frames)
      #expect(costs(.seconds(1)).wakes > 100)
    }
  }
}
