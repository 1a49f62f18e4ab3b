import GIFTestSupport

extension GoldenFixture {
  /// Rows 1 - 22 and 36 - 48: files that are sound or nearly so.
  static let sound: [GoldenFixture] =
    timing + disposals + colours + geometry + [
      GoldenFixture(
        "row-36-deferred-clear", screen: (70, 70), palette: (0..<256).map { RGB($0 << 16 | ($0 * 7) & 0xFF) }
      ) { gif in
        var generator = SeededGenerator(seed: 36)
        let noise = (0..<4900).map { _ in UInt8.random(in: 0...255, using: &generator) }
        gif.image(width: 70, height: 70, indices: noise, coding: GIFWriter.ImageCoding(clearing: .never))
      },
      GoldenFixture("row-38-code-size-1", palette: [0x102030, 0xF0E0D0]) { gif in
        gif.image(
          width: 6, height: 4, indices: (0..<24).map { UInt8($0 * $0 / 3 % 2) },
          coding: GIFWriter.ImageCoding(minimumCodeSize: 1))
      },
      GoldenFixture("row-41-several-controls") { gif in
        gif.patterned()
        gif.graphicsControl(disposal: 2, delay: 90, transparent: 1)
        gif.patterned(from: 2, delay: 7, transparent: 3)
      },
      GoldenFixture("row-42-control-at-end") { gif in
        gif.patterned()
        gif.patterned(x: 1, y: 1, width: 2, height: 2, from: 1)
        gif.graphicsControl(disposal: 2, delay: 40)
      },
      GoldenFixture("row-44-control-survives-text") { gif in
        gif.patterned()
        gif.graphicsControl(disposal: 1, delay: 30, transparent: 2)
        gif.comment("between")
        gif.plainText("never drawn", foreground: 3)
        gif.unknownExtension(label: 0x99, subBlocks: [[1, 2]])
        gif.image(width: 6, height: 4, indices: pattern(6, 4, from: 3))
      },
      GoldenFixture("row-45-empty-extensions") { gif in
        for label in [0x01, 0xFE, 0xFF, 0x42] as [UInt8] { gif.unknownExtension(label: label) }
        gif.patterned()
      },
      GoldenFixture("row-46-interlaced", screen: (6, 13)) { gif in
        gif.patterned(height: 13, interlaced: true)
        gif.patterned(x: 1, y: 2, width: 3, height: 9, from: 1, transparent: 0, interlaced: true)
      },
      GoldenFixture("row-48-still") { gif in gif.patterned(delay: 1000) },
    ]

  private static let timing: [GoldenFixture] = [
    GoldenFixture("row-01-delays") { gif in
      gif.loop(0)
      for delay in [0, 1, 2, 3, 10, 6000] { gif.patterned(from: delay % 4, delay: delay) }
    },
    GoldenFixture("row-02-no-control") { gif in
      gif.patterned(disposal: 2, delay: 30, transparent: 0)
      gif.image(x: 1, y: 1, width: 3, height: 2, indices: pattern(3, 2))
      gif.image(x: 2, y: 0, width: 2, height: 4, indices: pattern(2, 4, from: 1))
    },
    loops("row-03-three-plays") { $0.loop(2) },
    loops("row-04-no-loop") { _ in },
    loops("row-04-65535") { $0.loop(65535) },
    loops("row-05-animexts") { $0.loop(4, identifier: "ANIMEXTS1.0") },
    loops("row-05-netscape-1") { $0.loop(4, identifier: "NETSCAPE1.0") },
    loops("row-06-second-sub-block") {
      $0.application(Array("NETSCAPE2.0".utf8), subBlocks: [[2, 9, 9, 9, 9], [1, 3, 0]])
    },
    GoldenFixture("row-07-last-loop-wins") { gif in
      gif.loop(1)
      gif.patterned()
      gif.patterned(from: 1)
      gif.loop(6)
    },
  ]

