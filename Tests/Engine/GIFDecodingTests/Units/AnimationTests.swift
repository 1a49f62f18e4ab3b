import GIFDecoding
import Testing

@Suite("Animation: what is known without pixels, as a value")
struct AnimationTests {
  /// Frames of one pixel each, side by side on a canvas of 4 x 2, a hundredth of a second longer each.
  private static func frame(
    _ index: Int, disposal: Disposal = .keep, end: Int = 10, isTruncated: Bool = false
  ) -> FrameInfo {
    FrameInfo(
      index: index, rect: PixelRect(x: index, y: 0, width: 1, height: 1), delayCentiseconds: 10 + index,
      disposal: disposal, data: 0..<end, isTruncated: isTruncated)
  }

  private static func animation(_ frames: [FrameInfo], width: Int = 4) -> Animation {
    Animation(width: width, height: 2, frames: frames)
  }

  @Test("A play takes the sum of the delays; without frames it takes no time")
  func duration() {
    #expect(Self.animation([Self.frame(0), Self.frame(1)]).durationMilliseconds() == 210)
    #expect(Self.animation([]).durationMilliseconds() == 0)
    let endless = Self.animation([Self.frame(0), Self.frame(1)])
    #expect(endless.durationMilliseconds(.constant(.seconds(Int64.max / 1000))) == .max)
  }

  @Test("A frame changes its own rectangle, and that of the frame before it where that one is cleared")
  func changedRect() {
    let animation = Self.animation([Self.frame(0, disposal: .background), Self.frame(1), Self.frame(2)])
    #expect(animation.changedRect(of: 0) == animation.canvas)
    #expect(animation.changedRect(of: 1) == PixelRect(x: 0, y: 0, width: 2, height: 1))
    #expect(animation.changedRect(of: 2) == PixelRect(x: 2, y: 0, width: 1, height: 1))
    #expect(animation.changedRect(of: 3) == animation.canvas)
  }

  @Test("A later state has the canvas and the whole frames of an earlier one")
  func continuing() {
    let begun = Self.animation([Self.frame(0, end: 5, isTruncated: true)])
    let first = Self.animation([Self.frame(0)])
    let both = Self.animation([Self.frame(0), Self.frame(1)])
    #expect(first.continues(begun) && both.continues(first) && both.continues(begun))
    #expect(both.continues(Self.animation([])))
    #expect(!first.continues(both), "a frame has gone")
    #expect(!Self.animation([Self.frame(0), Self.frame(1)], width: 5).continues(first))
    #expect(!Self.animation([Self.frame(0, disposal: .previous)]).continues(first))
  }

  @Test("Only a last frame that has come further is another one")
  func replacedFrame() {
    let begun = Self.animation([Self.frame(0), Self.frame(1, end: 5, isTruncated: true)])
    let both = Self.animation([Self.frame(0), Self.frame(1)])
    #expect(both.replacedFrame(since: begun) == 1)
    #expect(both.replacedFrame(since: Self.animation([Self.frame(0)])) == nil)
    #expect(both.replacedFrame(since: both) == nil)
    #expect(both.replacedFrame(since: Self.animation([])) == nil)
  }
}
