import GIFDecoding
import GIFTestSupport
import Testing

@testable import GIFFlashes

/// What samples of one pixel in 64 say of an area: 21,824 pixels may flash, so 341 samples.
@Suite("Areas by chance samples")
struct ChanceAreasTests {
  @Test("What is of one piece needs less room below the limit than what is scattered")
  func pieces() throws {
    let rig = try Rig(seed: 0)
    #expect(!rig.mayBeTooMuch(columns: 17, rows: 18, isScattered: false))
    #expect(rig.mayBeTooMuch(columns: 18, rows: 18, isScattered: false))
    #expect(rig.mayBeTooMuch(columns: 36, rows: 17, isScattered: true))
    #expect(!rig.mayBeTooMuch(columns: 30, rows: 17, isScattered: true))
  }

  @Test("An area above the limit is not missed, whatever its shape and the places of the samples")
  func missed() throws {
    let shapes: [(_ x: Int, _ y: Int) -> Bool] = [
      { x, y in x < 148 && y < 148 },
      { x, y in (x - 90) * (x - 90) + (y - 90) * (y - 90) < 83 * 83 + 60 },
      { x, y in x % 4 == 0 && y < 256 },
      { x, y in y % 8 < 2 && x < 341 },
      { x, y in (x / 20 + y / 20) % 4 == 0 },
      Self.noise,
    ]
    for (number, shape) in shapes.enumerated() {
      let area = (0..<256).reduce(0) { sum, y in sum + (0..<341).count { shape($0, y) } }
      #expect((21_824...24_500).contains(area), "\(number): \(area)")
      for seed in UInt64(0)..<200 {
        let isFound = try Rig(seed: seed).mayBeTooMuch(pixels: shape)
        #expect(isFound, "shape \(number), seed \(seed)")
      }
    }
  }

  @Test("What is clearly above the limit has as much room above it")
  func clear() throws {
    let rig = try Rig(seed: 0)
    #expect(!rig.isClear(columns: 20, rows: 18, isScattered: false))
    #expect(rig.isClear(columns: 22, rows: 18, isScattered: false))
    #expect(!rig.isClear(columns: 40, rows: 20, isScattered: true))
    #expect(rig.isClear(columns: 42, rows: 22, isScattered: true))
  }

  @Test("No area below the limit is clearly above it, whatever its shape and the places of the samples")
  func falselyClear() throws {
    let shapes: [(_ x: Int, _ y: Int) -> Bool] = [
      { x, y in x < 147 && y < 147 },
      { x, y in (x - 90) * (x - 90) + (y - 90) * (y - 90) < 82 * 82 },
      { x, y in x % 4 == 0 && y < 252 },
      { x, y in y % 8 < 2 && x < 336 },
      { x, y in (x / 20 + y / 20) % 4 == 0 && y < 248 },
      { x, y in Self.noise(x, y) && y < 250 },
    ]
    for (number, shape) in shapes.enumerated() {
      let area = (0..<256).reduce(0) { sum, y in sum + (0..<341).count { shape($0, y) } }
      #expect((20_000...21_824).contains(area), "\(number): \(area)")
      for seed in UInt64(0)..<200 {
        let isClear = try Rig(seed: seed).isClear(pixels: shape)
        #expect(!isClear, "shape \(number), seed \(seed)")
      }
    }
  }

  /// One pixel in four.
  private static func noise(_ x: Int, _ y: Int) -> Bool {
    var generator = SeededGenerator(seed: UInt64(y * 341 + x))
    return UInt64.random(in: 0..<4, using: &generator) == 0
  }

  /// A field of 10 degrees, as large as it is shown.
  private struct Rig {
    let grid: SampleGrid
    let areas: ChanceAreas

    init(seed: UInt64) throws {
      let canvas = try #require(PixelSize(width: 341, height: 256))
      grid = SampleGrid(canvas: canvas, side: 8, seed: seed &* 0x9E37_79B9)
      areas = ChanceAreas(grid, ShownLimits(canvas: canvas, shown: canvas, sharing: .alone))
    }

    /// For a rectangle of samples, or every second one of it.
    func mayBeTooMuch(columns: Int, rows: Int, isScattered: Bool) -> Bool {
      areas.mayBeTooMuch(rectangle(columns: columns, rows: rows, isScattered: isScattered))
    }

    /// The same for what is clearly too much.
    func isClear(columns: Int, rows: Int, isScattered: Bool) -> Bool {
      isClear(rectangle(columns: columns, rows: rows, isScattered: isScattered))
    }

    private func rectangle(columns: Int, rows: Int, isScattered: Bool) -> BitRows {
      BitRows(grid) { column, row in
        let isLeftOut = isScattered && (column + row) % 2 == 1
        return column < columns && row < rows && !isLeftOut
      }
    }

    func mayBeTooMuch(pixels isSet: (_ x: Int, _ y: Int) -> Bool) throws -> Bool {
      areas.mayBeTooMuch(try hits(isSet))
    }

    func isClear(pixels isSet: (_ x: Int, _ y: Int) -> Bool) throws -> Bool {
      isClear(try hits(isSet))
    }

    private func isClear(_ samples: BitRows) -> Bool {
      areas.fullest(samples).map { areas.isClear($0.count, of: samples) } ?? false
    }

    /// The samples whose pixels are set.
    private func hits(_ isSet: (_ x: Int, _ y: Int) -> Bool) throws -> BitRows {
      let points = try #require(grid.points)
      return BitRows(grid) { column, row in
        let (x, y) = points.position(row * grid.rowLength + column)
        return isSet(x, y)
      }
    }
  }
}
