import GIFDecoding
import GIFStage
import GIFTestSupport
import Testing

@Suite("DamageList: what is redrawn")
struct DamageListTests {
  @Test("Added rectangles are covered without overlap and within the limit")
  func random() {
    for seed in 0..<60 {
      var random = SeededGenerator(seed: UInt64(seed))
      var damage = DamageList(limit: [1, 3, 12, 96][seed % 4])
      var wanted: Set<Int> = []
      for _ in 0..<40 {
        let rect = PixelRect(
          Int.random(in: 0..<50, using: &random), Int.random(in: 0..<50, using: &random),
          Int.random(in: 0..<9, using: &random), Int.random(in: 0..<9, using: &random))
        damage.add(rect)
        for y in rect.y..<rect.maxY { for x in rect.x..<rect.maxX { wanted.insert(y * 64 + x) } }
        #expect(damage.rects.count <= damage.limit)
      }
      var covered: [Int] = []
      for rect in damage.rects {
        for y in rect.y..<rect.maxY { for x in rect.x..<rect.maxX { covered.append(y * 64 + x) } }
      }
      #expect(Set(covered).count == covered.count, "seed \(seed)")
      #expect(wanted.isSubset(of: Set(covered)), "seed \(seed)")
      #expect(damage.area == Int64(covered.count))
    }
  }

  @Test("Distant rectangles stay separate, neighbours are joined")
  func joins() {
    var damage = DamageList()
    damage.add(PixelRect(0, 0, 10, 10))
    damage.add(PixelRect(90, 90, 10, 10))
    #expect(damage.rects.count == 2)
    damage.add(PixelRect(10, 0, 10, 10))
    #expect(damage.rects.count == 2)
    #expect(damage.rects.contains(PixelRect(0, 0, 20, 10)))
  }

  @Test("Empty rectangles add nothing; taking empties the list")
  func take() {
    var damage = DamageList()
    damage.add(.empty)
    #expect(damage.isEmpty)
    damage.add(PixelRect(1, 1, 2, 2))
    #expect(damage.take() == [PixelRect(1, 1, 2, 2)])
    #expect(damage.isEmpty && damage.take().isEmpty)
  }
}
