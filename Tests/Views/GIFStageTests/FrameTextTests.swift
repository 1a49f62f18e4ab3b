import Testing

@testable import GIFStage

@Suite("Frames in texts")
struct FrameTextTests {
  @Test("A frame's number has its mark, and how many there are is a count")
  func places() {
    #expect(FrameText.number(0) == "#0")
    #expect(FrameText.place(14, of: 15) == "#14 of 15")
    #expect(FrameText.place(14, of: 15, isComplete: false) == "#14 of 15+")
    #expect(FrameText.place(nil, of: 0, isComplete: false) == "- of 0+")
  }

  @Test("A range names its first and its last frame")
  func ranges() {
    #expect(FrameText.range(3..<10) == "#3 - #9")
    #expect(FrameText.range(3..<4) == "#3")
  }
}
