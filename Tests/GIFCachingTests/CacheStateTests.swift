import GIFTestSupport
import Testing

@testable import GIFCaching

@Suite("CacheState")
struct CacheStateTests {
  private func state(budget: Int, frames: Int, readAhead: Int = 3) -> CacheState<String> {
    CacheState(
      window: CacheWindow(
        policy: CachePolicy(byteBudget: budget * 10, readAhead: readAhead), frameBytes: 10, frameCount: frames
      ))
  }

  /// Decodes to the end; returns the frames in the order they were made.
  private func decodeAll(_ state: inout CacheState<String>) -> [Int] {
    var made: [Int] = []
    while let frame = state.beginDecoding() {
      made.append(frame)
      state.insert("\(frame)", at: frame)
    }
    return made
  }

  @Test("Before the playhead is set nothing is to be decoded")
  func idle() {
    var state = state(budget: 9, frames: 5)
    #expect(state.nextMissing() == nil)
    #expect(state.beginDecoding() == nil)
    #expect(state.lookUp(0) == nil)
  }

  @Test("A move asks for the pool once, until the cache has left it")
  func submission() {
    var state = state(budget: 9, frames: 9, readAhead: 2)
    #expect(state.move(to: Playhead(frame: 0, range: 0..<9), request: 1) == 0)
    #expect(state.move(to: Playhead(frame: 4, range: 0..<9), request: 2) == nil)
    #expect(state.beginDecoding() == 4)
    state.insert("4", at: 4)
    #expect(state.continueDecoding() == 1)
    #expect(state.move(to: Playhead(frame: 0, range: 0..<9), request: 3) == nil)
    #expect(decodeAll(&state) == [0, 1, 2])
    // Out of the pool: with all there it stays out, else it asks again and tells how urgent it is.
    #expect(state.move(to: Playhead(frame: 0, range: 0..<9), request: 4) == nil)
    #expect(state.move(to: Playhead(frame: 1, range: 0..<9), request: 5) == 2)
    #expect(state.beginDecoding() == 3)
    state.insert("3", at: 3)
    #expect(state.continueDecoding() == nil)
    #expect(state.move(to: Playhead(frame: 7, range: 0..<9), request: 6) == 0)
  }

  @Test("A request that was overtaken is ignored")
  func oldRequests() {
    var state = state(budget: 9, frames: 9, readAhead: 1)
    _ = state.move(to: Playhead(frame: 5, range: 0..<9), request: 10)
    #expect(state.move(to: Playhead(frame: 2, range: 0..<9), request: 9) == nil)
    #expect(state.move(to: Playhead(frame: 2, range: 0..<9), request: 10) == nil)
    #expect(state.playhead.frame == 5)
    #expect(decodeAll(&state) == [5, 6])
  }

