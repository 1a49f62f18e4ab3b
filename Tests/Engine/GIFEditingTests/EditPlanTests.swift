import GIFDecoding
import GIFTestSupport
import Testing

@testable import GIFEditing

/// Plans of frames of 4 x 4 pixels, without decoding one.
@Suite("What an edit makes of the chosen frames")
struct EditPlanTests {
  private static let canvas = PixelRect(x: 0, y: 0, width: 4, height: 4)

  /// A plan for frames with these delays: the first fills the canvas, the others have a corner and a
  /// transparent index; the disposal is that of all.
  private static func plan(
    _ delays: [Int], disposal: Int = 1, _ change: (inout GIFEdit) -> Void = { _ in }
  ) throws -> EditPlan {
    var writer = GIFWriter(width: 4, height: 4, palette: [0, 0xFFFFFF])
    for (place, delay) in delays.enumerated() {
      writer.graphicsControl(disposal: disposal, delay: delay, transparent: place == 0 ? nil : 0)
      let side = place == 0 ? 4 : 2
      writer.image(width: side, height: side, indices: [UInt8](repeating: 1, count: side * side))
    }
    writer.trailer()
    let frames = try GIFImage(bytes: writer.bytes).frames
    let rule = CopyRule(
      images: [
        CopyRule.Image(
          frames: frames, canvas: canvas, isWhole: frames.map { canvas.contains($0.rect) },
          hasGlobalPalette: true)
      ])
    var edit = GIFEdit()
    change(&edit)
    return try EditPlan(FrameSequence([frames], edit: edit), edit, rule)
  }

  /// All frames of a plan; each is copied as it is where that needs no pixel.
  ///
  /// - Parameter stills: the frames that show the same as the one before them.
  private static func frames(
    _ plan: EditPlan, stills: Set<Int> = []
  ) throws -> (frames: [PlannedFrame], isCopied: [Bool]) {
    var plan = plan
    var (frames, isCopied) = ([PlannedFrame](), [Bool]())
    while let frame = try plan.next(showSame: { _, second in stills.contains(second.frame) }) {
      let state = plan.stateAfterCopying(frame)
      frames.append(frame)
      isCopied.append(state != nil)
      plan.conclude(frame, state ?? .other)
    }
    #expect(plan.written == frames.map(\.item))
    return (frames, isCopied)
  }

  @Test("Frames in their order are copied without a look at a pixel")
  func unchanged() throws {
    let (frames, isCopied) = try Self.frames(Self.plan([3, 4, 5]))
    #expect(isCopied == [true, true, true])
    #expect(frames.map(\.item.centiseconds) == [3, 4, 5])
    #expect(frames.map(\.next?.frame) == [1, 2, nil])
  }

  @Test("A cut is a seam at its beginning, and copied from there on")
  func cut() throws {
    // Nothing is known of the canvas after a frame that pixels decide, unless the caller says it.
    let (frames, isCopied) = try Self.frames(Self.plan([3, 4, 5, 6]) { $0.frames = [2, 3] })
    #expect(frames.map(\.item.frame) == [2, 3])
    #expect(isCopied == [false, false])
    var plan = try Self.plan([3, 4, 5, 6]) { $0.frames = [2, 3] }
    let first = try plan.next { _, _ in false }
    let seam = try #require(first)
    // As drawn, and kept.
    plan.conclude(seam, plan.state(after: seam, disposal: .keep, rect: Self.canvas))
    #expect(plan.state == .before(image: 0, frame: 3))
    let second = try plan.next { _, _ in false }
    #expect(try plan.stateAfterCopying(#require(second)) != nil)
  }

  @Test("Backwards every frame depends on pixels, but for one that covers the canvas at the end")
  func reversed() throws {
    #expect(try Self.frames(Self.plan([3, 3, 3]) { $0.order = .reversed }).isCopied == [false, false, true])
  }

  @Test("Stills become one frame for the time of all, as browsers play them")
  func stills() throws {
    let (frames, _) = try Self.frames(Self.plan([5, 0, 7, 8]) { $0.mergesStills = true }, stills: [1, 2])
    #expect(frames.map(\.item.frame) == [0, 3] && frames.map(\.last.frame) == [2, 3])
    #expect(frames.map(\.item.centiseconds) == [22, 8])
  }

