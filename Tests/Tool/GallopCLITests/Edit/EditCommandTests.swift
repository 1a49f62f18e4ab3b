import Foundation
import GIFTestSupport
import Testing

@Suite("gallop edit", .serialized, .timeLimit(.minutes(20)))
struct EditCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Fixture.endless.bytes, to: "a.gif")
  }

  /// The pictures of a file as RGBA, one behind the other.
  private func canvases(of name: String) async throws -> [UInt8] {
    let run = try await folder.gallop("decode", "--format", "rgba", "--output", "-", name)
    #expect(run.status == 0)
    return run.output
  }

  private func json(of name: String) async throws -> String {
    try await folder.gallop("info", "--json", name).lines.joined()
  }

  @Test("Frames in any order, each with its picture and delay")
  func frames() async throws {
    let run = try await folder.gallop("edit", "a.gif", "--frames", "2-0,1", "-o", "b.gif")
    #expect(run.status == 0)
    #expect(run.errors.isEmpty && run.output.isEmpty)
    #expect(
      try await canvases(of: "b.gif")
        == Fixture.canvas(2) + Fixture.canvas(1) + Fixture.canvas(0) + Fixture.canvas(1))
    let json = try await json(of: "b.gif")
    #expect(json.contains("\"frameCount\":4") && json.contains("\"durationMs\":90"))
    #expect(json.contains("\"plays\":\"forever\"") && json.contains("\"diagnostics\":[]"))
  }

  @Test("Files are joined, and frames count through all of them")
  func joined() async throws {
    try folder.write(Fixture.finite.bytes, to: "b.gif")
    let run = try await folder.gallop("edit", "a.gif", "b.gif", "--frames", "2-3", "-o", "c.gif")
    #expect(run.status == 0)
    #expect(try await canvases(of: "c.gif") == Fixture.canvas(2) + Fixture.canvas(0))
    #expect(try await json(of: "c.gif").contains("\"durationMs\":130"))
  }

  @Test("Delays, plays and comments change without a frame written anew")
  func metadata() async throws {
    let options = ["--delay", "50", "--last-delay", "200", "--loop", "3", "--comment", "by hand"]
    let dry = try await folder.gallop(["edit", "a.gif", "--dry-run"] + options)
    #expect(dry.status == 0)
    #expect(dry.lines.first?.hasPrefix("0 of 3 frames written anew, 3 copied; ") == true)
    #expect(try await folder.gallop(["edit", "a.gif", "-o", "b.gif"] + options).status == 0)
    let json = try await json(of: "b.gif")
    #expect(json.contains("\"durationMs\":300") && json.contains("\"plays\":3") && json.contains("by hand"))
    #expect(try await folder.gallop("edit", "b.gif", "--strip", "-o", "c.gif").status == 0)
    #expect(try await !self.json(of: "c.gif").contains("by hand"))
  }

  @Test("Standard input and output, and only a whole file on the latter")
  func pipes() async throws {
    let run = try await folder.shell("\"$0\" edit - --reverse -o - < a.gif")
    #expect(run.status == 0)
    try folder.write(run.output, to: "b.gif")
    #expect(
      try await canvases(of: "b.gif") == Fixture.canvas(2) + Fixture.canvas(1) + Fixture.canvas(0))
    let failed = try await folder.gallop("edit", "a.gif", "--frames", "3", "-o", "-")
    #expect(failed.status == 1 && failed.output.isEmpty)
    #expect(failed.errorLines == ["gallop: a.gif: has 3 frames; frame 3 is not there"])
  }

  @Test("Nothing is overwritten without --force, and never an input")
  func existing() async throws {
    try folder.write([1, 2], to: "b.gif")
    let kept = try await folder.gallop("edit", "a.gif", "-o", "b.gif")
    #expect(kept.status == 1)
    #expect(kept.errorLines == ["gallop: b.gif: exists already; --force overwrites it"])
    #expect(try folder.read("b.gif") == [1, 2])
    #expect(try await folder.gallop("edit", "a.gif", "-o", "a.gif", "--force").status == 1)
    #expect(try folder.read("a.gif") == Fixture.endless.bytes)
    #expect(try await folder.gallop("edit", "a.gif", "-o", "b.gif", "--force").status == 0)
    #expect(try await canvases(of: "b.gif") == Fixture.canvases(0..<3))
  }

  @Test("A damaged frame is an error with its number; --skip-failed leaves it out")
  func damaged() async throws {
    var gif = GIFWriter(width: 2, height: 2, palette: [0x000000, 0xFF0000, 0x00FF00, 0x0000FF])
    for colour in [1, 2, 3] as [UInt8] {
      gif.graphicsControl(disposal: 1, delay: 5)
      let coding = GIFWriter.ImageCoding(pixelLimit: colour == 2 ? 3 : nil)
      gif.image(width: 2, height: 2, indices: [UInt8](repeating: colour, count: 4), coding: coding)
    }
    gif.trailer()
    try folder.write(gif.bytes, to: "d.gif")
    // Frame 1 can be copied, and frame 2 behind it: nothing has to be decoded to write them.
    let damaging = [
      ["--frames", "1-"], ["--frames", "0-1"], ["--merge-still"], ["--smaller"], ["d.gif"],
      ["--canvas", "40x40"],
    ]
    for options in damaging {
      for output in [["--dry-run"], ["-o", "e.gif"]] {
        let run = try await folder.gallop(["edit", "d.gif"] + options + output)
        #expect(run.status == 1 && run.output.isEmpty, "\(options) \(output): \(run.lines)")
        #expect(run.errors.contains("frame 1 is damaged"), "\(options) \(output): \(run.errors)")
      }
    }
    #expect(try await folder.gallop("edit", "d.gif", "--loop", "3", "--dry-run").status == 0)
    #expect(try await folder.gallop("edit", "d.gif", "--loop", "3", "-o", "f.gif").status == 0)
    try FileManager.default.removeItem(atPath: folder.url.path + "/f.gif")
    let refused = try await folder.gallop("edit", "d.gif", "--reverse", "-o", "e.gif")
    #expect(refused.status == 1)
    #expect(
      refused.errorLines.count == 1 && refused.errorLines[0].hasPrefix("gallop: d.gif: frame 1 is damaged"))
    #expect(try folder.names() == ["a.gif", "d.gif"])
    #expect(refused.errors.contains("--skip-failed leaves such frames out"))
    let joined = try await folder.gallop("edit", "a.gif", "d.gif", "--canvas", "40x40", "--dry-run")
    #expect(joined.status == 1)
    #expect(joined.errors.contains("the joined files: frame 4 is damaged"), "\(joined.errors)")
    #expect(joined.errors.contains("; frame 4 is frame 1 of d.gif; --skip-failed"), "\(joined.errors)")
    let skipping = try await folder.gallop("edit", "d.gif", "--reverse", "--skip-failed", "-o", "e.gif")
    #expect(skipping.status == 0)
    #expect(skipping.errorLines == ["gallop: d.gif: 1 damaged frame is left out"])
    #expect(try await json(of: "e.gif").contains("\"frameCount\":2"))
  }

  @Test("--dry-run refuses what the edit would refuse to overwrite")
  func dryRunOutput() async throws {
    try folder.write([1], to: "b.gif")
    for (output, reason) in [("b.gif", "exists already"), ("a.gif", "is read as an input")] {
      let run = try await folder.gallop("edit", "a.gif", "--dry-run", "-o", output)
      #expect(run.status == 1 && run.output.isEmpty && run.errors.contains(reason), "\(run.errors)")
    }
    #expect(try await folder.gallop("edit", "a.gif", "--dry-run", "--force", "-o", "b.gif").status == 0)
    #expect(try folder.read("b.gif") == [1])
  }

  @Test("With --strict every frame is decoded, and of damage nothing is written")
  func strict() async throws {
    var gif = GIFWriter(width: 2, height: 2, palette: [0x000000, 0xFF0000])
    gif.image(
      width: 2, height: 2, indices: [1, 1, 1, 1], coding: GIFWriter.ImageCoding(pixelLimit: 3))
    gif.trailer()
    try folder.write(gif.bytes, to: "d.gif")
    #expect(try await folder.gallop("edit", "d.gif", "--loop", "3", "-o", "e.gif").status == 0)
    let run = try await folder.gallop("edit", "d.gif", "--loop", "3", "--strict", "-o", "f.gif")
    #expect(run.status == 1 && run.errors.contains("has damage, which --strict refuses"))
    #expect(try folder.names() == ["a.gif", "d.gif", "e.gif"])
    #expect(try await folder.gallop("edit", "a.gif", "--strict", "-o", "f.gif").status == 0)
  }

  @Test("A comment is text in UTF-8")
  func comment() async throws {
    let run = try await folder.shell("\"$0\" edit a.gif --comment \"$(printf 'caf\\351')\" -o b.gif")
    #expect(run.status == 64 && run.errors.contains("--comment takes text in UTF-8."))
    #expect(try folder.names() == ["a.gif"])
  }

  /// Pictures of 400 colours from frame 1 to frame 3, which no palette has; frames 0 and 4 have 200.
  private static var colorful: [UInt8] {
    func palette(_ first: Int) -> [RGB] {
      (0..<200).map { RGB(red: UInt8($0), green: UInt8(first), blue: 7) }
    }
    var writer = GIFWriter(width: 20, height: 20)
    let half = (0..<200).map { UInt8($0) }
    for (place, y) in [(0, 0), (1, 10), (2, 0), (3, 0)] {
      writer.graphicsControl(delay: 5)
      if place < 2 {
        let height = place == 0 ? 20 : 10
        writer.image(
          y: y, width: 20, height: height, indices: Array((half + half).prefix(20 * height)),
          palette: palette(place))
      } else {
        writer.image(width: 1, height: 1, indices: [UInt8(place)], palette: palette(0))
      }
    }
    writer.graphicsControl(delay: 5)
    writer.image(width: 20, height: 20, indices: half + half, palette: palette(4))
    writer.graphicsControl(delay: 5)
    writer.image(width: 1, height: 1, indices: [9], palette: palette(4))
    writer.trailer()
    return writer.bytes
  }

  @Test("A seam in too many colours is refused with the nearest frames, and --nearest takes the nearer one")
  func nearest() async throws {
    try folder.write(Self.colorful, to: "c.gif")
    let refused = try await folder.gallop("edit", "c.gif", "--frames", "3-5", "-o", "d.gif")
    #expect(
      refused.status == 1 && refused.errors.contains("could begin at frame 0 or 4"), "\(refused.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.url.path + "/d.gif"))
    let taken = try await folder.gallop("edit", "c.gif", "--frames", "3-5", "--nearest", "-o", "d.gif")
    #expect(taken.status == 0 && taken.errors.contains("begins at frame 4 instead of 3"), "\(taken.errors)")
    let pictures = try await canvases(of: "c.gif")
    #expect(try await canvases(of: "d.gif") == Array(pictures.suffix(2 * 20 * 20 * 4)))
    // The frame is also where an earlier range begins, which stays as it is.
    let second = try await folder.gallop(
      "edit", "c.gif", "--frames", "0,2,4,3-5", "--nearest", "-o", "e.gif")
    #expect(second.status == 0, "\(second.errors)")
    // More is written before the range than at once, and written again.
    let frames = String(repeating: "4,", count: 300) + "3-5"
    let long = try await folder.gallop("edit", "c.gif", "--frames", frames, "--nearest", "-o", "f.gif")
    #expect(long.status == 0 && long.errors.contains("begins at frame 4 instead of 3"), "\(long.errors)")
    #expect(
      try await canvases(of: "f.gif")
        == [[UInt8]](repeating: Array(pictures.suffix(2 * 1600).prefix(1600)), count: 300).joined()
        + pictures.suffix(2 * 1600))
    let dry = try await folder.gallop("edit", "c.gif", "--frames", "3-5", "--nearest", "--dry-run")
    #expect(dry.status == 0 && dry.lines.joined().hasPrefix("0 of 2 frames written anew"), "\(dry.lines)")
  }

  @Test("A large output is checked while it is written, to a file and to a pipe")
  func large() async throws {
    let bytes = LargeFixture.bytes(frames: 80)
    #expect(bytes.count > 5 << 18)
    try folder.write(bytes, to: "large.gif")
    let run = try await folder.gallop("edit", "large.gif", "--loop", "3", "-o", "b.gif")
    #expect(run.status == 0 && run.errors.isEmpty)
    #expect(try await canvases(of: "b.gif") == canvases(of: "large.gif"))
    let piped = try await folder.gallop("edit", "large.gif", "--loop", "3", "-o", "-")
    #expect(try piped.output == Array(Data(contentsOf: folder.url.appendingPathComponent("b.gif"))))
  }

  @Test("A signal ends an edit under way and leaves nothing behind", arguments: [SIGINT, SIGTERM])
  func interrupted(signal: Int32) async throws {
    try folder.write(LargeFixture.bytes(frames: 40), to: "large.gif")
    let path = folder.url.path
    let run = try await folder.gallop(
      ["edit", "large.gif", "--reverse", "--rotate", "90", "-o", "b.gif"], interruptedBy: signal
    ) {
      let end = ContinuousClock.now + .seconds(60)
      while ContinuousClock.now < end {
        if try FileManager.default.contentsOfDirectory(atPath: path).contains(where: {
          $0.contains(".part")
        }) {
          return
        }
        usleep(1_000)
      }
    }
    #expect(run.status == 128 + signal)
    #expect(try folder.names() == ["a.gif", "large.gif"])
  }

  @Test("A file that ends inside a frame becomes a whole one")
  func truncated() async throws {
    try folder.write(Fixture.endless.truncatedBytes, to: "t.gif")
    let run = try await folder.gallop("edit", "t.gif", "--frames", "1-", "-o", "u.gif")
    #expect(run.status == 0)
    let json = try await json(of: "u.gif")
    #expect(json.contains("\"isComplete\":true") && json.contains("\"diagnostics\":[]"))
    let shown = try await folder.gallop("decode", "--format", "rgba", "--frames", "1-", "-o", "-", "t.gif")
    #expect(try await canvases(of: "u.gif") == shown.output)
  }

  @Test("Canvases of two sizes are refused, with both sizes")
  func sizes() async throws {
    var gif = GIFWriter(width: 3, height: 1, palette: [0, 1])
    gif.image(width: 3, height: 1, indices: [1, 1, 1])
    gif.trailer()
    try folder.write(gif.bytes, to: "s.gif")
    let run = try await folder.gallop("edit", "a.gif", "s.gif", "-o", "b.gif")
    #expect(run.status == 1)
    #expect(
      run.errorLines == [
        "gallop: s.gif: has a canvas of 3 x 1, the first file one of 2 x 2; --canvas joins them"
      ])
    #expect(
      try await folder.gallop("edit", "a.gif", "s.gif", "--canvas", "largest", "-o", "b.gif").status == 0)
    #expect(try await json(of: "b.gif").contains("\"frameCount\":4,"))
    #expect(try await json(of: "b.gif").contains("\"width\":3"))

  }

  @Test("A part of the canvas, mirrored and turned")
  func geometry() async throws {
    let run = try await folder.gallop(
      "edit", "a.gif", "--frames", "0", "--crop", "2x1+0+1", "--flip", "x", "--rotate", "90", "-o", "b.gif")
    #expect(run.status == 0)
    // The second row of frame 0, a colour and nothing, mirrored and turned: nothing above the colour.
    #expect(try await canvases(of: "b.gif") == [0, 0, 0, 0] + Fixture.canvas(0).prefix(4))
    let outside = try await folder.gallop("edit", "a.gif", "--crop", "2x1+1+1", "-o", "c.gif")
    #expect(outside.status == 1)
    #expect(
      outside.errorLines == ["gallop: a.gif: --crop keeps 2 x 1 pixels from 1,1 on; the canvas has 2 x 2"])
  }

  @Test(
    "Wrong usage",
    arguments: [
      ["a.gif"], ["-o", "b.gif"], ["a.gif", "-o", ""], ["a.gif", "-o", "b.gif", "--reverse", "--bounce"],
      ["a.gif", "-o", "b.gif", "--delay", "45"], ["a.gif", "-o", "b.gif", "--delay", "10"],
      ["a.gif", "-o", "b.gif", "--last-delay", "655360"], ["a.gif", "-o", "b.gif", "--rate", "0"],
      ["a.gif", "-o", "b.gif", "--every", "0"], ["a.gif", "-o", "b.gif", "--loop", "0"],
      ["a.gif", "-o", "b.gif", "--loop", "many"], ["a.gif", "-o", "b.gif", "--crop", "0x1"],
      ["a.gif", "-o", "b.gif", "--crop", "2x2+1"], ["a.gif", "-o", "b.gif", "--rotate", "45"],
      ["a.gif", "-o", "b.gif", "--flip", "z"], ["a.gif", "-o", "b.gif", "--canvas", "2"],
      ["a.gif", "-o", "b.gif", "--frames", "1..2"],
    ])
  func usage(arguments: [String]) async throws {
    let run = try await folder.gallop(["edit"] + arguments)
    #expect(run.status == 64)
    #expect(!run.errors.isEmpty)
    #expect(try folder.names() == ["a.gif"])
  }
}