  @Test("A picture waited for counts as one miss")
  func misses() {
    var state = state(budget: 9, frames: 9)
    for _ in 0..<5 { #expect(state.lookUp(3) == nil) }
    #expect(state.statistics.misses == 1)
    state.insert("3", at: 3)
    #expect(state.lookUp(3) == "3")
    #expect(state.lookUp(3) == "3")
    #expect(state.statistics.hits == 2)
    #expect(state.lookUp(4) == nil)
    #expect(state.lookUp(5) == nil)
    #expect(state.statistics.misses == 3)
    #expect(state.statistics.hits == 2)
  }

  @Test("Room is made before the picture exists, so the budget holds at every moment")
  func room() {
    var state = state(budget: 3, frames: 9, readAhead: 5)
    var request = 0
    for frame in 0..<30 {
      request += 1
      _ = state.move(to: Playhead(frame: frame % 9, range: 0..<9), request: request)
      while let next = state.beginDecoding() {
        #expect(state.statistics.residentFrames <= 2)
        state.insert("", at: next)
      }
      #expect(state.frames.keys.sorted() == [frame % 9, (frame + 1) % 9, (frame + 2) % 9].sorted())
    }
    #expect(state.statistics.peakBytes == 30)
    #expect(state.statistics.residentBytes == 30)
    #expect(state.statistics.decodedFrames == 32)
    #expect(state.statistics.evictions == 29)
  }

  @Test("A purge keeps the current picture and rests until the playhead moves")
  func purge() {
    var state = state(budget: 5, frames: 9, readAhead: 4)
    _ = state.move(to: Playhead(frame: 2, range: 0..<9), request: 1)
    #expect(decodeAll(&state) == [2, 3, 4, 5, 6])
    state.purge()
    #expect(state.frames == [2: "2"])
    #expect(state.statistics.evictions == 4)
    #expect(state.statistics.residentBytes == 10)
    #expect(state.nextMissing() == nil)
    #expect(state.move(to: Playhead(frame: 3, range: 0..<9), request: 2) == 0)
    #expect(decodeAll(&state) == [3, 4, 5, 6, 7])
  }

  @Test("After a failure nothing more is decoded")
  func failure() {
    var state = state(budget: 5, frames: 9)
    _ = state.move(to: Playhead(frame: 2, range: 0..<9), request: 1)
    #expect(state.beginDecoding() == 2)
    state.fail()
    #expect(state.continueDecoding() == nil)
    #expect(state.statistics.decodedFrames == 0)
  }

  @Test("Invariants hold under any sequence of calls", arguments: 0..<60)
  func random(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let count = Int.random(in: 1...12, using: &random)
    let budget = Int.random(in: 0...8, using: &random)
    var state = state(budget: budget, frames: count, readAhead: .random(in: 0...6, using: &random))
    let most = max(min(2, count), min(budget, count))
    var request = 0
    var isInPool = false
    var decoding: Int?
    for round in 0..<400 {
      let note = Comment("seed \(seed) round \(round)")
      switch Int.random(in: 0..<8, using: &random) {
      case 0...2:
        let first = Int.random(in: 0..<count, using: &random)
        let range = first..<Int.random(in: first + 1...count, using: &random)
        let playhead = Playhead(
          frame: .random(in: range, using: &random),
          direction: PlayheadCases.directions[Int.random(in: 0..<4, using: &random)], range: range)
        let isNew = Int.random(in: 0..<5, using: &random) > 0
        if isNew { request += 1 }
        let urgency = state.move(to: playhead, request: request)
        // Being entered twice would have two threads decode for one cache.
        if urgency != nil { try #require(!isInPool && isNew, note) }
        if urgency != nil { isInPool = true }
        if isNew, !isInPool { try #require(state.nextMissing() == nil, note) }
      case 3...5 where isInPool && decoding == nil:
        decoding = state.beginDecoding()
        isInPool = decoding != nil
        if let frame = decoding {
          try #require(state.frames[frame] == nil, note)
          try #require(state.frames.count < most, note)
          try #require(state.window.wanted(at: state.playhead).contains(frame), note)
        }
      case 3...5:
        guard let frame = decoding else { continue }
        state.insert("\(frame)", at: frame)
        decoding = nil
        isInPool = state.continueDecoding() != nil
        try #require(isInPool == (state.nextMissing() != nil), note)
      case 6:
        let frame = Int.random(in: 0..<count, using: &random)
        let held = state.frames[frame]
        let before = state.statistics
        try #require(state.lookUp(frame) == held, note)
        try #require(state.statistics.hits == before.hits + (held == nil ? 0 : 1), note)
        if held != nil { try #require(state.statistics.misses == before.misses, note) }
      default:
        guard Int.random(in: 0..<6, using: &random) == 0 else { continue }
        state.purge()
        try #require(state.frames.count <= 1, note)
      }
      let statistics = state.statistics
      try #require(state.frames.count <= most, note)
      try #require(statistics.residentFrames == state.frames.count, note)
      try #require(statistics.residentBytes == state.frames.count * 10, note)
      try #require(
        statistics.peakBytes <= most * 10 && statistics.peakBytes >= statistics.residentBytes, note)
      try #require(statistics.decodedFrames - statistics.evictions == statistics.residentFrames, note)
      try #require(state.frames.allSatisfy { $0.value == "\($0.key)" }, note)
    }
  }
}
