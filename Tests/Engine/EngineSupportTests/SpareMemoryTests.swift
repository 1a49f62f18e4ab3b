import EngineSupport
import GIFTestSupport
import Testing

@Suite("SpareMemory")
struct SpareMemoryTests {
  @Test("A request takes a part of the smallest range with as many bytes")
  func smallest() {
    var spare = SpareMemory(byteLimit: 1000, pageSize: 1, purgeDelay: .seconds(1), lifetime: .seconds(10))
    #expect(spare.take(1) == nil)
    #expect(spare.give(1000..<1300, at: .zero).isEmpty)
    #expect(spare.give(2000..<2200, at: .zero).isEmpty)
    #expect(spare.take(150) == 2000..<2150)
    #expect(spare.take(50) == 2150..<2200)
    #expect(spare.byteCount == 300)
  }

  @Test("A request that no range is long enough for may continue the longest one")
  func tooLong() {
    var spare = SpareMemory(byteLimit: 1000, pageSize: 1, purgeDelay: .seconds(1), lifetime: .seconds(10))
    #expect(spare.longest == nil && spare.takeLongest() == nil)
    _ = spare.give(1000..<1300, at: .zero)
    _ = spare.give(2000..<2200, at: .zero)
    #expect(spare.take(500) == nil && spare.byteCount == 500)
    #expect(spare.longest == 1000..<1300)
    #expect(spare.takeLongest() == 1000..<1300)
    #expect(spare.takeLongest() == 2000..<2200)
    #expect(spare.isEmpty)
  }

  @Test("Neighbours become one range, also across a gap that is filled")
  func neighbours() {
    var spare = SpareMemory(byteLimit: 1000, pageSize: 1, purgeDelay: .seconds(1), lifetime: .seconds(10))
    _ = spare.give(1000..<1100, at: .zero)
    _ = spare.give(1200..<1300, at: .zero)
    _ = spare.give(1100..<1200, at: .zero)
    #expect(spare.take(300) == 1000..<1300)
    #expect(spare.byteCount == 0)
  }

  @Test("Beyond the limit a range loses its end, then what was released first goes")
  func limit() {
    var spare = SpareMemory(byteLimit: 300, pageSize: 1, purgeDelay: .seconds(1), lifetime: .seconds(10))
    #expect(spare.give(1000..<1500, at: .zero) == [1300..<1500])
    #expect(spare.give(3000..<3100, at: .zero) == [1200..<1300])
    #expect(spare.give(5000..<5300, at: .zero) == [1000..<1200, 3000..<3100])
    #expect(spare.byteCount == 300)
    #expect(spare.removeAll() == [5000..<5300])
    #expect(spare.removeAll().isEmpty)
  }

  @Test("Without a limit of its own nothing is kept", arguments: [0, -5])
  func nothing(limit: Int) {
    var spare = SpareMemory(byteLimit: limit, pageSize: 1, purgeDelay: .seconds(1), lifetime: .seconds(10))
    #expect(spare.give(10..<20, at: .zero) == [10..<20])
    #expect(spare.take(5) == nil)
  }

  @Test("A limit that is no whole number of pages cuts no page", arguments: [1000, 1050, 1099])
  func wholePages(limit: Int) {
    var spare = SpareMemory(byteLimit: limit, pageSize: 100, purgeDelay: .seconds(1), lifetime: .seconds(10))
    #expect(spare.give(2000..<3100, at: .zero) == [3000..<3100])
    #expect(spare.give(5000..<5300, at: .zero) == [2700..<3000])
    #expect(spare.takeLongest() == 2000..<2700)
    #expect(spare.byteCount == 300)
  }

  @Test("What no request takes expires after one to two lifetimes")
  func lifetime() {
    var spare = SpareMemory(byteLimit: 1000, pageSize: 1, purgeDelay: .seconds(1), lifetime: .seconds(10))
    _ = spare.give(1000..<1100, at: .seconds(1), isPurged: true)
    _ = spare.give(2000..<2100, at: .seconds(4), isPurged: true)
    // In the first ten seconds there was a time when nothing was kept.
    #expect(spare.sweep(at: .seconds(11)) == SpareMemory.Sweep())
    #expect(spare.give(3000..<3100, at: .seconds(13), isPurged: true).isEmpty)
    #expect(spare.sweep(at: .seconds(20)) == SpareMemory.Sweep())
    #expect(spare.sweep(at: .seconds(21)).expired == [1000..<1100, 2000..<2100])
    #expect(!spare.isEmpty)
    #expect(spare.sweep(at: .seconds(31)).expired == [3000..<3100])
    #expect(spare.isEmpty)
    // The count starts over.
    _ = spare.give(1000..<1100, at: .seconds(90), isPurged: true)
    #expect(spare.sweep(at: .seconds(99)) == SpareMemory.Sweep())
    #expect(spare.sweep(at: .seconds(100)) == SpareMemory.Sweep())
    #expect(spare.sweep(at: .seconds(110)).expired == [1000..<1100])
  }

