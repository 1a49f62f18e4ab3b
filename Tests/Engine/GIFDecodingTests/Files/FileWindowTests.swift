import GIFDecodingTestSupport
import GIFTestSupport
import Testing

@testable import GIFDecoding

/// A file that is read through a window gives the same as one in memory, however small the window is.
@Suite struct FileWindowTests {
  private func expectSame(_ bytes: [UInt8], window: Int, _ what: Comment) throws {
    try expectSame(bytes, StoredBytes(bytes), window: window, what)
    // A file of which the end is not known at first.
    try expectSame(bytes, StoredBytes(bytes, isGrowing: true), window: window, what)
  }

  private func expectSame(
    _ bytes: [UInt8], _ source: StoredBytes, window: Int, _ what: Comment
  ) throws {
    var error: GIFError?
    var image: GIFImage?
    do throws(GIFError) {
      image = try GIFImage(source: source, windowSize: window)
    } catch let thrown {
      error = thrown
    }
    #expect(error == openingError(bytes), what)
    guard error == nil, let image else { return }
    let whole = try GIFImage(bytes: bytes)
    #expect(ReadingOutcome.Facts(image) == ReadingOutcome.Facts(whole), what)
    #expect(try ReadingOutcome.Show(image) == ReadingOutcome.Show(whole), what)
    #expect(image.checkFrames().statuses == whole.checkFrames().statuses, what)
    #expect(try image.fileBytes() == bytes, what)
    #expect(image.contentHash == whole.contentHash, what)
  }

  // The smallest window is 64 bytes: shorter than a palette, so that it slides within every record.
  @Test(arguments: OddFile.files(150, from: 7000))
  func oddFiles(_ file: OddFile) throws {
    for window in [64, 300, 1 << 18] { try expectSame(file.bytes, window: window, "window \(window)") }
  }

  @Test(arguments: UInt64(0)..<20)
  func randomFiles(_ seed: UInt64) throws {
    for window in [64, 1000] {
      try expectSame(RandomGIF.make(seed: seed).bytes, window: window, "seed \(seed)")
    }
  }

  // Cut off behind each byte.
  @Test func everyLength() throws {
    var gif = GIFWriter(width: 4, height: 2, palette: Letters.palette)
    gif.loop(2)
    gif.graphicsControl(disposal: 1, delay: 7)
    gif.frame("RGBW/RGBW")
    // Longer than the longest header, which is read at once.
    gif.comment(String(repeating: "comment ", count: 100))
    gif.image(width: 4, height: 1, indices: Letters.indices("GGGG"), palette: Letters.palette)
    gif.trailer()
    let bytes = gif.bytes
    for count in 0...bytes.count {
      try expectSame(Array(bytes.prefix(count)), window: 64, "\(count) bytes")
    }
  }

  // Extensions that are longer than the window: what counts of them is found again.
  @Test(arguments: [64, 4096])
  func longExtensions(_ window: Int) throws {
    var gif = GIFWriter(width: 2, height: 1, palette: Letters.palette)
    gif.comment(String(repeating: "comment ", count: 2_000))
    gif.comment(String(repeating: "bytes", count: 1_000), subBlockSize: 1)
    gif.application(
      Array("NETSCAPE2.0".utf8),
      subBlocks: [[1, 7, 0]] + Array(repeating: Array(repeating: 9, count: 255), count: 90))
    gif.graphicsControl(disposal: 1, delay: 7)
    gif.frame("RG")
    gif.unknownExtension(
      label: 0x42, subBlocks: Array(repeating: Array(repeating: 0x2C, count: 255), count: 800))
    gif.frame("BW")
    gif.trailer()
    try expectSame(gif.bytes, window: window, "extensions")
    let image = try GIFImage(source: StoredBytes(gif.bytes), windowSize: window)
    #expect(image.metadata.comments.count == 2)
    #expect(image.loopCount == .plays(8))
  }

  // More comment bytes than the limits keep: the window does not grow with them.
  @Test func hugeComment() throws {
    var gif = GIFWriter(width: 2, height: 1, palette: Letters.palette)
    gif.comment(String(repeating: "x", count: 4 << 20))
    gif.frame("RG")
    gif.trailer()
    let source = StoredBytes(gif.bytes)
    let image = try GIFImage(source: source, windowSize: 1 << 12)
    #expect(image.frameCount == 1)
    #expect(image.metadata.comments.first?.utf8.count ?? 0 > 65_000)
    #expect(source.largestRead < 1 << 18)
  }

