import GIFDecodingTestSupport
import GIFTestSupport
import Testing

@testable import GIFDecoding

@Suite("PackedRows")
struct PackedRowsTests {
  private static let (width, height) = (400, 300)

  private static func picture(_ generator: inout SeededGenerator) -> [UInt32] {
    (0..<width * height).map { _ in UInt32.random(in: 1...9, using: &generator) }
  }

  private static func closedRows(of plain: [UInt32]) -> PackedRows {
    var rows = PackedRows(width: width, height: height)
    let isClosed = rows.close(plain.span)
    #expect(isClosed)
    return rows
  }

  @Test("Rows that are opened, drawn on and closed are those of a plain picture", arguments: UInt64(0)..<20)
  func sameRows(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var plain = Self.picture(&generator)
    var rows = Self.closedRows(of: plain)
    for _ in 0..<30 {
      // What was in the memory does not matter.
      var words = try PixelMemory(copying: [UInt32](repeating: 77, count: plain.count).span)
      for _ in 0..<3 {
        let first = Int.random(in: 0..<Self.height, using: &generator)
        let range = first..<Int.random(in: first + 1...Self.height, using: &generator)
        let change = [PackedRows.Change.none, .drawn, .overwritten].randomElement(using: &generator) ?? .none
        rows.open(range, for: change, &words)
        let opened = range.lowerBound * Self.width..<range.upperBound * Self.width
        if change == .overwritten {
          let drawn = [UInt32](repeating: UInt32(first), count: opened.count)
          plain.replaceSubrange(opened, with: drawn)
          words.replace(from: opened.lowerBound, count: opened.count, with: drawn.span, from: 0)
        } else if change == .drawn {
          let place = range.lowerBound * Self.width + Int.random(in: 0..<Self.width, using: &generator)
          plain[place] ^= 5
          words.replace(from: place, count: 1, with: [plain[place]].span, from: 0)
        }
        let isSame = words.isSame(as: plain, in: opened)
        try #require(isSame)
      }
      let isClosed = rows.close(words.span)
      try #require(isClosed)
    }
    var whole = try PixelMemory(count: plain.count)
    rows.open(0..<Self.height, for: .none, &whole)
    let isSame = whole.isSame(as: plain, in: 0..<plain.count)
    #expect(isSame)
    #expect(Int64(rows.byteCount) <= PackedRows.mostBytes(width: Self.width, height: Self.height))
  }

  @Test("Only rows that are asked for are written")
  func others() throws {
    var generator = SeededGenerator(seed: 3)
    let plain = Self.picture(&generator)
    var rows = Self.closedRows(of: plain)
    var words = try PixelMemory(copying: [UInt32](repeating: 77, count: plain.count).span)
    rows.open(150..<151, for: .none, &words)
    #expect(words.words[150 * Self.width..<151 * Self.width] == plain[150 * Self.width..<151 * Self.width])
    #expect(words.words.prefix(50 * Self.width).allSatisfy { $0 == 77 })
    #expect(words.words.suffix(50 * Self.width).allSatisfy { $0 == 77 })
  }

  @Test("Open bands without a change keep what is packed")
  func unchanged() throws {
    var generator = SeededGenerator(seed: 4)
    let plain = Self.picture(&generator)
    var rows = Self.closedRows(of: plain)
    var words = try PixelMemory(count: plain.count)
    rows.open(0..<Self.height, for: .none, &words)
    var blocks = ChangedBlocks(width: Self.width, height: Self.height)
    blocks.insert(PixelRect(x: 7, y: 150, width: 1, height: 1))
    rows.change(0..<Self.height, where: blocks)
    // Only the band with the changed pixel is packed again: what is in the others now does not count.
    let isClosedAgain = rows.close([UInt32](repeating: 9, count: plain.count).span)
    #expect(isClosedAgain)
    rows.open(0..<Self.height, for: .none, &words)
    #expect(words.words[150 * Self.width..<151 * Self.width].allSatisfy { $0 == 9 })
    #expect(words.words.prefix(50 * Self.width) == plain.prefix(50 * Self.width))
    #expect(words.words.suffix(50 * Self.width) == plain.suffix(50 * Self.width))
  }

  @Test("A band of too many colours is refused, and the others stay closed")
  func rich() {
    let plain = (0..<UInt32(Self.width * Self.height)).map { $0 < 60_000 ? $0 &* 0x9E37_79B1 : 1 }
    var rows = PackedRows(width: Self.width, height: Self.height)
    let isClosed = rows.close(plain.span)
    #expect(!isClosed)
  }

  @Test(
    "The greatest size counts every band", arguments: [(1, 1), (16_384, 3), (70_000, 2), (100, 1000), (0, 0)])
  func mostBytes(width: Int, height: Int) {
    let most = PackedRows.mostBytes(width: width, height: height)
    #expect(most >= Int64(width * height))
    #expect(most <= Int64(width * height) * 11 / 10 + Int64(2 * 1036 * max(1, height)))
  }
}
