import GIFDecoding
import GIFDecodingTestSupport
import GIFTestSupport
import Testing

/// Rows 17 - 24 and 52: canvas size, frames beyond it, headers, files without a picture.
@Suite struct GeometryRowTests {
  static let fixtures: [RowFixture] = [
    // Row 17: the first frame enlarges the canvas and keeps its offset.
    RowFixture(
      17, "canvas grows to the right and down", screen: (2, 2), shows: [".../.RG/.BW"],
      oddities: [.canvasGrown]
    ) { $0.frame("RG/BW", x: 1, y: 1) },
    // Row 17: one side is enough.
    RowFixture(17, "canvas grows in width only", screen: (2, 2), shows: ["RRR/..."], oddities: [.canvasGrown])
    {
      $0.frame("RRR")
    },
    // Row 17: only the first frame does; the second is clipped.
    RowFixture(
      17, "second frame does not grow it", screen: (2, 1), shows: ["RR", "RG"],
      oddities: [.frameOutsideCanvas]
    ) { gif in
      gif.frame("RR")
      gif.frame("GGG", x: 1)
    },
    // Row 18: in GIF87a, too, a first frame smaller than the screen leaves the screen its size.
    RowFixture(18, "GIF87a with a small first frame", screen: nil, shows: [".../.R."]) { gif in
      gif.header("GIF87a")
      gif.logicalScreen(width: 3, height: 2, palette: Letters.palette)
      gif.frame("R", x: 1, y: 1)
    },
    // Row 19: a later frame is clipped on the right and below.
    RowFixture(
      19, "later frame clipped", screen: (2, 2), shows: ["RR/RR", "RR/RG"], oddities: [.frameOutsideCanvas]
    ) { gif in
      gif.frame("RR/RR")
      gif.frame("GB/WB", x: 1, y: 1)
    },
    // Row 19: wholly outside it is invisible but takes its time and leaves a picture for the next frame.
    RowFixture(
      19, "later frame wholly outside", screen: (2, 1), shows: ["RR", "RR", "RB"],
      oddities: [.frameOutsideCanvas]
    ) { gif in
      gif.frame("RR")
      gif.frame("GG", x: 2, disposal: 2, delay: 50)
      gif.frame("B", x: 1)
    },
    // Row 20: a screen of 0 x 0 takes the first frame's extent.
    RowFixture(20, "screen 0 x 0", screen: (0, 0), shows: ["RG/BW"], oddities: [.canvasGrown]) {
      $0.frame("RG/BW")
    },
    // Rows 17 and 20: each side by itself.
    RowFixture(20, "screen 0 x 2", screen: (0, 2), shows: [".R/.."], oddities: [.canvasGrown]) {
      $0.frame("R", x: 1)
    },
    // Row 22: a frame without width draws nothing, though it has data, and keeps its time and disposal.
    RowFixture(
      22, "frame of no width", screen: (2, 1), shows: ["RR", "RR", "RG"], oddities: [.emptyFrame]
    ) { gif in
      gif.frame("RR")
      gif.graphicsControl(disposal: 2, delay: 30)
      gif.image(width: 0, height: 1, codes: LZWCodeStream(minimumCodeSize: 2, codes: [4, 1, 2, 5]))
      gif.frame("G", x: 1)
    },
    // Row 22: no height, no data, first of all: an empty picture that is no damage.
    RowFixture(22, "first frame of no height", screen: (2, 1), shows: ["..", ".G"], oddities: [.emptyFrame]) {
      gif in
      gif.image(width: 2, height: 0, codes: LZWCodeStream(minimumCodeSize: 2))
      gif.frame("G", x: 1)
    },
    // Row 22: without width an invalid code before the first index fails the frame, and what depends on it is
    // blank.
    RowFixture(
      22, "invalid code in a frame of no width", screen: (2, 1), shows: ["RR", "RR", ".."],
      statuses: [.complete, .failed, .blank], oddities: [.emptyFrame],
      damage: [.invalidLZW, .requiredFrameFailed]
    ) { gif in
      gif.frame("RR")
      gif.image(width: 0, height: 1, codes: LZWCodeStream(minimumCodeSize: 2, codes: [4, 7]))
      gif.frame("G", x: 1)
    },
    // Row 22: behind the first index the rest is not looked at.
    RowFixture(
      22, "late invalid code in a frame of no width", screen: (2, 1), shows: ["RR", "RR", "RG"],
      oddities: [.emptyFrame]
    ) { gif in
      gif.frame("RR")
      gif.image(width: 0, height: 1, codes: LZWCodeStream(minimumCodeSize: 2, codes: [4, 1, 4, 7]))
      gif.frame("G", x: 1)
    },
    // Row 22: an interlaced frame of no height fails on any invalid code.
    RowFixture(
      22, "invalid code in an interlaced frame of no height", screen: (2, 1), shows: ["RR", "RR", ".."],
      statuses: [.complete, .failed, .blank], oddities: [.emptyFrame],
      damage: [.invalidLZW, .requiredFrameFailed]
    ) { gif in
      gif.frame("RR")
      gif.image(
        width: 2, height: 0, codes: LZWCodeStream(minimumCodeSize: 2, codes: [4, 1, 2, 4, 7]), flags: 0x40)
      gif.frame("G", x: 1)
    },
    // Row 22: one that is not interlaced never fails.
    RowFixture(
      22, "invalid code in a frame of no height", screen: (2, 1), shows: ["RR", "RR", "RG"],
      oddities: [.emptyFrame]
    ) { gif in
      gif.frame("RR")
      gif.image(width: 2, height: 0, codes: LZWCodeStream(minimumCodeSize: 2, codes: [4, 7]))
      gif.frame("G", x: 1)
    },
  ]

