import GIFDecodingTestSupport
import GIFTestSupport
import Testing

@testable import GIFDecoding

/// Pictures at another size, against area averaging in floating point.
@Suite struct FrameScalerTests {
  private struct Colour {
    var red = 0.0
    var green = 0.0
    var blue = 0.0
    var alpha = 0.0

    init() {}

    init(_ word: UInt32) {
      let bytes = UInt32(littleEndian: word)
      red = Double(bytes & 0xFF)
      green = Double(bytes >> 8 & 0xFF)
      blue = Double(bytes >> 16 & 0xFF)
      alpha = Double(bytes >> 24)
    }

    /// How far apart two colours are in the channel where they differ most.
    func distance(to other: Colour) -> Double {
      let pairs = [(red, other.red), (green, other.green), (blue, other.blue), (alpha, other.alpha)]
      return pairs.map { abs($0 - $1) }.max() ?? 0
    }
  }

  /// The mean over the part of the canvas that a target pixel covers.
  private static func mean(_ canvas: Canvas, _ size: PixelSize, x: Int, y: Int) -> Colour {
    let (width, height) = (canvas.bounds.width, canvas.bounds.height)
    let left = Double(x * width) / Double(size.width)
    let right = Double((x + 1) * width) / Double(size.width)
    let top = Double(y * height) / Double(size.height)
    let bottom = Double((y + 1) * height) / Double(size.height)
    var sum = Colour()
    var all = 0.0
    for row in Int(top)..<min(height, Int(bottom.rounded(.up))) {
      let vertical = min(bottom, Double(row + 1)) - max(top, Double(row))
      for column in Int(left)..<min(width, Int(right.rounded(.up))) {
        let weight = vertical * (min(right, Double(column + 1)) - max(left, Double(column)))
        let pixel = Colour(canvas.span[row * width + column])
        all += weight
        sum.alpha += weight * pixel.alpha
        sum.red += weight * pixel.alpha * pixel.red
        sum.green += weight * pixel.alpha * pixel.green
        sum.blue += weight * pixel.alpha * pixel.blue
      }
    }
    guard sum.alpha > 0 else { return Colour() }
    var mean = Colour()
    mean.red = sum.red / sum.alpha
    mean.green = sum.green / sum.alpha
    mean.blue = sum.blue / sum.alpha
    mean.alpha = sum.alpha / all
    return mean
  }

  private static func size(_ width: Int, _ height: Int) throws -> PixelSize {
    try #require(PixelSize(width: width, height: height))
  }

  /// A canvas drawn from a GIF, the pixels of index 0 transparent.
  private static func canvas(_ width: Int, _ height: Int, _ indices: [UInt8], palette: [RGB]) throws -> Canvas
  {
    var writer = GIFWriter(width: width, height: height, palette: palette)
    writer.graphicsControl(transparent: 0)
    writer.image(width: width, height: height, indices: indices)
    writer.trailer()
    var renderer = try FrameRenderer(try GIFImage(bytes: writer.bytes))
    let words = try renderer.frame(at: 0).pixels.words
    var canvas = Canvas(width: width, height: height)
    try canvas.restore(SavedPixels(rect: canvas.bounds, pixels: PixelMemory(copying: words.span)))
    return canvas
  }

  /// Colours far apart, and transparent pixels among them unless it is opaque.
  private static func noise(_ width: Int, _ height: Int, seed: UInt64, isOpaque: Bool = false) throws
    -> Canvas
  {
    var generator = SeededGenerator(seed: seed)
    let palette = (0..<16).map { _ in RGB(.random(in: 0...0xFF_FFFF, using: &generator)) }
    let indices = (0..<width * height).map { _ in
      UInt8.random(in: isOpaque ? 1...15 : 0...15, using: &generator)
    }
    return try canvas(width, height, indices, palette: palette)
  }

