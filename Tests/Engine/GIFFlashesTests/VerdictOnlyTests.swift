import GIFDecoding
import GIFTestSupport
import Synchronization
import Testing

@testable import GIFFlashes

/// Verdicts on failures that are not measured.
@Suite("Flashes of which the verdict is all that is wanted")
struct VerdictOnlyTests {
  @Test("A large part that blinks fails with the seventh change, and is not measured")
  func ends() throws {
    var sample = FlashSample(width: 400, height: 300, palette: [0x000000, 0xFFFFFF])
    for place in 0..<60 { sample.fill(place < 8 ? 0 : UInt8(place % 2), delay: 5) }
    let verdict = try Verdict(sample, scale: 1)
    #expect(verdict.report == FlashReport(result: .fails, isDecoded: true))
    // Two looks at fifteen pictures; each asks, and each decoding asks again.
    #expect(verdict.questions < 60)
    #expect(try sample.report().general?.flashesPerSecond == 10)
  }

  @Test("Red flashes fail as soon")
  func red() throws {
    var sample = FlashSample(width: 400, height: 300, palette: [0xFF0000, 0x7F7F00])
    for place in 0..<60 { sample.fill(UInt8(place % 2), delay: 5) }
    let verdict = try Verdict(sample, scale: 1)
    #expect(verdict.report == FlashReport(result: .fails, isDecoded: true))
    #expect(verdict.questions < 60)
    #expect(try sample.report().red != nil)
  }

  @Test("What samples leave open ends with the picture that fails", arguments: [4.7, 10])
  func closely(scale: Double) throws {
    // Shown so large that each pixel is looked at; the second half would not fail.
    var sample = FlashSample(width: 80, height: 60, palette: [0x000000, 0xFFFFFF])
    for place in 0..<60 { sample.fill(place < 20 ? UInt8(place % 2) : 0, delay: 5) }
    let verdict = try Verdict(sample, scale: scale)
    #expect(verdict.report == FlashReport(result: .fails, isDecoded: true))
    #expect(verdict.questions < 30)
  }

  @Test("Fine patterns pass as they do where failures are measured", arguments: [0, 1, 2])
  func patterns(kind: Int) throws {
    var sample = FlashSample(width: 344, height: 256, palette: [0x000000, 0xFFFFFF])
    for place in 0..<12 {
      var generator = SeededGenerator(seed: UInt64(place))
      let indices = (0..<344 * 256).map { pixel -> UInt8 in
        let (x, y) = (pixel % 344, pixel / 344)
        return switch kind {
        case 0: UInt8((x + y + place) % 2)
        case 1: UInt8((x / 3 + y / 3 + place) % 2)
        default: UInt8.random(in: 0...1, using: &generator)
        }
      }
      sample.frames.append((indices, 5))
    }
    let verdict = try Verdict(sample, scale: 1)
    #expect(verdict.report == FlashReport(result: .passes, isDecoded: true))
    #expect(try sample.report() == verdict.report)
  }

  @Test("What is not all there fails, or is unknown")
  func partial() throws {
    for (delay, result) in [(5, FlashReport.Result.fails), (50, .unknown)] {
      let image = try FlashSample.blinking(delays: [delay, delay]).image()
      var options = FlashOptions(size: PixelSize(width: 400, height: 300), isComplete: false)
      options.isVerdictOnly = true
      #expect(try image.flashes(options).result == result)
    }
  }

  private struct Verdict {
    var report: FlashReport
    /// How often it was asked whether the verdict is still wanted.
    var questions: Int

    init(_ sample: FlashSample, scale: Double) throws {
      let asked = Mutex(0)
      report = try sample.verdict(scale: scale) {
        asked.withLock { $0 += 1 }
        return false
      }
      questions = asked.withLock { $0 }
    }
  }
}

@Suite("Changes of samples that are no fine pattern's")
struct UnbalancedChangesTests {
  @Test("A square of one direction counts, a balanced one does not")
  func squares() throws {
    // Samples of one pixel in 64: a square has four of them beside each other.
    let rig = try Rig(width: 128, height: 64)
    let found = rig.find { column, row in
      if column < 4 { return .rising }
      if column < 8 { return (column + row) % 2 == 0 ? .rising : .falling }
      // Two of a square's samples say too little.
      return column == 8 && row % 2 == 0 ? .falling : nil
    }
    #expect(found == BitRows(rig.grid) { column, _ in column < 4 })
  }

  @Test("A block that lies across the canvas' edge does not count")
  func edges() throws {
    let rig = try Rig(width: 100, height: 60)
    let found = rig.find { _, _ in .falling }
    #expect(found == BitRows(rig.grid) { column, row in column < 12 && row < 7 })
  }

  @Test("No change is none")
  func none() throws {
    #expect(try Rig(width: 64, height: 64).find { _, _ in nil } == nil)
  }

  private enum Direction { case rising, falling }

  private struct Rig {
    let grid: SampleGrid

    init(width: Int, height: Int) throws {
      grid = SampleGrid(canvas: try #require(PixelSize(width: width, height: height)), side: 8, seed: 1)
    }

    func find(_ direction: (_ column: Int, _ row: Int) -> Direction?) -> BitRows? {
      var changes = SampleChanges(grid)
      for row in 0..<grid.height {
        for column in 0..<grid.width {
          let found = direction(column, row)
          changes.note(row * grid.rowLength + column, (found == .rising, found == .falling))
        }
      }
      changes.finish()
      return UnbalancedChanges(grid).find(in: changes)
    }
  }
}
