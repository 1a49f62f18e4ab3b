import GIFDecoding
import GIFDecodingTestSupport
import GIFTestSupport
import Testing

/// Beginnings of files that cannot be used, and what the errors say.
@Suite struct OpeningBytesTests {
  // The header, the screen and the global palette cut off behind each byte.
  @Test func everyTruncationOfTheHeader() throws {
    let whole = GIFWriter(width: 3, height: 2, palette: Letters.palette).bytes
    #expect(whole.count == 13 + 12)
    #expect(openingError([]) == GIFError(.emptyFile))
    for count in 1..<whole.count {
      #expect(openingError(Array(whole.prefix(count))) == GIFError(.truncatedHeader, offset: count))
    }
    // Whole, it is a GIF without a frame.
    let image = try GIFImage(bytes: whole)
    #expect(image.frameCount == 0)
    #expect(
      image.diagnostics
        == [GIFDiagnostic(.missingTrailer, offset: 25), GIFDiagnostic(.noFrames, offset: 13)])
  }

  // Without a global palette thirteen bytes are enough.
  @Test func shortestHeader() throws {
    let bytes = GIFWriter(width: 3, height: 2).bytes
    #expect(bytes.count == 13)
    #expect(openingError(Array(bytes.dropLast())) == GIFError(.truncatedHeader, offset: 12))
    #expect(try GIFImage(bytes: bytes).pixelCount == 6)
  }

  // A wrong byte anywhere in the signature is told before anything is missing.
  @Test func everyWrongSignatureByte() {
    for position in 0..<6 {
      var bytes = GIFWriter(width: 1, height: 1).bytes
      bytes[position] ^= 0x20
      #expect(openingError(bytes) == GIFError(.notAGIF))
      #expect(openingError(Array(bytes.prefix(position + 1))) == GIFError(.notAGIF))
    }
  }

  // All values of the packed byte: the palette it announces must be there, whatever its other bits say.
  @Test func everyPackedByte() throws {
    for flags in UInt8.min ... .max {
      let length = flags & 0x80 == 0 ? 0 : 3 * (2 << Int(flags & 7))
      var gif = GIFWriter()
      gif.header()
      gif.logicalScreen(
        width: 1, height: 1, palette: Array(repeating: 0x00FF00, count: length / 3), flags: flags)
      gif.image(width: 1, height: 1, indices: [0])
      gif.trailer()
      let image = try GIFImage(bytes: gif.bytes)
      #expect(try image.letters() == [length == 0 ? "K" : "G"], "flags \(flags)")
    }
  }

  // Some forty bytes that claim four thousand million pixels: refused for the claim, with number and limit.
  @Test func hugeClaim() throws {
    var gif = GIFWriter(width: 65535, height: 65535, palette: Letters.palette)
    gif.imageDescriptor(width: 65535, height: 65535)
    gif.raw([2, 1, 0x44, 0, 0x3B])
    #expect(gif.bytes.count == 40)
    let error = try #require(openingError(gif.bytes))
    #expect(error == GIFError(.canvasTooLarge, value: 4_294_836_225, limit: (1 << 29) - 1))
    #expect(error.description == "has too many canvas pixels: 4294836225, the limit is 536870911")
    // Without any frame, too.
    #expect(openingError(Array(gif.bytes.prefix(25))) == error)
  }

  // Where the limit is raised, a claim alone costs no memory: index and check work, rendering is refused.
  @Test func hugeClaimIndexed() throws {
    var gif = GIFWriter(width: 65535, height: 65535, palette: Letters.palette)
    gif.imageDescriptor(width: 65535, height: 65535)
    gif.raw([2, 1, 0x44, 0, 0x3B])
    let limits = DecodingLimits(claimedPixels: .max, framePixels: .max)
    let image = try GIFImage(bytes: gif.bytes, limits: limits)
    #expect(image.width == 65535)
    #expect(image.checkFrames().statuses == [.failed])
    #expect(throws: GIFError(.canvasTooLarge, value: 4_294_836_225, limit: 1 << 25)) {
      _ = try FrameRenderer(image)
    }
  }

  // Every error says in words what is wrong, and nothing twice.
  @Test func descriptions() throws {
    let codes = GIFError.Code.allCases
    let texts = codes.map { GIFError($0).description }
    #expect(Set(texts).count == codes.count)
    for (code, text) in zip(codes, texts) {
      #expect(text.contains(" ") && !text.hasSuffix("."), "\(code)")
    }
    #expect(
      GIFError(.truncatedHeader, offset: 7).description == "is cut off inside the GIF header (at byte 7)")
    #expect(
      GIFError(.noSuchFrame, value: 9, limit: 3).description == "has no frame 9: its 3 frames count from 0")
    #expect(
      GIFError(.cancelled, frame: 2, offset: 5).description == "was cancelled (frame #2) (at byte 5)")
  }

  // And so does every diagnostic.
  @Test func diagnosticMessages() throws {
    let codes = GIFDiagnostic.Code.allCases
    let texts = codes.map { GIFDiagnostic($0, offset: 0).message }
    #expect(Set(texts).count == codes.count)
    for (code, text) in zip(codes, texts) { #expect(text.contains(" ") && !text.contains(code.rawValue)) }
    #expect(
      GIFDiagnostic(.emptyFrame, frame: 4, offset: 99).description
        == "frame #4: the frame has no area; it takes its time and draws nothing (at byte 99)")
    #expect(GIFDiagnostic(.noFrames, offset: 13).description == "there is no frame (at byte 13)")
  }
}
