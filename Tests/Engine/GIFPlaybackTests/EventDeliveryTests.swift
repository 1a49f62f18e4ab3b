import GIFDecoding
import GIFFlashes
import GIFTimeline
import Synchronization
import Testing

@testable import GIFPlayback

/// Jobs that run on command.
private final class Jobs: Sendable {
  private let jobs = Mutex<[@Sendable () -> Void]>([])

  var delivery: EventDelivery { EventDelivery(limit: 3) { job in self.jobs.withLock { $0.append(job) } } }

  var count: Int { jobs.withLock { $0.count } }

  func run() {
    let all = jobs.withLock { jobs in
      defer { jobs = [] }
      return jobs
    }
    for job in all { job() }
  }
}

/// Notes kept from any thread.
private final class Notes: Sendable {
  private let notes = Mutex<[String]>([])

  func add(_ note: String) { notes.withLock { $0.append(note) } }

  var all: [String] { notes.withLock { $0 } }
}

@Suite("GIFPlayer: events, executors and owners")
struct EventDeliveryTests {
  private let stage = Stage()

  private func player(_ delays: [Int] = [10, 10, 10, 10, 10, 10], repetitions: Int? = 0) throws -> GIFPlayer {
    stage.player(try Sample.image(delays: delays, repetitions: repetitions))
  }

  private static func word(_ event: PlayerEvent) -> String {
    switch event {
    case .frameChange(let change): "\(change.currentFrameIndex)"
    case .loopCompleted(let loop): "loop! \(loop.count)"
    case .finished: "finish"
    case .stateChanged(let state): state.rawValue
    case .buffering(let change): change.reason?.rawValue ?? "flows"
    case .loading(let phase): phase.description
    case .flashes(let state): state.description
    case .failed: "failure"
    }
  }

