import GIFDecoding
import GIFDecodingTestSupport
import GIFTestSupport
import Testing

/// Random animations with damaged frames against the browser model: rendering by plan equals drawing every
/// frame onto what its required frame left.
@Suite struct DamagedAnimationTests {
  @Test func indexAgrees() throws {
    for seed in UInt64(0)..<600 {
      let damaged = DamagedAnimation.make(seed: seed)
      let image = try GIFImage(bytes: damaged.bytes)
      #expect(image.frames.map(\.requiredFrame) == BrowserModel(damaged).required, "seed \(seed)")
    }
  }

  @Test func inOrder() throws {
    var met: [FrameStatus: Int] = [:]
    for seed in UInt64(0)..<600 {
      let damaged = DamagedAnimation.make(seed: seed)
      let model = BrowserModel(damaged)
      let rendering = try GIFImage(bytes: damaged.bytes).rendering()
      #expect(rendering.statuses == model.statuses, "seed \(seed)")
      #expect(rendering.pictures == model.pictures, "seed \(seed)")
      for status in model.statuses { met[status, default: 0] += 1 }
    }
    for status in [FrameStatus.complete, .truncated, .failed, .blank] {
      #expect(met[status, default: 0] > 20, "too few frames are \(status) for this test to say anything")
    }
  }

  @Test func outOfOrder() throws {
    for seed in UInt64(0)..<600 {
      let damaged = DamagedAnimation.make(seed: seed)
      let model = BrowserModel(damaged)
      let image = try GIFImage(bytes: damaged.bytes)
      var generator = SeededGenerator(seed: seed)
      let order = (0..<3 * image.frameCount).map { _ in
        Int.random(in: 0..<image.frameCount, using: &generator)
      }
      let rendering = try image.rendering(order: order)
      #expect(rendering.statuses == order.map { model.statuses[$0] }, "seed \(seed), order \(order)")
      #expect(rendering.pictures == order.map { model.pictures[$0] }, "seed \(seed), order \(order)")
    }
  }

  // Each frame by a renderer of its own, as the decoding threads of a cache do it.
  @Test func eachByItself() throws {
    for seed in UInt64(600)..<800 {
      let damaged = DamagedAnimation.make(seed: seed)
      let model = BrowserModel(damaged)
      let image = try GIFImage(bytes: damaged.bytes)
      for index in 0..<image.frameCount {
        let rendering = try image.rendering(order: [index])
        #expect(rendering.statuses == [model.statuses[index]], "seed \(seed), frame \(index)")
        #expect(rendering.pictures == [model.pictures[index]], "seed \(seed), frame \(index)")
      }
    }
  }

  // Looking for damage without composing finds the same statuses and the same damage, in frame order.
  @Test func checkFramesAgrees() throws {
    for seed in UInt64(0)..<600 {
      let damaged = DamagedAnimation.make(seed: seed)
      let model = BrowserModel(damaged)
      let image = try GIFImage(bytes: damaged.bytes)
      let check = image.checkFrames()
      #expect(check.statuses == model.statuses, "seed \(seed)")
      #expect(check.diagnostics == (try image.rendering().damage), "seed \(seed)")
      let reported = check.diagnostics.map(\.frame)
      #expect(
        reported == check.statuses.indices.filter { [.failed, .blank].contains(check.statuses[$0]) },
        "seed \(seed): one line for each frame that failed or shows nothing")
    }
  }

  // In file order the changed rectangle holds every difference between the pictures, damaged or not.
  @Test func changedRectanglesInOrder() throws {
    for seed in UInt64(0)..<600 {
      let image = try GIFImage(bytes: DamagedAnimation.make(seed: seed).bytes)
      let rendering = try image.rendering()
      for index in 1..<max(1, image.frameCount) {
        let difference = CompositorAgreementTests.difference(
          rendering.pictures[index - 1], rendering.pictures[index], width: image.width)
        #expect(
          rendering.changedRects[index].union(difference) == rendering.changedRects[index],
          "seed \(seed), frame \(index)")
      }
    }
  }

  // The same where a renderer has seen nothing but this frame.
  @Test func changedRectanglesOfSingleFrames() throws {
    for seed in UInt64(0)..<600 {
      let damaged = DamagedAnimation.make(seed: seed)
      let pictures = BrowserModel(damaged).pictures
      let image = try GIFImage(bytes: damaged.bytes)
      for index in 1..<max(1, image.frameCount) {
        let changed = try image.rendering(order: [index]).changedRects[0]
        let difference = CompositorAgreementTests.difference(
          pictures[index - 1], pictures[index], width: image.width)
        #expect(changed.union(difference) == changed, "seed \(seed), frame \(index)")
      }
    }
  }
}
