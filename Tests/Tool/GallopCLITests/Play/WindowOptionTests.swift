import Foundation
import GIFDecoding
import Testing

@testable import GallopCLI

@Suite("Motion: the desktop's setting")
struct MotionTests {
  @Test(
    "GTK's settings file decides",
    arguments: [
      ("[Settings]\ngtk-enable-animations=0\n", Motion.reduced), ("gtk-enable-animations = false", .reduced),
      ("gtk-theme-name=x\r\ngtk-enable-animations=1", .full), ("gtk-enable-animations=true", .full),
    ])
  func settings(text: String, motion: Motion) {
    #expect(Motion(settings: text) == motion)
  }

  @Test("Other files say nothing", arguments: ["", "[Settings]", "gtk-enable-animations", "a=b=c\n=\n\u{0}"])
  func others(text: String) {
    #expect(Motion(settings: text) == nil)
  }
}

@Suite("Saved frames")
struct FrameFileTests {
  @Test("A name that is taken gets a number")
  func names() {
    #expect(PartSaver.unusedName("a", part: "-0003", type: "png") { _ in false } == "a-0003.png")
    let taken: Set = ["a-0003.png", "a-0003-2.png"]
    #expect(PartSaver.unusedName("a", part: "-0003", type: "png") { taken.contains($0) } == "a-0003-3.png")
  }

  @Test("A long name is cut, also where it is taken")
  func longName() {
    let stem = String(repeating: "a", count: 251)
    let name = PartSaver.unusedName(stem, part: "-0003", type: "png") { _ in false }
    #expect(name.utf8.count == 255 && name.hasSuffix("-0003.png"))
    let second = PartSaver.unusedName(stem, part: "-0003", type: "png") { $0 == name }
    #expect(second.utf8.count == 255 && second.hasSuffix("-0003-2.png"))
  }

  @Test("The size of a GIF is read from its header; other files have none")
  func size() throws {
    let folder = try TemporaryFolder()
    try folder.write(Array("GIF89a".utf8) + [0x40, 1, 0xF0, 0, 0, 0, 0], to: "a.gif")
    try folder.write(Array("GIF89a".utf8) + [0x40], to: "b.gif")
    try folder.write(Array("nothing of the kind".utf8), to: "c.gif")
    let size = GIFHeader.size(of: folder.url.path + "/a.gif")
    #expect(size?.width == 320 && size?.height == 240)
    for name in ["b.gif", "c.gif", "missing.gif", ""] {
      #expect(GIFHeader.size(of: folder.url.path + "/" + name) == nil)
    }
    #expect(GIFHeader.size(of: "https://example.com/a.gif") == nil)
  }
}
