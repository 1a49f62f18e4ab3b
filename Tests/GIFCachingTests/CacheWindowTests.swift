import GIFTestSupport
import Testing

@testable import GIFCaching

@Suite("CacheWindow")
struct CacheWindowTests {
  private func window(budget: Int, frameBytes: Int, frames: Int, readAhead: Int = 8) -> CacheWindow {
    CacheWindow(
      policy: CachePolicy(byteBudget: budget, readAhead: readAhead), frameBytes: frameBytes,
      frameCount: frames)
  }

  @Test("The capacity is what fits the budget, at least two pictures, at most all")
  func capacity() {
    #expect(window(budget: 1_000, frameBytes: 100, frames: 50).capacity == 10)
    #expect(window(budget: 1_099, frameBytes: 100, frames: 50).capacity == 10)
    #expect(window(budget: 1_000, frameBytes: 100, frames: 7).capacity == 7)
    #expect(window(budget: 299, frameBytes: 100, frames: 50).capacity == 2)
    #expect(window(budget: 50, frameBytes: 100, frames: 50).capacity == 2)
    #expect(window(budget: 0, frameBytes: 100, frames: 50).capacity == 2)
    #expect(window(budget: -1, frameBytes: 100, frames: 50).capacity == 2)
    #expect(window(budget: .min, frameBytes: 100, frames: 50).capacity == 2)
    #expect(window(budget: .max, frameBytes: 1, frames: 50).capacity == 50)
    #expect(window(budget: 0, frameBytes: 100, frames: 1).capacity == 1)
    #expect(window(budget: 0, frameBytes: 100, frames: 0).capacity == 0)
    #expect(window(budget: 100, frameBytes: 0, frames: 9).capacity == 9)
  }

  @Test("Wanted are the current picture, the next one and the read-ahead, as far as they fit")
  func wanted() {
    let playhead = Playhead(frame: 8, range: 0..<10)
    func wanted(_ budget: Int, _ readAhead: Int) -> [Int] {
      window(budget: budget, frameBytes: 1, frames: 10, readAhead: readAhead).wanted(at: playhead)
    }
    #expect(wanted(10, 3) == [8, 9, 0, 1])
    #expect(wanted(3, 8) == [8, 9, 0])
    #expect(wanted(0, 8) == [8, 9])
    #expect(wanted(10, 0) == [8, 9])
    #expect(wanted(10, -5) == [8, 9])
    #expect(wanted(100, 100) == [8, 9, 0, 1, 2, 3, 4, 5, 6, 7])
    #expect(wanted(100, .max) == [8, 9, 0, 1, 2, 3, 4, 5, 6, 7])
    #expect(wanted(100, .min) == [8, 9])
  }

  @Test("There is a victim only when the window is full")
  func room() {
    let window = window(budget: 3, frameBytes: 1, frames: 10)
    let playhead = Playhead(frame: 0, range: 0..<10)
    #expect(window.victim(among: [], at: playhead) == nil)
    #expect(window.victim(among: [5, 6], at: playhead) == nil)
    #expect(window.victim(among: [0, 5, 6], at: playhead) == 6)
    #expect(window.victim(among: [0, 5, 6, 9], at: playhead) == 9)
  }

  @Test("Frames that are not played go first")
  func outside() {
    let window = window(budget: 3, frameBytes: 1, frames: 10)
    let playhead = Playhead(frame: 4, direction: .reverse, range: 2..<6)
    #expect(window.victim(among: [3, 5, 9], at: playhead) == 9)
    #expect(window.victim(among: [0, 3, 5], at: playhead) == 0)
    #expect(window.victim(among: [3, 5, 4], at: playhead) == 5)
  }

  @Test(
    "The victim is the one shown last, and never a wanted one while another is missing",
    arguments: PlayheadCases.all)
  func victim(playhead: Playhead) throws {
    var random = SeededGenerator(seed: UInt64(playhead.frame * 100 + playhead.range.count))
    let count = playhead.range.upperBound + 2
    let walk = PlayheadCases.walk(playhead, steps: 40)
    for budget in 0...5 {
      let window = window(budget: budget, frameBytes: 1, frames: count, readAhead: budget % 3 + 1)
      let wanted = Set(window.wanted(at: playhead))
      #expect(wanted.count <= window.capacity)
      for _ in 0..<6 {
        let size = Int.random(in: 0...count, using: &random)
        let resident = Array((0..<count).shuffled(using: &random).prefix(size))
        guard let victim = window.victim(among: resident, at: playhead) else {
          #expect(size < window.capacity)
          continue
        }
        #expect(size >= window.capacity)
        #expect(resident.contains(victim))
        let latest = resident.map { walk.firstIndex(of: $0) ?? .max }.max()
        #expect((walk.firstIndex(of: victim) ?? .max) == latest)
        if !wanted.isSubset(of: resident) { #expect(!wanted.contains(victim)) }
      }
    }
  }
}
