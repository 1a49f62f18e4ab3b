import GIFDecodingTestSupport
import GIFTestSupport
import Testing

@testable import GIFDecoding

@Suite("Changed blocks of a canvas")
struct ChangedBlocksTests {
  @Test("At most 64 blocks cover a row", arguments: [1, 15, 16, 17, 1024, 1025, 2048, 2049, 65_535, 131_070])
  func grid(width: Int) {
    let grid = ChangedBlocks.Grid(width: width)
    #expect((1...64).contains(grid.count))
    #expect(grid.shift == 4 || (width - 1) >> (grid.shift - 1) > 63)
    #expect((0..<grid.count).flatMap { Array(grid[$0]) } == Array(0..<width))
    #expect(grid.bits(of: 0..<width).nonzeroBitCount == grid.count)
  }

  @Test("A range of pixels has the bits of the blocks that it touches", arguments: UInt64(0)..<20)
  func bits(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let width = Int.random(in: 1...3000, using: &generator)
    let grid = ChangedBlocks.Grid(width: width)
    let first = Int.random(in: 0..<width, using: &generator)
    let pixels = first..<Int.random(in: first + 1...width, using: &generator)
    for block in 0..<grid.count {
      #expect((grid.bits(of: pixels) >> UInt64(block) & 1 == 1) == grid[block].overlaps(pixels))
    }
  }

  @Test("A rectangle changes its own rows")
  func rectangle() {
    var blocks = ChangedBlocks(width: 100, height: 6)
    blocks.insert(.empty)
    #expect(blocks.rows == [0, 0, 0, 0, 0, 0])
    blocks.insert(PixelRect(x: 15, y: 1, width: 2, height: 2))
    blocks.insert(PixelRect(x: 99, y: 2, width: 1, height: 2))
    #expect(blocks.rows == [0, 0b11, 0b100_0011, 0b100_0000, 0, 0])
    #expect(blocks.bits(in: 0..<1) == 0)
    #expect(blocks.bits(in: 1..<4) == 0b100_0011)
  }

  @Test(
    "Runs of blocks are found",
    arguments: [
      (0, []), (1, [0..<1]), (0b1101, [0..<1, 2..<4]), (1 << 63, [63..<64]), (.max, [0..<64]),
      (.max << 60 | 0b10, [1..<2, 60..<64]),
    ] as [(UInt64, [Range<Int>])])
  func runs(bits: UInt64, runs: [Range<Int>]) {
    var found: [Range<Int>] = []
    ChangedBlocks.forEachRun(in: bits) { found.append($0) }
    #expect(found == runs)
  }

  // MARK: Drawing

  /// Indices decoded from a GIF of one frame, few colours in runs of any length; index 3 is transparent in
  /// most.
  private struct Drawing {
    let decoded: DecodedFrame
    let rect: PixelRect
    let isInterlaced: Bool
    let paint: Paint

    init(canvas: PixelRect, using generator: inout SeededGenerator) throws {
      rect = PixelRect(
        x: .random(in: -5...canvas.width - 1, using: &generator), y: .random(in: -5...9, using: &generator),
        width: .random(in: 6...canvas.width, using: &generator),
        height: .random(in: 6...12, using: &generator))
      isInterlaced = .random(using: &generator)
      var indices: [UInt8] = []
      let longest = [2, 30, 200].randomElement(using: &generator) ?? 1
      while indices.count < Int(rect.area) {
        let index = UInt8([3, 3, 1, 2].randomElement(using: &generator) ?? 0)
        indices += Array(repeating: index, count: .random(in: 1...longest, using: &generator))
      }
      indices = Array(indices.prefix(Int(rect.area) - (Bool.random(using: &generator) ? 0 : 9)))
      decoded = try DecodedFrame(decoding: indices)
      let colors: [UInt8] = [0, 0, 0, 255, 0, 0, 255, 0, 0, 0, 255, 0]
      let table = ColorTable(PaletteLocation(offset: 0, count: 4), of: colors.span, format: .rgba)
      paint = Paint(table, transparentIndex: Int.random(in: 0..<4, using: &generator) > 0 ? 3 : nil)
    }

    func draw(on canvas: inout Canvas) throws {
      try canvas.draw(decoded.indices, rect: rect, isInterlaced: isInterlaced, paint: paint)
    }
  }

  @Test("Exactly the blocks in which a drawing changes a pixel are noted", arguments: UInt64(0)..<40)
  func drawings(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let width = Int.random(in: 6...1200, using: &generator)
    var plain = Canvas(width: width, height: 14)
    var noting = Canvas(width: width, height: 14, notesChanges: true)
    try plain.takeMemory()
    try noting.takeMemory()
    let whole = ChangedBlocks.Grid(width: width).bits(of: 0..<width)
    let first = noting.takeChanges()
    #expect(first?.rows == Array(repeating: whole, count: 14))
    for _ in 0..<12 {
      let drawing = try Drawing(canvas: plain.bounds, using: &generator)
      let before = plain
      try drawing.draw(on: &plain)
      try drawing.draw(on: &noting)
      var expected = ChangedBlocks(width: width, height: 14)
      for place in 0..<width * 14 {
        try #require(noting.span[place] == plain.span[place])
        guard plain.span[place] != before.span[place] else { continue }
        expected.insert(PixelRect(x: place % width, y: place / width, width: 1, height: 1))
      }
      // A frame that lies beside the canvas notes nothing.
      let noted = noting.takeChanges() ?? ChangedBlocks(width: width, height: 14)
      #expect(noted == expected)
    }
    let none = (noting.takeChanges(), plain.takeChanges())
    #expect(none.0 == nil && none.1 == nil)
  }

  @Test("A drawing on blocks that have changed already is complete, and leaves them noted")
  func notedBefore() throws {
    var generator = SeededGenerator(seed: 5)
    var plain = Canvas(width: 333, height: 14)
    var noting = Canvas(width: 333, height: 14, notesChanges: true)
    try plain.takeMemory()
    try noting.takeMemory()
    for _ in 0..<20 {
      let drawing = try Drawing(canvas: plain.bounds, using: &generator)
      try drawing.draw(on: &plain)
      try drawing.draw(on: &noting)
      #expect((0..<333 * 14).allSatisfy { noting.span[$0] == plain.span[$0] })
    }
    let whole = ChangedBlocks.Grid(width: 333).bits(of: 0..<333)
    let changes = noting.takeChanges()
    #expect(changes?.rows == Array(repeating: whole, count: 14))
  }

  @Test("Clearing and restoring change all their pixels")
  func rectangles() throws {
    var canvas = Canvas(width: 40, height: 3, notesChanges: true)
    _ = canvas.takeChanges()
    let saved = try canvas.copy(PixelRect(x: 0, y: 0, width: 20, height: 1))
    try canvas.clear(PixelRect(x: 30, y: 2, width: 99, height: 99))
    try canvas.restore(saved)
    let changes = canvas.takeChanges()
    #expect(changes?.rows == [0b11, 0, 0b110])
  }
}
