import GIFDecodingTestSupport
import GIFTestSupport
import Testing

@testable import GIFDecoding

/// The small values of the model: disposal, delays, loop counts, pixel formats, palettes.
@Suite struct ModelTests {
  // Three stored bits, all of them.
  @Test(
    "A size fits into bounds in its own shape and never grows",
    arguments: [
      (400, 300, 100, 100, 100, 75), (300, 400, 100, 100, 75, 100), (40, 30, 100, 100, 40, 30),
      (1000, 1, 10, 10, 10, 1), (1, 1000, 10, 10, 1, 10), (131_070, 131_070, 1, 131_070, 1, 1),
    ])
  func fitting(
    _ width: Int, _ height: Int, _ boundWidth: Int, _ boundHeight: Int, _ fitWidth: Int, _ fitHeight: Int
  ) throws {
    let size = try #require(PixelSize(width: width, height: height))
    let bounds = try #require(PixelSize(width: boundWidth, height: boundHeight))
    #expect(size.fitting(bounds) == PixelSize(width: fitWidth, height: fitHeight))
  }

  @Test(
    arguments: zip(
      0...7,
      [
        .keep, .keep, .background, .previous, .previous, .keep, .keep, .keep,
      ] as [Disposal])) func disposal(bits: UInt8, expected: Disposal)
  {
    #expect(Disposal(stored: bits) == expected)
  }

  // As browsers play: 100 ms up to one hundredth, from there on as stored, for every delay a file can hold.
  @Test func browserDelay() {
    #expect(DelayPolicy.browser.milliseconds(centiseconds: 0) == 100)
    #expect(DelayPolicy.browser.milliseconds(centiseconds: 1) == 100)
    #expect((2...65535).allSatisfy { DelayPolicy.browser.milliseconds(centiseconds: $0) == $0 * 10 })
    #expect((0...65535).allSatisfy { DelayPolicy.encoded.milliseconds(centiseconds: $0) == $0 * 10 })
  }

  @Test func otherDelayPolicies() {
    let least = DelayPolicy.minimum(.milliseconds(45))
    #expect([0, 1, 4, 5, 6, 65535].map(least.milliseconds) == [45, 45, 45, 50, 60, 655_350])
    #expect(DelayPolicy.minimum(.milliseconds(-5)).milliseconds(centiseconds: 0) == 0)
    let constant = DelayPolicy.constant(.milliseconds(33))
    #expect([0, 1, 500].map(constant.milliseconds) == [33, 33, 33])
    #expect(DelayPolicy.constant(.milliseconds(-1)).milliseconds(centiseconds: 7) == 0)
  }

  // The duration is the sum of the frames' times under the same policy.
  @Test func duration() throws {
    var gif = GIFWriter(width: 1, height: 1, palette: Letters.palette)
    for delay in [0, 1, 2, 50] { gif.frame("R", delay: delay) }
    gif.trailer()
    let image = try GIFImage(bytes: gif.bytes)
    #expect(image.durationMilliseconds() == 100 + 100 + 20 + 500)
    #expect(image.durationMilliseconds(.encoded) == 530)
    #expect(image.durationMilliseconds(.minimum(.milliseconds(30))) == 30 + 30 + 30 + 500)
    #expect(image.durationMilliseconds(.constant(.milliseconds(7))) == 28)
  }

  @Test func loopCount() {
    #expect(LoopCount(storedRepetitions: 0) == .forever)
    #expect((1...65535).allSatisfy { LoopCount(storedRepetitions: $0) == .plays($0 + 1) })
  }

  // The order of bytes in memory is what the format says, whatever the machine's.
  @Test func pixelFormatInMemory() {
    func bytes(_ word: UInt32) -> [UInt8] {
      let buffer = PixelBuffer(width: 1, height: 1, format: .rgba, words: [word])
      return unsafe buffer.withUnsafeBytes { unsafe Array($0) }
    }
    #expect(bytes(PixelFormat.rgba.opaque(red: 1, green: 2, blue: 3)) == [1, 2, 3, 255])
    #expect(bytes(PixelFormat.bgra.opaque(red: 1, green: 2, blue: 3)) == [3, 2, 1, 255])
  }

