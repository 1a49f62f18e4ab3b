import GIFTestSupport
import Testing

@testable import GIFDecoding

/// Which pixels a frame's stored rows become, against a model that goes index by index.
@Suite struct RowPlacementTests {
  /// A frame of random size and place on a random canvas.
  private struct Sample {
    let canvas: PixelRect
    let rect: PixelRect
    let filled: Int
    let isInterlaced: Bool

    init(using generator: inout SeededGenerator) {
      canvas = PixelRect(
        x: 0, y: 0, width: .random(in: 1...20, using: &generator),
        height: .random(in: 1...20, using: &generator))
      rect = PixelRect(
        x: .random(in: 0...22, using: &generator), y: .random(in: 0...22, using: &generator),
        width: .random(in: 0...24, using: &generator), height: .random(in: 0...24, using: &generator))
      let area = Int(rect.area)
      filled = Bool.random(using: &generator) ? area : .random(in: 0...area, using: &generator)
      isInterlaced = .random(using: &generator)
    }

    func placement(fillsGaps: Bool = false) -> RowPlacement {
      RowPlacement(rect, on: canvas, filled: filled, isInterlaced: isInterlaced, fillsGaps: fillsGaps)
    }

    /// For each canvas pixel the index drawn there, or -1.
    var expected: [Int] {
      var pixels = Array(repeating: -1, count: Int(canvas.area))
      let rows = isInterlaced ? InterlacedRows.order(height: rect.height) : Array(0..<rect.height)
      for index in 0..<filled {
        let (x, y) = (rect.x + index % rect.width, rect.y + rows[index / rect.width])
        if x < canvas.width, y < canvas.height { pixels[y * canvas.width + x] = index }
      }
      return pixels
    }
  }

  private static func pixels(_ placement: RowPlacement, rows: Range<Int>, of canvas: PixelRect) -> [Int] {
    var pixels = Array(repeating: -1, count: Int(canvas.area))
    placement.forEachRun(in: rows) { first, count, pixel in
      for place in 0..<count {
        #expect(pixels[pixel + place] == -1, "a pixel is drawn once")
        pixels[pixel + place] = first + place
      }
    }
    return pixels
  }

  @Test(arguments: 0..<400) func everyIndexHasItsPlace(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let sample = Sample(using: &generator)
    let placement = sample.placement()
    guard placement.rowCount > 0 else {
      #expect(sample.expected.allSatisfy { $0 == -1 })
      return
    }
    #expect(
      Self.pixels(placement, rows: 0..<placement.rowCount, of: sample.canvas) == sample.expected)
  }

  // Any division into ranges of stored rows draws each pixel once, and the same as the whole.
  @Test(arguments: 0..<200) func rangesAreDisjoint(seed: UInt64) {
    var generator = SeededGenerator(seed: 1000 + seed)
    let sample = Sample(using: &generator)
    let placement = sample.placement()
    guard placement.rowCount > 0 else { return }
    var united = Array(repeating: -1, count: Int(sample.canvas.area))
    var start = 0
    while start < placement.rowCount {
      let end = Int.random(in: start + 1...placement.rowCount, using: &generator)
      let part = Self.pixels(placement, rows: start..<end, of: sample.canvas)
      for place in part.indices where part[place] >= 0 {
        #expect(united[place] == -1)
        united[place] = part[place]
      }
      start = end
    }
    #expect(united == sample.expected)
  }

  @Test func rowsBeyondTheFrameAreLeftOut() {
    for isInterlaced in [false, true] {
      let order = RowOrder(height: 11, isInterlaced: isInterlaced)
      var rows: [Int] = []
      order.forEachRow(in: 3..<40) { stored, row, _ in
        #expect(stored == rows.count + 3)
        rows.append(row)
      }
      let all = isInterlaced ? InterlacedRows.order(height: 11) : Array(0..<11)
      #expect(rows == Array(all.dropFirst(3)))
    }
  }

  // MARK: Bands

  private static func bands(
    width: Int, height: Int, filled: Int? = nil, isInterlaced: Bool = false, fillsGaps: Bool = false
  ) -> RowBands {
    let rect = PixelRect(x: 0, y: 0, width: width, height: height)
    return RowBands(
      RowPlacement(
        rect, on: rect, filled: filled ?? width * height, isInterlaced: isInterlaced, fillsGaps: fillsGaps))
  }

  @Test(arguments: [
    (128, 128), (127, 130), (1, 65_535), (65_535, 1), (65_535, 2), (3, 20_000), (480, 270), (5000, 5000),
  ])
  func bandsCoverAllRows(width: Int, height: Int) {
    let bands = Self.bands(width: width, height: height)
    #expect(bands.count >= 1 && bands.count <= height)
    var next = 0
    for band in 0..<bands.count {
      #expect(bands[band].lowerBound == next && !bands[band].isEmpty)
      next = bands[band].upperBound
    }
    #expect(next == height)
  }

  @Test func smallDrawingsAreNotDivided() {
    #expect(Self.bands(width: 127, height: 127).count == 1)
    #expect(Self.bands(width: 128, height: 128).count == 2)
    #expect(Self.bands(width: 1000, height: 1000).count > 50)
    // What is there counts, not what was claimed.
    #expect(Self.bands(width: 1000, height: 1000, filled: 9000).count == 1)
  }

  // Repeated rows would be written by two bands.
  @Test func gapFillingIsNotDivided() {
    #expect(Self.bands(width: 1000, height: 1000, isInterlaced: true).count > 1)
    #expect(Self.bands(width: 1000, height: 1000, isInterlaced: true, fillsGaps: true).count == 1)
  }
}
