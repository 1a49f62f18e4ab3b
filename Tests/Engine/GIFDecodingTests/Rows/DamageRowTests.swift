import GIFDecoding
import GIFDecodingTestSupport
import GIFTestSupport
import Testing

/// Rows 29 - 36 and 40: damaged pixel data, and what only looks like damage.
@Suite struct DamageRowTests {
  private static func failing(
    _ row: Int, _ what: String, shows: String, fault: GIFDiagnostic.Code, _ stream: LZWCodeStream
  ) -> RowFixture {
    RowFixture(row, what, screen: (4, 1), shows: [shows], statuses: [.failed], damage: [fault]) { gif in
      gif.image(width: 4, height: 1, codes: stream)
    }
  }

  private static func fine(
    _ row: Int, _ what: String, shows: String = "RGBW", _ codes: [Int], codeSize: Int = 2
  ) -> RowFixture {
    RowFixture(row, what, screen: (4, 1), shows: [shows]) { gif in
      gif.codes(codes, width: 4, height: 1, codeSize: codeSize)
    }
  }

  static let single: [RowFixture] = [
    // Row 29: the pixels before an invalid code are shown, the frame counts as failed.
    failing(
      29, "invalid code", shows: "RG..", fault: .invalidLZW, .exactly([0, 1], ending: LZWCodeStream.invalid)),
    // Row 30: an end code before the last pixel is the same damage.
    failing(
      30, "early end code", shows: "RGB.", fault: .notEnoughPixels, .exactly([0, 1, 2], ending: [4, 5])),
    // Row 30: also as the very first code.
    failing(30, "end code only", shows: "....", fault: .notEnoughPixels, .exactly([], ending: [5])),
    // Row 31: blocks that end without an end code, too few pixels.
    failing(31, "blocks end early", shows: "RGB.", fault: .notEnoughPixels, .exactly([0, 1, 2])),
    // Row 33: after clear and one literal, 6 is the next free code (allowed) and 7 is above it.
    failing(
      33, "code above the next free one", shows: "R...", fault: .invalidLZW,
      LZWCodeStream(minimumCodeSize: 2, codes: [4, 0, 7, 5])),
    // Row 34: directly after a clear, the next free code has no string before it to go by.
    failing(
      34, "no literal after clear", shows: "....", fault: .invalidLZW,
      LZWCodeStream(minimumCodeSize: 2, codes: [4, 6, 0, 1])),
    // Row 34: the same after a clear in the middle, though the code meant something before.
    failing(
      34, "no literal after a later clear", shows: "RR..", fault: .invalidLZW,
      LZWCodeStream(minimumCodeSize: 2, codes: [4, 0, 0, 4, 6])),
    // Row 34: and at the very start of a stream that does not begin with a clear.
    failing(
      34, "no literal at the start", shows: "....", fault: .invalidLZW,
      LZWCodeStream(minimumCodeSize: 2, codes: [6, 0, 1, 2])),
    // Row 40: no data block at all.
    failing(40, "no data", shows: "....", fault: .notEnoughPixels, LZWCodeStream(minimumCodeSize: 2)),
    // Row 32: all pixels, no end code.
    fine(32, "end code missing", [4, 0, 1, 2, 3]),
    // Row 33: the next free code itself is the last string and its first index once more (KwKwK).
    fine(33, "next free code", shows: "RRRG", [4, 0, 6, 1, 5]),
    // Row 34: a stream need not begin with a clear.
    fine(34, "no clear at the start", [0, 1, 2, 3, 5]),
    // Row 34: several clears in a row.
    fine(34, "three clears", [4, 4, 4, 0, 1, 4, 4, 2, 3, 5]),
    // Row 35: more pixels than the frame has.
    fine(35, "too many pixels", [4, 0, 1, 2, 3, 0, 0, 0, 5]),
    // Row 35: the last string reaches beyond the last pixel.
    fine(35, "last string too long", shows: "RRRR", [4, 0, 6, 7, 8, 5]),
    // Row 35: a code behind the last pixel that would be invalid.
    fine(35, "bad code behind the last pixel", [4, 0, 1, 2, 3, 15, 15, 15]),
  ]

