import GIFDecoding
import GIFTestSupport
import Testing

/// Facts of a file besides its frames: version, palettes, application extensions.
@Suite("Metadata") struct MetadataTests {
  /// Two colours for all, four for the second frame, a loop extension and data of an editor.
  private static let file: [UInt8] = {
    var gif = GIFWriter(width: 1, height: 1, palette: [0x010203, 0x040506])
    gif.loop(3)
    gif.image(width: 1, height: 1, indices: [0])
    gif.image(
      width: 1, height: 1, indices: [1], palette: [0x090909, 0x080808, 0x070707, 0x000102])
    gif.trailer()
    return gif.bytes
  }()

  @Test("Palettes are pixels of opaque colours, in the order that is asked for")
  func palettes() throws {
    let image = try GIFImage(bytes: Self.file)
    #expect(image.metadata.globalPaletteSize == 2 && image.frames.map(\.paletteSize) == [nil, 4])
    #expect(image.globalPalette() == [0xFF03_0201, 0xFF06_0504])
    #expect(image.globalPalette(.bgra) == [0xFF01_0203, 0xFF04_0506])
    #expect(try image.palette(ofFrame: 0) == nil)
    #expect(try image.palette(ofFrame: 1)?.last == 0xFF02_0100)
    #expect(throws: GIFError(.noSuchFrame, value: 2, limit: 2)) { _ = try image.palette(ofFrame: 2) }
  }

  @Test("The version and the application extensions are reported")
  func extensions() throws {
    let metadata = try GIFImage(bytes: Self.file).metadata
    #expect(metadata.version == "89a" && metadata.backgroundIndex == 0)
    #expect(metadata.applicationExtensions.map(\.identifier) == ["NETSCAPE2.0"])
    #expect(metadata.applicationExtensions.map(\.byteCount) == [19])
    #expect(metadata.applicationExtensions.first?.offset == 13 + 6)
  }

  @Test("Of many application extensions the first 256 are reported")
  func manyExtensions() throws {
    var gif = GIFWriter(width: 1, height: 1, palette: [0x010203, 0x040506])
    for _ in 0..<300 { gif.loop(1) }
    gif.image(width: 1, height: 1, indices: [0])
    gif.trailer()
    #expect(try GIFImage(bytes: gif.bytes).metadata.applicationExtensions.count == 256)
  }
}
