import GIFDecodingTestSupport
import GIFTestSupport

extension GoldenFixture {
  /// What only a hunt against Chromium brought to light: the base under gaps, frames without area, swallowed
  /// blocks, descriptors without flags and frames far larger than the canvas.
  static let rules: [GoldenFixture] = gaps + empty + others

  /// Row 25: which picture lies under the gaps of a damaged frame.
  private static let gaps: [GoldenFixture] = [
    // The frame before is the base, as it was shown: its rectangle is not cleared.
    GoldenFixture("row-25-base-not-cleared") { gif in
      gif.patterned()
      gif.patterned(y: 1, height: 2, from: 1, disposal: 2)
      gif.damaged(pixels: 3, then: [4095], x: 0, y: 1, height: 3)
    },
    // The same with a cut instead of an invalid code.
    GoldenFixture("row-25-base-not-cleared-cut", ends: false) { gif in
      gif.patterned()
      gif.patterned(y: 1, height: 2, from: 1, disposal: 2)
      gif.graphicsControl(delay: 5)
      gif.image(
        y: 1, width: width, height: 3, indices: pattern(width, 3, from: 2),
        coding: GIFWriter.ImageCoding(endsWithEnd: false, pixelLimit: 4, hasTerminator: false))
    },
    // The first damaged frame takes the base over; the second is drawn on the frame that it requires.
    GoldenFixture("row-25-base-taken-over") { gif in
      gif.patterned()
      gif.patterned(y: 1, height: 2, from: 1)
      gif.damaged(pixels: 2, then: [4095], x: 0, y: 1, height: 2)
      gif.damaged(pixels: 3, then: [4095], x: 0, y: 1, height: 3)
    },
    // A frame that restores what was before it spares its base, if that is not the frame that it requires.
    GoldenFixture("row-25-base-spared") { gif in
      gif.patterned()
      gif.patterned(y: 1, height: 1, from: 1)
      gif.patterned(y: 1, height: 2, from: 3, disposal: 3)
      gif.damaged(pixels: 2, then: [4095], x: 0, y: 1, height: 3)
    },
    // The required frame's own rectangle is cleared.
    GoldenFixture("row-25-required-cleared") { gif in
      gif.patterned()
      gif.patterned(y: 1, height: 2, from: 1, disposal: 2)
      gif.damaged(pixels: 3, then: [4095], x: 0, y: 1, height: 3, transparent: 1)
    },
  ]

  /// Row 22: frames without area run the code stream, too; a last frame shows whether they failed.
  private static let empty: [GoldenFixture] = [
    withoutArea("row-22-no-width-invalid", width: 0, height: 2, codes: [4, 7]),
    withoutArea("row-22-no-width-late-invalid", width: 0, height: 2, codes: [4, 1, 4, 7]),
    withoutArea("row-22-no-height-invalid", width: 2, height: 0, codes: [4, 7]),
    withoutArea(
      "row-22-no-height-interlaced-invalid", width: 2, height: 0, codes: [4, 1, 4, 7], flags: 0x40),
    withoutArea("row-22-no-height-interlaced-sound", width: 2, height: 0, codes: [4, 1, 5], flags: 0x40),
  ]

  private static func withoutArea(
    _ name: String, width: Int, height: Int, codes: [Int], flags: UInt8 = 0
  ) -> GoldenFixture {
    GoldenFixture(name) { gif in
      gif.patterned()
      gif.graphicsControl(delay: 5)
      gif.image(
        x: 1, y: 1, width: width, height: height, codes: LZWCodeStream(minimumCodeSize: 2, codes: codes),
        flags: flags)
      gif.patterned(x: 2, y: 1, width: 2, height: 2, from: 2, transparent: 3)
    }
  }

  private static let others: [GoldenFixture] = [
    // Row 6: without a sub-block, the zero behind the identifier is no end: the length 2 and its bytes are
    // swallowed.
    loopWithoutSubBlock("row-06-no-sub-block", "NETSCAPE2.0"),
    loopWithoutSubBlock("row-06-no-sub-block-animexts", "ANIMEXTS1.0"),
    // Row 27: a descriptor that ends before its flags counts.
    GoldenFixture("row-27-descriptor-without-flags", ends: false) { gif in
      gif.patterned()
      gif.raw([0x2C, 1, 0, 1, 0, 2, 0, 2, 0])
    },
    GoldenFixture("row-27-first-without-flags", ends: false) { gif in
      gif.raw([0x2C, 1, 0, 1, 0, 8, 0, 2, 0])
    },
    // Row 52: a canvas whose bytes do not fit in 31 bits is refused.
    GoldenFixture("row-52-canvas-beyond-31-bits", screen: (32_768, 16_384)) { gif in gif.patterned() },
    // Row 53: a frame far larger than the canvas shows what its data has.
    farLarger("row-53-larger-than-canvas", flags: 0),
    farLarger("row-53-larger-interlaced", flags: 0x40),
    GoldenFixture("row-53-larger-whole") { gif in
      gif.patterned()
      gif.image(
        x: 1, y: 1, width: 700, height: 100, indices: pattern(700, 100, from: 1), interlaced: true)
      gif.patterned(x: 2, y: 1, width: 2, height: 2, from: 2, transparent: 3)
    },
  ]

  private static func loopWithoutSubBlock(_ name: String, _ identifier: String) -> GoldenFixture {
    GoldenFixture(name) { gif in
      gif.patterned()
      gif.application(Array(identifier.utf8), subBlocks: [])
      gif.raw([2, 0x2C, 0x3B, 0])
      gif.patterned(from: 1)
    }
  }

  private static func farLarger(_ name: String, flags: UInt8) -> GoldenFixture {
    GoldenFixture(name) { gif in
      gif.patterned()
      gif.graphicsControl(delay: 5)
      gif.image(
        x: 1, y: 1, width: 65_535, height: 65_535, codes: .exactly([2, 3, 2, 1] + pattern(40, 1)),
        flags: flags)
      gif.patterned(from: 2)
    }
  }
}
