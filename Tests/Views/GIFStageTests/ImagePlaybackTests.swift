import GIFCaching
import GIFDecoding
import GIFLoading
import GIFPlayback
import GIFTimeline
import Testing

@testable import GIFStage

/// What a view and a tile of the terminal have in common; the tests of views have the rest.
@Suite("ImagePlayback: loads, plays, fails")
struct ImagePlaybackTests {
  private let rig = StageRig(isImmediate: false)
  private let file = TestImage.flatFile(frames: 4).bytes

  private func playback(
    _ source: String = "a.gif", change: (inout ImageProperties) -> Void = { _ in }
  ) -> ImagePlayback {
    var properties = ImageProperties(source: source)
    change(&properties)
    let playback = ImagePlayback(properties, services: rig.services)
    playback.visibility = .visible
    return playback
  }

  private func receive(_ range: Range<Int>, _ playback: ImagePlayback, announced: Int? = nil) {
    rig.loader.receive(file[range], of: "a.gif", announced: announced)
    settle(playback)
  }

  private func settle(_ playback: ImagePlayback) {
    for _ in 0..<2 {
      playback.update()
      rig.clock.tick()
    }
    playback.update()
  }

  @Test("The progress is in percent if the size is known, in bytes otherwise; then the frames show")
  func progress() {
    let playback = playback()
    #expect(playback.progress == "loading" && playback.shown == nil)
    receive(0..<20, playback)
    #expect(playback.progress == "loading, 20 B")
    receive(20..<30, playback, announced: file.count)
    #expect(playback.progress == "loading, \(30 * 100 / file.count) %")
    receive(30..<file.count - 1, playback)
    #expect(playback.shown?.index == 0 && playback.isPlaying && playback.image?.frameCount == 4)
    #expect(!playback.isStalled && !playback.isComplete)
    rig.time.advance(by: .seconds(1))
    rig.clock.tick()
    settle(playback)
    #expect(playback.shown?.index == 3 && playback.isStalled)
    #expect(playback.progress?.hasPrefix("stalled, ") == true)
    receive(file.count - 1..<file.count, playback)
    rig.loader.complete("a.gif", with: nil)
    settle(playback)
    #expect(playback.progress == nil && !playback.isStalled && playback.isComplete)
    #expect(playback.player?.isComplete == true)
  }

  @Test("With reduced motion the first frame shows, and a command plays")
  func reducedMotion() {
    let playback = playback { $0.autoplays = false }
    receive(0..<file.count, playback)
    #expect(playback.shown?.index == 0 && !playback.isPlaying)
    playback.perform(.play)
    #expect(playback.isPlaying)
  }

  @Test("Speed, order and pause apply to a player that is made later, and so does that it is not seen")
  func settings() {
    let playback = playback()
    playback.properties.rate = 20
    playback.properties.mode = .reverse
    playback.playerVisibility = .hidden
    playback.perform(.pause)
    receive(0..<file.count, playback)
    let player = playback.player
    #expect(player?.rate == 20 && player?.mode == .reverse && player?.visibility == .hidden)
    #expect(!playback.isPlaying)
    playback.playerVisibility = .visible
    #expect(player?.visibility == .visible)
  }

  @Test("A failure has a reason; to play it again loads it again and plays it, whatever the motion")
  func failure() {
    let playback = playback { $0.autoplays = false }
    rig.loader.complete("a.gif", with: .failure(GIFLoadingError(.badStatus, source: "a.gif", value: 404)))
    settle(playback)
    #expect(playback.failure == "cannot be loaded: the server answered with status 404")
    playback.perform(.toggle)
    #expect(playback.failure == nil && playback.progress == "loading" && playback.isPlaying)
    receive(0..<file.count, playback)
    #expect(playback.shown?.index == 0)
    playback.perform(.toggle)
    #expect(rig.loader.sources.count == 2 && !playback.isPlaying)
  }

  @Test("A failure after a redirect says where it led")
  func redirect() {
    let playback = playback()
    let error = GIFLoadingError(.tooLarge, source: "b.gif", value: 9, limit: 8)
    rig.loader.complete("a.gif", with: .failure(error))
    settle(playback)
    #expect(playback.failure == "has too many bytes: 9, the limit is 8 (redirected to b.gif)")
  }

  @Test("An interrupted transfer plays what has arrived")
  func interrupted() {
    let playback = playback()
    receive(0..<file.count - 1, playback)
    rig.loader.complete("a.gif", with: .failure(GIFLoadingError(.cutOff, source: "a.gif")))
    settle(playback)
    #expect(playback.failure == nil && playback.progress == nil && playback.player?.isComplete == true)
  }

  @Test("A GIF without frames and a malformed URL are failures")
  func unusable() {
    let empty = playback()
    rig.loader.receive(TestImage.flatFile(frames: 0).bytes, of: "a.gif")
    rig.loader.complete("a.gif", with: nil)
    settle(empty)
    #expect(empty.failure == "has no frames to play")
    let malformed = playback("ftp://user:secret@host/a.gif")
    #expect(malformed.failure?.contains("scheme") == true && malformed.failure?.contains("secret") == false)
  }

  @Test("A drag shows the nearest of the frames that are played")
  func scrubbing() {
    let playback = playback { $0.range = 1..<3 }
    receive(0..<file.count, playback)
    rig.loader.complete("a.gif", with: nil)
    settle(playback)
    playback.scrub(toFrame: 9)
    settle(playback)
    #expect(playback.shown?.index == 2)
    playback.scrub(toFrame: -1)
    settle(playback)
    #expect(playback.shown?.index == 1)
    playback.endScrubbing()
  }
}
