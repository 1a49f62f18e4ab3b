import GIFTestSupport
import Testing

@testable import GIFDecoding

/// Points of pictures, against pictures that are drawn whole.
@Suite struct PointRendererTests {
  /// A random pixel of each block.
  private static func points(of canvas: PixelSize, _ generator: inout SeededGenerator) -> BlockPoints {
    let side = [1, 2, 4, 8].randomElement(using: &generator) ?? 1
    let columns = (canvas.width + side - 1) / side
    let offsets = (0..<256).map { _ in
      (x: Int.random(in: 0..<side, using: &generator), y: Int.random(in: 0..<side, using: &generator))
    }
    let rowLength = columns + Int.random(in: 0...3, using: &generator)
    return BlockPoints(canvas: canvas, side: side, rowLength: rowLength) { offsets[($0 &* 7 &+ $1) & 255] }
  }

  @Test("In two plays, with frames left out, every point is that of the whole picture")
  func random() throws {
    var (sound, changes) = (0, 0)
    for seed in 0..<UInt64(150) {
      var generator = SeededGenerator(seed: seed)
      let image = try GIFImage(bytes: RandomGIF.make(using: &generator).bytes)
      let points = Self.points(of: image.size, &generator)
      var whole = try FrameRenderer(image)
      var sampled = try PointRenderer(image, points)
      var shown = [Int: UInt32]()
      let order = Array(0..<image.frameCount) + (0..<image.frameCount).filter { $0 % 3 != 1 }
      for (step, frame) in order.enumerated() {
        let status = try whole.render(frame)
        guard try sampled.render(frame) else {
          let isCropped = image.frames[...frame].contains { $0.exceeds(image.animation.canvas) }
          #expect(status != .complete || isCropped, "seed \(seed), frame \(frame)")
          break
        }
        if step == 0 {
          sampled.forEachPoint { shown[$0] = $1 }
          #expect(shown.count == points.columns * points.rows)
        } else {
          sampled.forEachChange { point, pixel in
            if shown[point] == pixel { Issue.record("seed \(seed): no change") }
            shown[point] = pixel
            changes += 1
          }
        }
        let canvas = whole.canvasPixels
        let differing = shown.count { point, pixel in
          let (x, y) = points.position(point)
          return canvas[y * image.width + x] != pixel
        }
        #expect(differing == 0, "seed \(seed), frame \(frame)")
        if frame == image.frameCount - 1 { sound += 1 }
      }
    }
    // A test without frames that change would say nothing.
    #expect(sound > 100)
    #expect(changes > 1000)
  }

  @Test("A damaged frame is not drawn, nor one that follows it; from the first one on it begins anew")
  func damage() throws {
    var writer = GIFWriter(width: 8, height: 8, palette: [0x000000, 0xFFFFFF])
    writer.image(width: 8, height: 8, indices: Array(repeating: 1, count: 64))
    let start = writer.bytes.count
    writer.image(width: 8, height: 8, indices: Array(repeating: 0, count: 64))
    let end = writer.bytes.count
    writer.image(width: 8, height: 8, indices: Array(repeating: 1, count: 64))
    writer.trailer()
    var bytes = writer.bytes
    // After the descriptor, the code size and the length of the codes: clear codes only, of three bits each.
    for place in start + 12..<end - 1 { bytes[place] = [0x24, 0x49, 0x92][(place - start) % 3] }
    let image = try GIFImage(bytes: bytes)
    try #require(image.frameCount == 3)
    var renderer = try PointRenderer(
      image, BlockPoints(canvas: image.size, side: 2, rowLength: 4) { _, _ in (0, 0) })
    let sound = [
      try renderer.render(0), try renderer.render(1), try renderer.render(1), try renderer.render(2),
      try renderer.render(0),
    ]
    #expect(sound == [true, false, false, false, true])
  }
}
