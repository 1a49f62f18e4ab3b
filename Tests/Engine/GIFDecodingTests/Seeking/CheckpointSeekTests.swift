import GIFDecodingTestSupport
import GIFTestSupport
import Testing

@testable import GIFDecoding

/// With checkpoints the way to any frame is short, once all have been seen.
@Suite struct CheckpointSeekTests {
  /// After one pass, frames in random order, backwards and over and over: never more decodings than promised.
  @Test(arguments: LongAnimation.Disposals.allCases, [1, 2, 7, 32])
  func atMostSoManyDecodings(disposals: LongAnimation.Disposals, interval: Int) throws {
    let animation = try LongAnimation(frames: 320, disposals: disposals)
    var renderer = try FrameRenderer(
      animation.image, checkpoints: CheckpointPolicy(interval: interval, byteLimit: 1 << 20))
    for index in 0..<animation.count { try renderer.render(index) }
    #expect(renderer.decodedFrames == animation.count)
    let orders = [animation.shuffled(seed: 1), Array((0..<animation.count).reversed())]
    var highest = 0
    for index in orders.joined() { highest = max(highest, try renderer.cost(of: index)) }
    #expect(highest <= interval)
  }

  /// With opaque frames that hide earlier ones, and so with ways that leave frames out.
  @Test(arguments: [3, 16], [2, 6])
  func waysThatLeaveFramesOut(interval: Int, opaque: Int) throws {
    let animation = try LongAnimation(frames: 300, disposals: .mixed, seed: 9, opaque: opaque)
    var renderer = try FrameRenderer(
      animation.image, checkpoints: CheckpointPolicy(interval: interval, byteLimit: 1 << 20))
    for index in 0..<animation.count { try renderer.render(index) }
    for index in animation.shuffled(seed: 2) {
      let cost = try renderer.cost(of: index)
      #expect(cost <= interval, "frame \(index)")
      #expect(renderer.pixels == animation.pictures[index], "frame \(index)")
    }
  }

  /// A renderer that was never given the whole animation in order: what was passed on the way counts.
  @Test func firstJumpPaysForTheRest() throws {
    let animation = try LongAnimation(frames: 300, disposals: .keep)
    var renderer = try FrameRenderer(
      animation.image, checkpoints: CheckpointPolicy(interval: 10, byteLimit: 1 << 20))
    #expect(try renderer.cost(of: 299) == 300)
    var highest = 0
    for index in animation.shuffled(seed: 3) { highest = max(highest, try renderer.cost(of: index)) }
    #expect(highest <= 10)
  }

