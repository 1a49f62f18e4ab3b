import GIFCaching
import GIFDecoding
import GIFPlayback
import GIFTestSupport
import GIFTimeline
import Synchronization
import Testing

@Suite("SyncGroup: one time line for all")
struct SyncGroupLineTests {
  private let stage = Stage()

  @Test("Over a gap of minutes the group and its members keep one schedule")
  func suspension() throws {
    let group = SyncGroup(clock: stage.clock)
    let players = try [[503, 1_999], [110, 65, 1_607], [10, 20]].map { try stage.player($0) }
    for player in players { group.add(player) }
    group.play()
    stage.run(to: .seconds(10))
    for minutes in [11, 40] {
      stage.jump(to: .seconds(60 * minutes))
      #expect(group.position == .seconds(60 * minutes))
      #expect(players.map(\.position) == players.map { _ in group.position })
    }
    group.pause()
    group.play()
    stage.run(to: .seconds(2_500))
    #expect(players.map(\.position) == players.map { _ in .seconds(2_500) })
    // By itself again, it goes on where it stood.
    group.remove(players[0])
    stage.jump(to: .seconds(9_000))
    #expect(players[0].position < .seconds(2_600) && players[1].position == .seconds(9_000))
  }

  // MARK: Reduced motion

  @Test("Slow motion slows the group's time, that of later members, and makes no jump")
  func slow() throws {
    let group = SyncGroup(clock: stage.clock)
    var players = try [[10, 20], [30, 71, 5]].map { try stage.player($0) }
    for player in players { group.add(player) }
    group.play()
    stage.run(to: .seconds(1))
    group.reduceMotion(.slow(0.5))
    stage.run(to: .seconds(2))
    #expect(group.position == .milliseconds(1_500))
    let logs = players.map { EventLog($0) }
    group.pause()
    group.play()
    #expect(logs.allSatisfy { $0.text == [] })
    players.append(try stage.player([40, 60]))
    group.add(players[2])
    #expect(players[2].reducedMotion == .slow(0.5))
    #expect(players.allSatisfy { $0.position == .milliseconds(1_500) })
    stage.run(to: .seconds(3))
    group.rate = 4
    stage.run(to: .seconds(4))
    #expect(group.position == .seconds(4) && players.allSatisfy { $0.position == .seconds(4) })
    group.reduceMotion(.off)
    stage.run(to: .seconds(5))
    #expect(group.position == .seconds(8) && players.allSatisfy { $0.position == .seconds(8) })
  }

  @Test("With the first frame alone the group stands at its start, and goes on from there")
  func firstFrame() throws {
    let group = SyncGroup(clock: stage.clock)
    var players = try [[10, 20], [30, 71, 5], [40, 60]].map { try stage.player($0) }
    players.append(try stage.player([50, 50], plays: 1))
    for player in players { group.add(player, offset: player === players[2] ? .seconds(2) : .zero) }
    group.play()
    stage.run(to: .milliseconds(1_350))
    #expect(players[3].state == .finished)
    group.reduceMotion(.firstFrame)
    players.append(try stage.player([10, 10]))
    group.add(players[4])
    #expect(stage.clock.nextDeadline == nil)
    stage.run(to: .seconds(60))
    #expect(group.position == .zero && group.isPlaying)
    #expect(players.allSatisfy { $0.state == .playing && $0.currentFrame?.index == 0 })
    group.reduceMotion(.off)
    stage.run(to: .milliseconds(60_750))
    #expect(group.position == .milliseconds(750))
    #expect(players.map(\.position) == [750, 750, 2_750, 750, 750].map { .milliseconds($0) })
  }

