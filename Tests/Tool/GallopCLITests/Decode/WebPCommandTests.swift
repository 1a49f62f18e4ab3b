import Foundation
import GIFTestSupport
import Testing

@Suite("gallop decode --format webp", .serialized, .timeLimit(.minutes(20)))
struct WebPCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    // 100, 30, 70 and 100 ms, three plays; a transparent pixel in frame 0.
    try folder.write(Fixture.finite.bytes, to: "a.gif")
  }

  private func webp(_ arguments: String...) async throws -> WebPChunks {
    let run = try await folder.gallop(["decode", "--format", "webp", "--output", "-"] + arguments)
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    return try WebPChunks(run.output)
  }

  @Test("Each picture lasts as long as a browser shows the frame, the last one too, and plays are kept")
  func delays() async throws {
    let file = try await webp("a.gif")
    #expect(file.durations == [100, 30, 70, 100])
    #expect(file.plays == 3)
    #expect(file.canvas == [2, 2])
  }

  @Test("A file that plays for ever does so as a WebP; browsers' shortest delay is kept")
  func forever() async throws {
    try folder.write(Fixture(delays: [0, 2, 1], loop: 0).bytes, to: "b.gif")
    let file = try await webp("b.gif")
    #expect(file.plays == 0)
    #expect(file.durations == [100, 20, 100])
  }

  @Test("Chosen frames play in their order, each for its own time")
  func chosenFrames() async throws {
    #expect(try await webp("--frames", "2,1", "a.gif").durations == [70, 30])
  }

  @Test(
    "With fewer pictures a second the time stays",
    arguments: [
      ("1000", [100, 30, 70, 100]), ("20", [100, 100, 100]), ("10", [100, 100, 100]), ("5", [200, 100]),
      ("0.1", []),
    ])
  func thinned(rate: String, durations: [Int]) async throws {
    #expect(try await webp("--fps", rate, "a.gif").durations == durations)
  }

  @Test("One frame is a still, whose pixels are those of the frame", arguments: [0, 1, 2])
  func still(frame: Int) async throws {
    let file = try await webp("--frames", "\(frame)", "a.gif")
    #expect(file.durations.isEmpty && file.plays == nil)
    let raw = try await folder.gallop(
      "decode", "--format", "rgba", "--output", "-", "--frames", "\(frame)", "a.gif")
    #expect(try WebPStill.pixels(of: file.bytes) == raw.output)
  }

  @Test("The name says it; --size is the canvas's; --lossy compresses as photographs are")
  func options() async throws {
    // Grey noise on a ramp that grows lighter: its pictures differ at each size.
    var writer = GIFWriter(
      width: 64, height: 64, palette: (0..<128).map { RGB(red: 2 * $0, green: 2 * $0, blue: 2 * $0) })
    for turn in 0..<3 {
      writer.graphicsControl(disposal: 1, delay: 5)
      let grays = (0..<64 * 64).map { (place: Int) -> UInt8 in
        let noise = (place &* 40_503 >> 7) & 15
        return UInt8(16 * turn + place % 64 / 2 + noise)
      }
      writer.image(width: 64, height: 64, indices: grays)
    }
    writer.trailer()
    try folder.write(writer.bytes, to: "c.gif")
    for (name, more) in [("whole", []), ("lossy", ["--lossy", "20"]), ("small", ["--size", "16x8"])] {
      let run = try await folder.gallop(["decode", "-o", "\(name).webp", "c.gif"] + more)
      #expect(run.status == 0, "\(run.errors)")
    }
    let files = try ["whole", "lossy", "small"].map { try WebPChunks(folder.read("\($0).webp")) }
    #expect(files.map(\.canvas) == [[64, 64], [64, 64], [16, 8]])
    #expect(files.allSatisfy { $0.durations == [50, 50, 50] })
    #expect(files[0].isLossless && !files[1].isLossless)
  }

  @Test("What no WebP can hold is refused, and nothing is written")
  func refused() async throws {
    var writer = GIFWriter(width: 16_384, height: 1, palette: [0, 0xFFFFFF])
    writer.image(width: 1, height: 1, indices: [0])
    writer.trailer()
    try folder.write(writer.bytes, to: "wide.gif")
    let run = try await folder.gallop("decode", "-o", "wide.webp", "wide.gif")
    #expect(run.status == 1)
    #expect(run.errors.contains("has 16384 x 1 pixels; a WebP has at most 16383 a side"))
    #expect(try folder.names() == ["a.gif", "wide.gif"])
  }
}

/// The chunks of a WebP file that say how it plays.
private struct WebPChunks {
  let bytes: [UInt8]
  /// Width and height.
  private(set) var canvas: [Int] = []
  /// Total plays as the file has them: 0 for ever; nil for a still.
  private(set) var plays: Int?
  /// How long each picture shows, in milliseconds.
  private(set) var durations: [Int] = []
  private(set) var isLossless = false

  private struct Malformed: Error {}

  init(_ bytes: [UInt8]) throws {
    self.bytes = bytes
    guard bytes.count > 12, bytes.starts(with: Array("RIFF".utf8)), bytes[8..<12].elementsEqual("WEBP".utf8)
    else {
      throw Malformed()
    }
    func number(_ place: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
    }
    var place = 12
    while place + 8 <= bytes.count {
      let (name, start) = (String(decoding: bytes[place..<place + 4], as: UTF8.self), place + 8)
      switch name {
      case "VP8X": canvas = [number(start + 4, 3) + 1, number(start + 7, 3) + 1]
      case "ANIM": plays = number(start + 4, 2)
      case "ANMF":
        durations.append(number(start + 12, 3))
        isLossless = bytes[start + 16..<start + 20].elementsEqual("VP8L".utf8)
      default: break
      }
      let length = number(place + 4, 4)
      place = start + length + length % 2
    }
  }
}
