internal import GIFDecoding

/// The samples of a picture that may differ from the picture before, opaque: what is transparent shows white,
/// as on a page.
struct SampledPicture: Sendable {
  /// Neighbours in a row.
  struct Run: Sendable {
    /// The first sample, counted row by row.
    let start: Int
    let count: Int
  }

  private(set) var runs: [Run] = []
  /// The samples of all runs; red in the lowest byte.
  private(set) var pixels: [UInt32] = []

  private static let white: UInt32 = 0xFFFF_FFFF

  /// Nothing has changed.
  init() {}

  /// - Parameters:
  ///   - words: all pixels of the canvas.
  ///   - changes: the pixels that may have changed; nil for all.
  init(_ grid: SampleGrid, _ words: Span<UInt32>, changes: ChangedBlocks?) {
    guard let changes else {
      add(Run(start: 0, count: grid.width * grid.height), grid, words)
      return
    }
    for row in 0..<grid.height {
      let rows = row * grid.side..<min((row + 1) * grid.side, grid.canvas.height)
      ChangedBlocks.forEachRun(in: changes.bits(in: rows)) { blocks in
        let first = changes.grid[blocks.lowerBound].lowerBound / grid.side
        let last = (changes.grid[blocks.upperBound - 1].upperBound - 1) / grid.side
        add(Run(start: row * grid.width + first, count: last - first + 1), grid, words)
      }
    }
  }

  /// A picture that shows nothing.
  init(nothingOn grid: SampleGrid) {
    runs = [Run(start: 0, count: grid.width * grid.height)]
    pixels = Array(repeating: Self.white, count: grid.width * grid.height)
  }

  /// Calls `body` with each sample and its pixel.
  @inline(__always)
  func forEachSample(_ body: (_ sample: Int, _ pixel: UInt32) -> Void) {
    var place = 0
    for run in runs {
      for sample in run.start..<run.start + run.count {
        body(sample, pixels[place])
        place += 1
      }
    }
  }

  private mutating func add(_ run: Run, _ grid: SampleGrid, _ words: Span<UInt32>) {
    runs.append(run)
    for sample in run.start..<run.start + run.count {
      let word = words[grid.place(ofBlock: sample)]
      pixels.append(word >> 24 == 0 ? Self.white : word)
    }
  }
}