  private static func loops(_ name: String, _ build: (inout GIFWriter) -> Void) -> GoldenFixture {
    GoldenFixture(name) { gif in
      build(&gif)
      gif.patterned()
      gif.patterned(from: 1)
    }
  }

  /// Rows 9 - 11: after a full frame and a small one with each disposal, another small one.
  private static let disposals: [GoldenFixture] =
    (0...7).map { disposal in
      GoldenFixture("row-\(disposal < 4 ? "09" : "10")-disposal-\(disposal)") { gif in
        gif.patterned(transparent: 0)
        gif.patterned(x: 1, y: 1, width: 4, height: 2, from: 2, disposal: disposal, transparent: 3)
        gif.patterned(x: 3, y: 0, width: 3, height: 4, from: 1, disposal: disposal, transparent: 1)
        gif.patterned(x: 0, y: 3, width: 1, height: 1, from: 2)
      }
    } + [
      GoldenFixture("row-11-restore-on-first") { gif in
        gif.patterned(disposal: 3)
        gif.patterned(x: 1, y: 1, width: 2, height: 2, from: 1, disposal: 3)
        gif.patterned(x: 3, y: 1, width: 2, height: 2, from: 2)
      }
    ]

  private static let colours: [GoldenFixture] = [
    GoldenFixture("row-12-background", screen: nil) { gif in
      gif.header()
      gif.logicalScreen(width: width, height: height, palette: palette, background: 1)
      gif.patterned(x: 1, y: 1, width: 3, height: 2, disposal: 2)
      gif.patterned(x: 4, y: 2, width: 2, height: 2, from: 1)
    },
    GoldenFixture("row-13-transparent-beyond", palette: [0x804020, 0x208040]) { gif in
      gif.patterned(transparent: 3)
    },
    GoldenFixture("row-14-index-beyond", palette: [0x804020, 0x208040]) { gif in gif.patterned() },
    GoldenFixture("row-15-no-palette", palette: nil) { gif in
      gif.patterned(transparent: 2)
      gif.patterned(x: 1, y: 0, width: 2, height: 3)
    },
    GoldenFixture("row-16-later-without-palette", palette: nil) { gif in
      gif.patterned(palette: palette)
      gif.patterned(x: 1, y: 1, width: 3, height: 2)
    },
  ]

  private static let geometry: [GoldenFixture] = [
    GoldenFixture("row-17-first-beyond") { gif in
      gif.patterned(x: 3, y: 2)
      gif.patterned(from: 1)
    },
    GoldenFixture("row-18-gif87a-small-first", screen: nil) { gif in
      gif.header("GIF87a")
      gif.logicalScreen(width: width, height: height, palette: palette)
      gif.image(x: 2, y: 1, width: 3, height: 2, indices: pattern(3, 2))
    },
    GoldenFixture("row-19-later-beyond") { gif in
      gif.patterned()
      gif.patterned(x: 4, y: 2, from: 1, disposal: 2)
      gif.patterned(x: 100, y: 100, width: 2, height: 2, delay: 20)
      gif.patterned(x: 5, y: 3, width: 9, height: 1, from: 2)
    },
    GoldenFixture("row-20-no-screen", screen: (0, 0)) { gif in
      gif.patterned()
      gif.patterned(x: 1, width: 2, height: 2, from: 1)
    },
    GoldenFixture("row-21-no-canvas", screen: (0, 0)) { gif in gif.patterned(width: 0, height: 0) },
    GoldenFixture("row-22-empty-frame") { gif in
      gif.patterned(disposal: 2)
      gif.patterned(x: 1, y: 1, width: 0, height: 2, delay: 30)
      gif.patterned(x: 2, y: 2, width: 2, height: 1, from: 1)
    },
    GoldenFixture("row-23-gif90a", screen: nil) { gif in
      gif.header("GIF90a")
      gif.logicalScreen(width: width, height: height, palette: palette)
      gif.patterned()
    },
    GoldenFixture("row-24-no-image") { gif in gif.comment("nothing to see") },
  ]
}
