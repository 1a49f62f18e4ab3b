import GIFStage
import Gallop
import Glibc
import Measuring

/// A grid of 500 files in a budget of 32 MB: scrolled from end to end, then hidden.
///
/// Prints the largest resident memory, and what the hidden grid costs. Exit status 1 if the memory exceeds
/// the limit or the hidden grid does anything; 64 for wrong usage. Each item is a file of its own, copied
/// from those given, so that no two share their frames.
///
///     Wall [--items N] [--budget-mib N] [--limit-mib N] FILE...
@main
struct Wall {
  private let items: Int
  private let budgetMiB: Int
  private let limitMiB: Int
  private let files: [String]

  static func main() {
    let standard = ["items": 500, "budget-mib": 32, "limit-mib": 90]
    guard let arguments = Arguments(CommandLine.arguments.dropFirst(), standard: standard) else {
      stop("usage: Wall [--items N] [--budget-mib N] [--limit-mib N] FILE...", status: 64)
    }
    Wall(arguments).run()
  }

  private init(_ arguments: Arguments) {
    items = arguments["items"]
    budgetMiB = arguments["budget-mib"]
    limitMiB = arguments["limit-mib"]
    files = arguments.files
  }

  private func run() {
    guard let copies = Copies(of: files, count: items) else { stop("wall: the files cannot be copied") }
    defer { copies.remove() }
    let budget = FrameBudget(limit: Int64(budgetMiB) << 20)
    let wakes = WakeCounter()
    var services = StageServices(clock: PlaybackClock(drivenWith: { .now }))
    services.budget = budget
    services.wake = { wakes.add() }
    var properties = GridProperties()
    properties.items = copies.paths.enumerated().map { GridItem(id: $0, source: $1, caption: "\($0)") }
    let grid = GridView(properties, services: services)
    let stage = Stage(root: grid, width: 1280, height: 800, clock: services.clock)
    var peak = 0
    var (frames, pages) = (0, 0)
    grid.onItemEvent = { if case .frameChanged = $1.kind { frames += 1 } }
    let start = seconds
    while true {
      pages += 1
      play(stage, for: 1)
      peak = max(peak, residentBytes)
      guard let last = grid.visibleItems.last, last < items - 1 else { break }
      grid.scrollToItem(last + 1, at: .top)
    }
    let held = budget.snapshot.peakBytes
    say(
      "wall: \(items) items on \(pages) pages in \(tenths(seconds - start)) s, \(frames) frames shown,"
        + " \(held >> 20) MiB held of \(budgetMiB) at the most, \(peak >> 20) MiB resident at the most")

    grid.isHidden = true
    play(stage, for: 0.5)
    let (wakesBefore, cpuBefore) = (wakes.value, cpuSeconds)
    usleep(3_000_000)
    let (woken, cpu) = (wakes.value - wakesBefore, cpuSeconds - cpuBefore)
    let next = stage.tick()
    say(
      "wall: hidden for 3 s: \(woken) wake-ups, \(Int(cpu * 1e6)) µs of CPU time, \(budget.snapshot.heldBytes) bytes"
        + " held, \(next == nil ? "no tick due" : "a tick is due"), \(residentBytes >> 20) MiB resident")
    copies.remove()
    guard peak <= limitMiB << 20 else { stop("wall: more than \(limitMiB) MiB are resident") }
    guard woken == 0, next == nil, budget.snapshot.heldBytes == 0, cpu < 0.005 else {
      stop("wall: a hidden grid costs something")
    }
    say("wall: passed")
  }

  /// Ticks and draws for some time, as a window does: at each instant that the stage asks for, and 60 times a
  /// second.
  private func play(_ stage: Stage, for length: Double) {
    let end = seconds + length
    while seconds < end {
      stage.tick()
      _ = stage.draw()
      usleep(16_000)
    }
  }

  private func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }
}
