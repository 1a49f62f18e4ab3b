import GIFDecoding
import GIFDecodingTestSupport
import GIFTestSupport
import Testing

/// Rows 46 and 47: interlaced frames, whole and broken off.
@Suite struct InterlaceRowTests {
  /// Nine rows of one pixel in stored order 0 8 | 4 | 2 6 | 1 3 5 7, the first `count` of them there.
  private static func column(
    _ row: Int, _ what: String, _ pixels: String, height: Int = 9, shows: String, ends: Bool = false,
    transparent: UInt8? = nil
  ) -> RowFixture {
    RowFixture(
      row, what, screen: (1, height), ends: ends, shows: [rows(shows)],
      statuses: [ends ? .failed : .truncated],
      oddities: ends ? [] : [.truncatedFrame], damage: ends ? [.notEnoughPixels] : []
    ) { gif in
      if let transparent { gif.graphicsControl(transparent: transparent) }
      gif.image(
        width: 1, height: height, codes: .exactly(Letters.indices(pixels)), interlaced: true,
        hasTerminator: ends)
    }
  }

  /// A column of pixels as a picture of one-pixel rows.
  private static func rows(_ letters: String) -> String { letters.map(String.init).joined(separator: "/") }

  static let fixtures: [RowFixture] = [
    // Row 46: whole frames: every eighth row from 0, every eighth from 4, every fourth from 2, every second
    // from 1.
    RowFixture(46, "interlaced column", screen: (1, 9), shows: [rows("RBGBGBGBR")]) { gif in
      gif.image(
        width: 1, height: 9,
        codes: .exactly(Letters.indices("RR" + "G" + "GG" + "BBBB")), interlaced: true)
    },
    // Row 46: one row.
    RowFixture(46, "interlaced single row", screen: (3, 1), shows: ["RGB"]) { gif in
      gif.frame("RGB", interlaced: true)
    },
    // Row 46: rows of more than one pixel, and part of the frame beyond the canvas.
    RowFixture(
      46, "interlaced and clipped", screen: (2, 3), shows: ["RR/RR/RR", "RR/RR/RG"],
      oddities: [.frameOutsideCanvas]
    ) { gif in
      gif.frame("RR/RR/RR")
      gif.frame("GB/WW/BB", x: 1, y: 2, interlaced: true)
    },
    // Row 46: an interlaced frame with holes.
    RowFixture(46, "interlaced with holes", screen: (2, 4), shows: ["RR/RR/RR/RR", "GR/RB/WW/RG"]) { gif in
      gif.frame("RR/RR/RR/RR")
      gif.graphicsControl(transparent: 4)
      gif.image(width: 2, height: 4, indices: [1, 4, 4, 2, 3, 3, 4, 1], interlaced: true)
    },
    // Row 47: rows of an unfinished first frame are repeated over the rows that later passes would bring.
    column(47, "one row there", "R", shows: "RRRRRRRR."),
    column(47, "first pass there", "RG", shows: "RRRRRRRRG"),
    column(47, "second pass there", "RGB", shows: "RRRRBBBBG"),
    column(47, "third pass begun", "RGBW", shows: "RRWWBBBBG"),
    column(47, "third pass there", "RGBWR", shows: "RRWWBBRRG"),
    column(47, "last pass begun", "RGBWRG", shows: "RGWWBBRRG"),
    column(47, "one row missing", "RGBWRGBR", shows: "RGWBBRRRG"),
    // Row 47: repeated downwards only as far as the frame goes.
    column(47, "short frame", "R", height: 3, shows: "RRR"),
    // Row 47: the same where the data is damaged instead of cut.
    column(47, "damaged", "RGB", shows: "RRRRBBBBG", ends: true),
    // Row 47: not in a frame with transparency.
    column(47, "with transparency", "RGB", shows: "R...B...G", transparent: 9),
    // Row 47: only whole rows are repeated; what a begun one leaves is the repeat from above.
    RowFixture(
      47, "row begun", screen: (2, 6), ends: false, shows: ["RG/RG/RG/RG/BG/RG"], statuses: [.truncated],
      oddities: [.truncatedFrame]
    ) { gif in
      gif.image(
        width: 2, height: 6, codes: .exactly([0, 1, 2]), interlaced: true, hasTerminator: false)
    },
    // Row 47: not in a later frame.
    RowFixture(
      47, "later frame", screen: (1, 5), ends: false, shows: [rows("WWWWW"), rows("R...G")],
      statuses: [.complete, .truncated], oddities: [.truncatedFrame]
    ) { gif in
      gif.frame(rows("WWWWW"))
      gif.image(
        width: 1, height: 5, codes: .exactly([0, 1]), interlaced: true, hasTerminator: false)
    },
    // Row 47: not in a frame that is stored from top to bottom.
    RowFixture(
      47, "not interlaced", screen: (1, 5), ends: false, shows: [rows("RG...")], statuses: [.truncated],
      oddities: [.truncatedFrame]
    ) { gif in
      gif.image(width: 1, height: 5, codes: .exactly([0, 1]), hasTerminator: false)
    },
  ]

  @Test(arguments: fixtures) func shows(_ fixture: RowFixture) throws { try fixture.check() }

  // Row 46: every height up to 40, each row with an index of its own, against the reference's order.
  @Test func row46EveryHeight() throws {
    let palette = (0..<64).map { RGB(UInt32($0) * 0x01_02_03) }
    for height in 1...40 {
      var gif = GIFWriter(width: 2, height: height, palette: palette)
      let indices = (0..<height * 2).map { UInt8($0 / 2) }
      gif.image(width: 2, height: height, indices: indices, interlaced: true)
      gif.trailer()
      let image = try GIFImage(bytes: gif.bytes)
      #expect(image.frames.map(\.isInterlaced) == [true])
      #expect(
        try image.rendering().pictures == [indices.map { palette[Int($0)].opaquePixel }], "height \(height)")
    }
  }
}
