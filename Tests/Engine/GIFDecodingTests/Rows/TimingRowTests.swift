import GIFDecoding
import GIFDecodingTestSupport
import GIFTestSupport
import Testing

/// Rows 1 - 7: delays and loop counts.
@Suite struct TimingRowTests {
  // Row 1: delays of 0 and 1 hundredths play as 100 ms, all others as stored; the stored number stays
  // readable.
  @Test(arguments: [(0, 100), (1, 100), (2, 20), (3, 30), (10, 100), (11, 110), (65535, 655_350)])
  func row1DelayNormalisation(stored: Int, milliseconds: Int) throws {
    var gif = GIFWriter(width: 1, height: 1, palette: Letters.palette)
    gif.frame("R", delay: stored)
    gif.trailer()
    let image = try GIFImage(bytes: gif.bytes)
    #expect(image.frames.map(\.delayCentiseconds) == [stored])
    #expect(image.frames.map { $0.delayMilliseconds() } == [milliseconds])
    #expect(image.durationMilliseconds() == milliseconds)
    #expect(image.durationMilliseconds(.encoded) == stored * 10)
  }

  // Row 2: a frame without graphics control has delay 0, no transparency and disposal "keep", whatever the
  // frame before it had.
  @Test func row2NothingOutlivesItsImage() throws {
    var gif = GIFWriter(width: 2, height: 1, palette: Letters.palette)
    gif.frame("RG", disposal: 2, delay: 7, transparent: 3)
    gif.frame("WB")
    gif.frame("G", x: 1)
    gif.trailer()
    let image = try GIFImage(bytes: gif.bytes)
    #expect(image.frames.map(\.delayCentiseconds) == [7, 0, 0])
    #expect(image.frames.map { $0.delayMilliseconds() } == [70, 100, 100])
    #expect(image.frames.map(\.transparentIndex) == [3, nil, nil])
    #expect(image.frames.map(\.disposal) == [.background, .keep, .keep])
    #expect(try image.letters() == ["RG", "WB", "WG"])
    #expect(image.durationMilliseconds() == 270)
  }

