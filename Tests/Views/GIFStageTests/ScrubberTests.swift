import GIFDecoding
import GIFTestSupport
import Testing

@testable import GIFStage

@Suite("ScrubberModel: a playhead and a range")
struct ScrubberModelTests {
  @Test("For all settings, minimum <= start <= value <= end <= maximum, all on steps")
  func random() {
    for seed in 0..<200 {
      var random = SeededGenerator(seed: UInt64(seed))
      let minimum = Int.random(in: -20...20, using: &random)
      let step = Int.random(in: 1...7, using: &random)
      var model = ScrubberModel(
        minimum: minimum, maximum: minimum + Int.random(in: 0...60, using: &random), step: step)
      for _ in 0..<50 {
        let target = Int.random(in: -100...100, using: &random)
        if Bool.random(using: &random) {
          let knob = ScrubberModel.Knob.allCases.randomElement(using: &random) ?? .playhead
          let before = model
          #expect(model.set(knob, to: target) == (model != before))
        } else {
          model.setRange(target, Int.random(in: -100...100, using: &random))
        }
        #expect(model.minimum <= model.start && model.start <= model.value)
        #expect(model.value <= model.end && model.end <= model.maximum)
        for value in [model.start, model.value, model.end] where value != model.maximum {
          #expect((value - minimum).isMultiple(of: step))
        }
      }
    }
  }

  @Test("Values snap to the nearest step or the maximum")
  func steps() {
    let model = ScrubberModel(minimum: 10, maximum: 24, step: 5)
    let expected = [10: 10, 12: 10, 13: 15, 17: 15, 18: 20, 22: 24, 21: 20, 24: 24, 99: 24, -99: 10]
    for (target, value) in expected { #expect(model.snapped(target) == value, "\(target)") }
  }

  @Test("Ends of the range push the playhead and stop at each other")
  func pushing() {
    var model = ScrubberModel(maximum: 10)
    model.set(.playhead, to: 5)
    model.set(.start, to: 7)
    #expect(model.value == 7)
    model.set(.end, to: 2)
    #expect(model.end == 7 && model.value == 7)
    model.set(.playhead, to: 0)
    #expect(model.value == 7)
    model.setRange(9, 3)
    #expect(model[.start] == 3 && model[.end] == 9 && model[.playhead] == 7)
  }

  @Test("Reversed bounds are accepted, and the largest numbers do not overflow")
  func bounds() {
    var model = ScrubberModel(minimum: 5, maximum: 1, step: -3)
    #expect(model.minimum == 5 && model.maximum == 5 && model.step == 1)
    #expect(model.fraction(5) == 0 && model.value(atFraction: 0.7) == 5)
    model = ScrubberModel(minimum: .min, maximum: .max, step: .max)
    model.set(.end, to: .max)
    model.set(.start, to: .min)
    model.setRange(.max, .min)
    #expect(model.value(atFraction: .nan) == model.minimum)
    #expect(model.value(atFraction: 5) == model.maximum)
  }

  @Test("Every value has its column, and that column gives the value back")
  func columns() {
    let model = ScrubberModel(minimum: -3, maximum: 40)
    let geometry = ScrubberGeometry(width: 300, margin: 14, reach: 10)
    for value in -3...40 {
      let x = geometry.x(of: value, in: model)
      #expect((14...285).contains(x))
      #expect(geometry.value(at: x, in: model) == value)
    }
    #expect(geometry.value(at: -100, in: model) == -3 && geometry.value(at: 1000, in: model) == 40)
    let narrow = ScrubberGeometry(width: 3, margin: 14, reach: 10)
    #expect(narrow.value(at: 2, in: model) == -3)
  }
}

@Suite("ScrubberView: drags")
struct ScrubberViewTests {
  private func slider(_ maximum: Int = 10) -> (rig: StageRig, view: ScrubberView, log: ViewLog) {
    let rig = StageRig()
    let view = ScrubberView(model: ScrubberModel(maximum: maximum))
    rig.show(view, width: 229, height: 36)
    rig.draw()
    // From column 14 to 214: 20 columns a value.
    return (rig, view, ViewLog(view))
  }

  private func drag(_ rig: StageRig, _ columns: [Int], y: Int = 10) {
    rig.stage?.pointer(PointerEvent(.began, x: columns[0], y: y))
    for x in columns.dropFirst() { rig.stage?.pointer(PointerEvent(.moved, x: x, y: y)) }
    rig.stage?.pointer(PointerEvent(.ended, x: columns[columns.count - 1], y: y))
  }

  @Test("A drag emits its start, each new value once, and its end")
  func dragged() {
    let (rig, view, log) = slider()
    drag(rig, [14, 15, 34, 36, 74, 1000])
    #expect(
      log.take() == [
        "began playhead 0", "changed playhead 1", "changed playhead 3", "changed playhead 10",
        "ended playhead 10",
      ])
    #expect(view.model.value == 10 && !view.isDragging)
  }

