import GIFTestSupport
import Testing

@Suite("PlainCompositor")
struct PlainCompositorTests {
  private let red: UInt32 = 0xFF00_00FF
  private let green: UInt32 = 0xFF00_FF00
  private let black: UInt32 = 0xFF00_0000

  /// Canvases of frames on a screen of 3 x 1 with the palette red, green.
  private func canvases(_ frames: [PlainFrame], width: Int = 3, palette: [RGB]? = [0xFF0000, 0x00FF00])
    -> [[UInt32]]
  {
    PlainCompositor.canvases(
      of: PlainAnimation(screenWidth: width, screenHeight: 1, globalPalette: palette, frames: frames))
  }

  private func row(
    x: Int = 0, _ indices: [UInt8], transparent: UInt8? = nil, disposal: Int = 0, palette: [RGB]? = nil
  ) -> PlainFrame {
    PlainFrame(
      x: x, y: 0, width: indices.count, height: 1, indices: indices, localPalette: palette,
      transparentIndex: transparent, disposal: disposal)
  }

  @Test("A frame is left standing by disposal 0, 1, 5, 6 and 7", arguments: [0, 1, 5, 6, 7])
  func keeping(disposal: Int) {
    let frames = [row([0, 0, 0]), row(x: 1, [1], disposal: disposal), row(x: 2, [1])]
    #expect(canvases(frames) == [[red, red, red], [red, green, red], [red, green, green]])
  }

  @Test("Disposal 2 clears the frame's rectangle")
  func clearing() {
    let frames = [row([0, 0, 0]), row(x: 1, [1], disposal: 2), row(x: 2, [1])]
    #expect(canvases(frames) == [[red, red, red], [red, green, red], [red, 0, green]])
  }

  @Test("Disposal 3 and 4 bring back what was there before", arguments: [3, 4])
  func restoring(disposal: Int) {
    let frames = [
      row([0, 0], disposal: disposal), row(x: 1, [1], disposal: 0), row([1, 0], disposal: disposal), row([0]),
    ]
    #expect(canvases(frames) == [[red, red, 0], [0, green, 0], [green, red, 0], [red, green, 0]])
  }

  @Test("The transparent index draws nothing, even past the palette; other indices past it are black")
  func indices() {
    #expect(
      canvases([row([0, 1, 0]), row([1, 0, 1], transparent: 1)]) == [[red, green, red], [red, red, red]])
    #expect(canvases([row([0, 9, 8], transparent: 9)]) == [[red, 0, black]])
    #expect(canvases([row([0, 1, 255])], palette: nil) == [[black, black, black]])
    #expect(
      canvases([row([0, 1], palette: [0x00FF00]), row(x: 2, [0])]) == [
        [green, black, 0], [green, black, red],
      ])
  }

  @Test("The first frame enlarges the canvas, later ones are clipped to it")
  func extent() {
    #expect(canvases([row(x: 2, [0, 0])], width: 1) == [[0, 0, red, red]])
    let frames = [row([0, 0, 0]), row(x: 2, [1, 1, 1], disposal: 2), row(x: 7, [1]), row(x: 0, [])]
    #expect(
      canvases(frames) == [[red, red, red], [red, red, green], [red, red, 0], [red, red, 0]])
    #expect(canvases([row([0])], width: 0) == [[red]])
  }

  @Test("Interlaced rows go where they belong, and missing pixels leave the canvas alone")
  func interlaced() {
    let frame = PlainFrame(x: 0, y: 0, width: 1, height: 4, indices: [0, 1, 2], isInterlaced: true)
    let palette: [RGB] = [1, 2, 3, 4]
    let animation = PlainAnimation(screenWidth: 1, screenHeight: 4, globalPalette: palette, frames: [frame])
    #expect(
      PlainCompositor.canvases(of: animation)
        == [[palette[0].opaquePixel, palette[2].opaquePixel, palette[1].opaquePixel, 0]])
  }

  @Test("Colours and delays")
  func values() {
    #expect(RGB(0x123456).opaquePixel == 0xFF56_3412)
    #expect(RGB(red: 1, green: 2, blue: 3) == 0x010203)
    let delays = [0, 1, 2, 65535].map { delay in
      PlainFrame(x: 0, y: 0, width: 0, height: 0, indices: [], delay: delay).milliseconds
    }
    #expect(delays == [100, 100, 20, 655_350])
  }
}
