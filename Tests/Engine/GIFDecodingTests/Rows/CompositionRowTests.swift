import GIFDecoding
import GIFDecodingTestSupport
import GIFTestSupport
import Testing

/// Rows 9 - 16: disposal, background, transparency and palettes. In the pictures `.` is transparent, `K`
/// black.
@Suite struct CompositionRowTests {
  static let fixtures: [RowFixture] =
    [0, 1, 5, 6, 7].map { disposal in
      // Rows 9 and 10: 0, 1 and the undefined 5 - 7 leave the picture as it is.
      RowFixture(
        disposal < 2 ? 9 : 10, "disposal \(disposal) keeps", screen: (3, 1), shows: ["RRR", "RGR", "RGB"]
      ) { gif in
        gif.frame("RRR")
        gif.frame("G", x: 1, disposal: disposal)
        gif.frame("B", x: 2)
      }
    }
    + [3, 4].map { disposal in
      // Rows 9 and 10: 3, and 4 like it, bring back what was before the frame.
      RowFixture(
        disposal == 3 ? 9 : 10, "disposal \(disposal) restores", screen: (3, 1), shows: ["RRR", "RGR", "RRB"]
      ) { gif in
        gif.frame("RRR")
        gif.frame("G", x: 1, disposal: disposal)
        gif.frame("B", x: 2)
      }
    } + disposals + colors

  private static let disposals: [RowFixture] = [
    // Row 9: 2 clears the frame's rectangle to transparent, not to the background.
    RowFixture(9, "disposal 2 clears the rectangle", screen: (3, 1), shows: ["RRR", "GGR", "..B"]) { gif in
      gif.frame("RRR")
      gif.frame("GG", disposal: 2)
      gif.frame("B", x: 2)
    },
    // Row 9: the cleared rectangle is clipped to the canvas.
    RowFixture(
      9, "disposal 2 beyond the canvas", screen: (2, 2), shows: ["RR/RR", "RR/RG", "RR/R."],
      oddities: [.frameOutsideCanvas]
    ) { gif in
      gif.frame("RR/RR")
      gif.frame("GG/GG", x: 1, y: 1, disposal: 2)
      gif.frame(".", transparent: 3)
    },
    // Row 9: what the frame drew over its transparent pixels goes, too: the whole rectangle is cleared.
    RowFixture(9, "disposal 2 clears under holes", screen: (3, 1), shows: ["RRR", "GRG", "..."]) { gif in
      gif.frame("RRR")
      gif.frame("G.G", disposal: 2, transparent: 3)
      gif.frame(".", transparent: 3)
    },
    // Row 9: several frames in a row that restore all come back to the same picture.
    RowFixture(9, "disposal 3 three times", screen: (3, 1), shows: ["RRR", "GRR", "RGR", "RRG", "RRR"]) {
      gif in
      gif.frame("RRR")
      for x in 0..<3 { gif.frame("G", x: x, disposal: 3) }
      gif.frame(".", transparent: 3)
    },
    // Row 9: "what was before" is the state after the earlier frame's own disposal.
    RowFixture(9, "disposal 3 after 2", screen: (2, 1), shows: ["RR", "GR", ".B", ".W"]) { gif in
      gif.frame("RR")
      gif.frame("G", disposal: 2)
      gif.frame("B", x: 1, disposal: 3)
      gif.graphicsControl()
      gif.frame("W", x: 1)
    },
    // Row 11: with nothing before it, the first frame's "before" is a transparent canvas.
    RowFixture(11, "disposal 3 on the first frame", screen: (2, 1), shows: ["RR", ".G"]) { gif in
      gif.frame("RR", disposal: 3)
      gif.frame("G", x: 1)
    },
    // Row 11: the same for the first few frames.
    RowFixture(11, "disposal 3 on the first two", screen: (3, 1), shows: ["RRR", "G..", "..B"]) { gif in
      gif.frame("RRR", disposal: 3)
      gif.frame("G", disposal: 4)
      gif.frame("B", x: 2)
    },
    // Row 12: the background colour index shows nowhere, neither around the first frame nor after disposal 2.
    RowFixture(12, "background is ignored", screen: nil, shows: ["R./..", "../.G"]) { gif in
      gif.header()
      gif.logicalScreen(width: 2, height: 2, palette: Letters.palette, background: 2)
      gif.frame("R", disposal: 2)
      gif.frame("G", x: 1, y: 1)
    },
  ]

  private static let colors: [RowFixture] = [
    // Row 13: an index beyond the palette is transparent if the graphics control says so.
    RowFixture(13, "transparent index beyond the palette", screen: (3, 1), shows: ["RRR", "GRG"]) { gif in
      gif.frame("RRR")
      gif.graphicsControl(transparent: 9)
      gif.image(width: 3, height: 1, indices: [1, 9, 1])
    },
    // Row 14: any other index beyond the palette is opaque black.
    RowFixture(14, "index beyond the palette", screen: (4, 1), shows: ["RKWK"]) { gif in
      gif.image(width: 4, height: 1, indices: [0, 4, 3, 255])
    },
    // Row 14: also beyond a short local palette, though the global one would have that colour.
    RowFixture(14, "index beyond the local palette", screen: (3, 1), shows: ["GKK"]) { gif in
      gif.image(width: 3, height: 1, indices: [1, 2, 3], palette: [0xFF0000, 0x00FF00])
    },
    // Row 15: without any palette everything is opaque black.
    RowFixture(15, "no palette at all", screen: nil, shows: ["KK"], oddities: [.missingPalette]) { gif in
      gif.header()
      gif.logicalScreen(width: 2, height: 1)
      gif.image(width: 2, height: 1, indices: [0, 200])
    },
    // Rows 13 and 15: and yet the transparent index draws nothing.
    RowFixture(
      15, "no palette but a transparent index", screen: nil, shows: ["K."], oddities: [.missingPalette]
    ) { gif in
      gif.header()
      gif.logicalScreen(width: 2, height: 1)
      gif.graphicsControl(transparent: 3)
      gif.image(width: 2, height: 1, indices: [0, 3])
    },
    // Row 16: a later frame without a palette is black; the local palette before it is not used again.
    RowFixture(
      16, "later frame without a palette", screen: nil, shows: ["RG", "KG"], oddities: [.missingPalette]
    ) { gif in
      gif.header()
      gif.logicalScreen(width: 2, height: 1)
      gif.image(width: 2, height: 1, indices: [0, 1], palette: Letters.palette)
      gif.image(width: 1, height: 1, indices: [0])
    },
    // Beside row 16: with a global palette a frame behind one with a local palette is back to the global one.
    RowFixture(16, "local palette is for its frame only", screen: (2, 1), shows: ["BG", "RG"]) { gif in
      gif.image(width: 2, height: 1, indices: [0, 1], palette: [0x0000FF, 0x00FF00])
      gif.image(width: 1, height: 1, indices: [0])
    },
  ]

  @Test(arguments: fixtures) func shows(_ fixture: RowFixture) throws { try fixture.check() }
}