  private static func changes(_ rect: PixelRect, of canvas: Canvas) -> ChangedBlocks {
    var changes = ChangedBlocks(width: canvas.bounds.width, height: canvas.bounds.height)
    changes.insert(rect)
    return changes
  }

  private static func scaled(_ canvas: Canvas, _ size: PixelSize) throws -> [UInt32] {
    var scaler = try FrameScaler(size: size, canvas: canvas.bounds)
    _ = try scaler.update(changes(canvas.bounds, of: canvas), of: canvas)
    return scaler.words.words
  }

  private static func expectMeans(_ canvas: Canvas, _ size: PixelSize, tolerance: Double) throws {
    let words = try scaled(canvas, size)
    #expect(words.count == size.width * size.height)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let expected = mean(canvas, size, x: x, y: y)
        let found = Colour(words[y * size.width + x])
        // Of a pixel that is hardly there the colour is rounded from very little.
        guard expected.alpha > 8 else {
          #expect(abs(found.alpha - expected.alpha) <= tolerance)
          continue
        }
        #expect(
          found.distance(to: expected) <= tolerance,
          "\(canvas.bounds.width)x\(canvas.bounds.height) to \(size.width)x\(size.height) at \(x), \(y)")
      }
    }
  }

  // Borders on whole source pixels: nothing but the last rounding differs.
  @Test(arguments: [(12, 8, 6, 4), (30, 30, 3, 10), (64, 2, 1, 1), (9, 9, 9, 9), (7, 5, 7, 1)])
  func wholeRatios(width: Int, height: Int, toWidth: Int, toHeight: Int) throws {
    for seed in 0..<4 as Range<UInt64> {
      let canvas = try Self.noise(width, height, seed: seed)
      try Self.expectMeans(canvas, try Self.size(toWidth, toHeight), tolerance: 0.51)
    }
  }

  // The highest canvas there is: a first frame at the lowest place a descriptor can say, as high as it can
  // say.
  @Test(arguments: [(1, 1), (2, 1), (1, 2)]) func highestCanvas(width: Int, height: Int) throws {
    let rows = PixelSize.largestSide
    var canvas = Canvas(width: 2, height: rows)
    let words = (0..<2 * rows).map { $0 % 7 == 0 ? UInt32.max : 0xFF00_FF80 | UInt32($0 / 1000) << 16 }
    try canvas.restore(SavedPixels(rect: canvas.bounds, pixels: PixelMemory(copying: words.span)))
    try Self.expectMeans(canvas, try Self.size(width, height), tolerance: 0.51)
  }

  // Borders are rounded to 256ths of a source pixel, which moves a mean by a few steps at the most.
  @Test(arguments: 0..<40) func anyRatio(seed: UInt64) throws {
    var generator = SeededGenerator(seed: 50 + seed)
    let canvas = try Self.noise(
      .random(in: 1...40, using: &generator), .random(in: 1...40, using: &generator), seed: seed,
      isOpaque: true)
    let size = try Self.size(
      .random(in: 1...canvas.bounds.width, using: &generator),
      .random(in: 1...canvas.bounds.height, using: &generator))
    try Self.expectMeans(canvas, size, tolerance: 4)
  }

  @Test func hugeRatios() throws {
    try Self.expectMeans(try Self.noise(1000, 300, seed: 1), try Self.size(1, 1), tolerance: 0.6)
    try Self.expectMeans(try Self.noise(2000, 3, seed: 2), try Self.size(3, 2), tolerance: 1)
    try Self.expectMeans(try Self.noise(1, 3000, seed: 3), try Self.size(1, 7), tolerance: 1)
  }

  // MARK: Enlarging

  @Test(arguments: [(1, 1, 5, 3), (3, 2, 12, 8), (4, 4, 4, 40), (2, 1, 2000, 1)])
  func wholeEnlargementsKeepPixels(width: Int, height: Int, toWidth: Int, toHeight: Int) throws {
    let canvas = try Self.noise(width, height, seed: 9)
    let words = try Self.scaled(canvas, try Self.size(toWidth, toHeight))
    let expected = (0..<toHeight).flatMap { y in
      (0..<toWidth).map { x in canvas.span[y * height / toHeight * width + x * width / toWidth] }
    }
    #expect(words == expected)
  }

  // A target pixel over a border is a mixture; all others are source pixels.
  @Test func otherEnlargements() throws {
    try Self.expectMeans(try Self.noise(3, 3, seed: 4, isOpaque: true), try Self.size(7, 5), tolerance: 4)
    try Self.expectMeans(try Self.noise(10, 2, seed: 5, isOpaque: true), try Self.size(11, 3), tolerance: 4)
  }

  // MARK: Alpha

  @Test func transparentPixelsLendNoColour() throws {
    let palette: [RGB] = [0x00FF00, 0xFF0000]
    let words = try Self.scaled(
      try Self.canvas(4, 1, [0, 1, 0, 0], palette: palette), try Self.size(2, 1))
    #expect(words.map(UInt32.init(littleEndian:)) == [0x8000_00FF, 0])
  }

  @Test func nothingStaysNothing() throws {
    var canvas = Canvas(width: 31, height: 17)
    try canvas.takeMemory()
    #expect(try Self.scaled(canvas, try Self.size(4, 5)).allSatisfy { $0 == 0 })
  }

  @Test func oneColourStaysThatColour() throws {
    let canvas = try Self.canvas(37, 23, Array(repeating: 1, count: 37 * 23), palette: [0, 0x12_34_FE])
    for (width, height) in [(1, 1), (5, 7), (36, 22), (100, 99)] {
      let words = try Self.scaled(canvas, try Self.size(width, height))
      #expect(words.allSatisfy { $0 == canvas.span[0] })
    }
  }

  // MARK: Parts

  // Averaging only what has changed gives what averaging everything would.
  @Test(arguments: 0..<30) func partsAgreeWithTheWhole(seed: UInt64) throws {
    var generator = SeededGenerator(seed: 300 + seed)
    var canvas = try Self.noise(
      .random(in: 1...200, using: &generator), .random(in: 1...50, using: &generator), seed: seed)
    let size = try Self.size(.random(in: 1...60, using: &generator), .random(in: 1...60, using: &generator))
    var scaler = try FrameScaler(size: size, canvas: canvas.bounds)
    _ = try scaler.update(Self.changes(canvas.bounds, of: canvas), of: canvas)
    for _ in 0..<5 {
      let x = Int.random(in: 0..<canvas.bounds.width, using: &generator)
      let y = Int.random(in: 0..<canvas.bounds.height, using: &generator)
      let rect = PixelRect(
        x: x, y: y, width: .random(in: 1...canvas.bounds.width - x, using: &generator),
        height: .random(in: 1...canvas.bounds.height - y, using: &generator))
      try canvas.clear(rect)
      let before = scaler.words.words
      let changed = try scaler.update(Self.changes(rect, of: canvas), of: canvas)
      #expect(try scaler.words.words == Self.scaled(canvas, size))
      #expect(
        changed == CompositorAgreementTests.difference(before, scaler.words.words, width: size.width))
      let target = scaler.target(of: rect)
      #expect(!target.isEmpty && target.maxX <= size.width && target.maxY <= size.height)
    }
    #expect(scaler.target(of: .empty).isEmpty)
    var some = ChangedBlocks(width: canvas.bounds.width, height: canvas.bounds.height)
    #expect(scaler.sourceRows(of: some).isEmpty)
    some.insert(canvas.bounds)
    #expect(scaler.sourceRows(of: some) == [0..<canvas.bounds.height])
  }

  // A cache that keeps a loop at the size of a tile keeps most frames of a terminal's recording once.
  @Test func framesThatLookTheSameShareTheirMemory() throws {
    var canvas = try Self.noise(64, 64, seed: 7)
    var scaler = try FrameScaler(size: try Self.size(8, 8), canvas: canvas.bounds)
    _ = try scaler.update(Self.changes(canvas.bounds, of: canvas), of: canvas)
    let kept = scaler.words
    let nothing = ChangedBlocks(width: 64, height: 64)
    #expect(try scaler.update(nothing, of: canvas).isEmpty)
    #expect(scaler.words.block === kept.block)
    // Drawn again, but with the same colours.
    #expect(try scaler.update(Self.changes(canvas.bounds, of: canvas), of: canvas).isEmpty)
    #expect(scaler.words.block === kept.block)
    try canvas.clear(PixelRect(x: 0, y: 0, width: 8, height: 8))
    let changed = try scaler.update(Self.changes(canvas.bounds, of: canvas), of: canvas)
    #expect(changed == PixelRect(x: 0, y: 0, width: 1, height: 1))
    #expect(scaler.words.block !== kept.block && kept.words != scaler.words.words)
  }

  /// The same mean as plainly as can be, in whole numbers: every source pixel with its weight, four divisions
  /// a pixel.
  private static func plainly(_ canvas: Canvas, _ size: PixelSize) -> [UInt32] {
    /// From where to where a target column or row reaches, in 256ths of a source pixel.
    func bounds(_ index: Int, _ source: Int, _ target: Int) -> (Int, Int) {
      let start = index * source * 256 / target
      return (start, max(start + 1, (index + 1) * source * 256 / target))
    }
    var words: [UInt32] = []
    for y in 0..<size.height {
      let (top, bottom) = bounds(y, canvas.bounds.height, size.height)
      for x in 0..<size.width {
        let (left, right) = bounds(x, canvas.bounds.width, size.width)
        var (sums, opaque, all) = ([0, 0, 0], 0, 0)
        for row in top / 256...(bottom - 1) / 256 {
          for column in left / 256...(right - 1) / 256 {
            let weight =
              (min(bottom, (row + 1) * 256) - max(top, row * 256))
              * (min(right, (column + 1) * 256) - max(left, column * 256))
            let word = UInt32(littleEndian: canvas.span[row * canvas.bounds.width + column])
            all += weight
            guard word >> 24 > 0 else { continue }
            opaque += weight
            for channel in 0..<3 { sums[channel] += weight * Int(word >> (8 * UInt32(channel)) & 0xFF) }
          }
        }
        let alpha = (opaque * 255 + all / 2) / all
        let colour = alpha == 0 ? [0, 0, 0] : sums.map { ($0 + opaque / 2) / opaque }
        let word = colour[0] | colour[1] << 8 | colour[2] << 16 | alpha << 24
        words.append(UInt32(word).littleEndian)
      }
    }
    return words
  }

  /// Many pixels at once, and reciprocals in place of divisions, change nothing.
  @Test(arguments: 0..<120) func equalsThePlainMean(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let (width, height) = (
      Int.random(in: 1...70, using: &generator), Int.random(in: 1...70, using: &generator)
    )
    let canvas = try Self.noise(width, height, seed: seed, isOpaque: seed % 3 == 0)
    let size = try Self.size(.random(in: 1...80, using: &generator), .random(in: 1...40, using: &generator))
    #expect(try Self.scaled(canvas, size) == Self.plainly(canvas, size))
  }

  /// One pixel of everything, where the weights no longer fit in 32 bits and the divisor is a true one.
  @Test(arguments: [(1000, 700), (65_535, 3), (3, 65_535), (2048, 130)])
  func equalsThePlainMeanOfMuch(width: Int, height: Int) throws {
    let canvas = try Self.noise(width, height, seed: UInt64(width))
    for size in try [Self.size(1, 1), Self.size(2, 1), Self.size(1, 3)] {
      #expect(try Self.scaled(canvas, size) == Self.plainly(canvas, size))
    }
  }
}
