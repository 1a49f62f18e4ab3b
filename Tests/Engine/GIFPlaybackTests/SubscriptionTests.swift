import GIFDecoding
import GIFPlayback
import GIFTimeline
import Synchronization
import Testing

/// Words in the order they were said, from any thread.
private final class Words: Sendable {
  private let words = Mutex<[String]>([])

  func say(_ word: String) { words.withLock { $0.append(word) } }

  var all: [String] { words.withLock { $0 } }
}

/// A subscription that a handler may cancel although it comes into being after the handler.
private final class Handle: Sendable {
  private let subscription = Mutex<Subscription?>(nil)

  func hold(_ new: Subscription) { subscription.withLock { $0 = new } }

  func cancel() { subscription.withLock { $0 }?.cancel() }
}

@Suite("GIFPlayer: listeners")
struct SubscriptionTests {
  @Test("Listeners are called in the order they came, until they cancel")
  func order() throws {
    let stage = Stage()
    let player = stage.player(try Sample.image(delays: [10, 10, 10]))
    let words = Words()
    player.onFrameChange { words.say("a\($0.currentFrameIndex)") }
    let second = player.onFrameChange { words.say("b\($0.currentFrameIndex)") }
    player.onFrameChange { words.say("c\($0.currentFrameIndex)") }
    player.play()
    #expect(!second.isCancelled)
    second.cancel()
    second.cancel()
    #expect(second.isCancelled)
    stage.run(to: .milliseconds(100))
    #expect(words.all == ["a0", "b0", "c0", "a1", "c1"])
  }

  @Test("Releasing a subscription does not end it")
  func discarded() throws {
    let stage = Stage()
    let player = stage.player(try Sample.image(delays: [10, 10]))
    let words = Words()
    _ = player.onFrameChange { words.say("\($0.currentFrameIndex)") }
    player.play()
    stage.run(to: .milliseconds(300))
    #expect(words.all == ["0", "1", "0", "1"])
  }

  @Test("A handler may cancel itself")
  func cancelSelf() throws {
    let stage = Stage()
    let player = stage.player(try Sample.image(delays: [10, 10, 10]))
    let words = Words()
    let handle = Handle()
    handle.hold(
      player.onFrameChange {
        words.say("a\($0.currentFrameIndex)")
        handle.cancel()
      })
    player.onFrameChange { words.say("b\($0.currentFrameIndex)") }
    player.play()
    stage.run(to: .milliseconds(100))
    #expect(words.all == ["a0", "b0", "b1"])
  }

  @Test("A handler that cancels a later one keeps it from being called for the same event")
  func cancelOther() throws {
    let stage = Stage()
    let player = stage.player(try Sample.image(delays: [10, 10, 10]))
    let words = Words()
    let handle = Handle()
    player.onFrameChange {
      words.say("a\($0.currentFrameIndex)")
      if $0.currentFrameIndex == 1 { handle.cancel() }
    }
    handle.hold(player.onFrameChange { words.say("b\($0.currentFrameIndex)") })
    player.onFrameChange { words.say("c\($0.currentFrameIndex)") }
    player.play()
    stage.run(to: .milliseconds(200))
    #expect(words.all == ["a0", "b0", "c0", "a1", "c1", "a2", "c2"])
  }

  @Test("A handler added by a handler is called for the next events")
  func addInside() throws {
    let stage = Stage()
    let player = stage.player(try Sample.image(delays: [10, 10, 10]))
    let words = Words()
    let handle = Handle()
    handle.hold(
      player.onFrameChange { [weak player] _ in
        handle.cancel()
        player?.onFrameChange { words.say("\($0.currentFrameIndex)") }
      })
    player.play()
    stage.run(to: .milliseconds(200))
    #expect(words.all == ["1", "2"])
  }

  @Test("Commands given by a handler take effect at once and are reported after the event at hand")
  func commandsInside() throws {
    let stage = Stage()
    let player = stage.player(try Sample.image(delays: [10, 10, 10, 10, 10]))
    let words = Words()
    player.onFrameChange { [weak player] change in
      words.say("a\(change.currentFrameIndex)")
      guard change.cause == .play, let player else { return }
      switch change.currentFrameIndex {
      case 1:
        player.seek(toFrame: 3)
        words.say("at \(player.position)")
      case 4: player.pause()
      default: break
      }
    }
    player.onFrameChange { words.say("b\($0.currentFrameIndex)") }
    player.play()
    stage.run(to: .milliseconds(100))
    #expect(words.all == ["a0", "b0", "a1", "at \(Duration.milliseconds(300))", "b1", "a3", "b3"])
    stage.run(to: .seconds(5))
    #expect(words.all.suffix(2) == ["a4", "b4"])
    #expect(player.state == .paused)
    player.play()
    #expect(player.state == .playing)
  }

  @Test("Play within onFinish starts over, as often as wanted")
  func playInside() throws {
    let stage = Stage()
    let player = stage.player(try Sample.image(delays: [10, 10], repetitions: nil))
    let log = EventLog(player)
    let rounds = Mutex(0)
    player.onFinish { [weak player] _ in
      let round = rounds.withLock { count in
        count += 1
        return count
      }
      if round < 3 { player?.play() }
    }
    player.play()
    stage.run(to: .seconds(10))
    let round = ["play 1", "loop! 1", "finish"]
    #expect(log.text == ["play 0"] + round + ["restart 0"] + round + ["restart 0"] + round)
    #expect(player.state == .finished)
  }

  @Test("A still image that is played from onFinish does not recurse")
  func stillInside() throws {
    let stage = Stage()
    let player = stage.player(try Sample.image(delays: [10]))
    let rounds = Mutex(0)
    player.onFinish { [weak player] _ in
      let round = rounds.withLock { count in
        count += 1
        return count
      }
      if round < 20_000 { player?.play() }
    }
    player.play()
    #expect(rounds.withLock { $0 } == 20_000)
  }

  @Test("What a cancelled handler held may use the player in its deinitialiser")
  func releasedByCancel() throws {
    // A view that pauses its player when it goes; the handler was all that held it.
    final class View: Sendable {
      let player: GIFPlayer
      let other: Subscription

      init(_ player: GIFPlayer) {
        self.player = player
        other = player.onLoop { _ in }
      }

      deinit {
        other.cancel()
        player.pause()
      }
    }
    let stage = Stage()
    let player = stage.player(try Sample.image(delays: [10, 10]))
    let subscription = { [view = View(player)] in player.onFrameChange { _ in _ = view } }()
    player.play()
    #expect(player.state == .playing)
    subscription.cancel()
    #expect(player.state == .paused)
  }

  @Test("A cancelled handler is released with what it held")
  func letsGo() throws {
    final class Thing: Sendable {}
    let stage = Stage()
    let player = stage.player(try Sample.image(delays: [10, 10]))
    var thing: Thing? = Thing()
    weak let watched = thing
    let subscription = { [thing] in player.onFrameChange { _ in _ = thing } }()
    thing = nil
    #expect(watched != nil)
    subscription.cancel()
    #expect(watched == nil)
  }
}
