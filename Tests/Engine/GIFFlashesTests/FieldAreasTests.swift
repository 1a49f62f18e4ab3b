import GIFDecoding
import GIFTestSupport
import Testing

@testable import GIFFlashes

/// Fields of 10 degrees, against a count of every field sample by sample.
@Suite("Areas in a field")
struct FieldAreasTests {
  @Test(
    "The fullest field decides, at each limit around what it holds",
    arguments: [(40, 30), (150, 20), (9, 70)])
  func fullest(width: Int, height: Int) throws {
    let canvas = try #require(PixelSize(width: width, height: height))
    // Shown so large that a field is 20 x 15 pixels, or so small that it holds the canvas.
    for scale in [17.05, 1] {
      let shown = try #require(
        PixelSize(width: Int(Double(width) * scale), height: Int(Double(height) * scale)))
      let grid = SampleGrid(canvas: canvas)
      let limits = ShownLimits(canvas: canvas, shown: shown, sharing: .alone)
      let areas = FieldAreas(grid, limits)
      for seed in UInt64(0)..<6 {
        var generator = SeededGenerator(seed: seed)
        let isSet = (0..<width * height).map { _ in UInt64.random(in: 0..<6, using: &generator) < seed }
        let most = Self.most(isSet, canvas, limits)
        let bits = BitRows(grid) { column, row in isSet[row * width + column] }
        for more in -2...2 {
          #expect(areas.isTooMuch(bits, limit: most + more) == (more < 0), "\(scale) \(seed) \(more)")
        }
        let fullest = areas.fullest(bits)
        let held = fullest.rows.reduce(0) { sum, row in
          sum + fullest.columns.count { isSet[row * width + $0] }
        }
        #expect(fullest.count == most && held == most)
        let field = 341 * 256 * Double(width * height) / Double(shown.width * shown.height)
        #expect(abs(areas.share(of: bits) - min(1, Double(most) / field)) < 1e-9)
      }
    }
  }

  private static func most(_ isSet: [Bool], _ canvas: PixelSize, _ limits: ShownLimits) -> Int {
    var most = 0
    for top in 0...canvas.height - limits.fieldHeight {
      for left in 0...canvas.width - limits.fieldWidth {
        let count = (top..<top + limits.fieldHeight).reduce(0) { sum, row in
          let first = row * canvas.width + left
          return sum + isSet[first..<first + limits.fieldWidth].count { $0 }
        }
        most = max(most, count)
      }
    }
    return most
  }
}
