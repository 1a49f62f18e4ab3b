import GIFTestSupport
import GIFTimeline
import Testing

@testable import GIFCaching

/// Stores that carry out grants as numbers, each when the test lets it.
private struct Stores {
  final class Key: Sendable {}

  var state: BudgetState
  let keys: [Key]
  var held: [Int64]
  var newest: [Int]
  private var serial = 0

  init(_ count: Int, limit: Int64) {
    state = BudgetState(limit: limit)
    keys = (0..<count).map { _ in Key() }
    held = Array(repeating: 0, count: count)
    newest = held.map { _ in 0 }
  }

  func id(_ store: Int) -> BudgetState.StoreID { ObjectIdentifier(keys[store]) }

  func store(_ id: BudgetState.StoreID) -> Int { keys.firstIndex { ObjectIdentifier($0) == id } ?? -1 }

  mutating func demand(
    _ store: Int, floor: Int64 = 0, whole: Int64, _ visibility: Visibility = .visible
  ) -> [BudgetState.Grant] {
    serial += 1
    state.setDemand(
      BudgetDemand(
        visibility: visibility, floor: floor, needed: floor, window: whole, warm: whole, whole: whole),
      serial: serial, of: id(store))
    return state.shareOut(because: .demand)
  }

  /// The store takes all that it is granted, and evicts what it may not hold, but for `busy` bytes.
  mutating func carryOut(_ grant: BudgetState.Grant, busy: Int64 = 0) -> BudgetState.Answer {
    let store = store(grant.store)
    if grant.serial > newest[store] {
      newest[store] = grant.serial
      held[store] = max(busy, grant.bytes)
    }
    return .init(store: grant.store, serial: grant.serial, heldBytes: held[store])
  }

  /// Carries out grants to the end.
  mutating func settle(_ grants: [BudgetState.Grant]) {
    var grants = grants
    while !grants.isEmpty {
      var answers: [BudgetState.Answer] = []
      for grant in grants { answers.append(carryOut(grant)) }
      grants = state.confirm(answers)
    }
  }
}

@Suite("BudgetState")
struct BudgetStateTests {
  @Test("A demand within the limit is granted at once")
  func plain() {
    var stores = Stores(2, limit: 100)
    let grants = stores.demand(0, whole: 60)
    #expect(grants.map(\.bytes) == [60])
    stores.settle(grants)
    stores.settle(stores.demand(1, whole: 30))
    #expect(stores.held == [60, 30])
    #expect(stores.state.isSettled)
    #expect(stores.state.decisions.map(\.after) == [60, 30])
  }

  @Test("A store gets more only when another one has answered that it holds less")
  func shrinkFirst() {
    var stores = Stores(2, limit: 100)
    stores.settle(stores.demand(0, whole: 100, .hidden))
    #expect(stores.held == [100, 0])
    let first = stores.demand(1, whole: 70)
    #expect(first.map(\.store) == [stores.id(0)] && first.map(\.bytes) == [30])
    #expect(!stores.state.isSettled)
    let answer = stores.carryOut(first[0])
    let second = stores.state.confirm([answer])
    #expect(second.map(\.store) == [stores.id(1)] && second.map(\.bytes) == [70])
    stores.settle(second)
    #expect(stores.held == [30, 70] && stores.state.isSettled)
  }

  @Test("What a busy store cannot evict yet is missing for others, until the budget settles")
  func busy() {
    var stores = Stores(2, limit: 100)
    stores.settle(stores.demand(0, whole: 100, .hidden))
    let shrink = stores.demand(1, whole: 70)
    let answer = stores.carryOut(shrink[0], busy: 80)
    stores.settle(stores.state.confirm([answer]))
    #expect(stores.held == [80, 20])
    #expect(!stores.state.isSettled)
    // The frame is finished.
    stores.settle(stores.state.shareOut(because: .settling))
    #expect(stores.held == [30, 70] && stores.state.isSettled)
    #expect(stores.state.decisions.last?.reason == .settling)
  }

  @Test("Floors are granted beyond the limit")
  func floors() {
    var stores = Stores(3, limit: 50)
    for store in 0..<3 { stores.settle(stores.demand(store, floor: 30, whole: 60)) }
    #expect(stores.held == [30, 30, 30])
    #expect(stores.state.floorBytes == 90 && stores.state.isSettled)
  }

  @Test("An older demand is ignored")
  func oldDemand() {
    var stores = Stores(1, limit: 100)
    stores.settle(stores.demand(0, whole: 60))
    stores.state.setDemand(
      BudgetDemand(visibility: .visible, floor: 0, needed: 0, window: 0, warm: 0, whole: 0), serial: 0,
      of: stores.id(0))
    stores.settle(stores.state.shareOut(because: .demand))
    #expect(stores.held == [60])
  }

