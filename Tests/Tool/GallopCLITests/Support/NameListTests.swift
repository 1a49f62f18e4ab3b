import Testing

@testable import GallopCLI

@Suite("Lists of names and playlists")
struct NameListTests {
  private func names(_ text: String) -> [String] { NameList.names(in: Array(text.utf8)) }

  @Test("One name a line, or before each zero byte")
  func names() {
    #expect(names("") == [])
    #expect(names("\n\n\r\n") == [])
    #expect(names("a.gif\nb c.gif\r\n\n d.gif") == ["a.gif", "b c.gif", " d.gif"])
    #expect(names("a\nb.gif\0c.gif\r\0\0") == ["a\nb.gif", "c.gif\r"])
    #expect(names("#a.gif") == ["#a.gif"])
  }

  @Test("A name that is not UTF-8 keeps its bytes")
  func bytes() {
    let name: [UInt8] = [0x62, 0xFF, 0x2E, 0x67]
    #expect(NameList.names(in: name + [0x0A]).map(NameText.bytes) == [name])
    #expect(Playlist.entries(in: name + [0x0D, 0x0A]).map(NameText.bytes) == [name])
  }

  @Test("A playlist has remarks, spaces around names, and a mark of its encoding")
  func entries() {
    let text = "\u{FEFF}#EXTM3U\r\n#EXTINF:3,A title\r\n  a.gif\t\r\n\r\nhttp://h/b.gif\n# end"
    #expect(Playlist.entries(in: Array(text.utf8)) == ["a.gif", "http://h/b.gif"])
  }

  @Test(
    "Names in a playlist are told relative to its folder; URLs and absolute paths are not",
    arguments: [
      ("a.gif", "list/", "list/a.gif"), ("a.gif", "", "a.gif"), ("/x/a.gif", "list/", "/x/a.gif"),
      ("http://h/a.gif", "list/", "http://h/a.gif"), ("-", "", "./-"), ("data:x", "list/", "data:x"),
      ("../a.gif", "/l/", "/l/../a.gif"), ("file:/a.gif", "list/", "file:/a.gif"),
    ])
  func relative(name: String, folder: String, expected: String) {
    #expect(InputFiles.argument(for: name, in: folder) == expected)
  }
}
