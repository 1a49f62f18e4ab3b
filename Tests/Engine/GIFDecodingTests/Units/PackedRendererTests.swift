import GIFDecodingTestSupport
import GIFTestSupport
import Testing

@testable import GIFDecoding

@Suite("Renderers that rest")
struct PackedRendererTests {
  @Test("Pixels are the same after packing, whatever they are", arguments: 0..<60)
  func pixels(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (width, height) = (Int.random(in: 1...90, using: &random), Int.random(in: 1...90, using: &random))
    // Few colours or many, in runs of any length, some rows copied.
    let colors = (0..<[1, 2, 40, 255, 256, 400][Int(seed) % 6]).map { _ in
      UInt32.random(in: 0 ... .max, using: &random)
    }
    var words: [UInt32] = []
    while words.count < width * height {
      if words.count >= width, Int.random(in: 0..<3, using: &random) == 0 {
        for _ in 0..<Int.random(in: 1...3 * width, using: &random) {
          words.append(words[words.count - width])
        }
      } else {
        let color = colors[Int.random(in: 0..<colors.count, using: &random)]
        for _ in 0..<Int.random(in: 1...(seed % 2 == 0 ? 200 : 4), using: &random) { words.append(color) }
      }
    }
    words = Array(words.prefix(width * height))
    guard let packed = PackedPixels(words.span, width: width) else {
      // Refused where it does not pay: only small or noisy pictures.
      #expect(words.count < 600 || Set(words).count > 255)
      return
    }
    #expect(try unpacked(packed, count: words.count) == words)
    #expect(packed.byteCount <= words.count * 2 + Set(words).count * 4)
  }

  private func unpacked(_ packed: PackedPixels, count: Int) throws -> [UInt32] {
    // What stands before and behind stays.
    var memory = try PixelMemory(copying: [UInt32](repeating: 7, count: count + 3).span)
    packed.unpack(into: &memory, at: 2)
    #expect(memory.words.first == 7 && memory.words.last == 7)
    return Array(memory.words[2..<count + 2])
  }

  @Test("A plain picture takes next to nothing")
  func plain() throws {
    let words = [UInt32](repeating: 0xFF12_3456, count: 1_000_000)
    let result = PackedPixels(words.span, width: 1_000)
    let packed = try #require(result)
    #expect(packed.byteCount < 20)
    #expect(try unpacked(packed, count: words.count) == words)
    let none = PackedPixels([UInt32]().span, width: 0)
    #expect(none == nil)
  }

  @Test("A renderer that rests after every frame shows the same, in any order", arguments: 0..<60)
  func sameFrames(seed: UInt64) throws {
    let image = try GIFImage(bytes: RandomGIF.make(seed: seed).bytes)
    try expectSame(image, seed: seed)
  }

  @Test("So does one of damaged frames", arguments: UInt64(0)..<60)
  func damagedFrames(seed: UInt64) throws {
    var image = try GIFImage(bytes: DamagedAnimation.make(seed: seed).bytes)
    try expectSame(image, seed: seed)
    image.damagePolicy = .resilient
    try expectSame(image, seed: seed)
  }

  private func expectSame(_ image: GIFImage, seed: UInt64) throws {
    for size in [nil, PixelSize(width: 9, height: 6)] {
      var random = SeededGenerator(seed: seed)
      var plain = try FrameRenderer(image, size: size)
      var rested = try FrameRenderer(image, size: size)
      for step in 0..<3 * image.frameCount {
        let index =
          seed % 2 == 0 ? step % image.frameCount : Int.random(in: 0..<image.frameCount, using: &random)
        let (expected, frame) = (try plain.frame(at: index), try rested.frame(at: index))
        try #require(frame.pixels.words == expected.pixels.words, "step \(step), frame \(index)")
        try #require(frame.status == expected.status && frame.changedRect == expected.changedRect)
        // The guess of what comes next may be wrong, too.
        let next = [nil, index + 1, Int.random(in: 0..<image.frameCount, using: &random)][step % 3]
        rested = try PackedRenderer(rested, before: next).unpacked()
      }
    }
  }

  // Frames of a few rows on a canvas of four bands, some undone: rows of a kept canvas are unpacked beside
  // those drawn.
  @Test("A renderer that has rested may keep canvases on the way", arguments: [1, 3])
  func keptCanvases(interval: Int) throws {
    var gif = GIFWriter(width: 300, height: 200, palette: [0, 0xFF0000, 0x00FF00, 0x0000FF])
    for index in 0..<12 {
      gif.graphicsControl(disposal: index % 4 == 3 ? 3 : 1, delay: 10)
      if index == 0 {
        gif.image(width: 300, height: 200, indices: (0..<60_000).map { UInt8($0 / 7 % 4) })
      } else {
        gif.image(
          x: index * 9, y: index * 15, width: 40, height: 6,
          indices: Array(repeating: UInt8(index % 4), count: 240))
      }
    }
    gif.trailer()
    let image = try GIFImage(bytes: gif.bytes)
    let (size, policy) = (
      PixelSize(width: 37, height: 23), CheckpointPolicy(interval: interval, byteLimit: 1 << 30)
    )
    var plain = try FrameRenderer(image, size: size)
    var rested = try FrameRenderer(image, size: size, checkpoints: policy)
    for index in [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 4, 5, 2, 11] {
      if index < 4 { rested = try PackedRenderer(rested, before: nil).unpacked() }
      // Resting keeps none.
      rested.limitCheckpoints(to: policy.byteLimit)
      let (expected, frame) = (try plain.frame(at: index), try rested.frame(at: index))
      #expect(frame.pixels.words == expected.pixels.words, "frame \(index)")
    }
  }

  @Test("Without frames that build on others, no canvas is kept")
  func keyFrames() throws {
    var gif = GIFWriter(width: 64, height: 64, palette: [0, 0xFF00FF])
    for index in 0..<3 {
      gif.graphicsControl(disposal: 1, delay: 10)
      gif.image(width: 64, height: 64, indices: Array(repeating: UInt8(index % 2), count: 64 * 64))
    }
    gif.trailer()
    let image = try GIFImage(bytes: gif.bytes)
    #expect(image.packedRendererBytes(size: nil) == image.rendererBytes(size: nil))
    var renderer = try FrameRenderer(image)
    _ = try renderer.frame(at: 0)
    let packed = PackedRenderer(renderer, before: 1)
    #expect(packed.byteCount == 0)
    renderer = try packed.unpacked()
    #expect(try renderer.frame(at: 1).pixels.words.allSatisfy { $0 == 0xFFFF_00FF })
  }
}
