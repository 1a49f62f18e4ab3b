import GIFTestSupport
import GIFTimeline
import Testing

@testable import GIFCaching

@Suite("TierPlan and BudgetDemand")
struct TierPlanTests {
  /// Twenty frames of 100 bytes, whose indices take 25 each; a renderer of 150.
  private let shape = StoreShape(
    frameCount: 20, frameBytes: 100, rendererBytes: 150, planeBytes: 500, canvasBytes: 100)

  private func audience(
    active: Int = 1, hidden: Int = 0, needed: Int = 2, readAhead: Int = 3, back: Bool = false
  ) -> StoreAudience {
    StoreAudience(
      active: active, hidden: hidden, needed: needed, readAhead: readAhead, seeksBack: back,
      visibility: active > 0 ? .visible : .hidden)
  }

  private func plan(_ grant: Int64, _ audience: StoreAudience) -> TierPlan {
    TierPlan(grant: grant, demand: BudgetDemand(shape, audience), shape: shape, audience: audience)
  }

  @Test("A player needs a renderer and two pictures; then what is read ahead, the indices, the whole loop")
  func demand() {
    let demand = BudgetDemand(shape, audience())
    #expect(demand.floor == 350)
    #expect(demand.needed == 350)
    #expect(demand.window == 550)
    #expect(demand.warm == 1_050)
    #expect(demand.whole == 2_150)
  }

  @Test(
    "Players in step need no more than one, spread ones what each shows and its next, and read ahead each")
  func spread() {
    #expect(BudgetDemand(shape, audience(active: 100)) == BudgetDemand(shape, audience()))
    let spread = BudgetDemand(shape, audience(active: 4, needed: 8, readAhead: 2))
    #expect(spread.floor == 350)
    #expect(spread.needed == 950)
    #expect(spread.window == 1_350)
    #expect(BudgetDemand(shape, audience(active: 1, hidden: 3)).needed == 650)
  }

  @Test("Who only is hidden wants the pictures shown last, and nothing in any case")
  func hidden() {
    let demand = BudgetDemand(shape, audience(active: 0, hidden: 2))
    #expect(demand.visibility == .hidden)
    #expect((demand.floor, demand.needed, demand.whole) == (0, 200, 2_000))
    let none = plan(199, audience(active: 0, hidden: 2))
    #expect(none == TierPlan(hotFrames: 1, warmBytes: 0, checkpointBytes: 0, decodes: false))
    #expect(plan(0, audience(active: 0, hidden: 2)).hotFrames == 0)
    #expect(plan(.max, audience(active: 0, hidden: 2)).hotFrames == 20)
  }

  @Test("Indices are kept only where they are cheaper than finished pictures")
  func warmPays() {
    var dear = shape
    dear = StoreShape(
      frameCount: 20, frameBytes: 100, rendererBytes: 150, planeBytes: 1_700, canvasBytes: 100)
    let demand = BudgetDemand(dear, audience())
    #expect(demand.warm == demand.window)
    let plan = TierPlan(grant: 2_149, demand: demand, shape: dear, audience: audience())
    #expect(plan.warmBytes == 0)
    #expect(plan.hotFrames == 19)
  }

  @Test(
    "The grant goes to the pictures due next, then to indices, then to more pictures; whole loops are all hot"
  )
  func order() {
    #expect(plan(349, audience()) == .nothing)
    #expect(
      plan(350, audience()) == TierPlan(hotFrames: 2, warmBytes: 0, checkpointBytes: 0, decodes: true))
    #expect(plan(550, audience()).hotFrames == 4)
    #expect(plan(551, audience()).warmBytes == 1)
    let warm = plan(1_050, audience())
    #expect((warm.hotFrames, warm.warmBytes) == (4, 500))
    let more = plan(2_149, audience())
    #expect((more.hotFrames, more.warmBytes) == (14, 500))
    let whole = plan(2_150, audience())
    #expect((whole.hotFrames, whole.warmBytes) == (20, 0))
  }

  @Test("Canvases are kept for who goes back, a quarter of what is left at the most, eight at the most")
  func checkpoints() {
    #expect(plan(1_000, audience()).checkpointBytes == 0)
    #expect(plan(950, audience(back: true)).checkpointBytes == 100)
    #expect(plan(2_149, audience(back: true)).checkpointBytes == 399)
    #expect(plan(2_150, audience(back: true)).checkpointBytes == 0)
  }

  @Test("A plan never spends more than its grant, and decodes only from the floor on", arguments: 0..<60)
  func spending(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    func number(_ most: Int64) -> Int64 { Int64.random(in: 0...most, using: &random) }
    for round in 0..<100 {
      let scale: Int64 = [10, 1_000, 1 << 34][Int.random(in: 0..<3, using: &random)]
      let shape = StoreShape(
        frameCount: Int(number([0, 1, 2, 40, 1 << 17][Int.random(in: 0..<5, using: &random)])),
        frameBytes: number(scale), rendererBytes: number(scale), planeBytes: number(scale * 20),
        canvasBytes: number(scale))
      let audience = StoreAudience(
        active: Int(number(3)), hidden: Int(number(200)), needed: Int(number(400)),
        readAhead: Int(1 + number(8)), seeksBack: Bool.random(using: &random), visibility: .visible)
      let demand = BudgetDemand(shape, audience)
      let note = Comment("seed \(seed) round \(round)")
      try #require(demand.floor >= 0 && demand.floor <= demand.needed, note)
      try #require(demand.needed <= demand.window && demand.window <= demand.warm, note)
      try #require(demand.warm <= max(demand.window, demand.whole), note)
      for grant in [
        0, demand.floor - 1, demand.floor, demand.window, demand.warm, demand.whole, number(demand.whole),
      ]
      where grant >= 0 {
        let plan = TierPlan(grant: grant, demand: demand, shape: shape, audience: audience)
        try #require(plan.decodes == (audience.active > 0 && grant >= demand.floor), note)
        let renderer = plan.decodes ? shape.rendererBytes : 0
        let spent =
          renderer + Int64(plan.hotFrames) * shape.frameBytes + plan.warmBytes + plan.checkpointBytes
        try #require(spent <= grant, note)
        try #require(plan.hotFrames >= 0 && plan.hotFrames <= shape.frameCount, note)
        if plan.decodes { try #require(plan.hotFrames >= min(2, shape.frameCount), note) }
        if plan.decodes, grant >= demand.whole { try #require(plan.hotFrames == shape.frameCount, note) }
      }
    }
  }

  @Test("No frames, one frame, and frames without pixels")
  func edges() {
    let none = StoreShape(frameCount: 0, frameBytes: 100, rendererBytes: 9, planeBytes: 0, canvasBytes: 100)
    #expect(BudgetDemand(none, audience()).whole == 9)
    #expect(
      TierPlan(grant: 9, demand: BudgetDemand(none, audience()), shape: none, audience: audience()).hotFrames
        == 0)
    let one = StoreShape(frameCount: 1, frameBytes: 100, rendererBytes: 9, planeBytes: 25, canvasBytes: 100)
    let demand = BudgetDemand(one, audience())
    #expect((demand.floor, demand.whole) == (109, 109))
    #expect(TierPlan(grant: 109, demand: demand, shape: one, audience: audience()).hotFrames == 1)
    let empty = StoreShape(frameCount: 7, frameBytes: 0, rendererBytes: 9, planeBytes: 0, canvasBytes: 0)
    #expect(
      TierPlan(grant: 9, demand: BudgetDemand(empty, audience()), shape: empty, audience: audience())
        .hotFrames
        == 7)
  }
}
