import GIFTestSupport
import Testing

@testable import GIFDecoding

/// The way to a frame: by hand, and against drawing every frame in order on symbolic canvases.
@Suite struct RenderPlanTests {
  /// A full frame, then small transparent ones, each on the one before; frame 4 is full again.
  private static let chain = FrameStructure(
    canvas: PixelRect(x: 0, y: 0, width: 2, height: 1),
    shapes: (0..<7).map { number in
      FrameStructure.Shape(
        rect: PixelRect(x: 0, y: 0, width: number % 4 == 0 ? 2 : 1, height: 1), isOpaque: number % 4 == 0,
        disposal: 1)
    })

  private static func plan(to target: Int, from state: CanvasState, damaged: Set<Int> = []) -> RenderPlan {
    RenderPlan(to: target, from: state, frames: chain.frames) { !damaged.contains($0) }
  }

  private static func plan(_ frames: Int..., cleared: Bool) -> RenderPlan {
    var result = plan(to: 0, from: .cleared)
    result.start = cleared ? .cleared : .present
    result.frames = frames
    return result
  }

  @Test func forwardsIsOneStep() {
    #expect(Self.chain.frames.map(\.requiredFrame) == [nil, 0, 1, 2, nil, 4, 5])
    for target in 1..<7 {
      #expect(Self.plan(to: target, from: .showing(target - 1)) == Self.plan(target, cleared: false))
      #expect(Self.plan(to: target, from: .disposed(target - 1)) == Self.plan(target, cleared: false))
    }
  }

  @Test func elsewhereFromTheNearestKeyFrame() {
    #expect(Self.plan(to: 3, from: .stale) == Self.plan(0, 1, 2, 3, cleared: true))
    #expect(Self.plan(to: 6, from: .stale) == Self.plan(4, 5, 6, cleared: true))
    #expect(Self.plan(to: 2, from: .showing(5)) == Self.plan(0, 1, 2, cleared: true))
    #expect(Self.plan(to: 2, from: .showing(2)) == Self.plan(0, 1, 2, cleared: true))
    #expect(Self.plan(to: 4, from: .showing(1)) == Self.plan(4, cleared: true))
    #expect(Self.plan(to: 0, from: .cleared) == Self.plan(0, cleared: false))
    #expect(Self.plan(to: 0, from: .stale) == Self.plan(0, cleared: true))
  }

