import GIFTestSupport

extension GoldenFixture {
  /// Rows 25 - 47: files that are cut off or broken in some place.
  static let damage: [GoldenFixture] =
    cuts + codes + blocks + [
      GoldenFixture("row-47-interlaced-cut", screen: (6, 13), ends: false) { gif in
        gif.patterned(height: 13, interlaced: true, coding: cutOff(after: 27))
      },
      GoldenFixture("row-47-interlaced-cut-transparent", screen: (6, 13), ends: false) { gif in
        gif.patterned(height: 13, transparent: 1, interlaced: true, coding: cutOff(after: 27))
      },
    ]

  private static func cutOff(after pixels: Int) -> GIFWriter.ImageCoding {
    GIFWriter.ImageCoding(endsWithEnd: false, pixelLimit: pixels, hasTerminator: false)
  }

  private static let cuts: [GoldenFixture] = [
    GoldenFixture("row-25-cut-blending-frame", ends: false) { gif in
      gif.loop(0)
      gif.patterned()
      gif.patterned(from: 1, delay: 20, transparent: 0, coding: cutOff(after: 10))
    },
    GoldenFixture("row-25-cut-independent-frame", ends: false) { gif in
      gif.patterned()
      gif.patterned(from: 1, coding: cutOff(after: 10))
    },
    GoldenFixture("row-26-cut-first-frame", ends: false) { gif in gif.patterned(coding: cutOff(after: 9)) },
    GoldenFixture("row-26-cut-behind-descriptor", ends: false) { gif in
      gif.imageDescriptor(width: width, height: height)
    },
    GoldenFixture("row-27-cut-between-frames", ends: false) { gif in
      gif.patterned()
      gif.patterned(from: 1)
    },
    GoldenFixture("row-27-cut-in-descriptor", ends: false) { gif in
      gif.patterned()
      gif.patterned(from: 1)
      gif.raw([0x2C, 0, 0, 0, 0])
    },
    GoldenFixture("row-28-zero-between-blocks") { gif in
      gif.patterned()
      gif.raw([0])
      gif.patterned(from: 1)
    },
  ]

  /// Rows 29 - 38: a damaged frame amid sound ones that build on it and ones that do not.
  private static let codes: [GoldenFixture] =
    [
      amid("row-29-invalid-code") { $0.damaged(pixels: 11, then: [4095, 0, 5], transparent: 1) },
      amid("row-29-invalid-code-independent") { $0.damaged(pixels: 11, then: [4095, 0, 5]) },
      amid("row-30-early-end") { $0.damaged(pixels: 8, then: [5], transparent: 1) },
      amid("row-31-data-runs-out") { $0.damaged(pixels: 13, then: [], transparent: 1) },
      GoldenFixture("row-29-first-frame-damaged") { gif in
        gif.damaged(pixels: 11, then: [4095])
        gif.patterned(x: 1, y: 1, width: 2, height: 2, transparent: 0)
        gif.patterned(from: 3)
      },
      GoldenFixture("row-32-no-end-code") { $0.patterned(coding: GIFWriter.ImageCoding(endsWithEnd: false)) },
      amid("row-34-end-first") { gif in
        gif.graphicsControl(disposal: 1, delay: 5)
        gif.image(
          width: width, height: height, codes: LZWCodeStream(minimumCodeSize: 2, codes: [4, 6, 1, 5]))
      },
      GoldenFixture("row-34-no-clear-first") {
        $0.patterned(coding: GIFWriter.ImageCoding(startsWithClear: false))
      },
      GoldenFixture("row-35-too-many-pixels") { gif in
        gif.patterned(coding: GIFWriter.ImageCoding(extraPixels: [1, 2, 3, 1, 2, 3], subBlockSize: 4))
        gif.patterned(x: 1, y: 1, width: 2, height: 2)
      },
      GoldenFixture("row-37-code-size-9") { gif in
        gif.patterned()
        gif.patterned(from: 1, coding: GIFWriter.ImageCoding(declaredCodeSize: 9))
        gif.patterned(from: 2)
      },
    ]

  /// A damaged second frame, then frames that build on it, then independent ones.
  private static func amid(_ name: String, _ build: (inout GIFWriter) -> Void) -> GoldenFixture {
    GoldenFixture(name) { gif in
      gif.patterned()
      build(&gif)
      gif.patterned(x: 1, y: 0, width: 3, height: 2, delay: 20, transparent: 2)
      gif.patterned(from: 3, disposal: 2)
      gif.patterned(x: 2, y: 2, width: 3, height: 2, from: 1)
    }
  }

  private static let blocks: [GoldenFixture] = [
    GoldenFixture("row-39-no-terminator") { gif in
      gif.patterned()
      gif.patterned(from: 1, coding: GIFWriter.ImageCoding(hasTerminator: false))
    },
    amid("row-40-no-data") { gif in
      gif.image(width: width, height: height, codes: LZWCodeStream(minimumCodeSize: 2))
    },
    GoldenFixture("row-40-first-without-data") { gif in
      gif.image(width: width, height: height, codes: LZWCodeStream(minimumCodeSize: 2))
    },
    malformedControl("row-43-control-of-5", .blockSize(5)),
    malformedControl("row-43-control-of-0", .blockSize(0)),
    malformedControl("row-43-extra-sub-block", .extraSubBlock([7])),
    GoldenFixture("row-43-before-first") { gif in
      gif.graphicsControl(form: .blockSize(5))
      gif.patterned()
    },
  ]

  private static func malformedControl(_ name: String, _ form: GIFWriter.GraphicsControlForm) -> GoldenFixture
  {
    GoldenFixture(name) { gif in
      gif.patterned()
      gif.patterned(from: 1)
      gif.graphicsControl(disposal: 1, delay: 5, form: form)
      gif.image(width: width, height: height, indices: pattern(width, height, from: 2))
    }
  }
}
