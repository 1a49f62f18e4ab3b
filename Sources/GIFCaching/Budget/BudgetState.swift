/// What a budget knows: limit, wishes and grants. Kept under the budget's lock.
struct BudgetState: Sendable {
  struct Entry: Sendable {
    let id: ObjectIdentifier
    let store: FrameBudget.WeakStore
    var demand: BudgetDemand
    var grant: Int64
  }

  var limit: Int64
  var regulator = PressureRegulator()
  var followsPressure = false
  var entries: [Entry] = []
  private(set) var decisions: [BudgetDecision] = []

  /// How many decisions are remembered.
  private static let memory = 256

  init(limit: Int64) { self.limit = limit }

  func place(of id: ObjectIdentifier) -> Int? { entries.firstIndex { $0.id == id } }

  /// Asks the arbiter and has the stores follow: who gets less first, so that who gets more finds it free.
  ///
  /// - Returns: the stores that were asked, to be let go of without the lock; and false where one cannot give up
  ///   everything yet: it is asked again when it has finished its picture.
  mutating func shareOut(because reason: BudgetDecision.Reason) -> (stores: [FrameStore], isSettled: Bool) {
    let grants = BudgetArbiter.grants(limit: limit, share: regulator.share, demands: entries.map(\.demand))
    var free = limit
    var isSettled = true
    var stores: [FrameStore] = []
    for (place, grant) in grants.enumerated() where grant <= entries[place].grant {
      let held = give(grant, to: place, because: reason, &stores)
      free -= max(grant, held)
      if held > grant { isSettled = false }
    }
    for (place, grant) in grants.enumerated() where grant > entries[place].grant {
      free -= entries[place].grant
    }
    for (place, grant) in grants.enumerated() where grant > entries[place].grant {
      let more = min(grant - entries[place].grant, max(0, free))
      let given = max(entries[place].demand.floor, entries[place].grant + more)
      if given < grant { isSettled = false }
      free -= given - entries[place].grant
      _ = give(given, to: place, because: reason, &stores)
    }
    return (stores, isSettled)
  }

  /// Notes a grant and has the store follow it; returns the bytes it then holds.
  private mutating func give(
    _ grant: Int64, to place: Int, because reason: BudgetDecision.Reason, _ stores: inout [FrameStore]
  ) -> Int64 {
    let before = entries[place].grant
    entries[place].grant = grant
    if before != grant {
      if decisions.count == Self.memory { decisions.removeFirst() }
      decisions.append(
        BudgetDecision(
          store: entries[place].id.hashValue, visibility: entries[place].demand.visibility, before: before,
          after: grant, reason: reason))
    }
    guard let store = entries[place].store.store else { return 0 }
    stores.append(store)
    return store.apply(grant: grant)
  }
}

/// A change of what a store may hold.
public struct BudgetDecision: Sendable, Hashable {
  /// Why something was shared out anew.
  public enum Reason: String, Sendable, Hashable {
    /// A player came, went, or needs more or less.
    case demand
    /// The limit was changed.
    case limit
    /// Memory pressure rose or fell.
    case pressure
    /// A picture in the making was finished, so that its room is free.
    case settling
  }

  /// Tells stores apart.
  public let store: Int
  public let visibility: Visibility
  /// Bytes granted before and after.
  public let before: Int64
  public let after: Int64
  public let reason: Reason
}

/// A budget at one moment.
public struct BudgetSnapshot: Sendable, Hashable {
  public struct Entry: Sendable, Hashable {
    /// Bytes that the store may hold.
    public let grant: Int64
    public let store: StoreSnapshot
  }

  public let limit: Int64
  public let heldBytes: Int64
  public let peakBytes: Int64
  /// What is given out because of memory pressure.
  public let pressure: MemoryPressure.Level
  public let stores: [Entry]
  /// The last 256 decisions, oldest first.
  public let decisions: [BudgetDecision]
}
