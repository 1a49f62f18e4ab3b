import GIFDecoding
import GIFTestSupport
import GIFTimeline
import Testing

@testable import GIFCaching

@Suite("TierPlan and BudgetDemand")
struct TierPlanTests {
  /// Twenty frames of 100 bytes, whose indices take 25 each; a renderer of 150.
  private let costs = DecodingCosts(
    frameCount: 20, frameBytes: 100, rendererBytes: 150, planeBytes: 500, canvasBytes: 100)

  private func needs(
    served: Int = 1, resting: Int = 0, needed: Int = 2, readAhead: Int = 3, back: Bool = false
  ) -> PlayerNeeds {
    PlayerNeeds(
      served: served, resting: resting, neededFrames: needed, readAhead: readAhead, seeksBack: back,
      visibility: served > 0 ? .visible : .hidden)
  }

  private func plan(_ grant: Int64, _ needs: PlayerNeeds) -> TierPlan {
    TierPlan(grant: grant, packs: false, demand: BudgetDemand(costs, needs), costs: costs, needs: needs)
  }

  @Test("A player needs a renderer and two frames, then the read-ahead, the indices, the whole loop")
  func demand() {
    let demand = BudgetDemand(costs, needs())
    #expect(demand.floor == 350)
    #expect(demand.needed == 350)
    #expect(demand.window == 550)
    #expect(demand.warm == 1_050)
    #expect(demand.whole == 2_150)
  }

  @Test(
    "Players in step need no more than one does; players that are spread out need frames of their own")
  func spread() {
    #expect(BudgetDemand(costs, needs(served: 100)) == BudgetDemand(costs, needs()))
    let spread = BudgetDemand(costs, needs(served: 4, needed: 8, readAhead: 2))
    #expect(spread.floor == 350)
    #expect(spread.needed == 950)
    #expect(spread.window == 1_350)
    #expect(BudgetDemand(costs, needs(served: 1, resting: 3)).needed == 650)
  }

  @Test("Players at rest need the frames shown last, and nothing in any case")
  func hidden() {
    let demand = BudgetDemand(costs, needs(served: 0, resting: 2))
    #expect(demand.visibility == .hidden)
    #expect((demand.floor, demand.needed, demand.whole) == (0, 200, 2_000))
    let none = plan(199, needs(served: 0, resting: 2))
    #expect(none == TierPlan(hotFrames: 1, warmBytes: 0, checkpointBytes: 0, decodes: false))
    #expect(plan(0, needs(served: 0, resting: 2)).hotFrames == 0)
    #expect(plan(.max, needs(served: 0, resting: 2)).hotFrames == 20)
  }

  @Test("Indices are kept only where they are cheaper than finished frames")
  func warmPays() {
    var dear = costs
    dear = DecodingCosts(
      frameCount: 20, frameBytes: 100, rendererBytes: 150, planeBytes: 1_700, canvasBytes: 100)
    let demand = BudgetDemand(dear, needs())
    #expect(demand.warm == demand.window)
    let plan = TierPlan(grant: 2_149, packs: false, demand: demand, costs: dear, needs: needs())
    #expect(plan.warmBytes == 0)
    #expect(plan.hotFrames == 19)
  }

