import Foundation
import Gallop
import GallopFoundation
import Testing

@Suite("Errors with Foundation")
struct LocalizedErrorTests {
  @Test("localizedDescription is the error's sentence")
  func decoding() throws {
    let error = try #require(throws: GIFError.self) { try GIFImage(bytes: Array("no GIF".utf8)) }
    #expect((error as any Error).localizedDescription == error.description)
    #expect(error.description.contains(" "))
  }

  @Test("localizedDescription of a failed load names the file")
  func loading() throws {
    let error = try #require(throws: GIFLoadingError.self) {
      try GIFImage(contentsOfFile: "/no/such/folder/a.gif")
    }
    let text = (error as any Error).localizedDescription
    #expect(text.hasPrefix("/no/such/folder/a.gif ") && text == error.description)
  }
}
