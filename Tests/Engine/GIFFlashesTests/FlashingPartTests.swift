import GIFDecoding
import GIFTestSupport
import Testing

@testable import GIFFlashes

/// Samples of one pixel in 64: a square of 32 pixels has four beside and below each other.
@Suite("The part of a canvas that most likely fails by itself")
struct FlashingPartTests {
  @Test("It has the squares in which most samples flash, as many as are enough")
  func fullestSquares() throws {
    let rig = try Rig(width: 400, height: 300)
    let part = rig.part(ample: 20) { column, row in
      switch (column / 4, row / 4) {
      case (3, 2): true
      case (4, 2): column % 2 == 0
      case (0, 0): column == row
      default: false
      }
    }
    #expect(part.rect == PixelRect(x: 96, y: 64, width: 64, height: 32))
    for row in [0, 31] { #expect(part.columns(inRow: row) == [0..<32, 32..<64]) }
    #expect(part.time == 700 && part.isRed)
  }

  @Test("Squares between them are left out")
  func gaps() throws {
    let rig = try Rig(width: 400, height: 300)
    let part = rig.part(ample: 33) { column, row in
      [[1, 1], [3, 1], [2, 3]].contains([column / 4, row / 4])
    }
    #expect(part.rect == PixelRect(x: 32, y: 32, width: 96, height: 96))
    #expect(part.columns(inRow: 0) == [0..<32, 64..<96])
    #expect(part.columns(inRow: 32).isEmpty)
    #expect(part.columns(inRow: 95) == [32..<64])
  }

  @Test("It ends with the canvas")
  func edges() throws {
    let part = try Rig(width: 100, height: 70).part(ample: 1_000) { _, _ in true }
    #expect(part.rect == PixelRect(x: 0, y: 0, width: 100, height: 70))
    #expect(part.columns(inRow: 69) == [0..<32, 32..<64, 64..<96, 96..<100])
  }

  @Test("What flashes outside of the field is left out")
  func field() throws {
    let rig = try Rig(width: 400, height: 300)
    let part = rig.part(ample: 1_000, field: (4..<8, 8..<16)) { _, _ in true }
    #expect(part.rect == PixelRect(x: 32, y: 64, width: 32, height: 64))
  }

  private struct Rig {
    let grid: SampleGrid

    init(width: Int, height: Int) throws {
      grid = SampleGrid(canvas: try #require(PixelSize(width: width, height: height)), side: 8, seed: 1)
    }

    func part(
      ample: Int, field: (Range<Int>, Range<Int>)? = nil, where isSet: (_ column: Int, _ row: Int) -> Bool
    ) -> FlashingPart {
      let samples = BitRows(grid, where: isSet)
      let (columns, rows) = field ?? (0..<grid.width, 0..<grid.height)
      let suspicion = FlashScreen.Suspicion(
        field: FieldAreas.Field(count: samples.count, columns: columns, rows: rows), samples: samples,
        time: 700)
      return FlashingPart(suspicion, of: grid, ample: ample, isRed: true)
    }
  }
}