  @Test(arguments: fixtures) func shows(_ fixture: RowFixture) throws { try fixture.check() }

  // Row 19 and 22: the time of frames that draw nothing counts.
  @Test func invisibleFramesTakeTheirTime() throws {
    var gif = GIFWriter(width: 1, height: 1, palette: Letters.palette)
    gif.frame("R", delay: 5)
    gif.frame("G", x: 9, delay: 50)
    gif.graphicsControl(disposal: 3, delay: 7)
    gif.image(width: 0, height: 0, codes: LZWCodeStream(minimumCodeSize: 2))
    gif.trailer()
    let image = try GIFImage(bytes: gif.bytes)
    #expect(image.frames.map { $0.delayMilliseconds() } == [50, 500, 70])
    #expect(image.frames.map(\.disposal) == [.keep, .keep, .previous])
    #expect(image.frames[1].rect == PixelRect(x: 9, y: 0, width: 1, height: 1), "as stored, not clipped")
  }

  // Row 21: no canvas at all is an error, with and without a frame that has no area either.
  @Test func row21ZeroCanvas() {
    for hasFrame in [false, true] {
      for (width, height) in [(0, 0), (0, 5), (5, 0)] {
        var gif = GIFWriter(width: width, height: height, palette: Letters.palette)
        if hasFrame { gif.image(width: 0, height: 0, codes: LZWCodeStream(minimumCodeSize: 2)) }
        gif.trailer()
        #expect(openingError(gif.bytes) == GIFError(.zeroCanvas))
      }
    }
  }

  // Row 23: exactly the two versions; everything else is no GIF.
  @Test(arguments: [
    ("GIF87a", true), ("GIF89a", true), ("GIF88a", false), ("GIF89b", false), ("gif89a", false),
  ])
  func row23Header(version: String, isRead: Bool) {
    var gif = GIFWriter()
    gif.header(version)
    gif.logicalScreen(width: 1, height: 1, palette: Letters.palette)
    gif.frame("R")
    gif.trailer()
    #expect(openingError(gif.bytes) == (isRead ? nil : GIFError(.notAGIF)))
  }

  // Row 24: a file without any image has a canvas and no frame, and both of its ends are told.
  @Test func row24NoImage() throws {
    var gif = GIFWriter(width: 3, height: 2, palette: Letters.palette)
    gif.comment("nothing here")
    gif.trailer()
    let image = try GIFImage(bytes: gif.bytes)
    #expect(image.width == 3)
    #expect(image.height == 2)
    #expect(image.frames.isEmpty)
    #expect(image.durationMilliseconds() == 0)
    #expect(image.diagnostics == [GIFDiagnostic(.noFrames, offset: 13)])
    #expect(image.metadata.isComplete)
    #expect(image.checkFrames().statuses.isEmpty)
    var renderer = try FrameRenderer(image)
    #expect(throws: GIFError(.noFrames)) { try renderer.render(0) }
    #expect(renderer.canvasPixels.count == 0)
  }

  // Row 52: a huge claim is an error that names number and limit; nothing is allocated for it.
  @Test func row52HugeCanvas() {
    var gif = GIFWriter(width: 65535, height: 65535, palette: Letters.palette)
    gif.frame("R")
    gif.trailer()
    #expect(gif.bytes.count < 50)
    #expect(
      openingError(gif.bytes) == GIFError(.canvasTooLarge, value: 65535 * 65535, limit: (1 << 29) - 1))
  }

  // Row 52: also where only the first frame claims it.
  @Test func row52HugeFirstFrame() {
    var gif = GIFWriter(width: 1, height: 1, palette: Letters.palette)
    gif.imageDescriptor(x: 65535, y: 65535, width: 65535, height: 65535)
    gif.raw([2, 1, 0x44, 0])
    gif.trailer()
    #expect(
      openingError(gif.bytes) == GIFError(.canvasTooLarge, value: 131_070 * 131_070, limit: (1 << 29) - 1))
  }
}