  // Rows 3 and 4: N > 0 repetitions are N + 1 plays, 0 is for ever, no extension is one play, 65,535 is
  // 65,536.
  @Test(
    arguments: [
      (nil, .plays(1)), (0, .forever), (1, .plays(2)), (2, .plays(3)), (255, .plays(256)), (256, .plays(257)),
      (65535, .plays(65536)),
    ] as [(Int?, LoopCount)])
  func rows3And4LoopCount(stored: Int?, plays: LoopCount) throws {
    #expect(
      try loopCount { gif in
        if let stored { gif.loop(stored) }
      } == plays)
  }

  // Row 5: the identifier counts only if it is exactly one of two, eleven bytes long.
  @Test(
    arguments: [
      ("NETSCAPE2.0", .plays(6)), ("ANIMEXTS1.0", .plays(6)), ("NETSCAPE1.0", .plays(1)),
      ("NETSCAPE2.0x", .plays(1)), ("NETSCAPE2.", .plays(1)), ("netscape2.0", .plays(1)),
      ("ANIMEXTS1.1", .plays(1)), ("XMP DataXMP", .plays(1)),
    ] as [(String, LoopCount)])
  func row5Identifier(name: String, plays: LoopCount) throws {
    var gif = GIFWriter(width: 1, height: 1, palette: Letters.palette)
    gif.loop(5, identifier: name)
    gif.frame("R")
    gif.trailer()
    let image = try GIFImage(bytes: gif.bytes)
    #expect(image.loopCount == plays)
    #expect(image.oddities.isEmpty, "another application's extension is nothing odd")
    #expect(image.frameCount == 1)
  }

  // Row 6: only the first sub-block counts, and only with three bytes of which the first is 1.
  @Test(
    arguments: [
      ([[1, 5, 0]], .plays(6)), ([[1, 5, 0], [2, 0, 0, 0, 0]], .plays(6)),
      ([[1, 5, 0], [1, 9, 0]], .plays(6)),
      ([[1, 0, 1]], .plays(257)), ([[1, 5, 0, 0]], nil), ([[1, 5]], nil), ([[9, 5, 0]], nil),
      ([[0, 5, 0]], nil), ([[2, 0, 0, 0, 0], [1, 5, 0]], nil), ([[2, 5, 0]], nil),
    ] as [([[UInt8]], LoopCount?)])
  func row6SubBlockForm(subBlocks: [[UInt8]], plays: LoopCount?) throws {
    var gif = GIFWriter(width: 1, height: 1, palette: Letters.palette)
    let place = gif.application(Array("NETSCAPE2.0".utf8), subBlocks: subBlocks)
    gif.frame("R")
    gif.trailer()
    let image = try GIFImage(bytes: gif.bytes)
    #expect(image.loopCount == plays ?? .plays(1))
    #expect(
      image.diagnostics
        == (plays == nil ? [GIFDiagnostic(.malformedLoopExtension, offset: place.lowerBound)] : []))
  }

  // Row 6: the zero behind an identifier without sub-block is taken for the length of one, so what follows is
  // swallowed as sub-blocks: here a graphics control (0x21 bytes) and, up to its next zero, the frame.
  @Test(arguments: ["NETSCAPE2.0", "ANIMEXTS1.0"]) func row6WithoutSubBlock(name: String) throws {
    var gif = GIFWriter(width: 1, height: 1, palette: Letters.palette)
    gif.frame("R")
    let place = gif.application(Array(name.utf8), subBlocks: [])
    gif.raw([3, 1, 5, 0, 0])
    gif.frame("G")
    gif.trailer()
    let image = try GIFImage(bytes: gif.bytes)
    #expect(image.loopCount == .plays(1))
    #expect(
      try image.letters() == ["R", "G"],
      "the length 3 and its bytes are swallowed, and the extension ends there")
    #expect(image.diagnostics == [GIFDiagnostic(.malformedLoopExtension, offset: place.lowerBound)])
    // Of another application's extension the zero is the end.
    var other = GIFWriter(width: 1, height: 1, palette: Letters.palette)
    other.frame("R")
    other.application(Array("NETSCAPE2.1".utf8), subBlocks: [])
    other.frame("G")
    other.trailer()
    #expect(try GIFImage(bytes: other.bytes).letters() == ["R", "G"])
  }

  // Row 7: the last loop extension of the file counts, also behind the last frame; an ignored one undoes
  // nothing.
  @Test func row7LastOneWins() throws {
    #expect(
      try loopCount { gif in
        gif.loop(5)
        gif.loop(2)
      } == .plays(3))
    #expect(
      try loopCount(
        before: { $0.loop(5) },
        after: { $0.loop(0, identifier: "ANIMEXTS1.0") }) == .forever)
    #expect(try loopCount(before: { $0.loop(0) }, after: { $0.loop(1) }) == .plays(2))
    #expect(
      try loopCount { gif in
        gif.loop(5)
        gif.application(Array("NETSCAPE2.0".utf8), subBlocks: [[9, 1, 0]])
      } == .plays(6))
  }

  // Row 7: a loop extension behind the trailer is no part of the file.
  @Test func row7BehindTheTrailer() throws {
    var gif = GIFWriter(width: 1, height: 1, palette: Letters.palette)
    gif.frame("R")
    let trailer = gif.trailer()
    gif.loop(0)
    let image = try GIFImage(bytes: gif.bytes)
    #expect(image.loopCount == .plays(1))
    #expect(image.diagnostics == [GIFDiagnostic(.trailingBytes, offset: trailer.upperBound)])
    #expect(image.metadata.isComplete)
  }

  /// The loop count of a one-frame file with extensions before and after the frame.
  private func loopCount(
    before: (inout GIFWriter) -> Void, after: (inout GIFWriter) -> Void = { _ in }
  ) throws -> LoopCount {
    var gif = GIFWriter(width: 1, height: 1, palette: Letters.palette)
    before(&gif)
    gif.frame("R")
    after(&gif)
    gif.trailer()
    return try GIFImage(bytes: gif.bytes).loopCount
  }
}
