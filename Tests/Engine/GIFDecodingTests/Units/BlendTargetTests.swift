import CVectorBlend
import GIFTestSupport
import Testing

@testable import GIFDecoding

@Suite("Drawing rows of indices")
struct BlendTargetTests {
  /// A canvas of three rows and indices to draw in the middle one.
  private struct Row {
    let width: Int
    let indices: [UInt8]
    let first: Int
    let columns: Range<Int>
    let colors: [UInt32]
    let transparentIndex: UInt8?
    let pixels: [UInt32]
    let notes: UInt64

    init(using generator: inout SeededGenerator) {
      // Rows as wide as a canvas may be have the largest blocks.
      let isWide = Int.random(in: 0..<40, using: &generator) == 0
      width = .random(in: 1...(isWide ? 131_070 : 2000), using: &generator)
      let start = Int.random(in: 0..<width, using: &generator)
      let longest = [5, 70, 300, min(width, 3000)].randomElement(using: &generator) ?? 1
      columns = start..<min(width, start + .random(in: 0...longest, using: &generator))
      first = .random(in: 0...90, using: &generator)
      let kinds = [1, 2, 5, 256].randomElement(using: &generator) ?? 1
      let length = [1, 9, 150].randomElement(using: &generator) ?? 1
      var indices: [UInt8] = []
      while indices.count < first + columns.count {
        let index = UInt8(Int.random(in: 0..<kinds, using: &generator) * 255 / max(1, kinds - 1))
        indices += Array(repeating: index, count: .random(in: 1...length, using: &generator))
      }
      self.indices = Array(indices.prefix(first + columns.count))
      transparentIndex = [nil, 0, 255, self.indices.last].randomElement(using: &generator) ?? nil
      var colors = (0..<256).map { _ in UInt32.random(in: 0...0xFF_FFFF, using: &generator) | 0xFF00_0000 }
      if let transparentIndex { colors[Int(transparentIndex)] = 0 }
      self.colors = colors
      // In every second row most pixels have the colour that they are to get; others are transparent.
      let pattern = (0..<61).map { _ in
        Int.random(in: 0...3, using: &generator) == 0 ? 0 : colors.randomElement(using: &generator) ?? 0
      }
      var pixels = (0..<3 * width).map { pattern[$0 % 61] }
      if Bool.random(using: &generator) {
        let changes = Int.random(in: 0...2, using: &generator)
        for (column, index) in zip(columns, self.indices.dropFirst(first)) {
          pixels[width + column] = colors[Int(index)]
        }
        for _ in 0..<changes {
          guard let column = columns.randomElement(using: &generator) else { break }
          pixels[width + column] = 0xFF12_3456
        }
      }
      self.pixels = pixels
      notes = [0, 1, .max].randomElement(using: &generator) ?? 0
    }

    /// The pixels and the notes of the three rows after drawing.
    func drawn(withVectors: Bool, isNoting: Bool, replaces: Bool) -> (pixels: [UInt32], notes: [UInt64]) {
      var pixels = pixels
      var rows = [notes, notes, notes]
      unsafe pixels.withUnsafeMutableBytes { pixels in
        unsafe rows.withUnsafeMutableBufferPointer { rows in
          unsafe indices.withUnsafeBytes { indices in
            unsafe colors.withUnsafeBufferPointer { colors in
              guard let source = indices.baseAddress, let table = colors.baseAddress,
                let target = pixels.baseAddress
              else { return }
              unsafe withVectorTable(of: table, drawing: withVectors ? .max : 0) { vectorTable in
                let notes = unsafe ChangeNotes(rows: rows, grid: ChangedBlocks.Grid(width: width))
                unsafe BlendTarget(
                  indices: source, indexCount: indices.count, colors: table, pixels: target,
                  pixelCount: pixels.count / 4, keptIndex: replaces ? nil : transparentIndex,
                  clearedIndex: replaces ? transparentIndex : nil, vectorTable: vectorTable,
                  notes: isNoting ? notes : nil
                ).blendRow(from: first, count: columns.count, to: width + columns.lowerBound)
              }
            }
          }
        }
      }
      return (pixels, rows)
    }

    /// The same by the rule, pixel by pixel.
    func expected(isNoting: Bool, replaces: Bool) -> (pixels: [UInt32], notes: [UInt64]) {
      let grid = ChangedBlocks.Grid(width: width)
      var (pixels, rows) = (pixels, [notes, notes, notes])
      for (column, index) in zip(columns, indices.dropFirst(first))
      where replaces || index != transparentIndex {
        let place = width + column
        if isNoting, pixels[place] != colors[Int(index)] { rows[1] |= grid.bits(of: column..<column + 1) }
        pixels[place] = colors[Int(index)]
      }
      return (pixels, rows)
    }
  }

  @Test(
    "Rows are drawn pixel by pixel, and nothing beside them",
    arguments: [(false, false), (true, false), (false, true)])
  func rows(isNoting: Bool, replaces: Bool) throws {
    try check(withVectors: false, isNoting: isNoting, replaces: replaces)
  }

  @Test(
    "The processor's vectors draw the same", .enabled(if: vector_blend_is_available()),
    arguments: [(false, false), (true, false), (false, true)])
  func vectors(isNoting: Bool, replaces: Bool) throws {
    try check(withVectors: true, isNoting: isNoting, replaces: replaces)
  }

  private func check(withVectors: Bool, isNoting: Bool, replaces: Bool) throws {
    var generator = SeededGenerator(seed: 31)
    var unchanged = 0
    for _ in 0..<200 {
      let row = Row(using: &generator)
      let drawn = row.drawn(withVectors: withVectors, isNoting: isNoting, replaces: replaces)
      let expected = row.expected(isNoting: isNoting, replaces: replaces)
      try #require(drawn.pixels == expected.pixels)
      try #require(drawn.notes == expected.notes)
      if row.columns.count > 64, expected.pixels == row.pixels { unchanged += 1 }
    }
    #expect(unchanged > 10, "drawn pixels and changed ones are told apart")
  }

  @Test(
    "A table for vectors has the three colour bytes one channel behind the other",
    .enabled(if: vector_blend_is_available()))
  func table() {
    let colors = (0..<256).map { UInt32($0) &* 0x9E37_79B9 }
    unsafe colors.withUnsafeBufferPointer { colors in
      guard let start = colors.baseAddress else { return }
      unsafe withVectorTable(of: start, drawing: .max) { table in
        guard let table = unsafe table else {
          Issue.record("the processor has the instructions")
          return
        }
        for index in 0..<256 {
          for channel in 0..<3 {
            let byte = UInt8(truncatingIfNeeded: unsafe colors[index] >> UInt32(channel * 8))
            unsafe #expect(table[channel * 256 + index] == byte)
          }
        }
      }
    }
  }
}