  @Test("Each state is reported once, beside its cause")
  func states() throws {
    let player = try player([10, 20], repetitions: nil)
    let notes = Notes()
    player.onEvent { notes.add(Self.word($0)) }
    player.play()
    player.play()
    stage.run(to: .milliseconds(50))
    player.pause()
    player.pause()
    player.play()
    stage.run(to: .seconds(1))
    player.seek(toFrame: 0)
    player.stop()
    #expect(
      notes.all == [
        "playing", "0", "paused", "playing", "1", "loop! 1", "finish", "finished", "paused", "0", "stopped",
        "0",
      ])
  }

  @Test("A failure is reported once, with its state")
  func failure() throws {
    let image = try Sample.image(delays: [10, 10], limits: DecodingLimits(canvasPixels: 23))
    let player = stage.player(image)
    let notes = Notes()
    player.onEvent { notes.add(Self.word($0)) }
    player.play()
    player.restart()
    #expect(notes.all.filter { $0 == "failure" || $0 == "failed" } == ["failure", "failed"])
    #expect(notes.all.last != "decoder")
  }

  @Test(
    "Through an executor events come in order; beyond the limit only the oldest frame changes are dropped"
  )
  func mailbox() throws {
    let player = try player([10, 10], repetitions: 3)
    let (jobs, notes) = (Jobs(), Notes())
    player.onEvent(deliverOn: jobs.delivery) { notes.add(Self.word($0)) }
    player.play()
    #expect(notes.all == [] && jobs.count == 1)
    jobs.run()
    #expect(notes.all == ["playing", "0"])
    stage.run(to: .seconds(1))
    #expect(jobs.count == 1)
    jobs.run()
    #expect(
      notes.all.dropFirst(2) == [
        "loop! 1", "loop! 2", "1", "loop! 3", "0", "1", "loop! 4", "finish", "finished",
      ])
  }

  @Test("A cancelled subscription is not called again, not even for waiting events, and holds nothing")
  func cancelWaiting() throws {
    final class Thing: Sendable {}
    let player = try player()
    let (jobs, notes) = (Jobs(), Notes())
    var thing: Thing? = Thing()
    weak let watched = thing
    let subscription = { [thing] in
      player.onFrameChange(deliverOn: jobs.delivery) { _ in
        _ = thing
        notes.add("called")
      }
    }()
    thing = nil
    player.play()
    subscription.cancel()
    #expect(watched == nil)
    jobs.run()
    #expect(notes.all == [])
  }

  @Test("Commands and cancellation within a handler called elsewhere")
  func commandsElsewhere() throws {
    let player = try player()
    let (jobs, notes) = (Jobs(), Notes())
    let scope = SubscriptionScope()
    player.onFrameChange(deliverOn: jobs.delivery) { [weak player] change in
      notes.add("\(change.cause) \(change.currentFrameIndex)")
      if change.currentFrameIndex == 0 { player?.seek(toFrame: 4) } else { scope.cancel() }
    }.store(in: scope)
    player.play()
    jobs.run()
    jobs.run()
    #expect(notes.all == ["play 0", "seek 4"])
    stage.run(to: .seconds(1))
    #expect(jobs.count == 0)
  }

  @Test("On the main actor, and on another one")
  @MainActor func actors() async throws {
    actor Other {}
    let player = try player([10, 10, 10], repetitions: nil)
    let (main, other) = (AsyncStream.makeStream(of: Int.self), AsyncStream.makeStream(of: Int.self))
    player.onFrameChange(deliverOn: .mainActor) { change in
      MainActor.assertIsolated()
      main.continuation.yield(change.currentFrameIndex)
      if change.currentFrameIndex == 2 { main.continuation.finish() }
    }
    let actor = Other()
    player.onFrameChange(deliverOn: .actor(actor)) { change in
      actor.assertIsolated()
      other.continuation.yield(change.currentFrameIndex)
      if change.currentFrameIndex == 2 { other.continuation.finish() }
    }
    player.play()
    stage.run(to: .seconds(1))
    var (mains, others): ([Int], [Int]) = ([], [])
    for await index in main.stream { mains.append(index) }
    for await index in other.stream { others.append(index) }
    #expect(mains == [0, 1, 2] && others == [0, 1, 2])
  }

  @Test("An owner is not held, and its handler is not called once it is released")
  func owner() throws {
    final class View: Sendable {
      let notes: Notes
      init(_ notes: Notes) { self.notes = notes }
    }
    let player = try player()
    let (jobs, notes) = (Jobs(), Notes())
    var view: View? = View(notes)
    weak let watched = view
    let first = player.onFrameChange(for: view) { [weak view] change in
      view?.notes.add("\(change.currentFrameIndex)")
    }
    player.onEvent(for: view, deliverOn: jobs.delivery) { _ in notes.add("later") }
    player.play()
    view = nil
    #expect(watched == nil)
    stage.run(to: .milliseconds(200))
    jobs.run()
    #expect(notes.all == ["0"])
    #expect(first.isCancelled)
  }

  @Test(
    "Each handler is released with the first event after the end of its owner, be that event for it or not")
  func allOwners() throws {
    final class Thing: Sendable {}
    let player = try player()
    let jobs = Jobs()
    var owner: Thing? = Thing()
    var held: Thing? = Thing()
    weak let watched = held
    player.onEvent(for: owner) { [held] _ in _ = held }
    player.onFrameChange(for: owner, deliverOn: jobs.delivery) { [held] _ in _ = held }
    player.onLoop(for: owner) { [held] _ in _ = held }
    player.onFinish(for: owner) { [held] _ in _ = held }
    player.onLoading(for: owner) { [held] _ in _ = held }
    player.onFailure(for: owner) { [held] _ in _ = held }
    held = nil
    owner = nil
    #expect(watched != nil)
    player.play()
    jobs.run()
    #expect(watched == nil)
  }

  @Test("A handler on the main actor has an owner, too, which lives while the handler is called")
  @MainActor func mainActorOwner() async throws {
    @MainActor final class Screen {
      var indices: [Int] = []
      func show(_ index: Int) { indices.append(index) }
    }
    let player = try player([10, 10, 10], repetitions: nil)
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    var screen: Screen? = Screen()
    let shown = try #require(screen)
    player.onFrameChange(for: shown, deliverOn: .mainActor) { [unowned shown] change in
      shown.show(change.currentFrameIndex)
    }
    player.onFinish(deliverOn: .mainActor) { _ in continuation.finish() }
    player.play()
    stage.run(to: .seconds(1))
    for await _ in stream {}
    #expect(screen?.indices == [0, 1, 2])
    screen = nil
  }

  @Test("A scope ends its subscriptions when it is released, and those that come too late")
  func scope() throws {
    let player = try player()
    let notes = Notes()
    var scope: SubscriptionScope? = SubscriptionScope()
    let subscription = player.onFrameChange { notes.add("\($0.currentFrameIndex)") }
    subscription.store(in: try #require(scope))
    player.play()
    scope = nil
    #expect(subscription.isCancelled)
    let ended = SubscriptionScope()
    ended.cancel()
    #expect(player.onFrameChange { _ in }.store(in: ended).isCancelled)
    stage.run(to: .seconds(1))
    #expect(notes.all == ["0"])
  }

  @Test("A player is released although its handlers, scopes and mailboxes refer to each other")
  func noCycle() throws {
    final class Thing: Sendable {}
    let jobs = Jobs()
    var thing: Thing? = Thing()
    weak let watched = thing
    var player: GIFPlayer? = try self.player()
    weak let watchedPlayer = player
    let owner = Thing()
    player?.onEvent(for: owner, deliverOn: jobs.delivery) { [thing] _ in _ = thing }
    player?.play()
    thing = nil
    player = nil
    #expect(watchedPlayer == nil)
    jobs.run()
    #expect(watched == nil)
  }

  @Test("Sequences keep as many events as their limit says, of all kinds")
  func sequences() async throws {
    var player: GIFPlayer? = try player([10, 10, 10], repetitions: nil)
    let changes = try #require(player).frameChanges
    let two = try #require(player).events(limit: 2)
    let all = try #require(player).events()
    player?.play()
    stage.run(to: .seconds(1))
    player = nil
    var frames: [Int] = []
    for await change in changes { frames.append(change.currentFrameIndex) }
    #expect(frames == [2])
    var last: [String] = []
    for await event in two { last.append(Self.word(event)) }
    #expect(last == ["finish", "finished"])
    var words: [String] = []
    for await event in all { words.append(Self.word(event)) }
    #expect(words == ["playing", "0", "1", "2", "loop! 1", "finish", "finished"])
  }

  @Test("A listener that is slow three times in a row gets a mailbox; a quick call between counts again")
  func slowListener() {
    var listeners = Listeners<Int>()
    let (jobs, notes) = (Jobs(), Notes())
    let id = listeners.add { notes.add("\($0)") }
    func call(_ event: Int, isSlow: Bool) {
      listeners.handler(id)?(event)
      listeners.noteCall(of: id, isSlow: isSlow) { handler in
        EventMailbox(
          limit: 9, mayDrop: { _ in true }, enqueue: jobs.delivery.enqueue ?? { $0() }, handler: handler)
      }
    }
    for (event, isSlow) in [true, true, false, true, true, true].enumerated() { call(event, isSlow: isSlow) }
    #expect(notes.all == ["0", "1", "2", "3", "4", "5"])
    call(6, isSlow: false)
    call(7, isSlow: true)
    #expect(notes.all.count == 6 && jobs.count == 1)
    jobs.run()
    #expect(notes.all.suffix(2) == ["6", "7"])
    listeners.remove(id)?.mailbox?.close()
    #expect(listeners.handler(id) == nil)
  }
}
