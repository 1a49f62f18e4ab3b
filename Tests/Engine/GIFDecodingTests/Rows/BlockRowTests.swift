import GIFDecoding
import GIFDecodingTestSupport
import GIFTestSupport
import Testing

/// Rows 37 - 45: code sizes, missing terminators, graphics controls and other extensions.
@Suite struct BlockRowTests {
  static let fixtures: [RowFixture] = [
    // Row 37: a code size above 8 makes a blank frame that is the last one.
    RowFixture(
      37, "code size 9", screen: (2, 1), shows: ["RR", ".."], statuses: [.complete, .failed],
      oddities: [.codeSizeOutOfRange]
    ) { gif in
      gif.frame("RR")
      gif.frame("GG", coding: GIFWriter.ImageCoding(declaredCodeSize: 9))
      gif.frame("BB")
    },
    // Row 37: the same at the very first frame and for any size that a byte holds.
    RowFixture(
      37, "code size 255", screen: (1, 1), shows: ["."], statuses: [.failed], oddities: [.codeSizeOutOfRange]
    ) { gif in
      gif.frame("G", coding: GIFWriter.ImageCoding(declaredCodeSize: 255))
      gif.frame("B")
    },
    // Row 39: without a terminator the trailer is read as a block; the last frame shows whole.
    RowFixture(
      39, "no terminator at the end", screen: (2, 1), shows: ["RR", "GB"], oddities: [.truncatedFrame]
    ) {
      gif in
      gif.frame("RR")
      gif.frame("GB", coding: GIFWriter.ImageCoding(hasTerminator: false))
    },
    // Row 39: a frame behind it is swallowed.
    RowFixture(39, "no terminator before a frame", screen: (2, 1), shows: ["GB"], oddities: [.truncatedFrame])
    {
      gif in
      gif.frame("GB", coding: GIFWriter.ImageCoding(hasTerminator: false))
      gif.frame("RR")
    },
    // Row 41: of several graphics controls the last one replaces all fields.
    RowFixture(
      41, "two graphics controls", screen: (2, 1), shows: ["RW", "GW"], oddities: [.repeatedGraphicsControl]
    ) { gif in
      gif.graphicsControl(disposal: 2, delay: 50, transparent: 3)
      gif.graphicsControl(disposal: 1, delay: 20)
      gif.image(width: 2, height: 1, indices: [0, 3])
      gif.frame("G")
    },
    // Row 42: a graphics control without an image is nothing.
    RowFixture(42, "graphics control at the end", screen: (2, 1), shows: ["RG"]) { gif in
      gif.frame("RG")
      gif.graphicsControl(disposal: 2, delay: 50, transparent: 0)
    },
    // Row 44: a graphics control survives the extensions between it and its image; plain text is not drawn.
    RowFixture(44, "graphics control before extensions", screen: (2, 1), shows: ["RR", "RG", ".."]) { gif in
      gif.frame("RR")
      gif.graphicsControl(disposal: 2, delay: 9, transparent: 3)
      gif.comment("between")
      gif.plainText("TEXT", width: 2, height: 1)
      gif.unknownExtension(label: 0x42, subBlocks: [[1, 2], [3]])
      gif.loop(4)
      gif.frame(".G")
      gif.frame(".", transparent: 3)
    },
    // Row 45: extensions of no length are skipped.
    RowFixture(
      45, "zero-length extensions", screen: (1, 1), shows: ["R"]
    ) { gif in
      for label in [0x01, 0x00, 0x77, 0xFE, 0xFF] as [UInt8] { gif.unknownExtension(label: label) }
      gif.frame("R")
    },
  ]

  @Test(arguments: fixtures) func shows(_ fixture: RowFixture) throws { try fixture.check() }

  // Row 37: all code sizes from 0 to 8 are read.
  @Test(arguments: 0...8) func row37CodeSizes(size: Int) throws {
    let highest = UInt8((1 << size) - 1)
    let indices: [UInt8] = [0, highest, 0, highest, highest, 0, 0, highest, 0]
    var gif = GIFWriter(width: 3, height: 3, palette: (0..<256).map { RGB(UInt32($0) << 8 | 1) })
    gif.image(
      width: 3, height: 3, indices: indices, coding: GIFWriter.ImageCoding(minimumCodeSize: size))
    gif.trailer()
    let rendering = try GIFImage(bytes: gif.bytes).rendering()
    #expect(rendering.pictures == [indices.map { RGB(UInt32($0) << 8 | 1).opaquePixel }])
    #expect(rendering.statuses == [.complete])
  }

