import GIFDecoding
import GIFTestSupport
import Testing

@testable import GallopCLI

/// A video's pictures are converted where a frame has changed only.
@Suite("Pictures of a video", .timeLimit(.minutes(20)))
struct YCbCrPictureTests {
  /// All planes of a frame, worked out pixel by pixel.
  private static func planes(_ pixels: PixelBuffer) -> [UInt8] {
    let colors = pixels.span.indices.map { YCbCr(overWhite: UInt32(littleEndian: pixels.span[$0])) }
    return Array("FRAME\n".utf8) + colors.map(\.luma) + colors.map(\.blue) + colors.map(\.red)
  }

  @Test("Random GIFs in any order of frames, also at another size", arguments: 0..<40)
  func random(seed: UInt64) throws {
    let image = try GIFImage(bytes: RandomGIF.make(seed: seed).bytes)
    guard image.frameCount > 0 else { return }
    var generator = SeededGenerator(seed: seed)
    let size = seed % 3 == 2 ? PixelSize(width: 30, height: 20) : nil
    var renderer = try FrameRenderer(image, size: size)
    var picture = try YCbCrPicture(size ?? image.size)
    let shuffled = (0..<20).map { _ in Int.random(in: 0..<image.frameCount, using: &generator) }
    for index in Array(0..<image.frameCount) + shuffled + Array(stride(from: 0, to: image.frameCount, by: 2))
    {
      let frame = try renderer.frame(at: index)
      picture.show(Picture(frame, over: nil))
      #expect(picture.bytes == Self.planes(frame.pixels), "frame \(index)")
    }
  }
}