  static let sequences: [RowFixture] = [
    // Row 29: dependents of a failed frame show nothing until one that needs no other.
    RowFixture(
      29, "dependents of a failed frame", screen: (3, 1), shows: ["RRR", "GRR", "...", "...", "BBB", "BBG"],
      statuses: [.complete, .failed, .blank, .blank, .complete, .complete],
      damage: [.invalidLZW, .requiredFrameFailed, .requiredFrameFailed]
    ) { gif in
      gif.frame("RRR")
      gif.image(width: 2, height: 1, codes: .exactly([1], ending: LZWCodeStream.invalid))
      gif.frame("W", x: 2)
      gif.frame("W.", x: 1, transparent: 3)
      gif.frame("BBB")
      gif.frame("G", x: 2)
    },
    // Rows 25 and 29: an independent frame that fails shows its part over nothing.
    RowFixture(
      29, "failed independent frame", screen: (3, 1), shows: ["RRR", "G.."], statuses: [.complete, .failed],
      damage: [.invalidLZW]
    ) { gif in
      gif.frame("RRR")
      gif.image(width: 3, height: 1, codes: .exactly([1], ending: LZWCodeStream.invalid))
    },
    // Row 29: a failed frame that restores what was before it leaves no trace for those after it.
    RowFixture(
      29, "failed frame of disposal 3", screen: (3, 1), shows: ["RRR", "GRR", "RRB"],
      statuses: [.complete, .failed, .complete], damage: [.invalidLZW]
    ) { gif in
      gif.frame("RRR")
      gif.graphicsControl(disposal: 3, transparent: 3)
      gif.image(width: 3, height: 1, codes: .exactly([1], ending: LZWCodeStream.invalid))
      gif.frame("B", x: 2)
    },
    // Row 29: a transparent frame behind a full-canvas one of disposal 2 needs no other, so damage ends
    // there.
    RowFixture(
      29, "failed frame of disposal 2", screen: (3, 1), shows: ["G..", ".B."],
      statuses: [.failed, .complete],
      damage: [.notEnoughPixels]
    ) { gif in
      gif.graphicsControl(disposal: 2)
      gif.image(width: 3, height: 1, codes: .exactly([1]))
      gif.frame("B.", x: 1, transparent: 3)
    },
    // Row 29: an opaque frame that covers the failed one stands on what is under that.
    RowFixture(
      29, "failed frame covered", screen: (3, 1), shows: ["RRR", "GRR", "BBR"],
      statuses: [.complete, .failed, .complete], damage: [.invalidLZW]
    ) { gif in
      gif.frame("RRR")
      gif.image(width: 2, height: 1, codes: .exactly([1], ending: LZWCodeStream.invalid))
      gif.frame("BB")
    },
    // Row 40: an empty later frame counts as failed, over the picture it builds on.
    RowFixture(
      40, "later frame without data", screen: (2, 1), shows: ["RR", "RR", ".."],
      statuses: [.complete, .failed, .blank], damage: [.notEnoughPixels, .requiredFrameFailed]
    ) { gif in
      gif.frame("RR")
      gif.image(width: 1, height: 1, codes: LZWCodeStream(minimumCodeSize: 2))
      gif.frame("G", x: 1)
    },
  ]

  @Test(arguments: single) func showsOfOneFrame(_ fixture: RowFixture) throws { try fixture.check() }

  @Test(arguments: sequences) func showsOfSeveralFrames(_ fixture: RowFixture) throws { try fixture.check() }

  // Row 36: when the table is full and no clear code comes, codes stay 12 bits wide and the table as it is.
  @Test func row36DeferredClear() throws {
    var generator = SeededGenerator(seed: 36)
    let indices = (0..<9000).map { _ in UInt8.random(in: 0...63, using: &generator) }
    let palette = (0..<64).map { RGB(UInt32($0) * 0x04_03_02) }
    var stream = LZWEncoder(minimumCodeSize: 6, clearing: .never).stream(of: indices)
    #expect(stream.nextCode == 4096, "the table must be full for this test")
    stream.append(4095)
    var gif = GIFWriter(width: 90, height: 100, palette: palette)
    gif.image(width: 90, height: 100, codes: stream)
    gif.trailer()
    let expected = indices.map { palette[Int($0)].opaquePixel }
    #expect(try GIFImage(bytes: gif.bytes).rendering().pictures == [expected])
  }
}
