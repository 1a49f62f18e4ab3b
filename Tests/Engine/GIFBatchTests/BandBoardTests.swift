import Foundation
import GIFDecodingTestSupport
import GIFTestSupport
import Synchronization
import Testing

@testable import GIFBatch
@testable import GIFDecoding

/// Drawings that several threads share are those of one thread.
@Suite(.serialized, .timeLimit(.minutes(20))) struct BandBoardTests {
  /// Indices of a frame, with the index 3 as the transparent one in half of the drawings.
  private struct Drawing {
    let decoded: DecodedFrame
    let rect: PixelRect
    let isInterlaced: Bool
    let paint: Paint

    init(canvas: PixelRect, using generator: inout SeededGenerator) throws {
      rect = PixelRect(
        x: .random(in: 0...40, using: &generator), y: .random(in: 0...40, using: &generator),
        width: .random(in: 1...canvas.width, using: &generator),
        height: .random(in: 1...canvas.height, using: &generator))
      isInterlaced = .random(using: &generator)
      let count = Int(rect.area) - (Bool.random(using: &generator) ? 0 : Int(rect.area) / 7)
      let indices = (0..<count).map { _ in UInt8.random(in: 0...7, using: &generator) }
      decoded = try DecodedFrame(decoding: indices)
      let file = (0..<24).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let table = ColorTable(PaletteLocation(offset: 0, count: 8), of: file.span, format: .rgba)
      paint = Paint(table, transparentIndex: Bool.random(using: &generator) ? 3 : nil)
    }

    func draw(on canvas: inout Canvas, sharing board: BandBoard?) throws {
      try canvas.draw(decoded.indices, rect: rect, isInterlaced: isInterlaced, paint: paint, sharing: board)
    }
  }

  @Test func nothingIsOfferedBetweenDrawings() {
    let board = BandBoard(pause: {})
    #expect(!board.hasWork)
    #expect(!board.help())
  }

  /// Draws the same on two canvases, one alone and one with `board`, and compares after each drawing.
  private static func compare(seed: UInt64, board: BandBoard) throws {
    var generator = SeededGenerator(seed: seed)
    // A descriptor can say at most 65,535 pixels in one row, and the drawings' indices are written as one
    // row.
    var alone = Canvas(width: 260, height: 250, notesChanges: true)
    var shared = alone
    for _ in 0..<8 {
      let drawing = try Drawing(canvas: alone.bounds, using: &generator)
      try drawing.draw(on: &alone, sharing: nil)
      try drawing.draw(on: &shared, sharing: board)
      #expect((0..<alone.pixelCount).allSatisfy { shared.span[$0] == alone.span[$0] })
      #expect(shared.takeChanges() == alone.takeChanges())
      #expect(!board.hasWork)
      #expect(!board.help())
    }
  }

  @Test(arguments: 0..<6) func withoutHelpers(seed: UInt64) throws {
    try Self.compare(seed: seed, board: BandBoard(pause: {}))
  }

  // Threads of their own: the test runner's must not be kept busy.
  @Test(arguments: 0..<6, [1, 3]) func withHelpers(seed: UInt64, helpers: Int) throws {
    let board = BandBoard(pause: { sched_yield() })
    let isOver = Flag()
    defer { isOver.value.store(true, ordering: .releasing) }
    for _ in 0..<helpers {
      Thread.detachNewThread {
        while !isOver.value.load(ordering: .acquiring) {
          if !board.help() { sched_yield() }
        }
      }
    }
    try Self.compare(seed: 100 + seed, board: board)
  }

  private final class Flag: Sendable {
    let value = Atomic<Bool>(false)
  }
}
