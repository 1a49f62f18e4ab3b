import EngineSupport
import GIFCaching
import Testing

/// A client that has a number of turns to take and notes each one.
private final class TurnTaker: DecodeClient {
  let name: String
  let urgency: Int64
  private let left: Lock<Int>
  private let onTurn: @Sendable (String) -> Void

  init(_ name: String, turns: Int, urgency: Int64 = 0, onTurn: @escaping @Sendable (String) -> Void) {
    self.name = name
    self.urgency = urgency
    left = Lock(turns)
    self.onTurn = onTurn
  }

  var turn: PoolTurn { PoolTurn(urgency: urgency, ticket: 1) }

  func decodeNext(_ ticket: Int) -> PoolTurn? {
    onTurn(name)
    return left.withLock { left in
      left -= 1
      return left > 0 ? turn : nil
    }
  }
}

/// Keeps the only thread of a pool busy until it is opened.
private final class Gate: DecodeClient {
  private let monitor = Monitor(false)
  private let onEntry: @Sendable () -> Void

  init(onEntry: @escaping @Sendable () -> Void = {}) { self.onEntry = onEntry }

  func decodeNext(_ ticket: Int) -> PoolTurn? {
    onEntry()
    monitor.waitingWithLock { $0 ? .done(()) : .wait(until: nil) }
    return nil
  }

  func open() {
    monitor.withLock { $0 = true }
    monitor.broadcast()
  }
}

@Suite("DecodePool")
struct DecodePoolTests {
  /// Names of turns as they are taken, to be awaited one by one.
  private struct Turns {
    let stream: AsyncStream<String>
    let note: @Sendable (String) -> Void

    init() {
      let (stream, continuation) = AsyncStream.makeStream(of: String.self)
      self.stream = stream
      note = { continuation.yield($0) }
    }

    func next(_ count: Int) async -> [String] {
      var names: [String] = []
      guard count > 0 else { return names }
      for await name in stream {
        names.append(name)
        if names.count == count { break }
      }
      return names
    }
  }

  @Test("Without threads all turns are taken before the call returns")
  func inline() {
    let taken = Lock<[String]>([])
    let client = TurnTaker("a", turns: 5) { name in taken.withLock { $0.append(name) } }
    DecodePool.inline.submit(client, client.turn)
    #expect(taken.withLock { $0.count } == 5)
  }

  @Test("Turns taken by hand come by urgency, one at a time; clients that are gone are skipped")
  func byHand() {
    let pool = DecodePool(takenByHand: ())
    #expect(!pool.takeTurn())
    let taken = Lock<[String]>([])
    let note: @Sendable (String) -> Void = { name in taken.withLock { $0.append(name) } }
    let late = TurnTaker("late", turns: 2, urgency: 5, onTurn: note)
    let soon = TurnTaker("soon", turns: 2, urgency: 3, onTurn: note)
    do {
      let gone = TurnTaker("gone", turns: 2, urgency: 1, onTurn: note)
      for client in [late, gone, soon] { pool.submit(client, client.turn) }
    }
    #expect(taken.withLock { $0 } == [])
    for expected in ["soon", "soon", "late", "late"] {
      #expect(pool.takeTurn())
      #expect(taken.withLock { $0.last } == expected)
    }
    #expect(!pool.takeTurn())
    #expect(taken.withLock { $0.count } == 4)
  }

  @Test("Every client is served to its end, on any number of threads", arguments: [1, 2, 7])
  func allClients(threads: Int) async {
    let pool = DecodePool(threadCount: threads)
    let turns = Turns()
    let clients = (0..<40).map {
      TurnTaker("\($0)", turns: $0 % 7 + 1, urgency: Int64($0 % 3), onTurn: turns.note)
    }
    for client in clients { pool.submit(client, client.turn) }
    let taken = await turns.next((0..<40).reduce(0) { $0 + $1 % 7 + 1 })
    for number in 0..<40 { #expect(taken.count { $0 == "\(number)" } == number % 7 + 1) }
    withExtendedLifetime(clients) {}
  }

  /// Keeps the thread of a pool busy until the gate is opened.
  private func hold(_ pool: DecodePool, _ turns: Turns) async -> Gate {
    let gate = Gate { turns.note("gate") }
    pool.submit(gate, PoolTurn(urgency: 0, ticket: 1))
    #expect(await turns.next(1) == ["gate"])
    return gate
  }

  @Test("Equally urgent clients take turns, more urgent ones come before them")
  func fairness() async {
    let pool = DecodePool(threadCount: 1)
    let turns = Turns()
    let gate = await hold(pool, turns)
    let clients = [
      TurnTaker("a", turns: 3, urgency: 4, onTurn: turns.note),
      TurnTaker("b", turns: 2, urgency: 4, onTurn: turns.note),
      TurnTaker("c", turns: 3, urgency: 4, onTurn: turns.note),
      TurnTaker("!", turns: 2, urgency: 1, onTurn: turns.note),
    ]
    for client in clients { pool.submit(client, client.turn) }
    gate.open()
    #expect(await turns.next(10) == ["!", "!", "a", "b", "c", "a", "b", "c", "a", "c"])
    withExtendedLifetime(clients) {}
  }

  @Test("A client that is gone is skipped")
  func released() async {
    let pool = DecodePool(threadCount: 1)
    let turns = Turns()
    let gate = await hold(pool, turns)
    var gone: TurnTaker? = TurnTaker("gone", turns: 3, onTurn: turns.note)
    weak let watched = gone
    if let gone { pool.submit(gone, gone.turn) }
    gone = nil
    #expect(watched == nil)
    let stays = TurnTaker("stays", turns: 2, onTurn: turns.note)
    pool.submit(stays, PoolTurn(urgency: 1, ticket: 1))
    gate.open()
    #expect(await turns.next(2) == ["stays", "stays"])
    withExtendedLifetime(stays) {}
  }

  @Test("A pool that is released ends its threads after their present turns")
  func dropped() async {
    final class Witness: Sendable {
      let onEnd: @Sendable () -> Void
      init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }
      deinit { onEnd() }
    }
    let turns = Turns()
    var pool: DecodePool? = DecodePool(threadCount: 1)
    weak let watched = pool
    var gate: Gate?
    do {
      let witness = Witness { turns.note("gate released") }
      gate = Gate { [witness] in withExtendedLifetime(witness) { turns.note("gate") } }
    }
    if let gate { pool?.submit(gate, PoolTurn(urgency: 0, ticket: 1)) }
    #expect(await turns.next(1) == ["gate"])
    let waiting = TurnTaker("waiting", turns: 1, onTurn: turns.note)
    pool?.submit(waiting, PoolTurn(urgency: 5, ticket: 1))
    pool = nil
    #expect(watched == nil)
    gate?.open()
    gate = nil
    // The thread releases the client that it served, and takes no other.
    #expect(await turns.next(1) == ["gate released"])
    withExtendedLifetime(waiting) {}
  }

