import Testing

@testable import GIFCaching

@Suite("StepPlan")
struct StepPlanTests {
  /// Goes ways over frames each of which is drawn on the one before, and counts what planning costs.
  private struct Walker {
    var way = StepPlan()
    var standing: Int?
    var settled: Set<Int> = []
    /// Frames of all ways worked out.
    var planned = 0

    mutating func next(to target: Int) -> Int? {
      let (standing, settled) = (standing, settled)
      var planned = planned
      let next = way.next(
        towards: target, from: standing, needsNoDrawing: { settled.contains($0) },
        plan: {
          let first = standing.flatMap { $0 < target ? $0 + 1 : nil } ?? 0
          planned += target + 1 - first
          return Array(first...target)
        })
      self.planned = planned
      return next
    }

    /// All frames on the way, each drawn.
    mutating func walk(to target: Int) -> [Int] {
      var steps: [Int] = []
      while standing != target, let step = next(to: target) {
        steps.append(step)
        standing = step
      }
      return steps
    }
  }

  @Test("A far jump is planned once, not once a frame")
  func once() {
    var walker = Walker()
    #expect(walker.walk(to: 2_000) == Array(0...2_000))
    #expect(walker.planned == 2_001)
    #expect(walker.walk(to: 2_003) == [2_001, 2_002, 2_003])
    #expect(walker.planned == 2_004)
  }

  @Test("After another frame was drawn between, the way is planned again from there")
  func between() {
    var walker = Walker()
    #expect(walker.next(to: 9) == 0)
    walker.standing = 0
    // Another player's frame.
    #expect(walker.next(to: 3) == 1)
    walker.standing = 1
    #expect(walker.next(to: 9) == 2)
    // The canvas went further than to the frame asked for.
    walker.standing = 6
    #expect(walker.walk(to: 9) == [7, 8, 9])
    // The same frame again, after others.
    walker.standing = 4
    #expect(walker.walk(to: 9) == [5, 6, 7, 8, 9])
  }

  @Test("A way that does not become shorter is left to be drawn in one go")
  func stuck() {
    var walker = Walker()
    #expect(walker.next(to: 5) == 0)
    #expect(walker.next(to: 5) == nil)
    #expect(walker.next(to: 5) == 0)
  }

  @Test("Frames that are shown, or known to show nothing, are neither planned nor drawn")
  func settled() {
    var walker = Walker()
    walker.standing = 7
    walker.settled = [5]
    #expect(walker.next(to: 5) == nil)
    #expect(walker.planned == 0)
    walker.settled = [8, 9, 10]
    #expect(walker.walk(to: 12) == [11, 12])
    walker.settled = [13, 14]
    #expect(walker.next(to: 14) == nil)
  }
}
