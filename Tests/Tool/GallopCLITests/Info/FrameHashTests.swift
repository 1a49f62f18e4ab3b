import Foundation
import GIFTestSupport
import Testing

@testable import GallopCLI

@Suite("gallop info --hashes", .serialized, .timeLimit(.minutes(20)))
struct FrameHashTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Fixture.finite.bytes, to: "a.gif")
  }

  private struct Line: Decodable {
    struct Frame: Decodable {
      var index: Int
      var md5: String?
    }
    var frames: [Frame]
  }

  @Test("Each checksum is that of the frame's bytes as decode writes them")
  func json() async throws {
    let expected = (0..<4).map { MD5.digest(Fixture.canvas($0)) }
    let run = try await folder.gallop("info", "--hashes", "--json", "a.gif")
    #expect(run.status == 0)
    #expect(try run.decoded(Line.self).map { $0.frames.map(\.md5) } == [expected])
    let part = try await folder.gallop("info", "--hashes", "--json", "--range", "-1,1", "a.gif")
    #expect(try part.decoded(Line.self)[0].frames.map(\.index) == [3, 1])
    #expect(try part.decoded(Line.self)[0].frames.map(\.md5) == [expected[3], expected[1]])
    let without = try await folder.gallop("info", "--json", "a.gif")
    #expect(!without.text.contains("md5"))
    let piped = try await folder.shell("\"$0\" decode --frames 2 --format rgba -o - a.gif | md5sum")
    #expect(piped.text == expected[2] + "  -\n")
  }

  @Test("The table has them in a column")
  func table() async throws {
    let run = try await folder.gallop("info", "--hashes", "a.gif")
    let rows = run.lines.filter { $0.hasSuffix("md5") || $0.hasSuffix(MD5.digest(Fixture.canvas(1))) }
    #expect(rows.count == 2)
    for index in 0..<4 { #expect(run.text.contains("  " + MD5.digest(Fixture.canvas(index)) + "\n")) }
  }

  @Test("framemd5 has ffmpeg's header, times in hundredths of a second, and transparent pixels white")
  func layout() async throws {
    let first = Array(Fixture.canvas(0).prefix(12)) + [255, 255, 255, 0]
    let run = try await folder.gallop("info", "--framemd5", "--range", "0-1", "a.gif")
    #expect(run.status == 0)
    #expect(
      run.text == """
        #format: frame checksums
        #version: 2
        #hash: MD5
        #tb 0: 1/100
        #media_type 0: video
        #codec_id 0: rawvideo
        #dimensions 0: 2x2
        #sar 0: 0/1
        #stream#, dts,        pts, duration,     size, hash
        0,          0,          0,       10,       16, \(MD5.digest(first))
        0,         10,         10,        3,       16, \(MD5.digest(Fixture.canvas(1)))

        """)
  }

  @Test(
    "ffmpeg prints the same for frames of one delay",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/ffmpeg"), "needs ffmpeg"))
  func ffmpeg() async throws {
    // Frames that restore, clear and leave what was below them, with transparent pixels.
    var gif = GIFWriter(width: 12, height: 8, palette: [0xFF0000, 0x00FF00, 0x0000FF, 0x808080])
    gif.loop(0)
    for frame in 0..<9 {
      gif.graphicsControl(disposal: 1 + frame % 3, delay: 5, transparent: 3)
      let (width, height) = frame == 0 ? (12, 8) : (3 + frame % 4, 2 + frame % 3)
      gif.image(
        x: frame == 0 ? 0 : frame % 5, y: frame == 0 ? 0 : frame % 3, width: width, height: height,
        indices: (0..<width * height).map { UInt8(($0 + frame) % 4) })
    }
    gif.trailer()
    try folder.write(gif.bytes, to: "b.gif")
    let ours = try await folder.gallop("info", "--framemd5", "b.gif")
    let theirs = try await folder.shell(
      "ffmpeg -v error -i b.gif -fps_mode passthrough -enc_time_base -1 -fflags +bitexact -pix_fmt rgba -f framemd5 -"
    )
    #expect(ours.text == theirs.text)
  }

  @Test(
    "Wrong usage is refused",
    arguments: [
      "--hashes --index-only a.gif", "--framemd5 --index-only a.gif", "--framemd5 --json a.gif",
      "--framemd5 --hashes a.gif", "--framemd5 a.gif a.gif",
    ])
  func usage(arguments: String) async throws {
    let run = try await folder.gallop(["info"] + arguments.split(separator: " ").map(String.init))
    #expect(run.status == 64)
  }
}
