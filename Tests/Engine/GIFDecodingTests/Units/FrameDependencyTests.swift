import GIFDecoding
import GIFTestSupport
import Testing

/// Which frame needs which: Chromium's rule, case by case and against a plain reading of the table.
@Suite struct FrameDependencyTests {
  private typealias Shape = FrameStructure.Shape
  private static let canvas = PixelRect(x: 0, y: 0, width: 4, height: 1)

  /// A frame on columns `from` to `to` of a canvas of one row.
  private static func columns(_ from: Int, _ to: Int, opaque: Bool = true, disposal: UInt8 = 1) -> Shape {
    Shape(rect: PixelRect(x: from, y: 0, width: to - from, height: 1), isOpaque: opaque, disposal: disposal)
  }

  private static func required(_ shapes: Shape...) -> [Int?] {
    FrameStructure(canvas: canvas, shapes: shapes).frames.map(\.requiredFrame)
  }

  @Test func firstFrameNeedsNone() {
    #expect(Self.required(Self.columns(1, 2, opaque: false)) == [nil])
  }

  @Test func opaqueFullCanvasNeedsNone() {
    #expect(Self.required(Self.columns(0, 1), Self.columns(0, 4)) == [nil, nil])
    // With transparency it does; reaching beyond the canvas it still covers it.
    #expect(Self.required(Self.columns(0, 1), Self.columns(0, 4, opaque: false)) == [nil, 0])
    #expect(Self.required(Self.columns(0, 1), Self.columns(0, 9)) == [nil, nil])
  }

  @Test func framesThatRestoreLeaveNoTrace() {
    let restoring = Self.columns(0, 2, opaque: false, disposal: 3)
    #expect(Self.required(restoring, restoring, Self.columns(1, 2, opaque: false)) == [nil, nil, nil])
    #expect(Self.required(Self.columns(0, 1), restoring, Self.columns(1, 2, opaque: false)) == [nil, 0, 0])
  }

  @Test func clearedCanvasNeedsNone() {
    let small = Self.columns(2, 3, opaque: false)
    // The frame before it clears the whole canvas, or everything that was drawn since one that needed none.
    #expect(
      Self.required(Self.columns(0, 1), Self.columns(0, 4, opaque: false, disposal: 2), small) == [
        nil, 0, nil,
      ])
    #expect(Self.required(Self.columns(0, 2, disposal: 2), small) == [nil, nil])
    // It clears less than there is.
    #expect(Self.required(Self.columns(0, 4), Self.columns(0, 2, disposal: 2), small) == [nil, 0, 1])
  }

  @Test func coveredFramesAreNotNeeded() {
    #expect(Self.required(Self.columns(0, 4), Self.columns(1, 2), Self.columns(1, 3)) == [nil, 0, 0])
    // All of them covered, down to one that needs none: a key frame smaller than the canvas.
    #expect(Self.required(Self.columns(1, 2), Self.columns(1, 3), Self.columns(0, 3)) == [nil, nil, nil])
    // A transparent frame covers nothing.
    #expect(
      Self.required(Self.columns(0, 4), Self.columns(1, 2), Self.columns(1, 3, opaque: false)) == [nil, 0, 1])
    // Only the last one covered; the one under it reaches beyond.
    #expect(
      Self.required(Self.columns(0, 4), Self.columns(0, 3), Self.columns(1, 2), Self.columns(1, 3))
        == [nil, 0, 1, 1])
  }

  // An empty rectangle neither covers nor is covered.
  @Test func emptyFrames() {
    #expect(Self.required(Self.columns(0, 4), Self.columns(1, 1), Self.columns(0, 3)) == [nil, 0, 1])
    #expect(Self.required(Self.columns(0, 4), Self.columns(5, 9), Self.columns(0, 3)) == [nil, 0, 1])
    #expect(Self.required(Self.columns(0, 4), Self.columns(0, 3), Self.columns(6, 7)) == [nil, 0, 1])
  }

  // All runs of three frames of a few shapes, and a random fourth: the rule never leaves out a frame that
  // shows through. Drawn from the required frame's remains alone, each frame shows what drawing all of them
  // gives.
  @Test func enoughForThePicture() {
    let canvas = PixelRect(x: 0, y: 0, width: 2, height: 1)
    let rects = [
      canvas, PixelRect(x: 0, y: 0, width: 1, height: 1), PixelRect(x: 1, y: 0, width: 2, height: 1),
    ]
    let shapes = (rects + [.empty]).flatMap { rect in
      [true, false].flatMap { opaque in
        [1, 2, 3].map { Shape(rect: rect, isOpaque: opaque, disposal: $0) }
      }
    }
    var generator = SeededGenerator(seed: 4)
    var keyframes = 0
    for first in shapes {
      for second in shapes {
        for third in shapes {
          let last = shapes.randomElement(using: &generator) ?? first
          let structure = FrameStructure(canvas: canvas, shapes: [first, second, third, last])
          let (shown, left) = Self.sequence(structure)
          for frame in structure.frames {
            var picture = frame.requiredFrame.map { left[$0] } ?? SymbolicCanvas(canvas)
            picture.draw(frame)
            if picture != shown[frame.index] {
              Issue.record("frame \(frame.index) of \([first, second, third, last])")
            }
            if frame.index > 0, frame.isKeyframe { keyframes += 1 }
          }
        }
      }
    }
    #expect(keyframes > shapes.count * shapes.count * shapes.count / 2, "the rule must find key frames")
  }

  // A hostile chain is looked down only so far; the answer is then an earlier frame that need not be drawn,
  // no harm.
  @Test func deepChains() {
    let shapes =
      [Self.columns(0, 4)] + (0..<4200).map { _ in Self.columns(1, 2, opaque: false) } + [Self.columns(0, 3)]
    let frames = FrameStructure(canvas: Self.canvas, shapes: shapes).frames
    #expect(frames[4200].requiredFrame == 4199)
    #expect(frames[4201].requiredFrame == 4200 - 4096)
  }

  /// What every frame shows and what it leaves, drawing all frames in order.
  private static func sequence(_ structure: FrameStructure) -> (
    shown: [SymbolicCanvas], left: [SymbolicCanvas]
  ) {
    var canvas = SymbolicCanvas(structure.canvas)
    var shown: [SymbolicCanvas] = []
    var left: [SymbolicCanvas] = []
    for frame in structure.frames {
      let before = canvas
      canvas.draw(frame)
      shown.append(canvas)
      if frame.disposal == .previous { canvas = before }
      canvas.dispose(of: frame)
      left.append(canvas)
    }
    return (shown, left)
  }
}
