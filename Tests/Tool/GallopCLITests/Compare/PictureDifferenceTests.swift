import GIFDecoding
import Testing

@testable import GallopCLI

@Suite("Differences of pictures")
struct PictureDifferenceTests {
  private static let width = 4

  private func difference(_ changes: [(x: Int, y: Int, pixel: UInt32)], tolerance: Int = 0)
    -> PictureDifference?
  {
    let first = [UInt32](repeating: 0xFF40_4040, count: Self.width * 3)
    var second = first
    for (x, y, pixel) in changes { second[y * Self.width + x] = pixel.littleEndian }
    let same = first.map(\.littleEndian)
    return PictureDifference(same.span, second.span, width: Self.width, tolerance: tolerance)
  }

  @Test("Equal pictures have none")
  func equal() { #expect(difference([]) == nil) }

  @Test("The rectangle holds all pixels that differ")
  func rectangle() {
    let one = difference([(3, 2, 0xFF40_4041)])
    #expect(one?.rect == PixelRect(x: 3, y: 2, width: 1, height: 1))
    let several = difference([(2, 0, 0xFF40_4041), (0, 1, 0xFF00_4040), (1, 2, 0xFF40_4040)])
    #expect(several?.rect == PixelRect(x: 0, y: 0, width: 3, height: 2))
    #expect(several?.largest == 0x40)
  }

  @Test("Any channel counts, in either direction, up to the tolerance", arguments: [0, 8, 16, 24])
  func channels(shift: UInt32) {
    let base: UInt32 = 0xFF40_4040
    let channel = base >> shift & 0xFF
    let changed = base & ~(0xFF << shift) | (channel - 5) << shift
    #expect(difference([(1, 1, changed)], tolerance: 4)?.largest == 5)
    #expect(difference([(1, 1, changed)], tolerance: 5) == nil)
  }

  @Test("Pixels that are transparent in both are equal, others are not")
  func transparent() {
    let clear = [UInt32(0x0012_3456).littleEndian, 0]
    let other = [UInt32(0x00AB_CDEF).littleEndian, UInt32(0x0100_0000).littleEndian]
    let found = PictureDifference(clear.span, other.span, width: 2, tolerance: 0)
    #expect(found?.rect == PixelRect(x: 1, y: 0, width: 1, height: 1))
    #expect(found?.largest == 1)
  }
}
