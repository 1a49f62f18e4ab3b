import Foundation
import GIFDecodingTestSupport
import GIFTestSupport
import Testing

@testable import GIFDecoding

/// The rows of the table in `BrokenGIFs.md` whose picture matters, compared with what real browsers gave: see
/// README.md.
@Suite struct GoldenTests {
  static let fixtures = GoldenFixture.sound + GoldenFixture.damage + GoldenFixture.rules

  /// Size, number of frames, plays, delays, and the picture of every frame that Chromium shows.
  @Test(arguments: fixtures)
  func asRecordedFromBrowsers(_ fixture: GoldenFixture) throws {
    let recorded = try GoldenLine.recorded()
    let line = try #require(recorded[fixture.name], "not recorded: see README.md")
    #expect(line.sha256 == Hash.sha256Hex(fixture.bytes), "recorded from another file: see README.md")
    guard line.agree != "rejected" else {
      // Chromium refuses the file, or finds no frame in it.
      let image = try? GIFImage(bytes: fixture.bytes)
      #expect(image?.frameCount ?? 0 == 0)
      return
    }
    let image = try GIFImage(bytes: fixture.bytes)
    #expect(image.width == line.width)
    #expect(image.height == line.height)
    #expect(image.frameCount == line.frameCount)
    if let plays = line.plays { #expect(image.loopCount == plays.loopCount) }
    var renderer = try FrameRenderer(image)
    for (index, expected) in line.frames.enumerated() {
      if let milliseconds = expected.ms { #expect(image.frames[index].delayMilliseconds() == milliseconds) }
      let frame = try renderer.frame(at: index)
      if let digest = expected.sha {
        #expect(Hash.canvasDigest(pixels: frame.pixels.words) == digest, "frame \(index), \(frame.status)")
      } else {
        // Chromium's decoder hands out no picture of a damaged frame; its part is seen on the page alone.
        #expect(frame.status != .complete, "frame \(index)")
        guard index == 0, let digest = line.shown else { continue }
        #expect(Hash.canvasDigest(pixels: frame.pixels.words) == digest, "what <img> shows")
      }
      // The third witness: what the page shows in the frame's time.
      guard let painted = line.painted else { continue }
      #expect(Hash.canvasDigest(pixels: frame.pixels.words) == painted[index], "frame \(index) as painted")
    }
  }

  /// Nothing was recorded of a file that is not here any more, and no name stands for two files.
  @Test func recordingFitsTheFixtures() throws {
    let names = Set(Self.fixtures.map(\.name))
    #expect(names.count == Self.fixtures.count)
    #expect(Set(try GoldenLine.recorded().keys) == names)
  }

  /// Writes the fixtures where GALLOP_WRITE_FIXTURES says, for the recording and as seeds for the fuzzers.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["GALLOP_WRITE_FIXTURES"] != nil))
  func writeFixtures() throws {
    let path = try #require(ProcessInfo.processInfo.environment["GALLOP_WRITE_FIXTURES"])
    let folder = URL(fileURLWithPath: path, isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for fixture in Self.fixtures {
      try Data(fixture.bytes).write(to: folder.appendingPathComponent(fixture.name + ".gif"))
    }
  }
}

extension GoldenLine.Plays {
  var loopCount: LoopCount {
    switch self {
    case .forever: .forever
    case .number(let count): .plays(count)
    }
  }
}