  @Test("Of memory in use again and again only what requests leave over expires")
  func leftOver() {
    var spare = SpareMemory(byteLimit: 1000, pageSize: 1, purgeDelay: .seconds(1), lifetime: .seconds(10))
    _ = spare.give(1000..<1900, at: .zero)
    var expired: [Range<UInt>] = []
    for second in 1...100 {
      // None is as long, which needs nothing of what is kept.
      #expect(spare.take(950) == nil)
      #expect(spare.take(600) == 1000..<1600)
      expired += spare.sweep(at: .seconds(second)).expired
      _ = spare.give(1000..<1600, at: .seconds(second))
    }
    #expect(expired == [1600..<1900])
    #expect(spare.byteCount == 600)
  }

  @Test("An idle range is purged once; what joins it makes it dirty again")
  func purge() {
    var spare = SpareMemory(byteLimit: 1000, pageSize: 1, purgeDelay: .seconds(1), lifetime: .seconds(10))
    _ = spare.give(1000..<1100, at: .seconds(1))
    _ = spare.give(2000..<2100, at: .milliseconds(1500))
    #expect(spare.sweep(at: .milliseconds(1999)).purged.isEmpty)
    #expect(spare.sweep(at: .seconds(2)).purged == [1000..<1100])
    #expect(spare.sweep(at: .seconds(3)) == SpareMemory.Sweep(purged: [2000..<2100]))
    #expect(spare.sweep(at: .seconds(4)) == SpareMemory.Sweep())
    #expect(spare.give(1100..<1200, at: .seconds(4)).isEmpty)
    #expect(spare.sweep(at: .milliseconds(4900)).purged.isEmpty)
    #expect(spare.sweep(at: .seconds(5)).purged == [1000..<1200])
  }

  @Test("A range that its owner has purged is not purged again, nor what a request leaves of it")
  func purgedBefore() {
    var spare = SpareMemory(byteLimit: 1000, pageSize: 1, purgeDelay: .seconds(1), lifetime: .seconds(10))
    _ = spare.give(1000..<1300, at: .zero, isPurged: true)
    #expect(spare.sweep(at: .seconds(1)).purged.isEmpty)
    #expect(spare.take(100) == 1000..<1100)
    #expect(spare.sweep(at: .seconds(2)).purged.isEmpty)
    #expect(spare.byteCount == 200)
  }

  @Test("Ranges in use again and again are never purged")
  func busy() {
    var spare = SpareMemory(byteLimit: 1000, pageSize: 1, purgeDelay: .seconds(1), lifetime: .seconds(10))
    _ = spare.give(1000..<1400, at: .zero)
    for step in 1..<40 {
      guard let taken = spare.take(200) else { break }
      _ = spare.give(taken, at: .milliseconds(step * 200))
      #expect(spare.sweep(at: .milliseconds(step * 200 + 100)) == SpareMemory.Sweep())
    }
    #expect(spare.byteCount == 400)
  }

  @Test("Every byte is with the system, kept, or handed out", arguments: 0..<40 as Range<UInt64>)
  func conservation(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var spare = SpareMemory(byteLimit: 400, pageSize: 1, purgeDelay: .seconds(1), lifetime: .seconds(10))
    var out: [Range<UInt>] = []
    var mapped = Set<UInt>()
    var next: UInt = 1000
    for step in 0..<400 {
      if Bool.random(using: &generator), let place = out.indices.randomElement(using: &generator) {
        let isPurged = Bool.random(using: &generator)
        for range in spare.give(out.remove(at: place), at: .seconds(step), isPurged: isPurged) {
          #expect(mapped.isSuperset(of: range))
          mapped.subtract(range)
        }
        let sweep = spare.sweep(at: .seconds(step))
        for range in sweep.expired {
          #expect(mapped.isSuperset(of: range))
          mapped.subtract(range)
        }
        for range in sweep.purged {
          #expect(mapped.isSuperset(of: range) && !out.contains { $0.overlaps(range) })
        }
      } else {
        let size = Int.random(in: 1...200, using: &generator)
        let range = spare.take(size) ?? spare.takeLongest() ?? next..<next + UInt(size)
        #expect(range.count <= size && !range.isEmpty)
        #expect(!out.contains { $0.overlaps(range) })
        mapped.formUnion(range)
        out.append(range)
        next = max(next, range.upperBound) + UInt.random(in: 0...1, using: &generator)
      }
      #expect(spare.byteCount <= 400)
      #expect(mapped.count == spare.byteCount + out.reduce(0) { $0 + $1.count })
    }
  }
}