  @Test("All clients are served that many tasks enter at once")
  func concurrentSubmission() async {
    let pool = DecodePool(threadCount: 2)
    let turns = Turns()
    let clients = (0..<200).map { TurnTaker("\($0)", turns: 2, urgency: Int64($0 % 5), onTurn: turns.note) }
    await withTaskGroup(of: Void.self) { group in
      for part in 0..<4 {
        group.addTask {
          for client in clients.dropFirst(part * 50).prefix(50) {
            pool.submit(client, client.turn)
          }
        }
      }
    }
    let taken = await turns.next(400)
    #expect(Set(taken).count == 200)
    #expect(clients.allSatisfy { client in taken.count { $0 == client.name } == 2 })
  }

  /// Enters itself once more, as more urgent, and takes only its newest ticket.
  private final class Changer: DecodeClient {
    private let newest = Lock(1)
    private let note: @Sendable (String) -> Void

    init(_ note: @escaping @Sendable (String) -> Void) { self.note = note }

    func replace() -> PoolTurn {
      newest.withLock { newest in
        newest += 1
        return PoolTurn(urgency: 1, ticket: newest)
      }
    }

    func awaits(_ ticket: Int) -> Bool { newest.withLock { $0 == ticket } }

    func decodeNext(_ ticket: Int) -> PoolTurn? {
      let isNewest = awaits(ticket)
      note(isNewest ? "new" : "stale")
      return nil
    }
  }

  @Test("A client that has become more urgent is served once, at its new place")
  func replaced() async {
    let pool = DecodePool(threadCount: 1)
    let turns = Turns()
    let gate = await hold(pool, turns)
    let changer = Changer(turns.note)
    let other = TurnTaker("other", turns: 1, urgency: 5, onTurn: turns.note)
    pool.submit(changer, PoolTurn(urgency: 9, ticket: 1))
    pool.submit(other, other.turn)
    pool.submit(changer, changer.replace())
    gate.open()
    #expect(await turns.next(3) == ["new", "other", "stale"])
    withExtendedLifetime((changer, other)) {}
  }

  @Test("Replaced entries do not pile up, and the newest one is served")
  func replacedEntries() async {
    let pool = DecodePool(threadCount: 1)
    let turns = Turns()
    let gate = await hold(pool, turns)
    let changer = Changer { _ in }
    let last = Changer(turns.note)
    for _ in 0..<20_000 { pool.submit(changer, changer.replace()) }
    #expect(pool.queueCount <= 600)
    pool.submit(last, last.replace())
    gate.open()
    #expect(await turns.next(1) == ["new"])
    withExtendedLifetime((changer, last)) {}
  }

  @Test("The client that is due last is served while others have turns left")
  func noStarvation() async {
    let pool = DecodePool(threadCount: 1)
    let turns = Turns()
    let gate = await hold(pool, turns)
    // Each turn is due later than the one before it, as frames are.
    let clients = (0..<3).map { Marcher("\($0)", from: Int64($0) * 100, onTurn: turns.note) }
    for client in clients { pool.submit(client, client.turn) }
    gate.open()
    let taken = await turns.next(60)
    for client in clients { #expect(taken.count { $0 == client.name } == 20) }
    // The last one stands 200 ahead; a step is 30.
    #expect(taken.firstIndex(of: "2") ?? .max < 14)
    withExtendedLifetime(clients) {}
  }

  /// Has twenty turns, each due 30 later than the one before.
  private final class Marcher: DecodeClient {
    let name: String
    private let state: Lock<(due: Int64, left: Int)>
    private let onTurn: @Sendable (String) -> Void

    init(_ name: String, from due: Int64, onTurn: @escaping @Sendable (String) -> Void) {
      self.name = name
      state = Lock((due, 20))
      self.onTurn = onTurn
    }

    var turn: PoolTurn { state.withLock { PoolTurn(urgency: $0.due, ticket: 20 - $0.left) } }

    func decodeNext(_ ticket: Int) -> PoolTurn? {
      onTurn(name)
      let isOver = state.withLock { state in
        state = (state.due + 30, state.left - 1)
        return state.left == 0
      }
      return isOver ? nil : turn
    }
  }
}
