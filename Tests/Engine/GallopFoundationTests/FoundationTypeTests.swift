import Foundation
import Gallop
import GallopFoundation
import Testing

@Suite("Images of Foundation's types")
struct FoundationTypeTests {
  /// One frame of one pixel.
  private static let bytes: [UInt8] =
    Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
    + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4C, 1, 0, 0x3B]

  /// A file of that GIF under a name, in a folder that is deleted.
  private func withFile(named name: String, _ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent(name)
    try Data(Self.bytes).write(to: file)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(file)
  }

  @Test("A Data and a slice of one are read where they are")
  func data() throws {
    let image = try GIFImage(data: Data(Self.bytes))
    #expect(image.frameCount == 1 && image.width == 1)
    let longer = Data([7, 7, 7] + Self.bytes + [9])
    let slice = longer[3..<3 + Self.bytes.count]
    #expect(slice.startIndex == 3)
    var renderer = try FrameRenderer(try GIFImage(data: slice))
    #expect(try renderer.frame(at: 0).pixels[0, 0] == 0xFFFF_FFFF)
    #expect(try GIFImage(data: slice).fileData() == Data(Self.bytes))
    #expect(throws: GIFError.self) { try GIFImage(data: Data()) }
  }

  @Test("The URL of a file opens it, whatever its name", arguments: ["a.gif", "ä b#c?d%20.gif", "x:y.gif"])
  func files(name: String) async throws {
    try await withFile(named: name) { (file: URL) async throws in
      #expect(try GIFImage(contentsOf: file).frameCount == 1)
      #expect(try await GIFImage(url: file).frameCount == 1)
      #expect(try GIFSource(file) == .file(path: file.path))
      let relative = URL(fileURLWithPath: name, relativeTo: file.deletingLastPathComponent())
      #expect(try GIFImage(contentsOf: relative).frameCount == 1)
      let player = GIFPlayer(loading: file)
      let phases = player.events()
      // Cancelling after the end does nothing, and before it the player has failed.
      player.play()
      for await event in phases { if case .frameChange = event { break } }
      #expect(player.currentFrameIndex == 0 && player.isComplete)
    }
  }

  @Test("A URL of the web is loaded, not opened; an unknown scheme is an error")
  func otherURLs() async throws {
    let web = try #require(URL(string: "http://user:word@127.0.0.1:1/a.gif"))
    let error = #expect(throws: GIFLoadingError.self) { try GIFImage(contentsOf: web) }
    #expect(error?.code == .unsupportedScheme && error?.source == "http://127.0.0.1:1/a.gif")
    let unknown = try #require(URL(string: "gopher://example.org/a.gif"))
    #expect(throws: GIFLoadingError.self) { try GIFSource(unknown) }
    let text = "data:image/gif;base64," + Data(Self.bytes).base64EncodedString()
    let data = try #require(URL(string: text))
    #expect(try await GIFImage(url: data).frameCount == 1)
  }

  @Test("Pixels become the Data of a PNG file")
  func png() throws {
    var renderer = try FrameRenderer(try GIFImage(data: Data(Self.bytes)))
    let png = try renderer.frame(at: 0).pixels.pngData()
    #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47]) && png.count > 40)
  }
}
