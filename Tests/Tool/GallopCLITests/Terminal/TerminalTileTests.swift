import GIFCaching
import GIFDecoding
import GIFLoading
import GIFPlayback
import GIFTimeline
import Synchronization
import Testing

@testable import GallopCLI

@Suite("A terminal's tile: loads, plays, fails")
struct TerminalTileTests {
  /// A loader whose sinks are in the test's hands.
  private final class HeldLoader: ImageLoader {
    let sinks = Mutex<[LoadingSink]>([])

    func states(of source: GIFSource) -> LoadingStates {
      LoadingStates(source: source.description) { sink in self.sinks.withLock { $0.append(sink) } }
    }

    var last: LoadingSink? { sinks.withLock { $0.last } }
  }

  private let time = ManualTimeSource()
  private let clock: PlaybackClock
  private let loader = HeldLoader()
  private let bytes = Fixture(delays: Array(repeating: 10, count: 4), loop: 0).bytes

  init() { clock = PlaybackClock(drivenWith: time) }

  private func tile(_ argument: String = "a.gif") -> TerminalTile {
    var options = GIFPlayer.Options()
    options.budget = FrameBudget()
    let tile = TerminalTile(argument, options: options, clock: clock, pool: .inline)
    tile.start(TerminalTile.Services(loader: loader, wake: {}, onPlayer: { _ in }))
    return tile
  }

  private func receive(_ range: Range<Int>, _ tile: TerminalTile) {
    loader.last?.receive(Array(bytes[range]).span)
    tile.update()
    clock.tick()
  }

  @Test("The progress is in percent if the size is known, in bytes otherwise; then the frames show")
  func progress() {
    let tile = tile()
    #expect(tile.progress == "loading" && tile.frame == nil)
    receive(0..<20, tile)
    #expect(tile.progress == "loading, 20 B")
    loader.last?.announce(byteCount: Int64(bytes.count))
    receive(20..<30, tile)
    #expect(tile.progress == "loading, \(30 * 100 / bytes.count) %")
    receive(30..<bytes.count - 1, tile)
    #expect(tile.frame?.index == 0 && tile.isPlaying && tile.frameCount == 4)
    #expect(!tile.isStalled && !tile.isComplete)
    time.advance(by: .seconds(1))
    clock.tick()
    #expect(tile.frame?.index == 3 && tile.isStalled && tile.progress?.hasPrefix("stalled, ") == true)
    receive(bytes.count - 1..<bytes.count, tile)
    loader.last?.finish()
    tile.update()
    clock.tick()
    #expect(tile.progress == nil && !tile.isStalled && tile.isComplete)
    #expect(tile.player?.isComplete == true && tile.warnings.isEmpty)
  }

  @Test("With reduced motion the first frame shows, and a command plays")
  func reducedMotion() {
    var options = GIFPlayer.Options()
    options.budget = FrameBudget()
    let tile = TerminalTile("a.gif", options: options, autoplays: false, clock: clock, pool: .inline)
    tile.start(TerminalTile.Services(loader: loader, wake: {}, onPlayer: { _ in }))
    receive(0..<bytes.count, tile)
    #expect(tile.frame?.index == 0 && !tile.isPlaying)
    tile.play()
    #expect(tile.isPlaying)
  }

  @Test("Speed, order and pause apply to a player that is made later")
  func settings() {
    let tile = tile()
    tile.rate = 50
    tile.mode = .reverse
    tile.isVisible = false
    tile.pause()
    #expect(!tile.isPlaying && tile.rate == 20)
    receive(0..<bytes.count, tile)
    loader.last?.finish()
    tile.update()
    #expect(tile.player?.rate == 20 && tile.player?.mode == .reverse && tile.player?.visibility == .hidden)
    #expect(!tile.isPlaying)
  }

  @Test("A failure has a reason, and a retry loads again")
  func failure() {
    let tile = tile()
    loader.last?.fail(GIFLoadingError(.badStatus, source: "a.gif", value: 404))
    tile.update()
    #expect(tile.failure == "cannot be loaded: the server answered with status 404" && !tile.isPlaying)
    tile.retry()
    #expect(tile.failure == nil && tile.progress == "loading")
    receive(0..<bytes.count, tile)
    #expect(tile.frame?.index == 0)
    tile.retry()
    #expect(loader.sinks.withLock { $0.count } == 2)
  }

  @Test("An interrupted transfer plays what has arrived, with a warning")
  func interrupted() {
    let tile = tile()
    receive(0..<bytes.count - 1, tile)
    loader.last?.fail(GIFLoadingError(.cutOff, source: "a.gif"))
    tile.update()
    #expect(tile.failure == nil && tile.player?.isComplete == true)
    #expect(tile.warnings.first == "warning: was cut off; the loaded part is used")
  }

  @Test("A GIF without frames and a malformed URL are failures")
  func unusable() {
    let empty = tile()
    loader.last?.receive(Fixture(delays: [], loop: 0).bytes.span)
    loader.last?.finish()
    empty.update()
    #expect(empty.failure == "has no frames to play")
    let malformed = tile("ftp://user:secret@host/a.gif")
    #expect(malformed.failure?.contains("scheme") == true && !malformed.name.contains("secret"))
  }

  @Test("Texts wrap at spaces within the columns and rows")
  func wrapping() {
    #expect(WrappedText.lines("one two three", columns: 7, limit: 5) == ["one two", "three"])
    #expect(WrappedText.lines("one two three", columns: 7, limit: 1) == ["one tw~"])
    #expect(WrappedText.lines("abcdefgh ij", columns: 3, limit: 9) == ["abc", "def", "gh", "ij"])
    #expect(WrappedText.lines("", columns: 3, limit: 9).isEmpty)
    #expect(WrappedText.lines("a", columns: 0, limit: 9).isEmpty)
    #expect(WrappedText.lines("漢字", columns: 1, limit: 9).count == 1)
  }
}
