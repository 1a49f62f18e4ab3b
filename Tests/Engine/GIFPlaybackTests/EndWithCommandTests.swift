import GIFDecoding
import GIFLoading
import GIFPlayback
import GIFTimeline
import Synchronization
import Testing

@Suite("GIFPlayer: an end that falls due together with a command")
struct EndWithCommandTests {
  private let stage = Stage()

  /// Every change of state and every end, in the order in which a player reports them.
  private final class StateLog: Sendable {
    private let log = Mutex<[String]>([])

    init(_ player: GIFPlayer) {
      player.onEvent { event in
        switch event {
        case .stateChanged(let state): self.log.withLock { $0.append(state.rawValue) }
        case .finished: self.log.withLock { $0.append("end") }
        default: break
        }
      }
    }

    /// What came since the last time.
    func take() -> [String] {
      log.withLock { log in
        defer { log = [] }
        return log
      }
    }
  }

  /// A command to a player, and the states that it reports after its end.
  struct Order: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let states: [String]
    let give: @Sendable (GIFPlayer) -> Void

    static let all = [
      Order(testDescription: "play", states: ["playing"]) { $0.play() },
      Order(testDescription: "restart", states: ["playing"]) { $0.restart() },
      Order(testDescription: "seek", states: ["paused"]) { $0.seek(toFrame: 0) },
      Order(testDescription: "step", states: ["paused"]) { $0.step(by: -1) },
      Order(testDescription: "stop", states: ["stopped"]) { $0.stop() },
      Order(testDescription: "pause", states: []) { $0.pause() },
      Order(testDescription: "rate", states: []) { $0.rate = 2 },
      Order(testDescription: "mode", states: []) { $0.mode = .reverse },
      Order(testDescription: "restore", states: ["playing"]) {
        $0.restore(PlaybackSnapshot(state: .playing))
      },
    ]
  }

  @Test("A player reports its end before what the command does", arguments: Order.all)
  func ends(order: Order) throws {
    let player = try stage.player([10, 20], plays: 1)
    let log = StateLog(player)
    player.play()
    stage.run(to: .milliseconds(250))
    #expect(log.take() == ["playing"])
    // The end is due at 300 ms; the clock has not ticked when the command comes.
    stage.time.move(to: Stage.start + .milliseconds(300))
    order.give(player)
    #expect(log.take() == ["end", "finished"] + order.states)
  }

  @Test("A command long after an end that the clock has missed finds the player finished")
  func late() throws {
    let player = try stage.player([10, 20], plays: 1)
    let log = StateLog(player)
    player.play()
    stage.time.move(to: Stage.start + .seconds(5))
    player.play()
    #expect(log.take() == ["playing", "end", "finished", "playing"])
    #expect(player.position == .zero)
  }

  @Test("A wait that a command ends at the same instant is not reported")
  func buffering() throws {
    var options = GIFPlayer.Options()
    options.isComplete = false
    let bytes = Sample.bytes(delays: [10, 20, 30], repetitions: nil)
    var stream = GIFStream()
    try stream.append(Array(bytes.dropLast(12)))
    let player = stage.player(try #require(try stream.image), options: options)
    let waits = Mutex<[String]>([])
    player.onEvent { event in
      if case .buffering(let change) = event {
        waits.withLock { $0.append(change.reason?.rawValue ?? "goes on") }
      }
    }
    player.play()
    stage.run(to: .milliseconds(250))
    stage.time.move(to: Stage.start + .milliseconds(300))
    try stream.append(Array(bytes.suffix(12)))
    player.update(try stream.finish(), isComplete: true)
    #expect(waits.withLock { $0 } == [])
    #expect(player.currentFrame?.index == 2)
  }

  @Test("Members report an end that is due together with the group's command")
  func group() throws {
    let group = SyncGroup(clock: stage.clock)
    let players = [try stage.player([10, 20], plays: 1), try stage.player([30], plays: 1)]
    let long = try stage.player([10, 50], plays: 1)
    defer { withExtendedLifetime(players + [long]) {} }
    for player in players + [long] { group.add(player) }
    let logs = (players + [long]).map { StateLog($0) }
    group.play()
    stage.run(to: .milliseconds(250))
    for log in logs { _ = log.take() }
    stage.time.move(to: Stage.start + .milliseconds(300))
    group.seek(to: .zero)
    #expect(logs[0].take() == ["end", "finished", "playing"])
    #expect(logs[2].take() == [])
  }

  @Test("A group whose last end falls due with play starts over, as a player does")
  func groupPlay() throws {
    let group = SyncGroup(clock: stage.clock)
    let players = [try stage.player([10, 20], plays: 1), try stage.player([10, 10], plays: 1)]
    for player in players { group.add(player) }
    let logs = players.map { StateLog($0) }
    group.play()
    stage.run(to: .milliseconds(250))
    #expect(logs[1].take() == ["playing", "end", "finished"])
    stage.time.move(to: Stage.start + .milliseconds(300))
    group.play()
    #expect(group.position == .zero && players.allSatisfy { $0.state == .playing && $0.position == .zero })
    #expect(logs[0].take() == ["playing", "end", "finished", "playing"])
    #expect(logs[1].take() == ["playing"])
  }

  @Test("Reduced motion leaves a group alone whose last end falls due with it")
  func groupMotion() throws {
    let group = SyncGroup(clock: stage.clock)
    let player = try stage.player([10, 20], plays: 1)
    group.add(player)
    group.play()
    stage.run(to: .milliseconds(250))
    stage.time.move(to: Stage.start + .milliseconds(300))
    group.reduceMotion(.firstFrame)
    #expect(player.state == .finished && player.currentFrame?.index == 1)
  }
}