  @Test("After stills the canvas is that of the last where all of them stay, and unknown otherwise")
  func stateAfterStills() throws {
    for (disposal, state) in [(1, OutputState.before(image: 0, frame: 2)), (2, .other)] {
      var plan = try Self.plan([5, 5, 5], disposal: disposal) { $0.mergesStills = true }
      let first = try plan.next { _, second in second.frame == 1 }
      let frame = try #require(first)
      let own: Disposal = disposal == 1 ? .keep : .background
      #expect(plan.state(after: frame, disposal: own, rect: Self.canvas) == state)
    }
  }

  @Test("Stills that are taken off again leave the canvas as it was before the first of them")
  func stateBeforeStills() throws {
    var plan = try Self.plan([5, 5, 5, 5]) { $0.mergesStills = true }
    let first = try #require(try plan.next { _, _ in false })
    plan.conclude(first, plan.state(after: first, disposal: .keep, rect: Self.canvas))
    #expect(plan.state == .before(image: 0, frame: 1))
    let stills = try #require(try plan.next { _, second in second.frame == 2 })
    #expect(stills.last.frame == 2)
    #expect(plan.state(after: stills, disposal: .previous, rect: Self.canvas) == .before(image: 0, frame: 1))
    #expect(plan.state(after: stills, disposal: .keep, rect: Self.canvas) == .before(image: 0, frame: 3))
  }

  @Test("A delay that is too long for one frame is that of the same frame several times")
  func longDelays() throws {
    let (frames, _) = try Self.frames(Self.plan([65535, 1, 9]) { $0.step = 2 })
    #expect(
      frames.map(\.item) == [
        SequenceFrame(image: 0, frame: 0, centiseconds: 65535),
        SequenceFrame(image: 0, frame: 0, centiseconds: 10),
        SequenceFrame(image: 0, frame: 2, centiseconds: 9),
      ])
    #expect(frames[0].next?.frame == 0 && frames[1].next?.frame == 2)
    let slow = try Self.frames(Self.plan([60000]) { $0.rate = 0.1 }).frames
    #expect(slow.map(\.item.centiseconds).reduce(0, +) == 600_000 && slow.count == 10)
    // What remains is never so short that browsers make it longer.
    #expect(slow.allSatisfy { $0.item.centiseconds >= 2 })
  }

  @Test("The last delay is that of the last frame alone, also where stills end the sequence")
  func lastDelay() throws {
    let plan = try Self.plan([5, 5, 5]) {
      $0.mergesStills = true
      $0.lastDelay = .seconds(1)
    }
    #expect(try Self.frames(plan, stills: [2]).frames.map(\.item.centiseconds) == [5, 100])
  }
}

@Suite("Another beginning of a range")
struct NearestBeginningTests {
  private static func frames(
    _ chosen: [Int]?, failing frame: Int, nearest: [Int], code: GIFEditError.Code = .tooManyColors
  ) -> [Int]? {
    var edit = GIFEdit()
    edit.frames = chosen
    let place = chosen?.firstIndex(of: frame)
    let error = GIFEditError(code, frame: frame, value: 300, limit: 256, place: place, nearest: nearest)
    return edit.beginningNearest(to: error, of: 10)?.edit.frames
  }

  @Test("The nearer of the frames before and after becomes the beginning of the run")
  func nearer() {
    #expect(Self.frames([4, 5, 6, 7], failing: 4, nearest: [1, 6]) == [6, 7])
    #expect(Self.frames([4, 5, 6, 7], failing: 4, nearest: [3, 6]) == [3, 4, 5, 6, 7])
    #expect(Self.frames([0, 1, 5, 6], failing: 5, nearest: [4, 9]) == [0, 1, 4, 5, 6])
  }

  @Test("A later beginning leaves a frame of the run; without one there is no other edit")
  func short() {
    #expect(Self.frames([4, 5], failing: 4, nearest: [0, 6]) == [0, 1, 2, 3, 4, 5])
    #expect(Self.frames([4, 5], failing: 4, nearest: [6]) == nil)
    #expect(Self.frames([4, 5], failing: 5, nearest: [6]) == nil)
    #expect(Self.frames([4, 5], failing: 4, nearest: []) == nil)
    #expect(Self.frames([4, 5], failing: 4, nearest: [5], code: .failedFrame) == nil)
  }
}

