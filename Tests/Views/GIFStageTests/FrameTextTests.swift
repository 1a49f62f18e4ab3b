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

  @Test("The help of a terminal leaves out the full screen alone")
  func help() {
    let window = SceneHelp.lines(fillsScreen: true)
    #expect(window.count == SceneHelp.lines(fillsScreen: false).count + 1)
    #expect(window.contains { $0.key == "F11" })
  }
}
