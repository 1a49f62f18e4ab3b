import GIFDecodingTestSupport
import GIFTestSupport
import Testing

@testable import GIFDecoding

/// While a file loads: the whole frames and the beginning of the first one, and nothing that would change
/// later.
@Suite struct StreamPrefixTests {
  /// A well-formed animation: after every byte exactly the frames whose terminators have come are there.
  @Test func wholeFramesAreThereAtOnce() throws {
    var writer = GIFWriter(width: 4, height: 3, palette: [0xFF0000, 0x00FF00])
    writer.loop(2)
    var ends: [Int] = []
    for number in 0..<4 {
      writer.graphicsControl(disposal: number, delay: 10 + number)
      ends.append(writer.image(width: 4, height: 3, indices: [UInt8](repeating: 1, count: 12)).upperBound)
      writer.comment("frame \(number)")
    }
    writer.trailer()
    // The rectangle of the first frame ends 9 bytes behind its separator.
    let firstBegins = try #require(writer.ranges(of: .imageDescriptor).first).lowerBound + 9

    var stream = GIFStream()
    for (position, byte) in writer.bytes.enumerated() {
      try stream.append([byte])
      let count = position + 1
      let image = try stream.image
      let whole = ends.count { $0 <= count }
      let hasHeader = count >= 13 + 6
      #expect((image != nil) == hasHeader, "after \(count) bytes")
      guard let image else { continue }
      let expected = whole == 0 && count >= firstBegins ? 1 : whole
      #expect(image.frameCount == expected, "after \(count) bytes")
      #expect(image.frames.first?.isTruncated ?? true == (whole == 0))
      #expect(image.metadata.isComplete == (count == writer.bytes.count))
      #expect(image.metadata.byteCount == count)
    }
  }

  /// What an image so far tells stands in every later one, but for a first frame of which only the beginning
  /// is there.
  @Test(arguments: OddFile.files(80, from: 1000))
  func nothingChangesLater(_ file: OddFile) {
    var states: [GIFImage] = []
    _ = ReadingOutcome { () throws(GIFError) in
      var stream = GIFStream()
      for byte in file.bytes {
        try stream.append([byte])
        if let image = try stream.image { states.append(image) }
      }
      let last = try stream.finish()
      states.append(last)
      return last
    }
    for (earlier, later) in zip(states, states.dropFirst()) { compare(earlier, later) }
    if let first = states.first, let last = states.last { compare(first, last) }
  }

  private func compare(_ earlier: GIFImage, _ later: GIFImage) {
    let isPartial = earlier.frameCount == 1 && earlier.frames[0].isTruncated
    // Before the first descriptor only the logical screen is known: the first frame may enlarge it.
    if earlier.frameCount > 0 {
      #expect(earlier.animation.canvas == later.animation.canvas)
      #expect(later.frameCount >= earlier.frameCount)
    }
    if isPartial {
      #expect(earlier.frames[0].rect == later.frames[0].rect)
      #expect(earlier.frames[0].delayCentiseconds == later.frames[0].delayCentiseconds)
      #expect(earlier.frames[0].transparentIndex == later.frames[0].transparentIndex)
    } else {
      #expect(later.frames.starts(with: earlier.frames))
      #expect(later.diagnostics.starts(with: earlier.diagnostics))
    }
    #expect(later.metadata.comments.starts(with: earlier.metadata.comments))
    if earlier.metadata.isComplete { #expect(later.frames == earlier.frames) }
  }

  /// Frames of the image so far are exactly the first frames of the final one, pictures included.
  @Test(arguments: OddFile.files(60, from: 2000))
  func picturesSoFarAreThoseOfTheEnd(_ file: OddFile) throws {
    guard let final = ReadingOutcome(whole: file.bytes).show else { return }
    var stream = GIFStream()
    for piece in Split.even(file.bytes, size: 7) {
      try stream.append(piece)
      guard let image = try stream.image, let first = image.frames.first, !first.isTruncated else { continue }
      let show = try ReadingOutcome.Show(image)
      #expect(show.pictures == Array(final.pictures.prefix(image.frameCount)))
      #expect(show.statuses == Array(final.statuses.prefix(image.frameCount)))
    }
  }

  /// The last loop extension wins, also behind the last frame; until it has come the one before it counts.
  @Test func loopCountFollowsTheBytes() throws {
    var writer = GIFWriter(width: 1, height: 1, palette: [0, 0xFFFFFF])
    writer.image(width: 1, height: 1, indices: [1])
    writer.mark("frame")
    writer.loop(4)
    writer.mark("four")
    writer.loop(0)
    writer.trailer()
    #expect(try imageSoFar(writer.bytes(upToMark: "frame")).loopCount == .plays(1))
    #expect(try imageSoFar(writer.bytes(upToMark: "four")).loopCount == .plays(5))
    #expect(try imageSoFar(writer.bytes).loopCount == .forever)
  }

  private func imageSoFar(_ bytes: [UInt8]) throws -> GIFImage {
    var stream = GIFStream()
    try stream.append(bytes)
    return try #require(try stream.image)
  }
}
