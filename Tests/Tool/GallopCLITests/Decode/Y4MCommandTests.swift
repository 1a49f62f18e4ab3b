import Foundation
import GIFTestSupport
import Testing

@Suite("gallop decode --format y4m", .serialized, .timeLimit(.minutes(20)))
struct Y4MCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Fixture.finite.bytes, to: "a.gif")
  }

  /// The planes of the fixture's pictures over white: red, green and blue, the last pixel of frame 0
  /// transparent.
  private static func planes(_ index: Int) -> [UInt8] {
    let color: [UInt8] = [[81, 90, 240], [145, 54, 34], [41, 240, 110]][index % 3]
    let last: [UInt8] = index == 0 ? [235, 128, 128] : color
    return (0..<3).flatMap { [color[$0], color[$0], color[$0], last[$0]] }
  }

  private func video(_ arguments: String...) async throws -> Y4MPictures {
    let run = try await folder.gallop(["decode", "--format", "y4m", "--output", "-"] + arguments)
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    return try Y4MPictures(run.output)
  }

  @Test("Each frame is shown as often as its delay takes")
  func repeated() async throws {
    let video = try await video("a.gif")
    #expect(video.fields == ["W2", "H2", "F100:1", "Ip", "A1:1", "C444", "XCOLORRANGE=LIMITED"])
    // 100, 30, 70 and 100 ms.
    let expected = zip(0..., [10, 3, 7, 10]).flatMap { index, count in
      [[UInt8]](repeating: Self.planes(index), count: count)
    }
    #expect(video.pictures == expected)
  }

  @Test("The rate is that of the frames chosen")
  func chosenFrames() async throws {
    let one = try await video("--frames", "1", "a.gif")
    #expect(one.fields[2] == "F100:3")
    #expect(one.pictures == [Self.planes(1)])
    let last = try await video("--frames", "3..", "a.gif")
    #expect(last.fields[2] == "F10:1")
    #expect(last.pictures == [Self.planes(3)])
  }

  @Test("Several threads change nothing", arguments: ["1", "2", "8"])
  func jobs(jobs: String) async throws {
    let count = 40
    try folder.write(Fixture(delays: Array(2..<2 + count), loop: nil).bytes, to: "many.gif")
    let video = try await video("--jobs", jobs, "many.gif")
    #expect(video.pictures.count == (2..<2 + count).reduce(0, +))
    #expect(video.pictures.last == Self.planes(count - 1))
  }

  @Test("--size is the video's size")
  func size() async throws {
    let video = try await video("--size", "6x4", "--frames", "1", "a.gif")
    #expect((video.width, video.height) == (6, 4))
    #expect(video.pictures == [[145, 54, 34].flatMap { [UInt8](repeating: $0, count: 24) }])
  }

  @Test("Long repeats are written in full", arguments: [65_535, 65_534])
  func longRepeats(delay: Int) async throws {
    try folder.write(Fixture(delays: [3, delay], loop: nil).bytes, to: "long.gif")
    let video = try await video("long.gif")
    let unit = delay % 3 == 0 ? 3 : 1
    #expect(video.pictures.count == (3 + delay) / unit)
    #expect(video.pictures.dropFirst(3 / unit).allSatisfy { $0 == Self.planes(1) })
  }

  @Test("The video goes into a file named after the GIF, into a folder, or into the file given")
  func places() async throws {
    for (output, file) in [("", "a.y4m"), ("out/", "out/a.y4m"), ("x.y", "x.y")] {
      let option = output.isEmpty ? [] : ["--output", output]
      let run = try await folder.gallop(["decode", "--format", "y4m"] + option + ["a.gif"])
      #expect(run.status == 0)
      #expect(run.output.isEmpty)
      #expect(try Y4MPictures(folder.read(file)).pictures.count == 30)
    }
  }

  @Test("Too large a video is refused before anything is written")
  func tooLarge() async throws {
    try folder.write(Fixture(delays: [3, 65_534], loop: nil).bytes, to: "long.gif")
    let run = try await folder.gallop(
      "decode", "--format", "y4m", "--max-video-bytes", "1M", "long.gif", "a.gif")
    #expect(run.status == 1)
    #expect(
      run.errors
        == "gallop: long.gif: makes a video of 1.2 MB: its delays take 65537 pictures at 100 a second; "
        + "choose --frames or --size, or raise --max-video-bytes\n")
    #expect(try folder.names() == ["a.gif", "a.y4m", "long.gif"])
  }

  @Test("A file with a canvas but no frame gives no video")
  func noFrames() async throws {
    var gif = GIFWriter(width: 3, height: 3, palette: [0, 1])
    gif.trailer()
    try folder.write(gif.bytes, to: "none.gif")
    let run = try await folder.gallop("decode", "--format", "y4m", "--output", "-", "none.gif")
    #expect(run.status == 1 && run.output.isEmpty)
  }

  @Test(
    "ffmpeg reads the same pictures",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/ffmpeg"), "needs ffmpeg"))
  func ffmpeg() async throws {
    try folder.write(LargeFixture.bytes(frames: 2), to: "large.gif")
    let convert = "ffmpeg -v error -f yuv4mpegpipe -i - -f rawvideo -pix_fmt gbrp -sws_flags +accurate_rnd -"
    let run = try await folder.shell(
      "\"$0\" decode --format y4m --frames 0 --output - large.gif | \(convert)")
    #expect(run.errors.isEmpty)
    let original = try await folder.gallop(
      "decode", "--format", "rgba", "--frames", "0", "--output", "-", "large.gif")
    let area = original.output.count / 4
    try #require(run.output.count == 3 * area)
    // ffmpeg's planes are green, blue and red.
    var furthest = 0
    for (plane, channel) in [(0, 1), (1, 2), (2, 0)] {
      for place in 0..<area {
        let (got, wanted) = (run.output[plane * area + place], original.output[place * 4 + channel])
        furthest = max(furthest, abs(Int(got) - Int(wanted)))
      }
    }
    #expect(furthest <= 3)
  }
}
