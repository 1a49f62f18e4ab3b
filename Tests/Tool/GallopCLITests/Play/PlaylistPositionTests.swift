import GIFPlayback
import GIFStage
import GIFTimeline
import Testing

@testable import GallopCLI

@Suite("Files one after another")
struct PlaylistPositionTests {
  private let start = PlaybackInstant(nanoseconds: 0)

  private func at(_ milliseconds: Int64) -> PlaybackInstant { start + .milliseconds(milliseconds) }

  @Test(
    "A file stays while it plays; an animation that is over gives way at once, a still after its time"
  )
  func ends() {
    let position = PlaylistPosition(count: 2, at: at(100))
    #expect(position.end(.playing, at: at(9000)) == nil)
    #expect(position.end(.over(isStill: false), at: at(200)) == at(200))
    #expect(position.end(.failed, at: at(200)) == at(200))
    #expect(position.end(.over(isStill: true), at: at(200)) == at(100) + PlaylistPosition.stillTime)
  }

  @Test("The position goes on to the last file, and back to the first")
  func moves() {
    var position = PlaylistPosition(count: 3, at: start)
    #expect(position.current == 0)
    #expect(position.move(by: -1, at: at(1)) && position.current == 0)
    #expect(position.move(by: 1, at: at(2)) && position.move(by: 1, at: at(3)) && position.current == 2)
    #expect(!position.move(by: 1, at: at(4)) && position.current == 2)
    #expect(position.move(by: -1, at: at(5)) && position.current == 1)
    #expect(position.end(.over(isStill: true), at: at(5)) == at(5) + PlaylistPosition.stillTime)
  }

  @Test(
    "Keys that select in a grid go on and back, those for frames do not",
    arguments: [
      (StageKey.character("n"), Int?(1)), (.tab, 1), (.character("p"), -1), (.left, nil), (.right, nil),
      (.space, nil),
      (.up, nil), (.character("q"), nil), (.character("z"), nil),
    ])
  func keys(key: StageKey, offset: Int?) {
    #expect(PlaylistPosition.offset(of: key) == offset)
  }
}