  // A buffer is addressed by column and row, and hands out all of its bytes and errors.
  @Test func pixelBuffer() {
    let buffer = PixelBuffer(width: 3, height: 2, format: .bgra, words: [10, 11, 12, 13, 14, 15])
    #expect((0..<2).map { y in (0..<3).map { x in buffer[x, y] } } == [[10, 11, 12], [13, 14, 15]])
    #expect(buffer.byteCount == 24)
    #expect(buffer.span.count == 6)
    #expect(buffer.span[4] == 14)
    let count = unsafe buffer.withUnsafeBytes { $0.count }
    #expect(count == 24)
    #expect(throws: GIFError(.emptyFile)) { try Self.fail(with: buffer) }
  }

  private static func fail(with buffer: PixelBuffer) throws(GIFError) {
    try unsafe buffer.withUnsafeBytes { _ throws(GIFError) in throw GIFError(.emptyFile) }
  }

  // Always 256 colours: those of the palette, and opaque black for all others, also for what the file cuts
  // off.
  @Test func colorTable() {
    let file: [UInt8] = [9, 9] + (1...12).map { UInt8($0) }
    let black: UInt32 = 0xFF00_0000
    let four: [UInt32] = [0xFF03_0201, 0xFF06_0504, 0xFF09_0807, 0xFF0C_0B0A]
    func table(_ location: PaletteLocation?, _ format: PixelFormat = .rgba) -> [UInt32] {
      ColorTable(location, of: file.span, format: format).colors
    }
    #expect(table(nil) == Array(repeating: black, count: 256))
    #expect(
      table(PaletteLocation(offset: 2, count: 2)) == Array(four[..<2]) + Array(repeating: black, count: 254))
    #expect(table(PaletteLocation(offset: 2, count: 4)) == four + Array(repeating: black, count: 252))
    #expect(
      table(PaletteLocation(offset: 5, count: 256)) == Array(four[1...]) + Array(repeating: black, count: 253)
    )
    #expect(table(PaletteLocation(offset: 13, count: 2)) == Array(repeating: black, count: 256))
    #expect(table(PaletteLocation(offset: 2, count: 2), .bgra)[0] == 0xFF01_0203)
  }

  // The transparent index has colour 0, which no other has: the blend kernel selects by it.
  @Test(arguments: [0, 1, 200, 255] as [UInt8])
  func transparentColor(index: UInt8) {
    let table = ColorTable(
      PaletteLocation(offset: 0, count: 2), of: ([0, 0, 0, 9, 9, 9] as [UInt8]).span, format: .rgba)
    let plain = table.colors
    #expect(!plain.contains(0))
    var paint = Paint(table, transparentIndex: index)
    let masked = paint.colors
    for other in 0..<256 { #expect(masked[other] == (other == Int(index) ? 0 : plain[other])) }
    // Another index in its place, the same again, and none: as if each were the first.
    for next in [7, 7, nil, index, nil] as [UInt8?] {
      paint.hide(next)
      #expect(paint.colors == Paint(table, transparentIndex: next).colors)
      #expect(paint.transparentIndex == next)
    }
    #expect(paint.colors == plain)
  }

  // The size field of the packed byte: 2 to 256 colours, or no palette.
  @Test func paletteFlags() {
    for flags in UInt8.min ... .max {
      let location = PaletteLocation(flags: flags, offset: 13)
      #expect(location?.count == (flags >= 128 ? [2, 4, 8, 16, 32, 64, 128, 256][Int(flags % 8)] : nil))
      #expect(location?.offset == (flags >= 128 ? 13 : nil))
    }
  }

  @Test func statusUsability() {
    let usable = [FrameStatus.complete, .truncated, .failed, .blank].filter(\.isUsable)
    #expect(usable == [.complete, .truncated])
  }
}
