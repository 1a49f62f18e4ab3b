import GIFPlayback
import GIFStage
import GIFTimeline
import Testing

@testable import GallopCLI

@Suite("Files one after another")
struct PlaylistTurnTests {
  private let start = PlaybackInstant(nanoseconds: 0)

  private func at(_ milliseconds: Int64) -> PlaybackInstant { start + .milliseconds(milliseconds) }

  @Test(
    "A file keeps its turn while it plays; an animation that is over gives way at once, a still after its time"
  )
  func ends() {
    let turn = PlaylistTurn(count: 2, at: at(100))
    #expect(turn.end(.playing, at: at(9000)) == nil)
    #expect(turn.end(.over(isStill: false), at: at(200)) == at(200))
    #expect(turn.end(.failed, at: at(200)) == at(200))
    #expect(turn.end(.over(isStill: true), at: at(200)) == at(100) + PlaylistTurn.stillTime)
  }

  @Test("The turn goes on to the last file, and back to the first")
  func moves() {
    var turn = PlaylistTurn(count: 3, at: start)
    #expect(turn.current == 0)
    #expect(turn.move(by: -1, at: at(1)) && turn.current == 0)
    #expect(turn.move(by: 1, at: at(2)) && turn.move(by: 1, at: at(3)) && turn.current == 2)
    #expect(!turn.move(by: 1, at: at(4)) && turn.current == 2)
    #expect(turn.move(by: -1, at: at(5)) && turn.current == 1)
    #expect(turn.end(.over(isStill: true), at: at(5)) == at(5) + PlaylistTurn.stillTime)
  }

  @Test(
    "Keys that select in a grid go on and back, those for frames do not",
    arguments: [
      (StageKey.character("n"), Int?(1)), (.tab, 1), (.character("p"), -1), (.left, nil), (.right, nil),
      (.space, nil),
      (.up, nil), (.character("q"), nil), (.character("z"), nil),
    ])
  func keys(key: StageKey, offset: Int?) {
    #expect(PlaylistTurn.offset(of: key) == offset)
  }
}