@Suite("The output's global palette")
struct GlobalPaletteTests {
  @Test("The palette of most frames saves most; among equals that of the first image stays")
  func mostUsed() throws {
    var writer = GIFWriter(width: 1, height: 1, palette: [0, 0xFFFFFF])
    writer.image(width: 1, height: 1, indices: [0])
    for _ in 0..<2 { writer.image(width: 1, height: 1, indices: [0], palette: [0xFF0000, 0x00FF00]) }
    writer.image(width: 1, height: 1, indices: [0])
    writer.trailer()
    let image = try GIFImage(bytes: writer.bytes)
    let own: [UInt8] = [0, 0, 0, 255, 255, 255]
    func palette(_ frames: [Int]) throws -> [UInt8]? {
      try GlobalPalette.mostUsed(
        by: frames.map { SequenceFrame(image: 0, frame: $0, centiseconds: 0) }, of: [image], own: own)
    }
    #expect(try palette([0, 1, 2]) == [255, 0, 0, 0, 255, 0])
    #expect(try palette([0, 1, 2, 3]) == own)
    #expect(try palette([0]) == own)
    #expect(PixelFormat.rgba.colors(ofPalette: [255, 0, 0, 0, 255, 0]) == [0xFF00_00FF, 0xFF00_FF00])
  }

  /// The colours that frames draw, each set in so many frames.
  private func drawn(_ sets: [(colors: ClosedRange<UInt32>, frames: Int)]) -> DrawnColors {
    var drawn = DrawnColors()
    for (colors, frames) in sets {
      let target = colors.map { 0xFF00_0000 | $0 }
      let before = [UInt32](repeating: 0, count: target.count)
      for _ in 0..<frames { drawn.add(from: before.span, to: target.span) }
    }
    return drawn
  }

  @Test("The palette of what frames draw has all colours where it has room, the commonest first")
  func commonPalette() {
    let few = drawn([(1...3, 1), (3...4, 5)])
    #expect(few.commonPalette() == [3, 0, 0, 4, 0, 0, 1, 0, 0, 2, 0, 0])
    // Nothing is drawn, and too much for any palette.
    var none = drawn([(1...257, 1)])
    let same: [UInt32] = [1, 2]
    none.add(from: same.span, to: same.span)
    // What is erased has no colour.
    none.add(from: same.span, to: [0, 0].span)
    #expect(none.commonPalette() == nil)
  }

  @Test("Where the palette has no room for all, the frames come first that save most for each colour")
  func crowded() throws {
    let drawn = drawn([(1...200, 1), (500...699, 2), (600...700, 1)])
    let bytes = try #require(drawn.commonPalette())
    let colors = Set(PixelFormat.rgba.colors(ofPalette: bytes).map { $0 & 0xFFFFFF })
    #expect(colors.isSuperset(of: 500...700) && colors.isDisjoint(with: 1...200))
  }

  @Test("A palette saves those of frames whose colours it has, and bits of their codes")
  func savedBytes() {
    let drawn = drawn([(1...3, 2), (9...9, 1)])
    func saving(_ colors: [UInt32]) -> Int { drawn.savedBytes(by: colors.map { 0xFF00_0000 | $0 }) }
    let (first, both) = (saving([1, 2, 3]), saving([1, 2, 3, 9]))
    // Four colours for each of two frames, two for the other.
    #expect(first - saving([]) == 2 * 12 && both - first == 6)
    #expect(saving(Array(100...200) + [1, 2, 3, 9]) < both)
    let (own, stored): ([UInt8], [UInt8]) = ([9, 0, 0, 1, 0, 0], [7, 0, 0, 8, 0, 0])
    let common = drawn.commonPalette()
    #expect(GlobalPalette.candidates(stored: own, beside: own, for: drawn) == [common])
    #expect(GlobalPalette.candidates(stored: stored, beside: own, for: drawn) == [stored, common])
    #expect(GlobalPalette.candidates(stored: common, beside: own, for: drawn) == [common])
  }
}
