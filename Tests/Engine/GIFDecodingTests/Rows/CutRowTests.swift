import GIFDecoding
import GIFDecodingTestSupport
import GIFTestSupport
import Testing

/// Rows 25 - 28: files that break off or go on with what is no GIF.
@Suite struct CutRowTests {
  /// Appends an image of which only the first pixels are there; the file is meant to end with it.
  private static func cutFrame(
    _ pixels: String, width: Int, height: Int, x: Int = 0, to gif: inout GIFWriter
  ) {
    gif.image(
      x: x, width: width, height: height, codes: .exactly(Letters.indices(pixels)), hasTerminator: false)
  }

  static let fixtures: [RowFixture] = [
    // Row 25: a cut later frame that blends shows what there is of it over the frames below, and counts.
    RowFixture(
      25, "cut blending frame", screen: (2, 2), ends: false, shows: ["RR/RR", "GB/RR"],
      statuses: [.complete, .truncated], oddities: [.truncatedFrame]
    ) { gif in
      gif.frame("RR/RR")
      gif.graphicsControl(delay: 5, transparent: 3)
      cutFrame("GB", width: 2, height: 2, to: &gif)
    },
    // Row 25: an opaque one that covers only a part of the canvas still stands on the frames below.
    RowFixture(
      25, "cut opaque part", screen: (3, 1), ends: false, shows: ["RRR", "RGR"],
      statuses: [.complete, .truncated], oddities: [.truncatedFrame]
    ) { gif in
      gif.frame("RRR")
      cutFrame("G", width: 2, height: 1, x: 1, to: &gif)
    },
    // Rows 25 and 29: one that needs no earlier frame shows what there is of it over nothing.
    RowFixture(
      25, "cut independent frame", screen: (2, 2), ends: false, shows: ["RR/RR", "GB/G."],
      statuses: [.complete, .truncated], oddities: [.truncatedFrame]
    ) { gif in
      gif.frame("RR/RR")
      cutFrame("GBG", width: 2, height: 2, to: &gif)
    },
    // Row 25: all pixels are there and only the terminator is missing: nothing is damaged.
    RowFixture(
      25, "cut behind the last pixel", screen: (2, 1), ends: false, shows: ["RR", "GB"],
      oddities: [.truncatedFrame]
    ) { gif in
      gif.frame("RR")
      cutFrame("GB", width: 2, height: 1, to: &gif)
    },
    // Row 26: a cut first frame: what there is, the rest transparent.
    RowFixture(
      26, "cut first frame", screen: (2, 2), ends: false, shows: ["RG/B."], statuses: [.truncated],
      oddities: [.truncatedFrame]
    ) { gif in cutFrame("RGB", width: 2, height: 2, to: &gif) },
    // Row 26: with the descriptor alone the frame already exists.
    RowFixture(
      26, "first frame of a descriptor", screen: (2, 1), ends: false, shows: [".."], statuses: [.truncated],
      oddities: [.truncatedFrame]
    ) { gif in gif.imageDescriptor(width: 2, height: 1) },
    // Row 26: the same with the code size but no data.
    RowFixture(
      26, "first frame without data", screen: (2, 1), ends: false, shows: [".."], statuses: [.truncated],
      oddities: [.truncatedFrame]
    ) { gif in
      gif.imageDescriptor(width: 2, height: 1)
      gif.raw([2])
    },
    // Row 26: cut inside its local palette; the frame exists and shows nothing.
    RowFixture(
      26, "first frame cut in its palette", screen: (2, 1), ends: false, shows: [".."],
      statuses: [.truncated], oddities: [.truncatedFrame]
    ) { gif in
      gif.imageDescriptor(width: 2, height: 1, flags: 0x81)
      gif.raw([1, 2, 3, 4])
    },
    // Row 28: a zero byte between blocks ends the animation like a trailer.
    RowFixture(28, "zero between blocks", screen: (1, 1), shows: ["R"], oddities: [.unknownBlock]) { gif in
      gif.frame("R")
      gif.raw([0])
      gif.frame("G")
    },
    // Row 28: so does any other byte that begins no block.
    RowFixture(28, "letter between blocks", screen: (1, 1), shows: ["R", "G"], oddities: [.unknownBlock]) {
      gif in
      gif.frame("R")
      gif.frame("G")
      gif.raw([0x77])
      gif.frame("B")
    },
    // Rows 24 and 28: with no frame before it there is a canvas and no frame.
    RowFixture(
      28, "letter before the first block", screen: (1, 1), shows: [], oddities: [.unknownBlock, .noFrames]
    ) {
      gif in
      gif.raw([0xFF])
      gif.frame("B")
    },
  ]

  @Test(arguments: fixtures) func shows(_ fixture: RowFixture) throws { try fixture.check() }

