import GIFDecoding
import GIFTestSupport
import Testing

@testable import GIFWriting

/// What the writer writes, read back by a reader that knows nothing of it.
@Suite("GIFWriter: palettes, indices and times come back as they were given")
struct GIFWriterTests {
  private static func palette(_ count: Int) throws -> GIFPalette {
    try GIFPalette((0..<count).map { GIFColor(UInt32($0) << 16 | UInt32(255 - $0 % 256) << 8 | 7) })
  }

  private static func pixels(_ count: Int, colors: Int, seed: UInt64) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in UInt8.random(in: 0..<UInt8(clamping: colors), using: &generator) }
  }

  @Test(
    "Frames with palettes, disposals, delays, transparency and interlaced rows",
    arguments: [1, 2, 3, 200, 255])
  func frames(colors: Int) throws {
    let own = try Self.palette(4)
    var writer = try GIFWriter(
      width: 9, height: 7, palette: Self.palette(colors), loopCount: .plays(3), comment: "Grüße")
    let frames = [
      GIFFrame(width: 9, height: 7, pixels: Self.pixels(63, colors: colors, seed: 1), delay: 5),
      GIFFrame(
        left: 2, top: 1, width: 5, height: 6, pixels: Self.pixels(30, colors: 4, seed: 2), palette: own,
        transparentIndex: 3, disposal: .background, delay: 0, isInterlaced: true),
      GIFFrame(
        width: 1, height: 1, pixels: [0], disposal: .previous, delay: 65_535),
      GIFFrame(width: 1, height: 1, pixels: [0], disposal: nil, delay: 2),
    ]
    for frame in frames { try writer.append(frame) }
    #expect(writer.frameCount == 4)
    let bytes = writer.finish()
    let (animation, failure) = MiniReader.animation(in: bytes)
    #expect(failure == nil && animation.loopCount == 2)
    #expect((animation.screenWidth, animation.screenHeight) == (9, 7))
    let global = try #require(animation.globalPalette)
    #expect(global.prefix(colors).map(\.red) == (0..<colors).map { UInt8($0) })
    #expect(animation.frames.map(\.delay) == [5, 0, 65_535, 2])
    #expect(animation.frames.map(\.disposal) == [1, 2, 3, 0])
    #expect(animation.frames.map(\.transparentIndex) == [nil, 3, nil, nil])
    #expect(animation.frames.map(\.localPalette?.count) == [nil, 4, nil, nil])
    #expect(animation.frames[0].indices == frames[0].pixels)
    let second = animation.frames[1]
    #expect(second.isInterlaced && (second.x, second.y, second.width, second.height) == (2, 1, 5, 6))
    #expect(second.indices == InterlacedRows.store(frames[1].pixels, width: 5, height: 6))
    let image = try GIFImage(bytes: bytes)
    #expect(image.diagnostics.isEmpty && image.metadata.commentTexts == [Array("Grüße".utf8)])
  }

  @Test("One play has no loop extension, and one without end counts 0")
  func loops() throws {
    for (count, stored) in [(LoopCount.plays(1), nil), (.forever, 0), (.plays(70_000), 65_535)]
      as [(LoopCount, Int?)]
    {
      let writer = try GIFWriter(width: 1, height: 1, palette: Self.palette(2), loopCount: count)
      #expect(MiniReader.animation(in: writer.finish()).animation.loopCount == stored)
    }
  }

  @Test("What no file can have is an error that names it")
  func errors() throws {
    #expect(throws: GIFWritingError.invalidPaletteSize(0)) { try GIFPalette([]) }
    #expect(throws: GIFWritingError.invalidPaletteSize(257)) { try Self.palette(257) }
    func append(_ frame: GIFFrame, palette: GIFPalette?, side: Int = 2) throws {
      var writer = try GIFWriter(width: side, height: 2, palette: palette)
      try writer.append(frame)
    }
    let two = try Self.palette(2)
    #expect(throws: GIFWritingError.invalidSize(width: 0, height: 2)) {
      try append(GIFFrame(width: 1, height: 1, pixels: [0]), palette: two, side: 0)
    }
    #expect(throws: GIFWritingError.missingPalette) {
      try append(GIFFrame(width: 1, height: 1, pixels: [0]), palette: nil)
    }
    #expect(throws: GIFWritingError.pixelCountMismatch(expected: 4, actual: 3)) {
      try append(GIFFrame(width: 2, height: 2, pixels: [0, 1, 0]), palette: two)
    }
    #expect(throws: GIFWritingError.indexOutOfPalette(index: 2, paletteCount: 2)) {
      try append(GIFFrame(width: 1, height: 1, pixels: [2]), palette: two)
    }
    #expect(throws: GIFWritingError.invalidOrigin(left: 65_536, top: 0)) {
      try append(GIFFrame(left: 65_536, width: 1, height: 1, pixels: [0]), palette: two)
    }
    #expect(throws: GIFWritingError.invalidSize(width: 1, height: 65_536)) {
      try append(GIFFrame(width: 1, height: 65_536, pixels: [0]), palette: two)
    }
  }
}
