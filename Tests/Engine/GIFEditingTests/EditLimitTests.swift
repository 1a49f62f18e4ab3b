import GIFDecoding
import GIFTestSupport
import Testing

@testable import GIFEditing

@Suite("Limits of edits")
struct EditLimitTests {
  /// Tiles of 10 x 10 pixels that fill a canvas of 100 x 100, one a frame, each restoring what was there if
  /// asked.
  private static func tiles(disposal: Int = 1, limits: DecodingLimits) throws -> GIFImage {
    var writer = GIFWriter(width: 100, height: 100, palette: [0x000000, 0xFF0000, 0x00FF00, 0x0000FF])
    for tile in 0..<100 {
      writer.graphicsControl(disposal: disposal, delay: 5)
      writer.image(
        x: tile % 10 * 10, y: tile / 10 * 10, width: 10, height: 10,
        indices: [UInt8](repeating: UInt8(1 + tile % 3), count: 100))
    }
    writer.trailer()
    return try GIFImage(bytes: writer.bytes, limits: limits)
  }

  @Test("A seam may take more than the input's frames, which nearly reach the limit", arguments: [1, 3])
  func decodedBytes(disposal: Int) throws {
    var limits = DecodingLimits.default
    // The canvas, and little more than a tile.
    limits.decodedBytes = 40_000 + 1_000
    let image = try Self.tiles(disposal: disposal, limits: limits)
    var edit = GIFEdit()
    edit.frames = Array(50..<100)
    #expect(try GIFImage(bytes: try image.edited(edit)).frameCount == 50)
    edit.frames = nil
    edit.order = .reversed
    #expect(try GIFImage(bytes: try image.edited(edit)).frameCount == 100)
  }

  @Test(
    "Pictures that are kept stay within the limit on bytes, but for one and a canvas",
    arguments: [1, 2, 9, 99])
  func keptPictures(canvases: Int64) throws {
    var limits = DecodingLimits.default
    limits.decodedBytes = canvases * 40_000
    let image = try Self.tiles(limits: limits)
    let whole = PictureTransform(part: PixelRect(x: 0, y: 0, width: 100, height: 100))
    let pictures = SourcePictures(image, whole, budget: 48 << 20)
    let kept = Int64(pictures.mostKept) * 40_000 + pictures.checkpoints.byteLimit
    #expect(kept <= max(2 * 40_000, limits.decodedBytes), "\(pictures.mostKept), \(pictures.checkpoints)")
    #expect(pictures.mostKept >= 1 && pictures.checkpoints.byteLimit >= 40_000)
  }
}