  @Test(
    "The grant goes to the frames due next, then to indices, then to more frames; whole loops are all hot"
  )
  func order() {
    #expect(plan(349, needs()) == .nothing)
    #expect(
      plan(350, needs()) == TierPlan(hotFrames: 2, warmBytes: 0, checkpointBytes: 0, decodes: true))
    #expect(plan(550, needs()).hotFrames == 4)
    #expect(plan(551, needs()).warmBytes == 1)
    let warm = plan(1_050, needs())
    #expect((warm.hotFrames, warm.warmBytes) == (4, 500))
    let more = plan(2_149, needs())
    #expect((more.hotFrames, more.warmBytes) == (14, 500))
    let whole = plan(2_150, needs())
    #expect((whole.hotFrames, whole.warmBytes) == (20, 0))
  }

  @Test("Canvases are kept for players that go back: a quarter of what is left, eight at the most")
  func checkpoints() {
    #expect(plan(1_000, needs()).checkpointBytes == 0)
    #expect(plan(950, needs(back: true)).checkpointBytes == 100)
    #expect(plan(2_149, needs(back: true)).checkpointBytes == 399)
    #expect(plan(2_150, needs(back: true)).checkpointBytes == 0)
  }

  @Test("A plan never spends more than its grant, and decodes only from the floor on", arguments: 0..<60)
  func spending(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    func number(_ most: Int64) -> Int64 { Int64.random(in: 0...most, using: &random) }
    for round in 0..<100 {
      let scale: Int64 = [10, 1_000, 1 << 34][Int.random(in: 0..<3, using: &random)]
      let costs = DecodingCosts(
        frameCount: Int(number([0, 1, 2, 40, 1 << 17][Int.random(in: 0..<5, using: &random)])),
        frameBytes: number(scale), rendererBytes: number(scale), planeBytes: number(scale * 20),
        canvasBytes: number(scale))
      let needs = PlayerNeeds(
        served: Int(number(3)), resting: Int(number(200)), neededFrames: Int(number(400)),
        readAhead: Int(1 + number(8)), seeksBack: Bool.random(using: &random), visibility: .visible)
      let demand = BudgetDemand(costs, needs)
      let note = Comment("seed \(seed) round \(round)")
      try #require(demand.floor >= 0 && demand.floor <= demand.needed, note)
      try #require(demand.needed <= demand.window && demand.window <= demand.warm, note)
      try #require(demand.warm <= max(demand.window, demand.whole), note)
      for grant in [
        0, demand.floor - 1, demand.floor, demand.window, demand.warm, demand.whole, number(demand.whole),
      ]
      where grant >= 0 {
        let plan = TierPlan(grant: grant, packs: false, demand: demand, costs: costs, needs: needs)
        try #require(plan.decodes == (needs.served > 0 && grant >= demand.floor), note)
        let renderer = plan.decodes ? costs.rendererBytes : 0
        let spent =
          renderer + Int64(plan.hotFrames) * costs.frameBytes + plan.warmBytes + plan.checkpointBytes
        try #require(spent <= grant, note)
        try #require(plan.hotFrames >= 0 && plan.hotFrames <= costs.frameCount, note)
        if plan.decodes { try #require(plan.hotFrames >= min(2, costs.frameCount), note) }
        if plan.decodes, grant >= demand.whole { try #require(plan.hotFrames == costs.frameCount, note) }
      }
    }
  }

  @Test("No frames, one frame, and frames without pixels")
  func edges() {
    let none = DecodingCosts(
      frameCount: 0, frameBytes: 100, rendererBytes: 9, planeBytes: 0, canvasBytes: 100)
    #expect(BudgetDemand(none, needs()).whole == 9)
    #expect(
      TierPlan(grant: 9, packs: false, demand: BudgetDemand(none, needs()), costs: none, needs: needs())
        .hotFrames
        == 0)
    let one = DecodingCosts(
      frameCount: 1, frameBytes: 100, rendererBytes: 9, planeBytes: 25, canvasBytes: 100)
    let demand = BudgetDemand(one, needs())
    #expect((demand.floor, demand.whole) == (109, 109))
    #expect(TierPlan(grant: 109, packs: false, demand: demand, costs: one, needs: needs()).hotFrames == 1)
    let empty = DecodingCosts(frameCount: 7, frameBytes: 0, rendererBytes: 9, planeBytes: 0, canvasBytes: 0)
    #expect(
      TierPlan(grant: 9, packs: false, demand: BudgetDemand(empty, needs()), costs: empty, needs: needs())
        .hotFrames
        == 7)
  }
}
