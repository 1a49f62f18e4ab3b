import GIFDecoding
import GIFDecodingTestSupport
import GIFTestSupport
import Testing

/// Every limit at its edge: what is just allowed works in full, one more is refused in its own way.
@Suite struct DecodingLimitsTests {
  /// Three frames of 4 x 3 and comments of 5 and 4 bytes.
  private static let file: [UInt8] = {
    var gif = GIFWriter(width: 4, height: 3, palette: Letters.palette)
    gif.comment("hello")
    gif.frame("RRRR/RRRR/RRRR")
    gif.frame("GG", x: 1, y: 1)
    gif.comment("you!", subBlockSize: 2)
    gif.frame("BBBB/BBBB/BBBB")
    gif.trailer()
    return gif.bytes
  }()

  private static let pictures = ["RRRR/RRRR/RRRR", "RRRR/RGGR/RRRR", "BBBB/BBBB/BBBB"]

  // Row 52: 536,870,912 pixels are refused under Chromium's profile, whatever the limits allow.
  @Test func chromiumsOwnLimit() throws {
    var limits = DecodingLimits(canvasPixels: .max, claimedPixels: .max, decodedBytes: .max)
    limits.frameCount = 1
    let bytes = GIFWriter(width: 32_768, height: 16_384).bytes
    let image = try GIFImage(bytes: bytes, limits: limits)
    #expect(throws: GIFError(.canvasTooLarge, value: 536_870_912, limit: 536_870_911)) {
      _ = try FrameRenderer(image)
    }
    #expect(
      openingError(bytes) == GIFError(.canvasTooLarge, value: 536_870_912, limit: 536_870_911),
      "by default the file is refused at once")
  }

  @Test("Frames beyond the limit of all pixels are ignored; the first one always counts")
  func totalPixels() throws {
    func image(_ limit: Int64) throws -> GIFImage {
      try GIFImage(bytes: Self.file, limits: DecodingLimits(totalPixels: limit))
    }
    #expect(try image(26).letters() == Self.pictures)
    #expect(try image(25).letters() == Array(Self.pictures.prefix(2)))
    #expect(try image(25).diagnostics.map(\.code) == [.workLimit])
    #expect(try image(25).metadata.isComplete == false)
    #expect(try image(0).frameCount == 1)
  }

  @Test("Limits for untrusted files admit an ordinary GIF whole")
  func untrusted() throws {
    let image = try GIFImage(bytes: Self.file, limits: .untrusted)
    #expect(try image.letters() == Self.pictures && image.metadata.comments == ["hello", "you!"])
  }

  @Test func canvasPixels() throws {
    let allowed = try GIFImage(bytes: Self.file, limits: DecodingLimits(canvasPixels: 12))
    #expect(try allowed.letters() == Self.pictures)
    // The index can be read all the same; only rendering is refused.
    let refused = try GIFImage(bytes: Self.file, limits: DecodingLimits(canvasPixels: 11))
    #expect(refused.frameCount == 3)
    #expect(refused.checkFrames().statuses == [.complete, .complete, .complete])
    #expect(throws: GIFError(.canvasTooLarge, value: 12, limit: 11)) { _ = try FrameRenderer(refused) }
  }

  // A size asked for is held against the same limits before any memory is taken for it.
  @Test func deliveredPixels() throws {
    func size(_ width: Int, _ height: Int) -> PixelSize { PixelSize(clampingWidth: width, height: height) }
    let image = try GIFImage(bytes: Self.file, limits: DecodingLimits(canvasPixels: 24))
    var allowed = try FrameRenderer(image, size: size(6, 4))
    #expect(try allowed.frame(at: 0).pixels.width == 6)
    #expect(throws: GIFError(.canvasTooLarge, value: 25, limit: 24)) {
      _ = try FrameRenderer(image, size: size(5, 5))
    }
    let narrow = try GIFImage(bytes: Self.file, limits: DecodingLimits(decodedBytes: 95))
    #expect(throws: GIFError(.tooManyDecodedBytes, value: 96, limit: 95)) {
      _ = try FrameRenderer(narrow, size: size(6, 4))
    }
  }

  @Test func claimedPixels() throws {
    #expect(
      try GIFImage(bytes: Self.file, limits: DecodingLimits(claimedPixels: 12)).letters() == Self.pictures)
    #expect(
      openingError(Self.file, limits: DecodingLimits(claimedPixels: 11))
        == GIFError(.canvasTooLarge, value: 12, limit: 11))
    // The canvas counts as grown by the first frame.
    var grown = GIFWriter(width: 1, height: 1, palette: Letters.palette)
    grown.frame("RG", x: 1, y: 1)
    #expect(openingError(grown.bytes, limits: DecodingLimits(claimedPixels: 6)) == nil)
    #expect(
      openingError(grown.bytes, limits: DecodingLimits(claimedPixels: 5))
        == GIFError(.canvasTooLarge, value: 6, limit: 5))
  }

  @Test func framePixels() throws {
    let allowed = try GIFImage(bytes: Self.file, limits: DecodingLimits(framePixels: 12))
    #expect(allowed.oddities.isEmpty)
    #expect(try allowed.letters() == Self.pictures)
    // The frames above the limit fail, the small one between builds on one of them and shows nothing.
    let refused = try GIFImage(bytes: Self.file, limits: DecodingLimits(framePixels: 11))
    #expect(
      refused.diagnostics
        == [0, 2].map {
          GIFDiagnostic(.frameTooLarge, frame: $0, offset: refused.frames[$0].offset)
        })
    let rendering = try refused.rendering()
    #expect(rendering.statuses == [.failed, .blank, .failed])
    #expect(rendering.pictures.allSatisfy { $0.allSatisfy { $0 == 0 } })
    #expect(rendering.damage.map(\.code) == [.requiredFrameFailed], "what the index tells is not repeated")
  }

  // The canvas takes 48 bytes decoded, its largest frame 12 more; a frame that restores keeps its pixels as
  // well.
  @Test func decodedBytes() throws {
    func statuses(_ limit: Int64) throws -> [FrameStatus] {
      try GIFImage(bytes: Self.file, limits: DecodingLimits(decodedBytes: limit)).rendering().statuses
    }
    #expect(try statuses(60) == [.complete, .complete, .complete])
    #expect(try statuses(59) == [.failed, .blank, .failed])
    #expect(try statuses(48) == [.failed, .blank, .failed], "the canvas alone fits")
    #expect(throws: GIFError(.tooManyDecodedBytes, value: 48, limit: 47)) { try statuses(47) }

    var restoring = GIFWriter(width: 4, height: 3, palette: Letters.palette)
    restoring.frame("GG", x: 1, y: 1, disposal: 3)
    for (limit, status) in [(48 + 2 + 8, FrameStatus.complete), (48 + 2 + 7, .failed)]
      as [(Int64, FrameStatus)]
    {
      let image = try GIFImage(bytes: restoring.bytes, limits: DecodingLimits(decodedBytes: limit))
      let rendering = try image.rendering()
      #expect(rendering.statuses == [status])
      #expect(rendering.damage.map(\.code) == (status == .failed ? [.frameTooLarge] : []))
    }
  }

  @Test func frameCount() throws {
    let allowed = try GIFImage(bytes: Self.file, limits: DecodingLimits(frameCount: 3))
    #expect(allowed.oddities.isEmpty)
    #expect(try allowed.letters() == Self.pictures)
    #expect(allowed.metadata.isComplete)
    let refused = try GIFImage(bytes: Self.file, limits: DecodingLimits(frameCount: 2))
    #expect(refused.diagnostics == [GIFDiagnostic(.frameLimit, offset: allowed.frames[2].offset)])
    #expect(try refused.letters() == Array(Self.pictures.prefix(2)))
    #expect(!refused.metadata.isComplete)
    let none = try GIFImage(bytes: Self.file, limits: DecodingLimits(frameCount: 0))
    #expect(none.oddities == [.frameLimit, .noFrames])
    #expect(none.pixelCount == 12)
  }

  @Test func commentBytes() throws {
    func comments(_ limit: Int) throws -> (kept: [String], oddities: [GIFDiagnostic.Code]) {
      let image = try GIFImage(bytes: Self.file, limits: DecodingLimits(commentBytes: limit))
      #expect(try image.letters() == Self.pictures, "comments have no say in pictures")
      return (image.metadata.comments, image.oddities)
    }
    #expect(try comments(9) == (["hello", "you!"], []))
    #expect(try comments(8) == (["hello", "yo"], [.commentLimit]))
    #expect(try comments(7) == (["hello", "yo"], [.commentLimit]))
    #expect(try comments(5) == (["hello"], [.commentLimit]))
    #expect(try comments(4) == (["you!"], [.commentLimit]))
    #expect(try comments(0) == ([], [.commentLimit]))
  }

  /// A few bytes of the file cost no more than a few bytes of diagnostics, however many there are.
  @Test func diagnosticsOfExtensions() throws {
    var gif = GIFWriter(width: 4, height: 3, palette: Letters.palette)
    for _ in 0..<5_000 {
      gif.application(Array("NETSCAPE2.0".utf8), subBlocks: [[9]])
      gif.graphicsControl()
      gif.comment("a")
    }
    gif.frame("RRRR/RRRR/RRRR")
    gif.trailer()
    let image = try GIFImage(bytes: gif.bytes, limits: DecodingLimits(commentBytes: 10))
    #expect(try image.letters() == ["RRRR/RRRR/RRRR"])
    #expect(image.oddities.count == 4_097)
    #expect(image.oddities.filter { $0 == .commentLimit }.count == 1)
    #expect(Set(image.oddities) == [.malformedLoopExtension, .repeatedGraphicsControl, .commentLimit])
  }

  @Test func defaultsAreThoseDocumented() {
    let limits = DecodingLimits.default
    #expect(limits == DecodingLimits())
    #expect(limits.canvasPixels == 33_554_432)
    #expect(limits.canvasPixels >= 7680 * 4320, "an 8K screen fits")
    #expect(limits.framePixels == limits.canvasPixels)
    #expect(limits.claimedPixels == 536_870_911)
    #expect(limits.decodedBytes == 536_870_912)
    #expect(limits.frameCount == 131_072)
    #expect(limits.commentBytes == 65536)
    #expect(limits.streamBytes == 1 << 28)
  }

  // Comments of bytes that are no UTF-8 are repaired, empty ones left out.
  @Test func oddComments() throws {
    var gif = GIFWriter(width: 1, height: 1, palette: Letters.palette)
    gif.unknownExtension(label: 0xFE, subBlocks: [[0x61, 0xFF], [0xC3], [0xA9]])
    gif.unknownExtension(label: 0xFE)
    gif.comment("é")
    gif.trailer()
    #expect(try GIFImage(bytes: gif.bytes).metadata.comments == ["a\u{FFFD}é", "é"])
  }
}
