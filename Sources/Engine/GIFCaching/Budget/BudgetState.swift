package import GIFTimeline

/// What a budget knows and decides: limit, demands and grants. It answers every change with grants to
/// carry out.
///
/// Stores are asked to evict before others are granted more. A store counts with the most that it may hold,
/// until it has answered a smaller grant. So the bytes of all stores stay within the limit, however many
/// threads carry out grants.
struct BudgetState: Sendable {
  typealias StoreID = ObjectIdentifier

  /// What one store may hold from now on. If it holds more, it evicts.
  struct Grant: Sendable, Hashable {
    let store: StoreID
    let bytes: Int64
    /// Whether the store's renderer is packed between turns.
    var packs = false
    /// Grows from grant to grant of a store: an older one that comes late is ignored.
    let serial: Int
  }

  /// What a store holds after it has carried out a grant.
  struct Answer: Sendable, Hashable {
    let store: StoreID
    let serial: Int
    let heldBytes: Int64
  }

  private struct Entry: Sendable {
    let id: StoreID
    var demand: BudgetDemand
    var demandSerial: Int
    /// What the arbiter wants it to have.
    var target: Int64 = 0
    /// Whether its renderer is packed between turns.
    var packs = false
    /// What it was granted last.
    var grant: Int64 = 0
    var serial = 0
    /// The most that it may hold.
    var most: Int64 = 0
    /// Whether the grant is to be sent even if it stays the same, since the store spends it in another way.
    var isDue = true
  }

  private(set) var limit: Int64
  /// What the stores' images take beside what the stores are granted.
  private var compressed = CompressedBytes()
  private var regulator = PressureRegulator()
  private(set) var followsPressure = false
  private var entries: [Entry] = []
  private var reason = BudgetDecision.Reason.demand
  private(set) var decisions: [BudgetDecision] = []

  /// How many decisions are kept.
  private static let memory = 256

  /// How many stores may decode at the same time.
  private let turns: Int

  init(limit: Int64, turns: Int = 1) {
    self.limit = max(0, limit)
    self.turns = turns
  }

  // MARK: Inputs

  mutating func setLimit(_ limit: Int64) { self.limit = max(0, limit) }

  /// Takes what a store has use for; an older demand than the last one is ignored.
  mutating func setDemand(_ demand: BudgetDemand, serial: Int, of id: StoreID) {
    guard let place = entries.firstIndex(where: { $0.id == id }) else {
      entries.append(Entry(id: id, demand: demand, demandSerial: serial))
      return
    }
    guard serial > entries[place].demandSerial else { return }
    entries[place].demand = demand
    entries[place].demandSerial = serial
    entries[place].isDue = true
  }

  /// Takes out a store that is gone.
  mutating func remove(_ id: StoreID) { entries.removeAll { $0.id == id } }

  /// Counts the memory of a store's image instead of that of the image it had before.
  ///
  /// - Returns: how many bytes more are held.
  mutating func exchange(_ old: ObjectIdentifier?, for new: CompressedBytes.Memory?) -> Int64 {
    let before = compressed.total
    if let new { compressed.hold(new) }
    if let old { compressed.release(old) }
    return compressed.total - before
  }

  /// Has the budget follow memory pressure, or end that and recover at once: no report would ask for it.
  mutating func setFollowsPressure(_ follows: Bool) {
    followsPressure = follows
    if !follows { regulator.recover() }
  }

  /// Takes a report of memory pressure, or the step of recovery that is due.
  ///
  /// - Returns: whether less or more is given out from now on, and when the next step is due.
  mutating func follow(
    _ level: MemoryPressure.Level, at now: Int64, chance: Double
  ) -> (isChange: Bool, next: Int64?) {
    let before = regulator.share
    regulator.note(level, at: now, chance: chance)
    return (regulator.share != before, regulator.nextStep)
  }

  /// Ends the answer to memory pressure at once.
  mutating func recover() { regulator.recover() }

  // MARK: Decisions

