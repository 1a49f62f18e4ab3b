import GIFTestSupport
import Testing

@testable import GIFDecoding

/// What checkpoints may take, and what they give up when it does not suffice.
@Suite struct CheckpointMemoryTests {
  private func checkpoints(_ interval: Int, canvases: Int64, spare: Int64 = 0) -> Checkpoints {
    let bytes = LongAnimation.canvasBytes
    return Checkpoints(
      CheckpointPolicy(interval: interval, byteLimit: canvases * bytes + spare), canvasBytes: bytes)
  }

  /// The frames on which later ones can be drawn, as far as they are kept.
  private func kept(_ checkpoints: Checkpoints, of frames: [FrameInfo]) -> [Int] {
    frames.map(\.index).filter { checkpoints.canvas(showing: $0) != nil }
  }

  /// At no moment more bytes than allowed, whatever the interval and the order.
  @Test(arguments: [1, 3, 10], [0, 1, 2, 5, 17] as [Int64])
  func neverMoreThanTheLimit(interval: Int, canvases: Int64) throws {
    let animation = try LongAnimation(frames: 320, disposals: .mixed)
    // Half a canvas more allows no more canvases.
    var checkpoints = checkpoints(interval, canvases: canvases, spare: LongAnimation.canvasBytes / 2)
    let again = animation.shuffled(seed: 1)
    for index in Array(0..<animation.count) + again {
      try checkpoints.noteDrawn(animation.image.frames[index])
      #expect(checkpoints.byteCount <= canvases * LongAnimation.canvasBytes)
    }
    #expect(checkpoints.byteCount > 0 || canvases == 0)
    #expect(
      Int64(kept(checkpoints, of: animation.image.frames).count) * LongAnimation.canvasBytes
        == checkpoints.byteCount)
  }

  /// As long as there is room, every so manieth frame is kept.
  @Test func evenlySpaced() throws {
    let animation = try LongAnimation(frames: 100, disposals: .keep)
    var checkpoints = checkpoints(10, canvases: 100)
    for frame in animation.image.frames { try checkpoints.noteDrawn(frame) }
    #expect(kept(checkpoints, of: animation.image.frames) == [9, 19, 29, 39, 49, 59, 69, 79, 89, 99])
    #expect(checkpoints.byteCount == 10 * LongAnimation.canvasBytes)
  }

  /// Where there is not, every second one goes, the latest stays, and the distance doubles.
  @Test func thinning() throws {
    let animation = try LongAnimation(frames: 300, disposals: .keep)
    var checkpoints = checkpoints(10, canvases: 4)
    for frame in animation.image.frames.prefix(40) { try checkpoints.noteDrawn(frame) }
    #expect(kept(checkpoints, of: animation.image.frames) == [9, 19, 29, 39])
    for frame in animation.image.frames[40..<60] { try checkpoints.noteDrawn(frame) }
    #expect(kept(checkpoints, of: animation.image.frames) == [19, 39, 59])
    for frame in animation.image.frames[60...] { try checkpoints.noteDrawn(frame) }
    let late = kept(checkpoints, of: animation.image.frames)
    #expect((2...4).contains(late.count))
    #expect(checkpoints.byteCount <= 4 * LongAnimation.canvasBytes)
  }

  /// The promise scaled by what memory allows: with room for n canvases no way is longer than about 2/n of
  /// the file.
  @Test(arguments: [2, 4, 8, 16] as [Int64], [1, 4])
  func thinnedWaysStayShort(canvases: Int64, interval: Int) throws {
    let animation = try LongAnimation(frames: 320, disposals: .keep)
    let policy = CheckpointPolicy(interval: interval, byteLimit: canvases * LongAnimation.canvasBytes)
    var renderer = try FrameRenderer(animation.image, checkpoints: policy)
    for index in 0..<animation.count { try renderer.render(index) }
    var spacing = interval
    while spacing * Int(canvases) < animation.count { spacing *= 2 }
    for index in animation.shuffled(seed: 7) {
      let cost = try renderer.cost(of: index)
      #expect(cost <= spacing, "frame \(index)")
      #expect(renderer.pixels == animation.pictures[index])
    }
  }

  /// After dips of memory canvases are kept as densely as before them.
  @Test func dipsLeaveNoTrace() throws {
    let animation = try LongAnimation(frames: 100, disposals: .keep)
    let frames = animation.image.frames
    var checkpoints = checkpoints(10, canvases: 16)
    for frame in frames { try checkpoints.noteDrawn(frame) }
    let before = kept(checkpoints, of: frames)
    #expect(before.count == 10)
    for canvases in [1, 16, 0, 16, 3, 16] as [Int64] {
      checkpoints.limit(to: canvases * LongAnimation.canvasBytes)
      #expect(checkpoints.byteCount <= canvases * LongAnimation.canvasBytes)
    }
    // The same limit again, as before every turn, is no reason to start over.
    for frame in frames {
      checkpoints.limit(to: 16 * LongAnimation.canvasBytes)
      try checkpoints.noteDrawn(frame)
    }
    #expect(kept(checkpoints, of: frames).count >= before.count)
    #expect(checkpoints.byteCount <= 16 * LongAnimation.canvasBytes)
  }

  /// A limit that stays leaves the interval as it has come to be.
  @Test func theSameLimitKeepsTheInterval() throws {
    let animation = try LongAnimation(frames: 300, disposals: .keep)
    var (steady, told) = (checkpoints(10, canvases: 4), checkpoints(10, canvases: 4))
    for frame in animation.image.frames {
      try steady.noteDrawn(frame)
      told.limit(to: 4 * LongAnimation.canvasBytes)
      try told.noteDrawn(frame)
    }
    #expect(kept(told, of: animation.image.frames) == kept(steady, of: animation.image.frames))
  }

  /// With room for one canvas it is always a late one, so that going back near the end stays cheap.
  @Test(arguments: [5, 16]) func oneCanvasMovesOn(interval: Int) throws {
    let animation = try LongAnimation(frames: 300, disposals: .keep)
    var checkpoints = checkpoints(interval, canvases: 1)
    for frame in animation.image.frames {
      try checkpoints.noteDrawn(frame)
      let kept = kept(checkpoints, of: animation.image.frames)
      #expect(kept.count == (frame.index + 1 < interval ? 0 : 1))
      #expect(kept.allSatisfy { $0 > frame.index - interval })
    }
  }

  /// No room for a single canvas, or a policy that wants none: nothing is kept.
  @Test(arguments: [CheckpointPolicy.none, CheckpointPolicy(interval: 1, byteLimit: 119)])
  func noRoom(policy: CheckpointPolicy) throws {
    let animation = try LongAnimation(frames: 50, disposals: .keep)
    var checkpoints = Checkpoints(policy, canvasBytes: LongAnimation.canvasBytes)
    for frame in animation.image.frames { try checkpoints.noteDrawn(frame) }
    #expect(checkpoints.byteCount == 0)
    #expect(checkpoints.keptBase(of: animation.image.frames[49]) == nil)
  }

  /// Frames that leave no trace are not kept; nothing builds on them.
  @Test func restoringFramesAreNotKept() throws {
    let animation = try LongAnimation(frames: 90, disposals: .previous)
    var checkpoints = checkpoints(1, canvases: 200)
    for frame in animation.image.frames { try checkpoints.noteDrawn(frame) }
    let expected = animation.image.frames.filter { $0.disposal != .previous }.map(\.index)
    #expect(kept(checkpoints, of: animation.image.frames) == expected)
  }

  /// A kept canvas serves from the frame that is required up to the frame itself, and no other.
  @Test func baseIsBetweenTheRequiredAndTheFrame() throws {
    let animation = try LongAnimation(frames: 200, disposals: .mixed, opaque: 3)
    var checkpoints = checkpoints(4, canvases: 100)
    for frame in animation.image.frames { try checkpoints.noteDrawn(frame) }
    for frame in animation.image.frames {
      guard let base = checkpoints.keptBase(of: frame) else { continue }
      let required = try #require(frame.requiredFrame)
      #expect(base >= required && base < frame.index)
      #expect(checkpoints.canvas(showing: base) != nil)
    }
  }
}

extension Checkpoints {
  /// Notes a sound frame whose picture does not matter.
  fileprivate mutating func noteDrawn(_ frame: FrameInfo) throws {
    var canvas = Canvas(width: 6, height: 5)
    try canvas.takeMemory()
    note(frame, drawnOn: frame.requiredFrame, canvas: canvas)
  }

  /// The kept frame on which `frame` can be drawn.
  fileprivate func keptBase(of frame: FrameInfo) -> Int? {
    base(for: frame.index, requiring: frame.requiredFrame)
  }
}
