import GIFDecoding
import GIFDecodingTestSupport
import GIFTestSupport
import Testing

/// What cannot be used is refused with the first byte that shows it.
@Suite struct StreamErrorTests {
  /// Feeds byte by byte; gives the error and how many bytes it took.
  private func firstError(
    _ bytes: [UInt8], limits: DecodingLimits = .default
  ) -> (error: GIFError, after: Int)? {
    var stream = GIFStream(limits: limits)
    for (position, byte) in bytes.enumerated() {
      do throws(GIFError) {
        try stream.append([byte])
        _ = try stream.image
      } catch {
        return (error, position + 1)
      }
    }
    return nil
  }

  /// Each of the six bytes of the signature is checked as it comes.
  @Test(arguments: 0..<6)
  func wrongSignature(place: Int) throws {
    var bytes = GIFWriter(width: 1, height: 1).bytes
    bytes[place] ^= 0x20
    let found = try #require(firstError(bytes))
    #expect(found.error == GIFError(.notAGIF))
    #expect(found.after == place + 1)
  }

  @Test func otherFilesAreRefusedAtOnce() throws {
    for text in ["<html>", "\u{7F}ELF", "RIFF", "GIF90a", "GIF88a", "gif89a"] {
      #expect(try #require(firstError(Array(text.utf8))).error == GIFError(.notAGIF))
    }
    #expect(firstError(Array("GIF8".utf8)) == nil)
  }

  /// A malformed graphics control before the first frame: refused with the block's last byte.
  @Test func malformedControlBeforeTheFirstFrame() throws {
    var writer = GIFWriter(width: 1, height: 1, palette: [0, 0xFFFFFF])
    let block = writer.graphicsControl(form: .blockSize(5))
    writer.image(width: 1, height: 1, indices: [0])
    let found = try #require(firstError(writer.bytes))
    #expect(found.error == GIFError(.malformedBeforeFirstFrame, offset: block.lowerBound))
    #expect(found.after == block.upperBound)
  }

  /// A canvas beyond the limit is known with the logical screen, or with the first frame's descriptor.
  @Test func canvasTooLarge() throws {
    let limits = DecodingLimits(claimedPixels: 100)
    let screen = GIFWriter(width: 11, height: 10)
    let fromScreen = try #require(firstError(screen.bytes, limits: limits))
    #expect(fromScreen.error == GIFError(.canvasTooLarge, value: 110, limit: 100))
    #expect(fromScreen.after == 13)
    // The same error where the whole file is there, though its first frame would make the canvas larger
    // still.
    var larger = screen
    larger.image(x: 10, width: 11, height: 10, indices: [UInt8](repeating: 0, count: 110))
    let atOnce = ReadingOutcome { () throws(GIFError) in try GIFImage(bytes: larger.bytes, limits: limits) }
    #expect(atOnce.error == fromScreen.error)

    var frame = GIFWriter(width: 10, height: 10)
    frame.image(x: 5, width: 10, height: 10, indices: [UInt8](repeating: 0, count: 100))
    let fromFrame = try #require(firstError(frame.bytes, limits: limits))
    #expect(fromFrame.error == GIFError(.canvasTooLarge, value: 150, limit: 100))
    #expect(fromFrame.after == 22)
  }

  /// The limit of bytes: exactly this many are taken, not one more; a refused piece is not taken in part.
  @Test func streamBytes() throws {
    let bytes = RandomGIF.make(seed: 4).bytes
    var exact = GIFStream(limits: DecodingLimits(streamBytes: bytes.count))
    try exact.append(bytes)
    _ = try exact.finish()

    var short = GIFStream(limits: DecodingLimits(streamBytes: bytes.count - 1))
    try short.append(Array(bytes.prefix(20)))
    let rest = Array(bytes.dropFirst(20))
    #expect(
      throws: GIFError(.inputTooLarge, value: Int64(bytes.count), limit: Int64(bytes.count - 1))
    ) { try short.append(rest) }
    #expect(short.byteCount == 20)
    _ = try short.image
  }

  /// A limit of nothing, and a limit of one byte.
  @Test func smallestLimits() {
    let none = firstError([0x47], limits: DecodingLimits(streamBytes: 0))
    #expect(none?.error == GIFError(.inputTooLarge, value: 1, limit: 0))
    let one = firstError(Array("GIF89a".utf8), limits: DecodingLimits(streamBytes: 1))
    #expect(one?.error == GIFError(.inputTooLarge, value: 2, limit: 1))
    #expect(one?.after == 2)
  }

  /// The limits of frames and comments hold for streams as for files.
  @Test(arguments: OddFile.files(30, from: 6000))
  func limitsOfTheIndex(_ file: OddFile) {
    let limits = DecodingLimits(
      canvasPixels: 60, claimedPixels: 70, framePixels: 20, frameCount: 2, commentBytes: 7)
    let expected = ReadingOutcome { () throws(GIFError) in try GIFImage(bytes: file.bytes, limits: limits) }
    let streamed = ReadingOutcome { () throws(GIFError) in
      var stream = GIFStream(limits: limits)
      for byte in file.bytes { try stream.append([byte]) }
      return try stream.finish()
    }
    // An error may come earlier, with a stream; it is the same.
    #expect(streamed == expected)
  }

  @Test func nothingIsNoImage() throws {
    #expect(ReadingOutcome(pieces: []).error == GIFError(.emptyFile))
    #expect(ReadingOutcome(pieces: [[], []]).error == GIFError(.emptyFile))
    #expect(ReadingOutcome(pieces: [Array("GIF".utf8)]) == ReadingOutcome(whole: Array("GIF".utf8)))
    let noCanvas = GIFWriter(width: 0, height: 5).bytes
    var stream = GIFStream()
    try stream.append(noCanvas)
    let hasImage = try stream.image != nil
    #expect(!hasImage)
    #expect(ReadingOutcome(pieces: [noCanvas]).error == GIFError(.zeroCanvas))
  }
}
