internal import GIFStage
internal import Gallop
internal import Glibc

/// A chat with hundreds of GIFs in 32 MB of frames: a list that scrolls from the first message to the last.
///
///     swift run -c release chat-list GIFs/*.gif
///
/// The list is drawn into memory. Exit status 1 if a message shows neither a frame nor an error, or if the
/// frames take more than the budget.
@main
@MainActor
struct ChatList {
  private static let messageCount = 300
  private static let refresh = Duration.milliseconds(16)

  private let budget = FrameBudget(limit: 32 << 20)
  private let list: GridView
  private let stage: Stage
  private var figures = Figures()

  static func main() async throws {
    let paths = Array(CommandLine.arguments.dropFirst())
    guard !paths.isEmpty else {
      print("usage: chat-list FILE.gif...")
      exit(64)
    }
    var chat = ChatList(paths)
    guard try await chat.scrollThrough() else { exit(1) }
  }

  private init(_ paths: [String]) {
    // The stage drives the clock: nothing changes between two refreshes of the screen.
    var services = StageServices(clock: PlaybackClock(drivenWith: { .now }))
    services.budget = budget
    // As the shared budget does.
    budget.followsMemoryPressure = true

    var properties = GridProperties()
    properties.columns = .count(1)
    properties.items = (0..<Self.messageCount).map { number in
      GridItem(id: number, source: paths[number % paths.count], caption: "message \(number)")
    }
    list = GridView(properties, services: services)
    stage = Stage(root: list, width: 360, height: 720, clock: services.clock)
    list.onItemEvent = { [shown = figures.shown] item, event in
      switch event.kind {
      case .frameChanged: shown.add(item)
      case .failed(let error): shown.fail(item, because: "\(error)")
      default: break
      }
    }
  }

  /// Scrolls from the first message to the last. Each message that comes into view must show something.
  private mutating func scrollThrough() async throws -> Bool {
    let start = ContinuousClock.now
    let end = list.gridLayout.contentHeight - list.frame.height
    while true {
      guard try await showVisibleMessages() else { return false }
      guard list.scrollOffset < end else { break }
      if list.visibleItems.contains(Self.messageCount / 2), !figures.wasShortOfMemory { runShortOfMemory() }
      list.scroll(by: list.frame.height / 2, isAnimated: false)
    }
    report(after: ContinuousClock.now - start)
    return budget.snapshot.peakBytes <= budget.limit
  }

  /// Simulates what the kernel reports when memory is short: budgets shrink, and the list plays on.
  private mutating func runShortOfMemory() {
    figures.wasShortOfMemory = true
    let before = budget.snapshot.heldBytes
    MemoryPressure.simulate(.critical)
    let after = budget.snapshot.heldBytes
    MemoryPressure.simulate(.normal)
    print("pressure   \(megabytes(before)) MB held before, \(megabytes(after)) MB after")
  }

  /// Draws at each refresh until every visible message has shown a frame or an error. A slow machine takes
  /// longer.
  private mutating func showVisibleMessages() async throws -> Bool {
    let deadline = ContinuousClock.now + .seconds(30)
    repeat {
      guard ContinuousClock.now < deadline else {
        print("one of the messages \(list.visibleItems) shows nothing")
        return false
      }
      stage.tick()
      for rect in stage.draw() { figures.drawnPixels += rect.area }
      figures.refreshes += 1
      try await Task.sleep(for: Self.refresh)
    } while !figures.shown.contains(list.visibleItems)
    return true
  }

  private func report(after time: Duration) {
    let held = budget.snapshot
    print(
      """
      messages   \(figures.shown.items.count) of \(Self.messageCount) shown in \(time)
      frames     \(figures.shown.frameCount) shown, \(figures.refreshes) refreshes
      drawn      \(figures.drawnPixels / 1_000_000) million pixels
      budget     \(megabytes(held.peakBytes)) of \(megabytes(budget.limit)) MB at the peak, \(held.animationCount) GIFs in use
      resident   \(megabytes(peakResidentBytes)) MB at the peak
      """)
  }

  private func megabytes(_ bytes: Int64) -> Int64 { bytes >> 20 }

  /// The largest resident size of the process so far.
  private var peakResidentBytes: Int64 {
    var usage = rusage()
    getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
    return Int64(usage.ru_maxrss) << 10
  }
}

/// What the list has done.
@MainActor
private struct Figures {
  let shown = ShownMessages()
  var refreshes = 0
  var drawnPixels: Int64 = 0
  var wasShortOfMemory = false
}

/// The messages that have shown a frame or an error.
@MainActor
private final class ShownMessages {
  private(set) var items: Set<Int> = []
  private(set) var frameCount = 0

  func add(_ item: Int) {
    items.insert(item)
    frameCount += 1
  }

  /// A message that cannot be shown has its place, too.
  func fail(_ item: Int, because reason: String) {
    print("message \(item): \(reason)")
    items.insert(item)
  }

  func contains(_ range: Range<Int>) -> Bool { range.allSatisfy(items.contains) }
}