  @Test func fromWhatTheCanvasShowsWhereThatIsNearer() {
    #expect(Self.plan(to: 3, from: .showing(0)) == Self.plan(1, 2, 3, cleared: false))
    #expect(Self.plan(to: 3, from: .showing(1)) == Self.plan(2, 3, cleared: false))
    #expect(Self.plan(to: 6, from: .disposed(4)) == Self.plan(5, 6, cleared: false))
    #expect(Self.plan(to: 2, from: .cleared) == Self.plan(0, 1, 2, cleared: false))
    // What shows lies before the key frame: no use.
    #expect(
      Self.plan(to: 6, from: .showing(3)) == Self.plan(4, 5, 6, cleared: false), "but it is the one before it"
    )
    #expect(Self.plan(to: 6, from: .showing(2)) == Self.plan(4, 5, 6, cleared: true))
  }

  // A key frame never goes on from a damaged predecessor, whose remains it might not cover as it should.
  @Test func damagedPictures() {
    #expect(Self.plan(to: 4, from: .showing(3), damaged: [3]) == Self.plan(4, cleared: true))
    // The required frame itself serves, damaged or not; whether anything shows is not the plan's matter.
    #expect(Self.plan(to: 2, from: .showing(1), damaged: [1]) == Self.plan(2, cleared: false))
  }

  // A later frame than the required one serves if it is sound: the wanted frame covers what it added.
  @Test func laterPictures() {
    let canvas = PixelRect(x: 0, y: 0, width: 3, height: 1)
    let part = FrameStructure.Shape(
      rect: PixelRect(x: 0, y: 0, width: 2, height: 1), isOpaque: true, disposal: 1)
    let full = FrameStructure.Shape(rect: canvas, isOpaque: true, disposal: 1)
    let frames = FrameStructure(canvas: canvas, shapes: [full, part, part, part]).frames
    #expect(frames.map(\.requiredFrame) == [nil, 0, 0, 0])
    let sound = RenderPlan(to: 3, from: .showing(2), frames: frames) { _ in true }
    #expect(sound == Self.plan(3, cleared: false))
    let damaged = RenderPlan(to: 3, from: .showing(2), frames: frames) { $0 != 2 }
    #expect(damaged == Self.plan(0, 3, cleared: true))
  }

  // From every state that a canvas can be in to every frame: following the plan shows what playing in order
  // shows.
  @Test func againstPlayingInOrder() {
    var generator = SeededGenerator(seed: 31)
    var steps = 0
    var plans = 0
    for round in 0..<250 {
      let structure = FrameStructure.random(using: &generator)
      let (shown, states) = Self.play(structure)
      for (state, before) in states {
        for target in structure.frames.indices {
          let plan = RenderPlan(to: target, from: state, frames: structure.frames) { _ in true }
          plans += 1
          steps += plan.frames.count
          let picture = Self.follow(plan, from: state, before, structure)
          if picture != shown[target] { Issue.record("round \(round): from \(state) to \(target)") }
        }
      }
    }
    #expect(steps < plans * 2, "the way is meant to be short")
  }

  /// What each frame shows, and every state that a canvas passes through.
  private static func play(
    _ structure: FrameStructure
  ) -> (shown: [SymbolicCanvas], states: [(CanvasState, SymbolicCanvas)]) {
    var canvas = SymbolicCanvas(structure.canvas)
    var shown: [SymbolicCanvas] = []
    var states: [(CanvasState, SymbolicCanvas)] = [
      (.cleared, canvas), (.stale, SymbolicCanvas.garbage(structure.canvas)),
    ]
    for frame in structure.frames {
      let before = canvas
      canvas.draw(frame)
      shown.append(canvas)
      if frame.disposal == .previous {
        // The renderer puts back what was before and plans from there.
        canvas = before
        continue
      }
      states.append((.showing(frame.index), canvas))
      canvas.dispose(of: frame)
      states.append((.disposed(frame.index), canvas))
    }
    return (shown, states)
  }

  private static func follow(
    _ plan: RenderPlan, from state: CanvasState, _ start: SymbolicCanvas, _ structure: FrameStructure
  ) -> SymbolicCanvas {
    var canvas = plan.start == .cleared ? SymbolicCanvas(structure.canvas) : start
    if plan.start == .present, case .showing(let shown) = state {
      canvas.dispose(of: structure.frames[shown])
    }
    for (number, step) in plan.frames.enumerated() {
      if number > 0 { canvas.dispose(of: structure.frames[plan.frames[number - 1]]) }
      canvas.draw(structure.frames[step])
    }
    return canvas
  }

  // A kept canvas is taken where the way meets one before it meets what the canvas shows or a key frame.
  @Test func keptCanvases() {
    func plan(to target: Int, from state: CanvasState, kept: Int) -> RenderPlan {
      RenderPlan(
        to: target, from: state, frames: Self.chain.frames, isSound: { _ in true },
        kept: { frame in
          let required = Self.chain.frames[frame].requiredFrame
          return required.map { $0 <= kept } == true && kept < frame ? kept : nil
        })
    }
    let short = plan(to: 3, from: .stale, kept: 2)
    #expect(short.start == .kept(2))
    #expect(short.frames == [3])
    let longer = plan(to: 3, from: .stale, kept: 0)
    #expect(longer.start == .kept(0))
    #expect(longer.frames == [1, 2, 3])
    #expect(
      plan(to: 3, from: .showing(2), kept: 2) == Self.plan(3, cleared: false), "no copy where none is needed")
    #expect(plan(to: 4, from: .stale, kept: 2) == Self.plan(4, cleared: true), "a key frame needs none")
  }

  @Test func stateNamesItsFrame() {
    #expect([.cleared, .stale, .showing(3), .disposed(4)].map(\CanvasState.frame) == [nil, nil, 3, 4])
  }
}
