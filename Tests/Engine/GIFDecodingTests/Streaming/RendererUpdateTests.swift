import GIFDecodingTestSupport
import GIFTestSupport
import Testing

@testable import GIFDecoding

/// A renderer that goes along with a loading file shows what a fresh one shows.
@Suite struct RendererUpdateTests {
  /// After every update one or more frames in random order, compared with a renderer of the image so far; at
  /// the end all frames, compared with a renderer of the final image.
  @Test(arguments: OddFile.files(90, from: 3000), [DamagePolicy.chromium, .resilient])
  func updatedEqualsFresh(_ file: OddFile, policy: DamagePolicy) throws {
    guard ReadingOutcome(whole: file.bytes).facts != nil else { return }
    var generator = SeededGenerator(seed: file.seed)
    var stream = GIFStream()
    var renderer: FrameRenderer?
    for piece in Split.random(file.bytes, upTo: 30, seed: file.seed) {
      try stream.append(piece)
      guard var image = try stream.image else { continue }
      image.damagePolicy = policy
      if renderer == nil { renderer = try FrameRenderer(image) }
      try renderer?.update(to: image)
      // The frames before it first: what is known of damage must be the same.
      guard image.frameCount > 0 else { continue }
      let last = Int.random(in: 0..<image.frameCount, using: &generator)
      var fresh = try FrameRenderer(image)
      for index in 0...last {
        let frame = try #require(try renderer?.frame(at: index))
        let expected = try fresh.frame(at: index)
        #expect(frame.pixels.words == expected.pixels.words, "frame \(index) of \(image.frameCount)")
        #expect(frame.status == expected.status)
        #expect(frame.changedRect == expected.changedRect)
      }
    }
    var final = try stream.finish()
    final.damagePolicy = policy
    try renderer?.update(to: final)
    guard var renderer = renderer.take() else { return }
    let show = try ReadingOutcome.Show(&renderer)
    #expect(show == (try ReadingOutcome.Show(final)))
  }

  /// A file of whole frames: an update costs no decoding, and each frame is decoded once in all.
  @Test func updateKeepsWhatIsDecoded() throws {
    var writer = GIFWriter(width: 3, height: 3, palette: [0xFF0000, 0x00FF00])
    var ends: [Int] = []
    for number in 0..<6 {
      writer.graphicsControl(disposal: 1, transparent: 0)
      writer.image(x: number % 3, width: 1, height: 3, indices: [1, 0, 1])
      ends.append(writer.bytes.count)
    }
    writer.trailer()
    var stream = GIFStream()
    try stream.append(writer.bytes(upTo: ends[0]))
    var renderer = try FrameRenderer(try #require(try stream.image))
    try renderer.render(0)
    for number in 1..<6 {
      try stream.append(Array(writer.bytes[ends[number - 1]..<ends[number]]))
      try renderer.update(to: try #require(try stream.image))
      #expect(renderer.decodedFrames == number)
      try renderer.render(number)
    }
    try renderer.update(to: try stream.finish())
    try renderer.render(5)
    #expect(renderer.decodedFrames == 6)
  }

  /// A first frame that has grown is decoded again; the count of decodings goes on.
  @Test func partialFirstFrameIsDecodedAgain() throws {
    var writer = GIFWriter(width: 4, height: 4, palette: [0xFF0000, 0x00FF00])
    writer.image(width: 4, height: 4, indices: [UInt8](repeating: 1, count: 16))
    let data = try #require(writer.ranges(of: .imageData).first)
    var stream = GIFStream()
    try stream.append(writer.bytes(upTo: data.lowerBound + 3))
    var renderer = try FrameRenderer(try #require(try stream.image))
    #expect(try renderer.render(0) == .truncated)
    try stream.append(Array(writer.bytes[(data.lowerBound + 3)...]))
    try renderer.update(to: try #require(try stream.image))
    #expect(try renderer.render(0) == .complete)
    #expect(renderer.decodedFrames == 2)
  }

  /// The first frame makes the canvas larger than the logical screen: the renderer follows.
  @Test func canvasGrowsWithTheFirstFrame() throws {
    var writer = GIFWriter(width: 2, height: 2, palette: [0xFF0000, 0x00FF00])
    writer.mark("screen")
    writer.image(x: 3, y: 1, width: 2, height: 2, indices: [1, 1, 1, 1])
    var stream = GIFStream()
    try stream.append(writer.bytes(upToMark: "screen"))
    var renderer = try FrameRenderer(try #require(try stream.image))
    #expect(renderer.frameBytes == 4 * 4)
    let start = try #require(writer.offset(of: "screen"))
    try stream.append(Array(writer.bytes[start...]))
    try renderer.update(to: try stream.finish())
    try renderer.render(0)
    #expect(renderer.frameBytes == 15 * 4)
    #expect(renderer.canvasPixels.count == 15)
  }

  /// A newer image asks for another treatment of damage: the renderer goes over to it, whole frame or not.
  @Test func updateTakesOverTheDamagePolicy() throws {
    var writer = GIFWriter(width: 2, height: 1, palette: [0xFF0000, 0x00FF00, 0x0000FF, 0xFFFFFF])
    writer.image(width: 2, height: 1, codes: LZWCodeStream(minimumCodeSize: 2, codes: [4, 1, 5]))
    writer.graphicsControl(disposal: 1, transparent: 0)
    writer.image(width: 2, height: 1, indices: [0, 2])
    writer.trailer()
    var image = try GIFImage(bytes: writer.bytes)
    var renderer = try FrameRenderer(image)
    try renderer.render(0)
    #expect(try renderer.render(1) == .blank)
    image.damagePolicy = .resilient
    try renderer.update(to: image)
    try renderer.render(0)
    #expect(try renderer.render(1) == .complete)
  }
}
