import Foundation
import GIFDecoding
import Glibc
import Testing

@testable import GallopCLI

@Suite("GIFHeader")
struct GIFHeaderTests {
  @Test(
    "The size is found whatever the bytes of the name", arguments: [[], [0xFC], [0xC3, 0xBC]] as [[UInt8]])
  func names(bytes: [UInt8]) throws {
    let folder = try TemporaryFolder()
    try folder.write([UInt8]("GIF89a".utf8) + [0x40, 1, 0xF0, 0, 0, 0, 0], to: "plain.gif")
    let name = NameText.text(Array("\(folder.url.path)/a".utf8) + bytes + Array(".gif".utf8))
    #expect(unsafe rename("\(folder.url.path)/plain.gif", NameText.system(name)) == 0)
    let size = try #require(GIFHeader.size(of: name))
    #expect((size.width, size.height) == (320, 240))
  }
}
