import GIFDecodingTestSupport
import GIFTestSupport
import Testing

@testable import GIFDecoding

/// Random well-formed files against the plain compositor, and a renderer against itself in every order.
@Suite struct CompositorAgreementTests {
  // Every canvas equals the reference's, and so does everything else that the index tells.
  @Test(arguments: (0..<10).map { UInt64($0) * 20 }) func equalsReference(from first: UInt64) throws {
    for seed in first..<first + 20 {
      let gif = RandomGIF.make(seed: seed)
      let image = try GIFImage(bytes: gif.bytes)
      let rendering = try image.rendering()
      #expect(rendering.pictures == PlainCompositor.canvases(of: gif.animation), "seed \(seed)")
      #expect(rendering.statuses.allSatisfy { $0 == .complete }, "seed \(seed)")
      #expect(rendering.damage.isEmpty, "seed \(seed)")
      #expect(image.width == gif.animation.canvasWidth, "seed \(seed)")
      #expect(image.height == gif.animation.canvasHeight, "seed \(seed)")
      #expect(
        image.loopCount == gif.animation.loopCount.map { LoopCount(storedRepetitions: $0) } ?? .plays(1),
        "seed \(seed)")
      #expect(
        image.frames.map { $0.delayMilliseconds() } == gif.animation.frames.map(\.milliseconds),
        "seed \(seed)")
      #expect(image.metadata.isComplete)
    }
  }

  // In any order of access, with repeats, every frame shows the same as in the file's order.
  @Test(arguments: (0..<6).map { 1000 + UInt64($0) * 10 }) func randomAccess(from first: UInt64) throws {
    for seed in first..<first + 10 {
      let image = try GIFImage(bytes: RandomGIF.make(seed: seed).bytes)
      let expected = try image.rendering().pictures
      var generator = SeededGenerator(seed: seed)
      let order = (0..<2 * image.frameCount).map { _ in
        Int.random(in: 0..<image.frameCount, using: &generator)
      }
      let found = try image.rendering(order: order)
      #expect(found.pictures == order.map { expected[$0] }, "seed \(seed), order \(order)")
      #expect(found.statuses.allSatisfy { $0 == .complete }, "seed \(seed)")
    }
  }

  // Backwards, which is the dearest order.
  @Test func backwards() throws {
    for seed in UInt64(2000)..<2040 {
      let image = try GIFImage(bytes: RandomGIF.make(seed: seed).bytes)
      let expected = try image.rendering().pictures
      let found = try image.rendering(order: (0..<image.frameCount).reversed())
      #expect(found.pictures == expected.reversed(), "seed \(seed)")
    }
  }

  // Playing round and round: the second loop starts from what the first one left and shows the same.
  @Test func secondLoop() throws {
    for seed in UInt64(2100)..<2130 {
      let image = try GIFImage(bytes: RandomGIF.make(seed: seed).bytes)
      let once = Array(0..<image.frameCount)
      let twice = try image.rendering(order: once + once).pictures
      #expect(Array(twice.prefix(once.count)) == Array(twice.suffix(once.count)), "seed \(seed)")
    }
  }

  // Canvases kept on the way, few or many, change no picture.
  @Test func checkpoints() throws {
    for seed in UInt64(2200)..<2240 {
      let image = try GIFImage(bytes: RandomGIF.make(seed: seed).bytes)
      let expected = try image.rendering().pictures
      var generator = SeededGenerator(seed: seed)
      let order = (0..<3 * image.frameCount).map { _ in
        Int.random(in: 0..<image.frameCount, using: &generator)
      }
      let canvasBytes = image.pixelCount * 4
      for policy in [
        .none, CheckpointPolicy(interval: 1, byteLimit: .max),
        CheckpointPolicy(interval: 2, byteLimit: canvasBytes * 3),
      ] as [CheckpointPolicy] {
        var renderer = try FrameRenderer(image, checkpoints: policy)
        var found: [[UInt32]] = []
        for index in order { found.append(try renderer.frame(at: index).pixels.words) }
        #expect(found == order.map { expected[$0] }, "seed \(seed), \(policy)")
      }
    }
  }

  // BGRA is RGBA with the first and third byte exchanged, and says so.
  @Test func pixelFormats() throws {
    for seed in UInt64(3000)..<3030 {
      let image = try GIFImage(bytes: RandomGIF.make(seed: seed).bytes)
      let swapped = try image.rendering().pictures.map { picture in
        picture.map { pixel in
          pixel & 0xFF00_FF00 | pixel >> 16 & 0xFF | (pixel & 0xFF) << 16
        }
      }
      #expect(try image.rendering(format: .bgra).pictures == swapped, "seed \(seed)")
    }
  }

  // The changed rectangle holds every pixel that differs from the frame before, and lies on the canvas.
  @Test func changedRectangles() throws {
    var wholeCanvases = 0
    var rectangles = 0
    for seed in UInt64(4000)..<4030 {
      let image = try GIFImage(bytes: RandomGIF.make(seed: seed).bytes)
      let canvas = PixelRect(x: 0, y: 0, width: image.width, height: image.height)
      let rendering = try image.rendering()
      for index in 1..<max(1, image.frameCount) {
        let changed = rendering.changedRects[index]
        #expect(changed == image.animation.changedRect(of: index))
        #expect(changed.isEmpty || changed.intersection(canvas) == changed)
        let difference = Self.difference(
          rendering.pictures[index - 1], rendering.pictures[index], width: image.width)
        #expect(changed.union(difference) == changed, "seed \(seed), frame \(index)")
        rectangles += 1
        if changed == canvas { wholeCanvases += 1 }
      }
      #expect(rendering.changedRects.first == canvas, "frame 0 replaces everything")
    }
    #expect(wholeCanvases < rectangles * 3 / 4, "always naming the whole canvas would be no help")
  }

  // At another size, a frame after the one before it names exactly what differs; any other one names no less.
  @Test func changedRectanglesAtAnotherSize() throws {
    var unchanged = 0
    for seed in UInt64(4000)..<4060 {
      let image = try GIFImage(bytes: RandomGIF.make(seed: seed).bytes)
      var random = SeededGenerator(seed: seed)
      let size = try #require(
        PixelSize(width: .random(in: 1...image.width, using: &random), height: 1 + image.height / 3))
      let inOrder = try image.rendering(size: size)
      let whole = PixelRect(x: 0, y: 0, width: size.width, height: size.height)
      #expect(inOrder.changedRects.first == whole)
      let differences = (1..<max(1, image.frameCount)).map { index in
        Self.difference(inOrder.pictures[index - 1], inOrder.pictures[index], width: size.width)
      }
      #expect(Array(inOrder.changedRects.dropFirst()) == differences, "seed \(seed)")
      unchanged += differences.count { $0.isEmpty }
      let order = (0..<3 * image.frameCount).map { _ in Int.random(in: 0..<image.frameCount, using: &random) }
      let anyOrder = try image.rendering(order: order, size: size)
      for (place, index) in order.enumerated() where index > 0 {
        let changed = anyOrder.changedRects[place]
        #expect(changed.union(differences[index - 1]) == changed, "seed \(seed), frame \(index)")
        #expect(changed.union(whole) == whole)
      }
    }
    #expect(unchanged > 0, "some frames change no pixel at a small size")
  }

  /// The smallest rectangle that holds all differing pixels.
  static func difference(_ before: [UInt32], _ after: [UInt32], width: Int) -> PixelRect {
    var result = PixelRect.empty
    guard before != after else { return result }
    for position in before.indices where before[position] != after[position] {
      result = result.union(PixelRect(x: position % width, y: position / width, width: 1, height: 1))
    }
    return result
  }
}