  // A frame that is much larger than the window takes no more memory either.
  @Test func largeFrame() throws {
    var gif = GIFWriter(
      width: 600, height: 600, palette: (0..<256).map { RGB(UInt32($0) * 0x010203 & 0xFFFFFF) })
    var generator = SeededGenerator(seed: 3)
    gif.image(
      width: 600, height: 600,
      indices: (0..<360_000).map { _ in UInt8.random(in: 0...255, using: &generator) })
    gif.trailer()
    let source = StoredBytes(gif.bytes)
    let image = try GIFImage(source: source, windowSize: 1 << 12)
    #expect(source.largestRead <= 1 << 12)
    #expect(try image.rendering() == GIFImage(bytes: gif.bytes).rendering())
    #expect(image.storage.heldMemory == nil)
  }

  // The first frames of a file show the same as in the whole, and little behind them is read.
  @Test func firstFrames() throws {
    var gif = GIFWriter(width: 2, height: 1, palette: Letters.palette)
    for picture in ["RG", "BW", "GB", "WR"] {
      gif.frame(picture)
      gif.comment(String(repeating: "comment ", count: 500))
    }
    gif.trailer()
    let bytes = gif.bytes
    let whole = try GIFImage(bytes: bytes)
    for count in 1...whole.frameCount + 1 {
      let image = try GIFImage(source: StoredBytes(bytes), firstFrames: count, windowSize: 64)
      let known = min(count, whole.frameCount)
      #expect(image.frames == Array(whole.frames[..<known]))
      #expect(image.metadata.isComplete == (count > whole.frameCount && whole.metadata.isComplete))
      #expect(try image.rendering().pictures == Array(whole.rendering().pictures[..<known]))
    }
    let source = StoredBytes(bytes)
    #expect(try GIFImage(source: source, firstFrames: 1, windowSize: 64).frameCount == 1)
    #expect(source.readBytes < 1_000 && bytes.count > 16_000)
  }

  // The file is cut off while its records are read: an error at every place, no trap.
  @Test func fileThatShrinksMeanwhile() throws {
    let bytes = RandomGIF.make(seed: 4).bytes
    for count in stride(from: 0, to: bytes.count, by: 7) {
      let source = StoredBytes(bytes)
      source.bytes = Array(bytes.prefix(count))
      #expect(throws: GIFError.self) { _ = try GIFImage(source: source, windowSize: 64) }
    }
  }

  @Test func contentIsCompared() throws {
    let bytes = RandomGIF.make(seed: 5).bytes
    let source = StoredBytes(bytes)
    let image = try GIFImage(source: source)
    #expect(image.hasSameContent(as: try GIFImage(source: source)))
    #expect(image.hasSameContent(as: try GIFImage(source: StoredBytes(bytes))))
    #expect(image.hasSameContent(as: try GIFImage(bytes: bytes)))
    #expect(try GIFImage(bytes: bytes).hasSameContent(as: image))
    var other = bytes
    other[bytes.count / 2] ^= 1
    if let changed = try? GIFImage(bytes: other) { #expect(!image.hasSameContent(as: changed)) }
    source.bytes = []
    #expect(
      !image.hasSameContent(as: try GIFImage(bytes: bytes)), "a file that cannot be read is like no other")
  }
}

/// The digest by which bytes are known again.
@Suite struct XXHash64Tests {
  private func digest(_ bytes: [UInt8]) -> UInt64 {
    unsafe bytes.withUnsafeBytes { unsafe XXHash64.digest($0) }
  }

  // Values that the xxhsum tool gives.
  @Test func knownValues() {
    #expect(digest([]) == 0xEF46_DB37_51D8_E999)
    #expect(digest(Array("a".utf8)) == 0xD24E_C4F1_A98C_6E5B)
    #expect(digest(Array("abc".utf8)) == 0x44BC_2CF5_AD77_0999)
    #expect(
      digest(Array("Nobody inspects the spammish repetition".utf8)) == 0xFBCE_A83C_8A37_8BF1)
  }

  @Test func piecesGiveTheSame() {
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 * $0) }
    let whole = digest(bytes)
    for size in [1, 31, 32, 33, 100, 999] {
      var hash = XXHash64()
      var (rest, given) = ([UInt8](), 0)
      while given < bytes.count {
        rest += bytes[given...].prefix(size)
        given = min(bytes.count, given + size)
        let taken = unsafe rest.withUnsafeBytes { unsafe hash.consume($0) }
        rest.removeFirst(taken)
      }
      let pieces = unsafe rest.withUnsafeBytes { unsafe hash.finish($0) }
      #expect(pieces == whole, "pieces of \(size)")
    }
  }

  @Test func everyByteCounts() {
    let bytes = [UInt8](repeating: 7, count: 77)
    var digests: Set<UInt64> = [digest(bytes)]
    for place in bytes.indices {
      var changed = bytes
      changed[place] ^= 1
      digests.insert(digest(changed))
    }
    #expect(digests.count == 78)
  }
}