  // Row 38: at code size 1 the codes are three bits wide right after the first literal. Packed by hand.
  @Test func row38CodeSizeOne() throws {
    var bits = BitPacker()
    bits.append(2, width: 2)  // clear
    bits.append(1, width: 2)
    for code in [0, 1, 1, 3] { bits.append(code, width: 3) }  // three literals, end
    var gif = GIFWriter(width: 4, height: 1, palette: Letters.palette)
    gif.imageDescriptor(width: 4, height: 1)
    gif.imageData(minimumCodeSize: 1, compressed: bits.bytes)
    gif.trailer()
    let image = try GIFImage(bytes: gif.bytes)
    #expect(try image.letters() == ["GRGG"])
    #expect(image.checkFrames().statuses == [.complete])
  }

  // Row 41: the last graphics control's fields, and a diagnostic that names frame and place.
  @Test func row41RepeatedGraphicsControl() throws {
    var gif = GIFWriter(width: 1, height: 1, palette: Letters.palette)
    gif.graphicsControl(disposal: 2, delay: 50, transparent: 3)
    let second = gif.graphicsControl(disposal: 3, delay: 20)
    gif.frame("R")
    gif.trailer()
    let image = try GIFImage(bytes: gif.bytes)
    #expect(image.frames.map(\.delayCentiseconds) == [20])
    #expect(image.frames.map(\.disposal) == [.previous])
    #expect(image.frames.map(\.transparentIndex) == [nil])
    #expect(
      image.diagnostics == [GIFDiagnostic(.repeatedGraphicsControl, frame: 0, offset: second.lowerBound)])
  }

  // Row 43: a graphics control of the wrong form ends the animation, before frame 0 the whole file.
  @Test(
    arguments: [
      .blockSize(0), .blockSize(1), .blockSize(3), .blockSize(5), .blockSize(255), .extraSubBlock([1]),
      .extraSubBlock([4, 0, 0, 0]),
    ] as [GIFWriter.GraphicsControlForm])
  func row43MalformedGraphicsControl(form: GIFWriter.GraphicsControlForm) throws {
    var first = GIFWriter(width: 1, height: 1, palette: Letters.palette)
    let place = first.graphicsControl(delay: 9, form: form)
    first.frame("R")
    first.trailer()
    #expect(openingError(first.bytes) == GIFError(.malformedBeforeFirstFrame, offset: place.lowerBound))

    var later = GIFWriter(width: 1, height: 1, palette: Letters.palette)
    later.frame("R")
    let laterPlace = later.graphicsControl(delay: 9, form: form)
    later.frame("G")
    later.loop(3)
    later.trailer()
    let image = try GIFImage(bytes: later.bytes)
    #expect(try image.letters() == ["R"])
    #expect(image.loopCount == .plays(1))
    #expect(image.metadata.isComplete)
    #expect(
      image.diagnostics == [GIFDiagnostic(.malformedGraphicsControl, offset: laterPlace.lowerBound)])
  }

  // Rows 27 and 43: cut off, it is no fault but the end of the file.
  @Test func row43CutGraphicsControl() throws {
    var gif = GIFWriter(width: 1, height: 1, palette: Letters.palette)
    let place = gif.graphicsControl(delay: 9)
    for cut in place.lowerBound + 1..<place.upperBound {
      let image = try GIFImage(bytes: gif.bytes(upTo: cut))
      #expect(image.oddities == [.truncatedBlock, .noFrames])
    }
  }

  // Row 44: the graphics control that applied is the one before all the other extensions, and its time is the
  // only.
  @Test func row44PlainTextTakesNoTime() throws {
    var gif = GIFWriter(width: 1, height: 1, palette: Letters.palette)
    gif.graphicsControl(delay: 9)
    gif.plainText("A")
    gif.plainText("B")
    gif.frame("R")
    gif.trailer()
    let image = try GIFImage(bytes: gif.bytes)
    #expect(image.frames.map(\.delayCentiseconds) == [9])
    #expect(image.durationMilliseconds() == 90)
    #expect(image.diagnostics.isEmpty)
  }
}