  @Test("The answer to an older grant is ignored")
  func oldAnswer() {
    var stores = Stores(2, limit: 100)
    let older = stores.demand(0, whole: 80)
    stores.state.setLimit(40)
    let newer = stores.state.shareOut(because: .limit)
    #expect(newer.map(\.bytes) == [40])
    // The newer one is carried out first; the older one comes late.
    let answers = [stores.carryOut(newer[0]), stores.carryOut(older[0])]
    #expect(stores.held == [40, 0])
    _ = stores.state.confirm([answers[1]])
    #expect(!stores.state.isSettled)
    _ = stores.state.confirm([answers[0]])
    #expect(stores.state.isSettled)
  }

  @Test("A store that is gone leaves its bytes to others")
  func gone() {
    var stores = Stores(2, limit: 100)
    stores.settle(stores.demand(0, whole: 90))
    stores.settle(stores.demand(1, whole: 90))
    #expect(stores.held == [90, 10])
    stores.state.remove(stores.id(0))
    stores.held[0] = 0
    stores.settle(stores.state.shareOut(because: .demand))
    #expect(stores.held == [0, 90])
  }

  @Test("Compressed bytes leave so much less for stores")
  func compressed() {
    let memory = Stores.Key()
    var stores = Stores(1, limit: 100)
    let taken = stores.state.exchange(nil, for: (ObjectIdentifier(memory), 30))
    #expect(taken == 30)
    stores.settle(stores.demand(0, whole: 90))
    #expect(stores.held == [70] && stores.state.compressedBytes == 30)
    let returned = stores.state.exchange(ObjectIdentifier(memory), for: nil)
    #expect(returned == -30)
    stores.settle(stores.state.shareOut(because: .demand))
    #expect(stores.held == [90])
  }

  @Test("Pressure shrinks what is given out; the end of it gives everything back at once")
  func pressure() {
    var stores = Stores(1, limit: 100)
    stores.settle(stores.demand(0, floor: 10, whole: 90))
    let (isChange, next) = stores.state.follow(.critical, at: 0, chance: 0.5)
    #expect(isChange && next != nil && stores.state.pressure == .critical)
    stores.settle(stores.state.shareOut(because: .pressure))
    #expect(stores.held == [10])
    stores.state.recover()
    stores.settle(stores.state.shareOut(because: .pressure))
    #expect(stores.held == [90] && stores.state.pressure == .normal)
  }

  @Test("Grants carried out in any order, by any threads, stay within the limit", arguments: 0..<40)
  func anyOrder(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let limit: Int64 = 1_000
    var stores = Stores(5, limit: limit)
    /// What threads have been given to do, each its own batch.
    var batches: [[BudgetState.Grant]] = []
    func batch(_ grants: [BudgetState.Grant]) { if !grants.isEmpty { batches.append(grants) } }
    for round in 0..<400 {
      switch Int.random(in: 0..<3, using: &random) {
      case 0:
        let floor = Int64.random(in: 0...100, using: &random)
        batch(
          stores.demand(
            .random(in: 0..<5, using: &random), floor: floor,
            whole: floor + .random(in: 0...900, using: &random),
            [.hidden, .near, .visible][.random(in: 0..<3, using: &random)]))
      case 1:
        batch(stores.state.shareOut(because: .settling))
      default:
        guard !batches.isEmpty else { continue }
        let grants = batches.remove(at: .random(in: 0..<batches.count, using: &random))
        var answers: [BudgetState.Answer] = []
        for grant in grants {
          // A busy store keeps a part of what it had.
          let busy = Int64.random(in: 0...stores.held[stores.store(grant.store)], using: &random)
          answers.append(stores.carryOut(grant, busy: busy))
        }
        batch(stores.state.confirm(answers))
      }
      try #require(stores.held.reduce(0, +) <= limit, "seed \(seed) round \(round)")
    }
    for grants in batches { stores.settle(grants) }
    stores.settle(stores.state.shareOut(because: .settling))
    stores.settle(stores.state.shareOut(because: .settling))
    #expect(stores.state.isSettled)
    for (store, bytes) in stores.state.grants { #expect(stores.held[stores.store(store)] == bytes) }
  }
}

@Suite("CompressedBytes")
struct CompressedBytesLedgerTests {
  @Test("Each memory counts once, with the most it has held, until its last holder releases it")
  func ledger() {
    final class Key {}
    let (one, two) = (Key(), Key())
    var ledger = CompressedBytes()
    ledger.hold((ObjectIdentifier(one), 10))
    ledger.hold((ObjectIdentifier(one), 30))
    ledger.hold((ObjectIdentifier(two), 5))
    #expect(ledger.total == 35)
    ledger.hold((ObjectIdentifier(one), 20))
    #expect(ledger.total == 35, "the most counts")
    for expected in [35, 35, 5, 5] as [Int64] {
      ledger.release(ObjectIdentifier(one))
      #expect(ledger.total == expected)
    }
    ledger.release(ObjectIdentifier(two))
    #expect(ledger.total == 0)
  }
}