  @Test("A press beside the playhead moves it; a press on it does not")
  func pressed() {
    let (rig, _, log) = slider()
    drag(rig, [114])
    #expect(log.take() == ["began playhead 0", "changed playhead 5", "ended playhead 5"])
    drag(rig, [120])
    #expect(log.take() == ["began playhead 5", "ended playhead 5"])
    drag(rig, [108, 130])
    // A press six columns left of the centre keeps this distance.
    #expect(log.take() == ["began playhead 5", "changed playhead 6", "ended playhead 6"])
  }

  @Test("The knobs of the range are taken in the lower half, and stop at each other")
  func range() {
    let (rig, view, log) = slider()
    drag(rig, [14, 74], y: 30)
    #expect(log.take() == ["began start 0", "changed start 3", "ended start 3"])
    #expect(view.model.value == 3)
    drag(rig, [214, 34], y: 30)
    #expect(log.take() == ["began end 10", "changed end 3", "ended end 3"])
    drag(rig, [71, 14], y: 30)
    #expect(log.take() == ["began start 3", "changed start 0", "ended start 0"])
    drag(rig, [150], y: 30)
    #expect(log.take() == ["began playhead 3", "ended playhead 3"])
  }

  @Test("Without a playhead a press anywhere moves the nearer end of the range, and neither passes the other")
  func rangeOnly() {
    let rig = StageRig()
    let view = ScrubberView(model: ScrubberModel(maximum: 10), hasPlayhead: false)
    rig.show(view, width: 229, height: 36)
    let log = ViewLog(view)
    drag(rig, [74], y: 10)
    #expect(log.take() == ["began start 0", "changed start 3", "ended start 3"])
    drag(rig, [154], y: 30)
    #expect(log.take() == ["began end 10", "changed end 7", "ended end 7"])
    drag(rig, [14, 1000], y: 18)
    #expect(log.take() == ["began start 3", "changed start 0", "changed start 7", "ended start 7"])
    // Two knobs at one place: a press beside them takes the one that can follow.
    drag(rig, [200], y: 18)
    #expect(log.take() == ["began end 7", "changed end 9", "ended end 9"])
    view.setRange(0, 0)
    drag(rig, [14, 34], y: 18)
    #expect(log.take() == ["began end 0", "changed end 1", "ended end 1"])
    view.setRange(10, 10)
    drag(rig, [214, 194], y: 18)
    #expect(log.take() == ["began start 10", "changed start 9", "ended start 9"])
    #expect(view.model.start == 9 && view.model.end == 10)
  }

  @Test("A slider without a playhead shows two equal knobs, and one with a playhead only that")
  func knobs() throws {
    let rig = StageRig()
    func knobs(hasPlayhead: Bool) throws -> [Bool] {
      let view = ScrubberView(model: ScrubberModel(maximum: 10), hasPlayhead: hasPlayhead)
      view.setRange(2, 8)
      let stage = rig.show(view, width: 229, height: 36)
      rig.draw()
      return [54, 174].map { stage.surface[$0, 18] == Theme.text.word }
    }
    #expect(try knobs(hasPlayhead: false) == [true, true])
    #expect(try knobs(hasPlayhead: true) == [true, false])
  }

  @Test("Values set from code emit nothing and do not move a dragged knob")
  func code() {
    let (rig, view, log) = slider()
    view.set(.playhead, to: 4)
    view.setRange(2, 8)
    #expect(log.words.isEmpty && view.model.value == 4)
    rig.stage?.pointer(PointerEvent(.began, x: 94, y: 10))
    view.set(.playhead, to: 7)
    #expect(view.model.value == 4 && view.isDragging)
    view.reset(to: ScrubberModel(maximum: 3))
    #expect(!view.isDragging && view.model.maximum == 3)
    #expect(log.take() == ["began playhead 4", "ended playhead 4"])
    rig.stage?.pointer(PointerEvent(.cancelled, x: 0, y: 0))
  }

  @Test("After a drag the label is where the pointer is, not where it was before")
  func pointed() {
    let (rig, view, log) = slider()
    defer { withExtendedLifetime(log) {} }
    rig.stage?.hover(at: (54, 10))
    #expect(view.pointed?.value == 2)
    drag(rig, [54, 154])
    #expect(view.pointed?.value == 7 && view.pointed?.x == 154)
    rig.stage?.hover(at: nil)
    #expect(view.pointed == nil)
    // A finger does not hover.
    drag(rig, [54])
    #expect(view.pointed == nil)
  }

  @Test("A cancelled drag ends where it was")
  func cancelled() {
    let (rig, _, log) = slider()
    rig.stage?.pointer(PointerEvent(.began, x: 54, y: 10))
    rig.stage?.pointer(PointerEvent(.cancelled, x: 0, y: 0))
    #expect(log.take() == ["began playhead 0", "changed playhead 2", "ended playhead 2"])
  }

  @Test("A moving playhead redraws its own part only, with the same result as a full drawing")
  func redrawn() throws {
    let (rig, view, _) = slider()
    view.set(.playhead, to: 2)
    let damage = rig.draw()
    #expect(damage.reduce(0) { $0 + $1.area } < 36 * 80)
    let partly = PlainSurface(try #require(rig.stage?.surface)).pixels
    view.invalidate()
    rig.draw()
    #expect(PlainSurface(try #require(rig.stage?.surface)).pixels == partly)
  }
}