  /// Shares out again. Stores that get less come first; ``confirm(_:)`` follows with the others.
  ///
  /// - Returns: the grants to carry out.
  mutating func shareOut(because reason: BudgetDecision.Reason) -> [Grant] {
    self.reason = reason
    let targets = BudgetPlan.grants(
      limit: free, share: regulator.share, turns: turns, demands: entries.map(\.demand))
    for place in entries.indices {
      entries[place].target = targets[place].bytes
      if entries[place].packs != targets[place].packs { entries[place].isDue = true }
      entries[place].packs = targets[place].packs
      // A store that has not evicted everything yet is asked again.
      if entries[place].most > entries[place].grant { entries[place].isDue = true }
    }
    return nextGrants()
  }

  /// Takes the answers of stores that have carried out their grants.
  ///
  /// - Returns: the grants that are possible now.
  mutating func confirm(_ answers: [Answer]) -> [Grant] {
    for answer in answers {
      guard let place = entries.firstIndex(where: { $0.id == answer.store }),
        answer.serial == entries[place].serial
      else { continue }
      entries[place].most = max(entries[place].grant, answer.heldBytes)
    }
    return nextGrants()
  }

  /// Whether every store has what it is to have. If not, some thread is still decoding, and the budget shares
  /// out again when it has finished its frame.
  var isSettled: Bool { entries.allSatisfy { $0.most <= $0.grant && $0.target <= $0.grant } }

  /// What is left for stores: compressed bytes cannot be evicted while their images play.
  private var free: Int64 { max(0, limit - compressed.total) }

  private mutating func nextGrants() -> [Grant] {
    var grants: [Grant] = []
    for place in entries.indices where entries[place].target <= entries[place].grant {
      let (target, grant) = (entries[place].target, entries[place].grant)
      if entries[place].isDue || target < grant { grants.append(send(target, to: place)) }
    }
    // Those that get more wait until the others have answered.
    guard grants.isEmpty else { return grants }
    // Only floors pass the limit.
    var remaining = max(free, entries.reduce(0) { $0 + $1.target }) - entries.reduce(0) { $0 + $1.most }
    for place in entries.indices where entries[place].target > entries[place].grant {
      let (grant, most) = (entries[place].grant, entries[place].most)
      let given = max(grant, min(entries[place].target, most + max(0, remaining)))
      remaining -= max(0, given - most)
      if entries[place].isDue || given > grant { grants.append(send(given, to: place)) }
    }
    return grants
  }

  private mutating func send(_ bytes: Int64, to place: Int) -> Grant {
    let before = entries[place].grant
    entries[place].grant = bytes
    entries[place].most = max(entries[place].most, bytes)
    entries[place].serial += 1
    entries[place].isDue = false
    if before != bytes {
      if decisions.count == Self.memory { decisions.removeFirst() }
      decisions.append(
        BudgetDecision(
          store: entries[place].id.hashValue, visibility: entries[place].demand.visibility, before: before,
          after: bytes, reason: reason))
    }
    return Grant(
      store: entries[place].id, bytes: bytes, packs: entries[place].packs, serial: entries[place].serial)
  }

  // MARK: Reports

  /// The stores with what each was granted last.
  var grants: [(store: StoreID, bytes: Int64)] { entries.map { ($0.id, $0.grant) } }

  /// Bytes of compressed images in memory.
  var compressedBytes: Int64 { compressed.total }

  /// What cannot be had for less: the floors of all stores with packed renderers, and the compressed bytes.
  var floorBytes: Int64 {
    let (grants, reserve) = BudgetPlan.floors(limit: 0, turns: turns, demands: entries.map(\.demand))
    return grants.reduce(compressed.total + reserve) { $0 + $1.bytes }
  }

  /// Whether what cannot be had for less passes the limit.
  var isOverLimit: Bool {
    // Most often all renderers fit, and which of them would be packed need not be found out.
    entries.reduce(compressed.total) { $0 + $1.demand.floor } > limit && floorBytes > limit
  }

  var pressure: MemoryPressure.Level { regulator.share.pressure }
}

/// A change of what a store may hold.
package struct BudgetDecision: Sendable, Hashable {
  /// Why the budget was shared out again.
  package enum Reason: String, Sendable, Hashable {
    /// A player came, went, or needs more or less.
    case demand
    /// The limit was changed.
    case limit
    /// Memory pressure rose or fell.
    case pressure
    /// A frame in the making was finished, so that its room is free.
    case settling
  }

  /// Identifies a store.
  package let store: Int
  package let visibility: Visibility
  /// Bytes granted before and after.
  package let before: Int64
  package let after: Int64
  package let reason: Reason
}
