import Foundation
import Testing

/// What `decode` writes where, and what it never overwrites.
@Suite("Outputs", .serialized, .timeLimit(.minutes(20)))
struct OutputRuleTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Fixture.finite.bytes, to: "a.gif")
  }

  @Test("The extension of the output names the format")
  func formats() async throws {
    for name in ["f.y4m", "f.rgba", "f.bgra"] {
      #expect(try await folder.gallop("decode", "-o", name, "a.gif").status == 0)
    }
    #expect(try folder.read("f.rgba") == Fixture.canvases(0..<4))
    #expect(try folder.read("f.bgra").count == 64)
    #expect(try folder.read("f.y4m").starts(with: Array("YUV4MPEG2 ".utf8)))
  }

  @Test(
    "Other formats are refused with the ones that can be written", arguments: ["f.mp4", "f.gif", "f.avif"])
  func otherFormats(output: String) async throws {
    let run = try await folder.gallop("decode", "-o", output, "a.gif")
    #expect(run.status == 64)
    #expect(
      run.errors.contains(
        "files end in .png, .jpg, .jpeg, .webp, .y4m, .rgba, .bgra, and a folder in a slash"))
    #expect(try folder.names() == ["a.gif"])
  }

  @Test("A pattern names the PNG files, and its folder is made")
  func pattern() async throws {
    let run = try await folder.gallop("decode", "--frames", "1-2", "-o", "new/f%03d.png", "a.gif")
    #expect(run.status == 0)
    #expect(try folder.names(in: "new") == ["f001.png", "f002.png"])
    #expect(try PNGPicture(folder.read("new/f002.png")).pixels == Fixture.canvas(2))
  }

  @Test(
    "An input is never overwritten, not even with --force",
    arguments: ["a.gif", "./a.gif", "link.gif", "hard.gif"])
  func input(output: String) async throws {
    _ = try await folder.shell("ln -s a.gif link.gif; ln a.gif hard.gif")
    let before = try folder.read("a.gif")
    let run = try await folder.gallop("decode", "--format", "rgba", "--force", "-o", output, "a.gif")
    #expect(run.status == 1)
    #expect(run.errors == "gallop: \(output): is read as an input; --output names another file\n")
    #expect(try folder.read("a.gif") == before)
    #expect(try folder.names() == ["a.gif", "hard.gif", "link.gif"])
  }

  @Test("Nor by the shell's redirections, a chart or a trace")
  func otherInputs() async throws {
    let before = try folder.read("a.gif")
    try folder.write(before, to: "a.png")
    for command in [
      "decode --format rgba -o - a.gif 1<>a.gif", "decode --format rgba --force -o a.gif - < a.gif",
      "info --force --plot a.png a.png", "play --headless --loops 1 --force --trace a.gif a.gif",
      "bench playback --seconds 0.05 --force --markdown a.gif a.gif",
    ] {
      let run = try await folder.shell("\"$0\" \(command)")
      #expect(run.status == 1, "\(command)")
      #expect(run.errors.contains("read as an input"))
      #expect(try folder.read("a.gif") == before && folder.read("a.png") == before, "\(command)")
    }
  }

  @Test("--force keeps the mode of a file")
  func mode() async throws {
    let run = try await folder.shell(
      "echo old >x.rgba; chmod 0640 x.rgba; \"$0\" decode --force -o x.rgba a.gif; stat -c %a x.rgba")
    #expect(run.text == "640\n")
    #expect(try folder.read("x.rgba") == Fixture.canvases(0..<4))
  }

  @Test("--force follows a symbolic link and leaves it", arguments: ["old", ""])
  func link(old: String) async throws {
    try folder.makeFolder("d")
    if !old.isEmpty { try folder.write(Array(old.utf8), to: "d/real.rgba") }
    let run = try await folder.shell(
      "ln -s d/real.rgba x.rgba; ln -s x.rgba y.rgba; \"$0\" decode --force -o y.rgba a.gif; readlink x.rgba y.rgba"
    )
    #expect(run.text == "d/real.rgba\nx.rgba\n")
    #expect(run.errors.isEmpty)
    #expect(try folder.read("d/real.rgba") == Fixture.canvases(0..<4))
    #expect(try folder.names(in: "d") == ["real.rgba"])
  }

  @Test("--size takes one side or a part")
  func sizes() async throws {
    for (size, bytes) in [("4x", 64), ("x1", 4), ("50%", 4), ("300%", 144), ("3x1", 12)] {
      let run = try await folder.gallop(
        "decode", "--frames", "1", "--format", "rgba", "--size", size, "-o", "-", "a.gif")
      #expect(run.output.count == bytes)
    }
  }

  @Test("--background fills what is transparent, in every format")
  func background() async throws {
    let command = ["decode", "--frames", "0", "--background", "#0000fe", "-o", "-", "a.gif", "--format"]
    let rgba = try await folder.gallop(command + ["rgba"])
    let expected = Array(Fixture.canvas(0).prefix(12)) + [0, 0, 0xFE, 0xFF]
    #expect(rgba.output == expected)
    #expect(try await PNGPicture(folder.gallop(command + ["png"]).output).pixels == expected)
    #expect(try await folder.gallop(command + ["bgra"]).output.suffix(4) == [0xFE, 0, 0, 0xFF])
    let white = try await folder.gallop("decode", "--frames", "0", "--format", "y4m", "-o", "-", "a.gif")
    #expect(try await folder.gallop(command + ["y4m"]).output != white.output)
    #expect(try await folder.gallop(command + ["sheet"]).status == 0)
  }

  @Test("--compression changes the size of PNG files, never their pixels")
  func compression() async throws {
    try folder.write(LargeFixture.bytes(frames: 1), to: "large.gif")
    var pictures: [[UInt8]] = []
    for level in ["0", "1", "6", "9"] {
      let run = try await folder.gallop("decode", "--compression", level, "-o", "-", "large.gif")
      pictures.append(run.output)
      #expect(try PNGPicture(run.output).pixels == PNGPicture(pictures[0]).pixels)
    }
    #expect(pictures[0].count > pictures[1].count && pictures[1].count >= pictures[3].count)
    let standard = try await folder.gallop("decode", "-o", "-", "large.gif").output
    #expect(standard.count >= pictures[2].count && standard.count <= pictures[1].count)
    #expect(try PNGPicture(standard).pixels == PNGPicture(pictures[0]).pixels)
  }
}
