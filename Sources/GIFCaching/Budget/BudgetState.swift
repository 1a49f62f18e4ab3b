public import GIFTimeline

/// What a budget knows: limit, wishes and grants. Kept under the budget's lock.
struct BudgetState: Sendable {
  struct Entry: Sendable {
    let id: ObjectIdentifier
    let store: FrameBudget.WeakStore
    var demand: BudgetDemand
    var grant: Int64
    /// Whether the store has to look at its grant though that stays the same: its wishes have changed, or it has not
    /// given up everything yet.
    var isPending = true
  }

  var limit: Int64
  /// What the stores' images take beside what the stores are granted.
  var compressed = CompressedBytes()
  var regulator = PressureRegulator()
  var followsPressure = false
  var entries: [Entry] = []
  private(set) var decisions: [BudgetDecision] = []

  /// How many decisions are remembered.
  private static let memory = 256

  init(limit: Int64) { self.limit = limit }

  func place(of id: ObjectIdentifier) -> Int? { entries.firstIndex { $0.id == id } }

  /// Asks the arbiter and has the stores follow: who gets less first, so that who gets more finds it free. Nobody is
  /// given what another still holds.
  ///
  mutating func shareOut(because reason: BudgetDecision.Reason) -> Outcome {
    let all = entries.map(\.store.store)
    // Compressed bytes cannot be given up while their images play: they leave so much less for everything else.
    let limit = max(0, limit - compressed.total)
    let grants = BudgetArbiter.grants(limit: limit, share: regulator.share, demands: entries.map(\.demand))
    // Only floors pass the limit.
    var free = max(limit, grants.reduce(0, +))
    var isSettled = true
    var asked: [FrameStore] = []
    for (place, grant) in grants.enumerated() where grant <= entries[place].grant {
      let held = give(grant, to: place, all[place], because: reason, &asked)
      free -= max(grant, held)
      if held > grant { isSettled = false }
    }
    let growing = grants.indices.filter { grants[$0] > entries[$0].grant }
    let taken = growing.map { max(entries[$0].grant, all[$0]?.heldBytes ?? 0) }
    free -= taken.reduce(0, +)
    for (place, taken) in zip(growing, taken) {
      let given = max(entries[place].grant, min(grants[place], taken + max(0, free)))
      if given < grants[place] { isSettled = false }
      free -= max(0, given - taken)
      _ = give(given, to: place, all[place], because: reason, &asked)
    }
    return Outcome(asked: asked, all: all, isSettled: isSettled)
  }

  struct Outcome: Sendable {
    /// The stores that may have something to decode now.
    let asked: [FrameStore]
    /// All stores, to be let go of without the lock: one that nobody else holds any more takes itself out of the
    /// budget then.
    let all: [FrameStore?]
    /// False where one cannot give up everything yet: it has all asked again when it has finished its picture.
    let isSettled: Bool
  }

  /// Notes a grant and has the store follow it; returns the bytes it then holds at the most.
  private mutating func give(
    _ grant: Int64, to place: Int, _ store: FrameStore?, because reason: BudgetDecision.Reason,
    _ asked: inout [FrameStore]
  ) -> Int64 {
    let before = entries[place].grant
    guard before != grant || entries[place].isPending else { return grant }
    // A store that is going takes itself out when its memory is free; until then it holds what it had.
    guard let store else { return before }
    entries[place].grant = grant
    if before != grant {
      if decisions.count == Self.memory { decisions.removeFirst() }
      decisions.append(
        BudgetDecision(
          store: entries[place].id.hashValue, visibility: entries[place].demand.visibility, before: before,
          after: grant, reason: reason))
    }
    // Where nothing has come to be possible, only the player that has changed is asked, by its store.
    if store.apply(grant: grant) { asked.append(store) }
    let held = store.heldBytes
    entries[place].isPending = held > grant
    return held
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
  /// All that is held.
  public let heldBytes: Int64
  /// The part of it that is compressed bytes of images in memory.
  public let compressedBytes: Int64
  public let peakBytes: Int64
  /// What is given out because of memory pressure.
  public let pressure: MemoryPressure.Level
  public let stores: [Entry]
  /// The last 256 decisions, oldest first.
  public let decisions: [BudgetDecision]
}
