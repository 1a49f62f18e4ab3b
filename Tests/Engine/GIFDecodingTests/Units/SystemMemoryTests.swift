import GIFTestSupport
import Glibc
import Testing

@testable import GIFDecoding

@Suite("Memory that may be refused")
struct SystemMemoryTests {
  /// More than any address space has.
  private static let tooMuch = 1 << 60

  @Test("What no system has is refused, and named in the error")
  func refusal() {
    #expect(SystemMemory(byteCount: Self.tooMuch) == nil)
    #expect(SystemMemory(byteCount: .max) == nil)
    #expect(!SystemMemory.grants(Self.tooMuch))
    #expect(throws: GIFError(.outOfMemory, value: Int64(Self.tooMuch))) {
      _ = try PixelMemory(unwrittenCount: Self.tooMuch / 4)
    }
    #expect(throws: GIFError(.outOfMemory, value: .max)) { _ = try PixelMemory(count: .max) }
    var plane = IndexPlane()
    #expect(throws: GIFError.self) { try plane.makeRoom(for: Self.tooMuch) }
    #expect(plane.capacity == 0 && plane.indices.count == 0)
  }

  @Test("Memory that is only asked for takes no pages")
  func require() throws {
    #expect(throws: GIFError(.outOfMemory, value: Int64(Self.tooMuch))) {
      try SystemMemory.require(Self.tooMuch)
    }
    let before = Self.pageFaults
    try SystemMemory.require(256 << 20)
    // Written at once, it takes at least 128, of two megabytes each.
    #expect(Self.pageFaults - before < 64)
  }

  /// Of the calling thread so far, by RUSAGE_THREAD, which Swift's Glibc module leaves out.
  private static var pageFaults: Int {
    var usage = rusage()
    unsafe getrusage(1, &usage)
    return usage.ru_minflt
  }

  @Test("A plane that gets no room keeps the frames before", arguments: [10, 50_000])
  func planeKeepsFrames(count: Int) throws {
    var plane = IndexPlane()
    try plane.makeRoom(for: count)
    let indices = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    plane.copy(indices.span, to: 0)
    plane.filled = count
    let place = plane.keep()
    #expect(throws: GIFError.self) { try plane.makeRoom(for: Self.tooMuch) }
    #expect(plane[place].count == count)
    #expect((0..<count).allSatisfy { plane[place][$0] == indices[$0] })
    // The next frame's room moves them.
    try plane.makeRoom(for: 100_000)
    #expect((0..<count).allSatisfy { plane[place][$0] == indices[$0] })
  }

  @Test("Copies of a plane do not see each other's indices")
  func copies() throws {
    var plane = IndexPlane()
    try plane.makeRoom(for: 3)
    plane.copy([1, 2, 3].span, to: 0)
    plane.filled = 3
    let before = plane
    try plane.makeRoom(for: 3)
    plane.copy([7, 8, 9].span, to: 0)
    plane.filled = 3
    #expect((0..<3).map { before.indices[$0] } == [1, 2, 3])
    #expect((0..<3).map { plane.indices[$0] } == [7, 8, 9])
    let compact = try #require(before.compacted())
    #expect((0..<3).map { compact.indices[$0] } == [1, 2, 3])
    #expect(compact.heldBytes == 3)
  }

  @Test(
    "Fresh pages are zero, recycled ones are cleared for transparent pixels", arguments: [100, 5000, 90_000])
  func transparent(count: Int) throws {
    for _ in 0..<3 {
      var pixels = try PixelMemory(count: count)
      #expect((0..<count).allSatisfy { pixels.span[$0] == 0 })
      unsafe pixels.withUnsafeMutableBytes { unsafe $0.initializeMemory(as: UInt8.self, repeating: 0xAB) }
    }
  }
}

@Suite("Spare pages")
struct SparePagesTests {
  private static let page = 4096

  private func entry(_ place: Int, pages: Int, milliseconds: Int = 0) -> SparePages.Entry {
    SparePages.Entry(
      start: UInt(place) << 32, size: pages * Self.page, time: .milliseconds(milliseconds))
  }

  @Test("Pages serve a request of their size, those released last first")
  func take() {
    var spare = SparePages()
    for (place, pages) in [(1, 3), (2, 3), (3, 2)] { #expect(spare.give(entry(place, pages: pages)).isEmpty) }
    #expect(spare.byteCount == 8 * Self.page)
    #expect(spare.take(Self.page) == nil)
    #expect(spare.take(3 * Self.page) == entry(2, pages: 3))
    #expect(spare.take(3 * Self.page) == entry(1, pages: 3))
    #expect(spare.take(3 * Self.page) == nil)
    #expect(spare.byteCount == 2 * Self.page)
  }

  @Test("A request takes the smallest that has room, and at most a quarter more")
  func fit() {
    var spare = SparePages()
    for (place, pages) in [(1, 26), (2, 24), (3, 25), (4, 19)] {
      #expect(spare.give(entry(place, pages: pages)).isEmpty)
    }
    #expect(spare.take(20 * Self.page) == entry(2, pages: 24))
    #expect(spare.take(20 * Self.page) == entry(3, pages: 25))
    #expect(spare.take(20 * Self.page) == nil)
  }

  @Test("Beyond the limit what was released first is unmapped")
  func limit() {
    var spare = SparePages()
    #expect(spare.limit(to: 30 * Self.page, for: nil).isEmpty)
    for place in 1...3 { #expect(spare.give(entry(place, pages: 10)).isEmpty) }
    #expect(spare.give(entry(4, pages: 10)) == [entry(1, pages: 10)])
    #expect(spare.limit(to: 12 * Self.page, for: nil) == [entry(2, pages: 10), entry(3, pages: 10)])
    #expect(spare.byteCount == 10 * Self.page)
    #expect(spare.take(10 * Self.page) == entry(4, pages: 10))
  }

  @Test("With a lifetime, a release or request unmaps what no request took for longer")
  func lifetime() {
    var spare = SparePages()
    #expect(spare.limit(to: 30 * Self.page, for: .milliseconds(40)).isEmpty)
    for place in 1...3 {
      #expect(spare.give(entry(place, pages: 2, milliseconds: 20 * place)).isEmpty)
    }
    let expired = [1, 2].map { entry($0, pages: 2, milliseconds: 20 * $0) }
    #expect(spare.give(entry(4, pages: 2, milliseconds: 85)) == expired)
    #expect(spare.byteCount == 4 * Self.page)
    // A request asks so.
    #expect(spare.dropExcess(at: .milliseconds(100)).isEmpty)
    #expect(spare.dropExcess(at: .milliseconds(101)) == [entry(3, pages: 2, milliseconds: 60)])
    #expect(spare.dropExcess(at: .seconds(1)) == [entry(4, pages: 2, milliseconds: 85)])
    #expect(spare.byteCount == 0)
  }

  @Test("A range that would fill more than half of what is kept is unmapped at once")
  func large() {
    var spare = SparePages()
    let large = SparePages.Entry(start: 1 << 32, size: spare.limit)
    #expect(spare.give(large) == [large])
    #expect(spare.byteCount == 0)
  }

  @Test("No more entries are kept than a request may look through")
  func entries() {
    var spare = SparePages()
    var dropped = 0
    for place in 1...100 { dropped += spare.give(entry(place, pages: 4)).count }
    #expect(dropped == 100 - SparePages.mostEntries)
    #expect(spare.removeAll().count == SparePages.mostEntries)
    #expect(spare.byteCount == 0 && spare.removeAll().isEmpty)
  }
}