  @Test("Playing in order keeps no canvas; the first long seek makes those after it short")
  func automatic() throws {
    let animation = try LongAnimation(frames: 300, disposals: .keep)
    var renderer = try FrameRenderer(animation.image)
    for _ in 0..<2 {
      for index in 0..<animation.count { try renderer.render(index) }
    }
    #expect(renderer.checkpointBytes == 0)
    #expect(renderer.decodedFrames == 2 * animation.count)
    #expect(try renderer.cost(of: 200) == 201)
    #expect(renderer.checkpointBytes > 0)
    for index in [150, 33, 199, 64] { #expect(try renderer.cost(of: index) <= 32, "frame \(index)") }
  }

  @Test("The first frame of a renderer keeps no canvas wherever it is; the next long seek does")
  func firstFrame() throws {
    let animation = try LongAnimation(frames: 300, disposals: .keep)
    var renderer = try FrameRenderer(animation.image)
    #expect(try renderer.cost(of: 250) == 251)
    #expect(try renderer.cost(of: 299) == 49)
    #expect(renderer.checkpointBytes > 0)
    #expect(try renderer.cost(of: 290) <= 32)
    var other = try FrameRenderer(animation.image)
    #expect(try other.cost(of: 299) == 300)
    #expect(other.checkpointBytes == 0)
  }

  /// Sound frames between damaged ones, all composed: the promise holds there, too.
  @Test(arguments: [2, 5, 40])
  func resilientOverDamage(damage: Int) throws {
    let animation = try LongAnimation(
      frames: 300, disposals: .keep, seed: 4, damage: damage, policy: .resilient)
    var renderer = try FrameRenderer(
      animation.image, checkpoints: CheckpointPolicy(interval: 8, byteLimit: 1 << 20))
    for index in 0..<animation.count { try renderer.render(index) }
    var highest = 0
    for index in animation.shuffled(seed: 5) { highest = max(highest, try renderer.cost(of: index)) }
    // A run of damaged frames is gone through as a whole: nothing is kept inside it.
    #expect(highest <= 8 + longestDamage(animation))
  }

  private func longestDamage(_ animation: LongAnimation) -> Int {
    var longest = 0
    var run = 0
    for status in animation.statuses {
      run = status == .complete ? 0 : run + 1
      longest = max(longest, run)
    }
    return longest
  }

  /// Pictures in any order are those in order, with any checkpoints, sound and damaged, under both policies.
  @Test(
    arguments: LongAnimation.Disposals.allCases,
    [CheckpointPolicy.none, CheckpointPolicy(interval: 5), CheckpointPolicy(interval: 1, byteLimit: 2000)])
  func sameInAnyOrder(disposals: LongAnimation.Disposals, checkpoints: CheckpointPolicy) throws {
    for (damage, policy) in [(0, DamagePolicy.chromium), (6, .chromium), (6, .resilient)] {
      let animation = try LongAnimation(
        frames: 60, disposals: disposals, seed: 6, damage: damage, opaque: 4, policy: policy)
      for seed in 0..<4 as Range<UInt64> {
        var renderer = try FrameRenderer(animation.image, checkpoints: checkpoints)
        for index in animation.shuffled(seed: seed) {
          let frame = try renderer.frame(at: index)
          #expect(frame.status == animation.statuses[index], "frame \(index), \(policy), seed \(seed)")
          #expect(
            frame.pixels.words == animation.pictures[index],
            "frame \(index) (\(frame.status)), \(policy), damage \(damage), seed \(seed)")
        }
      }
    }
  }

  /// Files of all kinds of faults, each in several random orders: as in order.
  @Test(arguments: OddFile.files(150, from: 8000), [DamagePolicy.chromium, .resilient])
  func oddFilesInAnyOrder(_ file: OddFile, policy: DamagePolicy) throws {
    guard var image = try? GIFImage(bytes: file.bytes) else { return }
    image.damagePolicy = policy
    let expected = try ReadingOutcome.Show(image)
    var generator = SeededGenerator(seed: file.seed)
    for round in 0..<6 {
      let interval = CheckpointPolicy(interval: round + 1, byteLimit: 3 * image.pixelCount * 4)
      var renderer = try FrameRenderer(image, checkpoints: interval)
      for index in (0..<image.frameCount).shuffled(using: &generator) {
        let frame = try renderer.frame(at: index)
        #expect(frame.status == expected.statuses[index], "frame \(index)")
        #expect(frame.pixels.words == expected.pictures[index], "frame \(index)")
      }
    }
  }

  /// No checkpoints: going back is paid for from the key frame on, and going on costs one.
  @Test func noneKeepsNothing() throws {
    let animation = try LongAnimation(frames: 100, disposals: .keep)
    var renderer = try FrameRenderer(animation.image, checkpoints: .none)
    for index in 0..<100 { #expect(try renderer.cost(of: index) == 1) }
    #expect(try renderer.cost(of: 50) == 51)
    #expect(try renderer.cost(of: 51) == 1)
    #expect(try renderer.cost(of: 51) == 0)
    #expect(try renderer.cost(of: 40) == 41)
  }

  /// The limits of a policy are made sense of.
  @Test func policyValues() {
    #expect(CheckpointPolicy(interval: -3).interval == 1)
    #expect(CheckpointPolicy().byteLimit == 32 << 20)
    #expect(CheckpointPolicy.none.byteLimit == 0)
  }
}

extension FrameRenderer {
  /// A copy of the canvas as it stands.
  var pixels: [UInt32] {
    let span = canvasPixels
    return span.indices.map { span[$0] }
  }
}
