import GIFTestSupport
import Testing

@Suite("gallop decode", .serialized, .timeLimit(.minutes(20)))
struct DecodeCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Fixture.finite.bytes, to: "a.gif")
  }

  // MARK: Raw pictures

  @Test("rgba to standard output is every canvas, and nothing else")
  func rgba() async throws {
    let run = try await folder.gallop("decode", "--format", "rgba", "--output", "-", "a.gif")
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    #expect(run.output == Fixture.canvases(0..<4))
    #expect(try folder.names() == ["a.gif"])
  }

  @Test("bgra has red and blue exchanged")
  func bgra() async throws {
    let run = try await folder.gallop("decode", "--format", "bgra", "--output", "-", "a.gif")
    let rgba = Fixture.canvases(0..<4)
    // Where in the RGBA picture each byte comes from.
    let expected = rgba.indices.map { (place: Int) -> UInt8 in rgba[place / 4 * 4 + [2, 1, 0, 3][place % 4]] }
    #expect(run.status == 0)
    #expect(run.output == expected)
  }

  @Test("Raw pictures go into a file named after the GIF, into a folder, or into the file given")
  func rawFiles() async throws {
    let expected = Fixture.canvases(0..<4)
    let places = [("", "a.rgba"), ("out/", "out/a.rgba"), ("new/deep/", "new/deep/a.rgba"), ("x.y", "x.y")]
    for (output, file) in places {
      let option = output.isEmpty ? [] : ["--output", output]
      let run = try await folder.gallop(["decode", "--format", "rgba"] + option + ["a.gif"])
      #expect(run.status == 0)
      #expect(run.output.isEmpty)
      #expect(try folder.read(file) == expected)
    }
    try folder.makeFolder("there")
    let run = try await folder.gallop("decode", "--format", "bgra", "-o", "there", "a.gif")
    #expect(run.status == 0)
    #expect(try folder.names(in: "there") == ["a.bgra"])
  }

  @Test("Several files follow one another on standard output")
  func severalToStandardOutput() async throws {
    try folder.write(Fixture.still.bytes, to: "b.gif")
    let run = try await folder.gallop(
      "decode", "--format", "rgba", "--output", "-", "b.gif", "a.gif", "b.gif")
    #expect(run.status == 0)
    #expect(run.output == Fixture.canvas(0) + Fixture.canvases(0..<4) + Fixture.canvas(0))
  }

  @Test("A pipe and a device are written in place")
  func inPlace() async throws {
    let pipe = try await folder.shell("\"$0\" decode --format rgba --output /dev/stdout a.gif | cat")
    #expect(pipe.output == Fixture.canvases(0..<4))
    let null = try await folder.gallop("decode", "--format", "rgba", "--output", "/dev/null", "a.gif")
    #expect(null.status == 0)
    #expect(null.errors.isEmpty)
  }

  @Test("A GIF is read from a pipe too")
  func inputPipe() async throws {
    let run = try await folder.shell("cat a.gif | \"$0\" decode --format rgba --output - /dev/stdin")
    #expect(run.status == 0)
    #expect(run.output == Fixture.canvases(0..<4))
  }

  @Test("null decodes and writes nothing")
  func null() async throws {
    let run = try await folder.gallop("decode", "--format", "null", "a.gif")
    #expect(run.status == 0)
    #expect(run.output.isEmpty)
    #expect(run.errors.isEmpty)
    #expect(try folder.names() == ["a.gif"])
  }

  // MARK: PNG

  @Test("PNG files are numbered from 0000 and hold the canvases")
  func png() async throws {
    let run = try await folder.gallop("decode", "--output", "out", "a.gif")
    #expect(run.status == 0)
    #expect(run.output.isEmpty)
    #expect(run.errors.isEmpty)
    #expect(try folder.names(in: "out") == (0..<4).map { "a-000\($0).png" })
    for index in 0..<4 {
      let picture = try PNGPicture(folder.read("out/a-000\(index).png"))
      #expect((picture.width, picture.height, picture.bitDepth) == (2, 2, 8))
      #expect(picture.hasAlpha)
      #expect(picture.pixels == Fixture.canvas(index))
    }
  }

  @Test("Encoding with several threads changes no byte and no order", arguments: ["1", "2", "3", "8", "256"])
  func pngJobs(jobs: String) async throws {
    try folder.write(Fixture(delays: [Int](repeating: 2, count: 23), loop: nil).bytes, to: "many.gif")
    let run = try await folder.gallop("decode", "--jobs", jobs, "--output", "out", "many.gif")
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    #expect(try folder.names(in: "out").count == 23)
    var files: [[UInt8]] = []
    for index in 0..<23 {
      files.append(try folder.read("out/many-00\(index < 10 ? "0" : "")\(index).png"))
      #expect(try PNGPicture(files[index]).pixels == Fixture.canvas(index))
    }
    let stream = try await folder.gallop("decode", "--jobs", jobs, "--output", "-", "many.gif")
    #expect(stream.output == files.flatMap(\.self))
    let part = try await folder.gallop(
      "decode", "--jobs", jobs, "--frames", "5..<9", "--output", "-", "many.gif")
    #expect(part.output == files[5..<9].flatMap(\.self))
  }

  @Test("Without --output PNG files go into the current folder")
  func pngHere() async throws {
    try folder.write(Fixture.still.bytes, to: "UPPER.GIF")
    try folder.makeFolder("inner")
    try folder.write(Fixture.still.bytes, to: "inner/no ending")
    let run = try await folder.gallop("decode", "UPPER.GIF", "inner/no ending")
    #expect(run.status == 0)
    let names = ["UPPER.png", "UPPER.GIF", "a.gif", "inner", "no ending.png"]
    #expect(Set(try folder.names()) == Set(names))
  }

  @Test("Numbers grow beyond four digits")
  func longNumbers() async throws {
    try folder.write(Fixture(delays: [Int](repeating: 0, count: 10_001), loop: nil).bytes, to: "long.gif")
    let run = try await folder.gallop("decode", "--frames", "9999..", "-o", "out", "long.gif")
    #expect(run.status == 0)
    #expect(Set(try folder.names(in: "out")) == ["long-9999.png", "long-10000.png"])
  }

  @Test("One picture can go into a PNG file of any name, or to standard output")
  func singlePNG() async throws {
    let file = try await folder.gallop("decode", "--frames", "2", "--output", "two.PNG", "a.gif")
    #expect(file.status == 0)
    #expect(try PNGPicture(folder.read("two.PNG")).pixels == Fixture.canvas(2))
    let stream = try await folder.gallop("decode", "--frames", "1", "--output", "-", "a.gif")
    #expect(stream.status == 0)
    #expect(try PNGPicture(stream.output).pixels == Fixture.canvas(1))
  }

  @Test("Several pictures do not fit into one PNG file")
  func severalInOnePNG() async throws {
    let run = try await folder.gallop("decode", "--output", "all.png", "a.gif")
    #expect(run.status == 1)
    #expect(run.errorLines.count == 1)
    #expect(run.errors.hasPrefix("gallop: a.gif: "))
    #expect(try folder.names() == ["a.gif"])
  }

  // MARK: Frames

  @Test(
    "--frames takes every form of a range",
    arguments: [
      ("0", 0..<1), ("3", 3..<4), ("0..<4", 0..<4), ("1..<3", 1..<3), ("1...2", 1..<3), ("1-2", 1..<3),
      ("2-2", 2..<3), ("2..", 2..<4),
      ("0..", 0..<4), ("-1", 3..<4), ("-2-", 2..<4), ("100ms", 1..<2), ("0.1s-0.2s", 1..<3), ("1,2", 1..<3),
    ])
  func frames(selection: String, expected: Range<Int>) async throws {
    let run = try await folder.gallop(
      "decode", "--format", "rgba", "--output", "-", "--frames", selection, "a.gif")
    #expect(run.status == 0)
    #expect(run.output == Fixture.canvases(expected))
    let same = try await folder.gallop("decode", "-o", "-", "--format", "rgba", "--range", selection, "a.gif")
    #expect(same.output == run.output)
  }

  @Test("A list gives the frames in its order, steps leave frames out")
  func lists() async throws {
    for (selection, frames) in [("3,0,3", [3, 0, 3]), ("0-:2", [0, 2]), ("-1,1-2", [3, 1, 2])] {
      let run = try await folder.gallop(
        "decode", "--format", "rgba", "--output", "-", "--frames", selection, "a.gif")
      #expect(run.output == frames.flatMap { Fixture.canvas($0) })
      let named = try await folder.gallop("decode", "--frames", selection, "-o", "out-\(selection)/", "a.gif")
      #expect(named.status == 0)
      #expect(try folder.names(in: "out-\(selection)") == Set(frames).sorted().map { "a-000\($0).png" })
    }
  }

  @Test(
    "A pattern names one picture of each of several files; {index} counts those of all",
    arguments: ["1", "4"])
  func patterns(jobs: String) async throws {
    try folder.write(Fixture.endless.bytes, to: "b.gif")
    let posters = try await folder.gallop(
      "decode", "--jobs", jobs, "--frames", "-1", "-o", "thumbs/{name}.png", "a.gif", "b.gif")
    #expect(posters.status == 0)
    #expect(try folder.names(in: "thumbs") == ["a.png", "b.png"])
    #expect(try PNGPicture(folder.read("thumbs/b.png")).pixels == Fixture.canvas(2))
    let all = try await folder.gallop(
      "decode", "--jobs", jobs, "-o", "all/{index:1}/{name}.png", "a.gif", "missing.gif", "b.gif")
    #expect(all.status == 1)
    #expect(try folder.names(in: "all") == (0..<7).map { "\($0)" })
    #expect(try PNGPicture(folder.read("all/6/b.png")).pixels == Fixture.canvas(2))
  }

  @Test("Names of 255 bytes can be read and written")
  func longNames() async throws {
    let name = String(repeating: "n", count: 251) + ".gif"
    try folder.write(Fixture.finite.bytes, to: name)
    for format in ["png", "rgba", "y4m", "sheet"] {
      let run = try await folder.gallop("decode", "--format", format, "-o", format, name)
      #expect(run.errors.isEmpty)
      #expect(run.status == 0)
    }
    #expect(try folder.names(in: "png").count == 4)
    let single = try await folder.gallop("decode", "--frames", "0", "--force", name)
    #expect(single.status == 0)
    #expect(try folder.names().contains(String(repeating: "n", count: 251) + ".png"))
  }

  @Test("--fit keeps the canvas's shape and enlarges nothing")
  func fit() async throws {
    var gif = GIFWriter(width: 8, height: 4, palette: [0, 1])
    gif.image(width: 8, height: 4, indices: [UInt8](repeating: 1, count: 32))
    gif.trailer()
    try folder.write(gif.bytes, to: "wide.gif")
    for (box, bytes) in [("4x4", 4 * 2 * 4), ("x1", 2 * 1 * 4), ("99x99", 8 * 4 * 4)] {
      let run = try await folder.gallop("decode", "--format", "rgba", "--fit", box, "-o", "-", "wide.gif")
      #expect(run.output.count == bytes)
    }
  }

  @Test("A size that is too large names the option")
  func tooLargeSize() async throws {
    for (arguments, reason) in [
      (
        ["--size", "6000x6000"],
        "--size gives pictures of 6000 x 6000, 36000000 pixels; the limit is 33554432"
      ),
      (["--size", "10000%"], "--size gives pictures of 200 x 200, 40000 pixels; the limit is 9"),
    ] {
      let limit = arguments[1].hasSuffix("%") ? ["--max-canvas-pixels", "9"] : []
      let run = try await folder.gallop(["decode", "-o", "out/", "a.gif"] + arguments + limit)
      #expect(run.status == 1)
      #expect(run.errors == "gallop: a.gif: \(reason) (--max-canvas-pixels)\n")
      #expect(try folder.names() == ["a.gif", "out"] && folder.names(in: "out").isEmpty)
    }
  }

  @Test("A selection picks the PNG files by their numbers in the animation")
  func framesPNG() async throws {
    let run = try await folder.gallop("decode", "--frames", "1...2", "--output", "out", "a.gif")
    #expect(run.status == 0)
    #expect(try folder.names(in: "out") == ["a-0001.png", "a-0002.png"])
  }

  @Test("Frames that are not there are a failure of that file", arguments: ["4", "4..", "0..<5", "3...4"])
  func framesBeyond(selection: String) async throws {
    try folder.write(Fixture(delays: [1, 1, 1, 1, 1], loop: nil).bytes, to: "five.gif")
    let run = try await folder.gallop(
      "decode", "--format", "rgba", "--output", "-", "--frames", selection, "a.gif", "five.gif")
    #expect(run.status == 1)
    #expect(run.errorLines.count == 1)
    #expect(run.errors.hasPrefix("gallop: a.gif: "))
    #expect(!run.output.isEmpty)
  }

  // MARK: Damage

  @Test("A truncated animation gives all its frames, with a warning")
  func truncated() async throws {
    try folder.write(Fixture.finite.truncatedBytes, to: "cut.gif")
    let run = try await folder.gallop("decode", "--format", "rgba", "--output", "-", "cut.gif")
    #expect(run.status == 0)
    #expect(run.output.count == Fixture.canvases(0..<4).count)
    #expect(run.output.starts(with: Fixture.canvases(0..<3)))
    #expect(!run.errorLines.isEmpty)
    #expect(run.errorLines.allSatisfy { $0.hasPrefix("gallop: cut.gif: warning: ") })
  }

  @Test("A file with a canvas but no frame fails, as in play")
  func noFrames() async throws {
    var gif = GIFWriter(width: 3, height: 3, palette: [0, 1])
    gif.trailer()
    try folder.write(gif.bytes, to: "none.gif")
    let run = try await folder.gallop("decode", "--format", "rgba", "--output", "-", "none.gif")
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    #expect(run.errors == "gallop: none.gif: has no frames to decode\n")
  }

  @Test("A canvas beyond the limit is refused without a trap")
  func hugeCanvas() async throws {
    var gif = GIFWriter(width: 20_000, height: 20_000, palette: [0, 1])
    gif.image(width: 1, height: 1, indices: [1])
    gif.trailer()
    try folder.write(gif.bytes, to: "huge.gif")
    for format in ["png", "rgba", "null"] {
      let run = try await folder.gallop("decode", "--format", format, "--output", "-", "huge.gif")
      #expect(run.status == 1)
      #expect(run.output.isEmpty)
      #expect(run.errorLines.last?.hasPrefix("gallop: huge.gif: has too many canvas pixels") == true)
    }
  }
}