  // Row 27: a descriptor without its flags is a frame, for Chromium; they count as 0.
  @Test func row27DescriptorWithoutFlags() throws {
    var gif = GIFWriter(width: 2, height: 1, palette: Letters.palette)
    gif.frame("RG")
    let descriptor = gif.imageDescriptor(width: 2, height: 1, flags: 0xC7)
    let image = try GIFImage(bytes: gif.bytes(upTo: descriptor.upperBound - 1))
    #expect(try image.letters() == ["RG", ".."])
    #expect(
      !image.frames[1].isInterlaced && image.frames[1].paletteSize == nil && image.frames[1].isTruncated)
  }

  // Row 26: a first descriptor without its whole rectangle is no frame.
  @Test func row26IncompleteDescriptor() throws {
    var gif = GIFWriter(width: 2, height: 1, palette: Letters.palette)
    let descriptor = gif.imageDescriptor(width: 2, height: 1)
    for length in 1..<descriptor.count - 1 {
      let image = try GIFImage(bytes: gif.bytes(upTo: descriptor.lowerBound + length))
      #expect(image.frameCount == 0)
      #expect(image.oddities == [.truncatedBlock, .noFrames])
      #expect(image.diagnostics.first?.offset == descriptor.lowerBound)
      #expect(!image.metadata.isComplete)
    }
  }

  // Row 27: wherever the file ends between the pixels of two frames, the frames so far are whole and play on.
  @Test func row27EndOfDataIsTrailer() throws {
    var gif = GIFWriter(width: 2, height: 1, palette: Letters.palette)
    gif.loop(2)
    gif.frame("RR", delay: 5)
    gif.frame("G", x: 1, delay: 6)
    let end = gif.bytes.count
    gif.comment("words")
    gif.graphicsControl(disposal: 2, delay: 7, transparent: 1)
    let descriptor = gif.imageDescriptor(width: 2, height: 1)
    for cut in end..<descriptor.upperBound - 1 {
      let image = try GIFImage(bytes: gif.bytes(upTo: cut))
      #expect(try image.letters() == ["RR", "RG"], "cut at \(cut)")
      #expect(image.frames.map(\.delayCentiseconds) == [5, 6])
      #expect(image.loopCount == .plays(3))
      #expect(!image.metadata.isComplete)
      let isBetweenBlocks = gif.parts.contains { $0.range.lowerBound == cut }
      #expect(image.oddities == [isBetweenBlocks ? .missingTrailer : .truncatedBlock])
    }
    // With the descriptor's rectangle the frame counts.
    for missing in 0...1 {
      let whole = try GIFImage(bytes: gif.bytes(upTo: descriptor.upperBound - missing))
      #expect(whole.frames.map(\.delayCentiseconds) == [5, 6, 7])
      #expect(whole.frames.map(\.isTruncated) == [false, false, true])
    }
  }

  // Row 27: what a cut comment or loop extension already says is kept.
  @Test func row27CutExtensionsSpeak() throws {
    var gif = GIFWriter(width: 1, height: 1, palette: Letters.palette)
    gif.frame("R")
    let comment = gif.comment("words", hasTerminator: false)
    let image = try GIFImage(bytes: gif.bytes(upTo: comment.upperBound - 2))
    #expect(image.metadata.comments == ["wor"])
    #expect(image.diagnostics == [GIFDiagnostic(.truncatedBlock, offset: comment.lowerBound)])

    var looping = GIFWriter(width: 1, height: 1, palette: Letters.palette)
    looping.frame("R")
    looping.application(Array("NETSCAPE2.0".utf8), subBlocks: [[1, 4, 0]], hasTerminator: false)
    #expect(try GIFImage(bytes: looping.bytes).loopCount == .plays(5))
    #expect(
      try GIFImage(bytes: looping.bytes(upTo: looping.bytes.count - 1)).oddities
        == [.malformedLoopExtension, .truncatedBlock])
  }

  // Row 28: the offset of the foreign byte is told, and the file counts as whole.
  @Test(arguments: [0x00, 0x20, 0x22, 0x2B, 0x2D, 0x3A, 0x3C, 0xFF] as [UInt8])
  func row28ForeignByte(byte: UInt8) throws {
    var gif = GIFWriter(width: 1, height: 1, palette: Letters.palette)
    gif.frame("R")
    let place = gif.raw([byte])
    gif.loop(9)
    let image = try GIFImage(bytes: gif.bytes)
    #expect(image.diagnostics == [GIFDiagnostic(.unknownBlock, offset: place.lowerBound)])
    #expect(image.metadata.isComplete)
    #expect(image.loopCount == .plays(1), "what follows is ignored")
  }
}
