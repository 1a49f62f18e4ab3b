import GIFDecodingTestSupport
import GIFTestSupport
import Testing

@testable import GIFDecoding

/// An image so far is a value: more bytes change nothing in it, nor in the memory that it shares with the
/// stream.
@Suite struct StreamSnapshotTests {
  /// All images of a loading file, looked at when they were taken and again when all is over.
  @Test(arguments: OddFile.files(40, from: 4000))
  func oldImagesStayAsTheyWere(_ file: OddFile) throws {
    guard ReadingOutcome(whole: file.bytes).facts != nil else { return }
    var taken: [(image: GIFImage, facts: ReadingOutcome.Facts, show: ReadingOutcome.Show)] = []
    var stream = GIFStream()
    for piece in Split.even(file.bytes, size: 11) {
      try stream.append(piece)
      guard let image = try stream.image else { continue }
      taken.append((image, ReadingOutcome.Facts(image), try ReadingOutcome.Show(image)))
    }
    _ = try stream.finish()
    for (image, facts, show) in taken {
      #expect(ReadingOutcome.Facts(image) == facts)
      #expect(try ReadingOutcome.Show(image) == show)
    }
  }

  /// An old image outlives the stream and its memory, also where the stream has had to move to a larger one.
  @Test func oldImagesOutliveTheStream() throws {
    var writer = GIFWriter(width: 8, height: 8, palette: [0xFF0000, 0x00FF00])
    var first = 0
    for number in 0..<120 {
      writer.image(width: 8, height: 8, indices: (0..<64).map { UInt8(($0 * $0 * (number + 7) >> 4) & 3) })
      writer.comment("a comment that takes its room: some sixty bytes, in every frame")
      if number == 0 { first = writer.bytes.count }
    }
    writer.trailer()
    // Beyond the 4 KiB with which a stream begins, twice doubled.
    #expect(writer.bytes.count > 1 << 13)
    let early = try onlyBeginning(of: writer.bytes, upTo: first)
    let expected = try ReadingOutcome.Show(GIFImage(bytes: writer.bytes)).pictures[0]
    #expect(try ReadingOutcome.Show(early).pictures == [expected])
  }

  private func onlyBeginning(of bytes: [UInt8], upTo count: Int) throws -> GIFImage {
    var stream = GIFStream()
    try stream.append(Array(bytes[..<count]))
    let image = try #require(try stream.image)
    for piece in Split.even(Array(bytes[count...]), size: 100) { try stream.append(piece) }
    #expect(try stream.finish().frameCount == 120)
    return image
  }

  /// Renderers of an old image work while the stream goes on.
  @Test func rendererOfAnOldImage() throws {
    let gif = RandomGIF.make(seed: 8)
    let final = try ReadingOutcome.Show(GIFImage(bytes: gif.bytes))
    var stream = GIFStream()
    var renderer: FrameRenderer?
    for piece in Split.even(gif.bytes, size: 501) {
      try stream.append(piece)
      if renderer == nil, let image = try stream.image, image.frameCount > 2 {
        renderer = try FrameRenderer(image)
      }
      let count = renderer?.image.frameCount ?? 0
      for index in 0..<count {
        #expect(try renderer?.frame(at: index).pixels.words == final.pictures[index])
      }
    }
    let hasWorked = renderer?.decodedFrames ?? 0 > 0
    #expect(hasWorked)
  }
}

/// The memory behind it.
@Suite struct GrowingBytesTests {
  @Test func keepsAllBytesAcrossGrowth() throws {
    var generator = SeededGenerator(seed: 11)
    var bytes = GrowingBytes()
    var expected: [UInt8] = []
    var snapshots: [ByteStorage] = []
    while expected.count < 40_000 {
      let piece = (0..<Int.random(in: 0...5000, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      try bytes.append(piece.span)
      expected += piece
      snapshots.append(bytes.storage)
      #expect(bytes.count == expected.count)
    }
    for storage in snapshots {
      let isSame = storage.bytes.indices.allSatisfy { storage.bytes[$0] == expected[$0] }
      #expect(isSame)
    }
    #expect(snapshots.last?.count == expected.count)
  }

  @Test func nothingAtFirst() throws {
    var bytes = GrowingBytes()
    #expect(bytes.storage.count == 0)
    try bytes.append([UInt8]().span)
    #expect(bytes.count == 0)
  }

  /// A piece larger than twice the memory fits at once.
  @Test func onePieceLargerThanAll() throws {
    var bytes = GrowingBytes()
    try bytes.append([7].span)
    let large = [UInt8](repeating: 9, count: 100_000)
    try bytes.append(large.span)
    #expect(bytes.count == 100_001)
    #expect(bytes.storage.bytes[0] == 7)
    #expect(bytes.storage.bytes[100_000] == 9)
  }
}