  @Test("Reduced in a pause, the group stays where it is; after all ends, nothing plays again")
  func motionAtRest() throws {
    let group = SyncGroup(clock: stage.clock)
    let players = try [[10, 20], [30, 71, 5]].map { try stage.player($0, plays: 3) }
    for player in players { group.add(player) }
    group.play()
    stage.run(to: .milliseconds(333))
    group.pause()
    group.reduceMotion(.firstFrame)
    group.play()
    stage.run(to: .seconds(2))
    #expect(group.position == .milliseconds(333))
    group.reduceMotion(.off)
    stage.run(to: .milliseconds(2_100))
    #expect(players.map(\.position) == [.milliseconds(433), .milliseconds(433)])
    stage.run(to: .seconds(20))
    let logs = players.map { EventLog($0) }
    group.reduceMotion(.firstFrame)
    group.reduceMotion(.off)
    stage.run(to: .seconds(40))
    #expect(players.allSatisfy { $0.state == .finished } && logs.allSatisfy { $0.text == [] })
  }

  // MARK: Commands that meet

  @Test("A seek given while the members are started holds for all of them")
  func seekDuringStart() throws {
    let pool = DecodePool(takenByHand: ())
    let group = SyncGroup(clock: stage.clock)
    let slow = try stage.slowPlayer(on: pool)
    let quick = try (0..<30).map { _ in try stage.player(Array(repeating: 10, count: 20)) }
    for player in quick + [slow] { group.add(player) }
    group.play()
    stage.run(to: .seconds(1))
    group.pause()
    // Started a little behind the others, it shows a frame at once; its handler sends the group elsewhere,
    // before those after it are started.
    quick[0].seek(to: .milliseconds(850))
    let isFirst = Mutex(true)
    quick[0].onFrameChange { _ in
      let seeks = isFirst.withLock { first in
        defer { first = false }
        return first
      }
      if seeks { group.seek(to: .seconds(30)) }
    }
    group.play()
    #expect(!isFirst.withLock { $0 })
    stage.run(to: .seconds(2))
    #expect(group.position == .seconds(30))
    #expect(quick.allSatisfy { $0.position == .seconds(30) })
    while pool.takeTurn() {}
    stage.run(to: .seconds(3))
    #expect((quick + [slow]).allSatisfy { $0.position == .seconds(31) })
  }

  @Test("Commands from several threads at once leave all members in step", arguments: UInt64(0)..<4)
  func manyThreads(seed: UInt64) async throws {
    let group = SyncGroup(clock: stage.clock)
    let players = try [[10, 20], [7, 9], [30, 71, 5], [40, 60], [13], [2, 3, 2]].map { try stage.player($0) }
    for player in players { group.add(player) }
    await withTaskGroup(of: Void.self) { tasks in
      for task in UInt64(0)..<4 {
        tasks.addTask { [stage] in
          var random = SeededGenerator(seed: seed * 16 + task)
          for _ in 0..<200 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0: group.pause()
            case 1: group.seek(to: .milliseconds(Int.random(in: 0..<20_000, using: &random)))
            case 2: group.rate = Double.random(in: 0.1...4, using: &random)
            case 3: group.reduceMotion([.off, .slow(0.3), .firstFrame].randomElement(using: &random) ?? .off)
            case 4: group.remove(players[Int.random(in: 0..<6, using: &random)])
            case 5: group.add(players[Int.random(in: 0..<6, using: &random)])
            case 6: group.play()
            default:
              stage.time.advance(by: .milliseconds(Int.random(in: 1..<50, using: &random)))
              stage.clock.tick()
            }
          }
        }
      }
    }
    // The last command holds for all members.
    let members = group.players.filter { $0.image.frameCount > 1 }
    #expect(members.allSatisfy { ($0.state == .playing) == group.isPlaying && $0.rate == group.rate })
    #expect(Set(members.map(\.reducedMotion)).count <= 1)
    for player in players { group.add(player) }
    group.reduceMotion(.off)
    group.rate = 1
    group.play()
    stage.run(to: stage.elapsed + .seconds(1))
    for player in players where player.image.frameCount > 1 {
      let error = player.position - group.position
      #expect(player.state == .playing && max(error, .zero - error) < .microseconds(1))
    }
    #expect(group.position >= .seconds(1))
  }
}
