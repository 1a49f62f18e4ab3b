import Foundation
import GIFDecoding
import GIFDecodingTestSupport
import GIFTestSupport
import Testing

@testable import GIFEditing

/// GIFs for edits that leave things as they were: random ones, and the samples.
///
/// A debug build takes minutes for all of them: `make suite-edits` asks for these.
enum EditedFile: CustomTestStringConvertible, Sendable {
  case random(seed: UInt64)
  case sample(String)

  static let isThorough = ProcessInfo.processInfo.environment["GALLOP_SUITE_EDITS"] != nil
  private static let large = ["gallop", "interlaced", "palettes", "spheres", "spinner"]
  static let samples =
    (["delays", "disposals", "horseshoe", "lissajous", "thrice"] + (isThorough ? large : []))
    .map { Self.sample($0) }
  static let all = samples + (0..<24 as Range<UInt64>).map { .random(seed: $0) }

  var testDescription: String {
    switch self {
    case .random(let seed): "seed \(seed)"
    case .sample(let name): name
    }
  }

  func bytes() throws -> [UInt8] {
    switch self {
    case .random(let seed): return RandomGIF.make(seed: seed).bytes
    case .sample(let name):
      let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../Samples/GIFs/\(name).gif").standardizedFileURL
      return [UInt8](try Data(contentsOf: file))
    }
  }
}

/// Edits that undo each other give the GIF back: its pictures, delays and plays.
@Suite("Round trips of edits")
struct RoundTripTests {
  /// The outputs of edits of all files, one edit behind the other; those of refused seams are left out.
  private static func check(
    _ roundTrip: (_ image: GIFImage, _ edited: ([GIFImage], GIFEdit) throws -> GIFImage?) throws -> GIFImage?
  ) throws {
    var tally = SeamTally()
    for file in EditedFile.all {
      let image = try GIFImage(bytes: file.bytes())
      let output = try roundTrip(image) { images, edit in
        try tally.output(of: images, edit, file.testDescription) { frame in
          var (image, frame) = (0, frame)
          while frame >= images[image].frameCount {
            frame -= images[image].frameCount
            image += 1
          }
          var renderer = try FrameRenderer(images[image])
          return try renderer.frame(at: frame).pixels.words
        }
      }
      if let output { try expectSame(output, as: image, file.testDescription) }
    }
    tally.expectMostOutputs()
  }

  private static func expectSame(_ output: GIFImage, as image: GIFImage, _ name: String) throws {
    #expect(output.size == image.size && output.loopCount == image.loopCount, "\(name)")
    #expect(
      output.frames.map(\.delayCentiseconds) == image.frames.map(\.delayCentiseconds), "\(name)")
    var shown = try FrameRenderer(output)
    var wanted = try FrameRenderer(image)
    for frame in 0..<min(output.frameCount, image.frameCount) {
      let isSame = try shown.frame(at: frame).pixels.hasSamePixels(as: wanted.frame(at: frame).pixels)
      #expect(isSame, "\(name), frame \(frame)")
    }
  }

  @Test("Reversed twice")
  func reversedTwice() throws {
    var edit = GIFEdit()
    edit.order = .reversed
    try Self.check { image, edited in
      try edited([image], edit).flatMap { try edited([$0], edit) }
    }
  }

  @Test("Cut in two and joined again", arguments: [1, 2, 3, 5])
  func joinedAgain(parts: Int) throws {
    try Self.check { image, edited in
      // Behind the first frame, and in places further and further behind.
      let place = parts == 1 ? 1 : image.frameCount * (parts - 1) / parts
      guard place > 0, place < image.frameCount else { return nil }
      var edit = GIFEdit()
      edit.frames = Array(0..<place)
      let first = try edited([image], edit)
      edit.frames = Array(place..<image.frameCount)
      guard let first, let second = try edited([image], edit) else { return nil }
      return try edited([first, second], GIFEdit())
    }
  }

  @Test("Every frame kept: `--every 1`, and all frames by their numbers", arguments: [false, true])
  func everyFirst(byNumber: Bool) throws {
    var edit = GIFEdit()
    edit.step = 1
    try Self.check { image, edited in
      if byNumber { edit.frames = Array(0..<image.frameCount) }
      return try edited([image], edit)
    }
  }
}
