import GIFTestSupport
import Testing

@Suite("LZWCodeStream")
struct LZWCodeStreamTests {
  @Test("Bits are packed lowest first, across byte borders")
  func packing() {
    var packer = BitPacker()
    packer.append(0b101, width: 3)
    packer.append(0b1_1000_0001, width: 9)
    packer.append(0, width: 0)
    packer.append(0xFFFF, width: 2)
    #expect(packer.bytes == [0b0000_1101, 0b0011_1100])
    #expect(packer.bitCount == 14)
  }

  @Test(
    "The width grows when the next free code no longer fits",
    arguments: [
      // Each width is that of the code with this number, the first literal being 0.
      (0, [1, 2, 3, 3, 3, 3, 4]),
      (1, [2, 3, 3, 3, 3, 4]),
      (2, [3, 3, 3, 4, 4]),
      (7, [8, 8, 8]),
    ])
  func growth(minimumCodeSize: Int, widths: [Int]) {
    var stream = LZWCodeStream(minimumCodeSize: minimumCodeSize)
    var seen: [Int] = []
    for _ in widths {
      seen.append(stream.width)
      stream.append(0)
    }
    #expect(seen == widths)
  }

  @Test("Widths stop at 12 bits and the next free code at 4096; a clear resets both")
  func fullTable() {
    var stream = LZWCodeStream(minimumCodeSize: 8)
    #expect((stream.clearCode, stream.endCode) == (256, 257))
    for _ in 0..<254 { stream.append(0) }
    #expect((stream.nextCode, stream.width) == (511, 9))
    stream.append(0)
    #expect((stream.nextCode, stream.width) == (512, 10))
    for _ in 0..<3583 { stream.append(0) }
    #expect((stream.nextCode, stream.width) == (4095, 12))
    for _ in 0..<100 { stream.append(0) }
    #expect((stream.nextCode, stream.width) == (4096, 12))
    stream.appendClear()
    #expect((stream.nextCode, stream.width) == (257, 9))
    stream.appendEnd()
    #expect((stream.nextCode, stream.width) == (257, 9))
    #expect(stream.codes.suffix(2) == [256, 257])
  }

  @Test("A code of a chosen width is packed so, and counts like any other")
  func chosenWidth() {
    var stream = LZWCodeStream(minimumCodeSize: 2)
    stream.append(1, width: 8)
    stream.append(3, width: 12)
    #expect(stream.bytes == [1, 3, 0])
    #expect(stream.bitCount == 20)
    #expect((stream.nextCode, stream.width) == (7, 3))
  }

  @Test("A list of codes is packed as the GIF specification's example")
  func codeList() {
    let stream = LZWCodeStream(minimumCodeSize: 2, codes: [4, 1, 6, 6, 2, 9, 5])
    // 4: 100, 1: 001, 6: 110, 6: 110 | 2: 0010, 9: 1001, 5: 0101
    #expect(stream.bytes == [0b1000_1100, 0b0010_1101, 0b0101_1001])
  }
}
