import GIFDecoding
import GIFTestSupport
import Testing

@testable import GIFEditing

@Suite("The palette of a seam")
struct SeamPaletteTests {
  /// Frames of all four colours of the global palette, each with pixels that stay.
  private static func image() throws -> GIFImage {
    var writer = GIFWriter(width: 8, height: 8, palette: [0x000000, 0xFF0000, 0x00FF00, 0x0000FF])
    for frame in 0..<3 {
      writer.graphicsControl(disposal: 1, delay: 5)
      writer.image(
        width: 8, height: 8, indices: (0..<64).map { UInt8(($0 % 3 == 1 ? $0 : $0 + frame) % 4) })
    }
    writer.trailer()
    return try GIFImage(bytes: writer.bytes)
  }

  @Test("Is the global one where that has all colours, also without an index for what is unchanged")
  func global() throws {
    let image = try Self.image()
    for isSmaller in [false, true] {
      var edit = GIFEdit()
      edit.makesSmaller = isSmaller
      edit.frames = [0, 1, 2, 1, 0]
      let editor = try GIFEditor([image], edit)
      let (before, after) = (try editor.picture(ofFrame: 0), try editor.picture(ofFrame: 1))
      let planned = PlannedFrame(
        item: SequenceFrame(image: 0, frame: 1, centiseconds: 5),
        last: SequenceFrame(image: 0, frame: 1, centiseconds: 5), next: nil)
      let difference = PictureChange(from: before.span, to: after.span, size: image.size)
      let drawn = try #require(try editor.drawing(of: planned, difference, before, after, nil))
      #expect(drawn.seam.palette == nil && drawn.seam.transparentIndex == nil)
    }
  }
}

extension GIFEditor {
  fileprivate func picture(ofFrame frame: Int) throws -> PixelBuffer {
    try picture(of: SequenceFrame(image: 0, frame: frame, centiseconds: 0))
  }
}
