import GIFTestSupport
import Testing

@testable import GIFDecoding

/// The frame that stands for a GIF.
@Suite struct PosterTests {
  private static let palette: [RGB] = [0x000000, 0xFFFFFF, 0x141414, 0xC81E1E]

  /// A GIF of whole frames, each of one colour but for a square of white pixels at the top left.
  private func image(_ width: Int, _ height: Int, frames: [(color: UInt8, square: Int)]) throws -> GIFImage {
    var writer = GIFWriter(width: width, height: height, palette: Self.palette)
    for frame in frames {
      let indices = (0..<width * height).map { place -> UInt8 in
        place % width < frame.square && place / width < frame.square ? 1 : frame.color
      }
      writer.image(width: width, height: height, indices: indices)
    }
    writer.trailer()
    return try GIFImage(bytes: writer.bytes)
  }

  @Test("The first frame that is not nearly blank")
  func fadesIn() throws {
    let film = try image(100, 100, frames: [(0, 0), (2, 0), (0, 10), (0, 50), (0, 60)])
    #expect(try film.posterIndex() == 3)
    #expect(try image(100, 100, frames: [(0, 50), (0, 60)]).posterIndex() == 0)
  }

  // One pixel is one cell: a fiftieth of 64 x 64 is 81.92, of 50 x 50 it is 50.
  @Test("A fiftieth is not nearly blank", arguments: [(64, 9), (50, 7)])
  func limit(side: Int, blankSquare: Int) throws {
    let (blank, seen) = ((UInt8(0), blankSquare), (UInt8(0), blankSquare + 1))
    #expect(try image(side, side, frames: [blank, seen, blank]).posterIndex() == 1)
    #expect(try image(side, side, frames: [seen, blank]).posterIndex() == 0)
  }

  @Test("Where all frames are nearly blank, the one with the most to see; without any, the first")
  func blank() throws {
    #expect(try image(100, 100, frames: [(0, 2), (0, 9), (0, 4)]).posterIndex() == 1)
    #expect(try image(100, 100, frames: [(0, 0), (1, 0), (3, 0)]).posterIndex() == 0)
    // The difference from black is too small to be seen.
    #expect(try image(3, 3, frames: [(0, 0), (2, 0)]).posterIndex() == 0)
  }

  @Test("A transparent GIF shows what is opaque")
  func transparent() throws {
    var writer = GIFWriter(width: 40, height: 40, palette: Self.palette)
    for side in [1, 20] {
      writer.graphicsControl(transparent: 0)
      writer.image(width: side, height: side, indices: Array(repeating: 3, count: side * side))
    }
    writer.trailer()
    #expect(try GIFImage(bytes: writer.bytes).posterIndex() == 1)
  }

  @Test("A long blank beginning is left at the limit of pixels")
  func longBeginning() throws {
    // Each frame counts its 1000 x 1000 pixels and the 64 x 64 cells: the 66th is the last one looked at.
    var writer = GIFWriter(width: 1000, height: 1000, palette: Self.palette)
    let blank = [UInt8](repeating: 0, count: 1_000_000)
    for _ in 0..<66 { writer.image(width: 1000, height: 1000, indices: blank) }
    writer.image(width: 1000, height: 1000, indices: (0..<1_000_000).map { UInt8($0 % 1000 < 500 ? 1 : 0) })
    writer.trailer()
    let image = try GIFImage(bytes: writer.bytes)
    #expect(image.frameCount == 67)
    #expect(try image.posterIndex() == 0)
  }

  @Test("A single pixel, a cancelled search, and a file whose frames are not there")
  func edges() throws {
    #expect(try image(1, 1, frames: [(0, 1), (0, 0)]).posterIndex() == 0)
    let film = try image(100, 100, frames: [(0, 0), (0, 50)])
    let error = #expect(throws: GIFError.self) { try film.posterIndex { true } }
    #expect(error?.code == .cancelled)
    var writer = GIFWriter(width: 10, height: 10, palette: Self.palette)
    writer.trailer()
    #expect(try GIFImage(bytes: writer.bytes).posterIndex() == 0)
  }
}
