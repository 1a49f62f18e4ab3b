import GIFTestSupport
import Testing

@testable import GIFDecoding

/// Gathering a frame's sub-blocks into one run of bytes, and stepping through them.
@Suite struct CodeStreamTests {
  private static let data = (0..<600).map { UInt8(truncatingIfNeeded: $0 * 7 + 1) }
  /// What can be read behind the codes; what lies beyond is of no account.
  private static let padding = ArraySlice(repeating: UInt8(0), count: CodeStream.padding)

  // Whatever the size of the blocks, the same bytes come out, with zeros behind.
  @Test func everyBlockSize() throws {
    var stream = CodeStream()
    for size in 1...255 {
      let file = GIFWriter.subBlocks(Self.data, size: size) + [0, 9, 9]
      try stream.gather(0..<file.count, of: file.span)
      #expect(stream.count == Self.data.count, "blocks of \(size)")
      #expect(stream.bytes.prefix(Self.data.count + 8) == Self.data + Self.padding, "blocks of \(size)")
    }
  }

  // Broken off behind each byte: the data bytes so far, no length byte among them.
  @Test func everyCut() throws {
    var stream = CodeStream()
    let data = Array(Self.data.prefix(40))
    for size in [1, 3, 7, 40, 255] {
      let file = GIFWriter.subBlocks(data, size: size) + [0]
      for cut in 0...file.count {
        try stream.gather(0..<cut, of: file.span)
        // Of the first `cut` bytes one in `size + 1` is a length byte.
        let expected = min(data.count, cut - (cut + size) / (size + 1))
        #expect(stream.count == expected, "blocks of \(size), cut at \(cut)")
        #expect(stream.bytes.prefix(stream.count) == data.prefix(expected))
        #expect(stream.bytes.dropFirst(stream.count).prefix(CodeStream.padding) == Self.padding)
      }
    }
  }

  // Only what is in the range is looked at, also where blocks of different sizes follow each other.
  @Test func rangeInsideAFile() throws {
    let file: [UInt8] = [99, 99, 2, 11, 12, 1, 13, 3, 14, 15, 16, 0, 98, 98]
    var stream = CodeStream()
    try stream.gather(2..<12, of: file.span)
    #expect(Array(stream.bytes.prefix(stream.count)) == [11, 12, 13, 14, 15, 16])
    try stream.gather(5..<10, of: file.span)
    #expect(
      Array(stream.bytes.prefix(stream.count)) == [13, 14, 15], "the last block reaches beyond the range")
    try stream.gather(11..<14, of: file.span)
    #expect(stream.count == 0, "a terminator first")
    try stream.gather(4..<4, of: file.span)
    #expect(stream.count == 0, "nothing at all")
    #expect(stream.bytes.prefix(CodeStream.padding) == Self.padding)
  }

  // The ranges of the blocks themselves; after the end there is none, however often one asks.
  @Test func subBlockRanges() {
    let file: [UInt8] = [2, 11, 12, 1, 13, 0, 1, 14]
    var blocks = SubBlocks(0..<file.count)
    #expect(blocks.next(in: file.span) == 1..<3)
    #expect(blocks.next(in: file.span) == 4..<5)
    for _ in 0..<3 { #expect(blocks.next(in: file.span) == nil) }
    var cut = SubBlocks(0..<2)
    #expect(cut.next(in: file.span) == 1..<2)
    #expect(cut.next(in: file.span) == nil)
    var lengthOnly = SubBlocks(6..<7)
    #expect(lengthOnly.next(in: file.span) == 7..<7, "a block of which only the length is there is empty")
    #expect(lengthOnly.next(in: file.span) == nil)
    var none = SubBlocks(3..<3)
    #expect(none.next(in: file.span) == nil)
  }

  // The index plane makes room behind the indices, too, never shrinks, and begins empty each time.
  @Test func indexPlane() throws {
    var plane = IndexPlane()
    #expect(plane.capacity == 0)
    var most = 0
    for count in [0, 10, 5, 5000, 1] {
      try plane.makeRoom(for: count)
      most = max(most, count)
      #expect(plane.capacity == most)
      #expect(plane.indices.count == 0)
      plane.filled = count
      #expect(plane.indices.count == count)
    }
  }
}
