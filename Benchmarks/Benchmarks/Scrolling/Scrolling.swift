import Gallop
import Glibc
import Measuring

/// A list of 300 GIFs, 20 of them visible, that scrolls for a minute: to its end in 3 s, a rest, back in 3 s,
/// a rest.
///
/// All players have the low priority, so that load shedding leaves out their frames first. The files are
/// copied until there are as many as asked for: as a rule no two messages share frames. Prints for each
/// second how many frames were due and left out, the level of load shedding, and what part of the machine's
/// processors was idle; then what is resident while the list is hidden, under memory pressure, and once it is
/// released. A frame counts once its player has been visible for a second. Exit status 1 if frames were left
/// out or the level was not 0 although, this second and the one before, at least one processor was idle on
/// the sum, or if more memory was resident than promised: see ``Residence``; 2 if the machine was never idle,
/// so that nothing could be judged; 64 for wrong usage.
///
///     Scrolling [--messages N] [--files N] [--visible N] [--budget-mib N] [--seconds N] FILE...
@main
struct Scrolling {
  private let messages: Int
  private let copies: Int
  private let visible: Int
  private let budgetMiB: Int
  private let length: Int
  private let files: [String]

  static func main() throws {
    let standard = ["messages": 300, "files": 300, "visible": 20, "budget-mib": 48, "seconds": 60]
    guard let arguments = Arguments(CommandLine.arguments.dropFirst(), standard: standard),
      arguments["visible"] <= arguments["messages"]
    else {
      stop(
        "usage: Scrolling [--messages N] [--files N] [--visible N] [--budget-mib N] [--seconds N] FILE...",
        status: 64)
    }
    try Scrolling(arguments).run()
  }

  private init(_ arguments: Arguments) {
    messages = arguments["messages"]
    copies = min(arguments["files"], messages)
    visible = arguments["visible"]
    budgetMiB = arguments["budget-mib"]
    length = arguments["seconds"]
    files = arguments.files
  }

  private func run() throws {
    guard let copies = Copies(of: files, count: copies) else {
      stop("scrolling: the files cannot be copied")
    }
    defer { copies.remove() }
    var residence = Residence(limitMiB: budgetMiB)
    let judge = try scroll((0..<messages).map { copies.paths[$0 % copies.paths.count] }, &residence)
    usleep(1_000_000)
    residence.released = residentBytes
    say(
      "highest level \(judge.highestLevel); \(judge.judged) of \(length) seconds were idle enough to judge\n")
    say(residence.text)
    copies.remove()
    guard residence.faults.isEmpty else { stop("scrolling: \(residence.faults.joined(separator: "; "))") }
    guard judge.faults.isEmpty else {
      stop("scrolling: frames were left out while a processor was idle, in the seconds \(judge.faults)")
    }
    guard judge.judged > 0 else { stop("scrolling: no processor was ever idle", status: 2) }
    say("scrolling: passed")
  }

  /// Scrolls, hides the list, and simulates memory pressure. The list is released at the end.
  private func scroll(_ paths: [String], _ residence: inout Residence) throws -> Judge {
    let list = try List(paths, budget: FrameBudget(limit: Int64(budgetMiB) << 20))
    var judge = Judge()
    say("\(messages) messages, \(visible) visible, \(copies) files, \(budgetMiB) MiB\n")
    say("| second | shown | left out | level | idle | |\n| --: | --: | --: | --: | --: | --- |")
    let start = seconds
    for second in 0..<length {
      var level = 0
      let before = ProcessorTime.now
      while seconds < start + Double(second + 1) {
        let first = place(at: seconds - start) * Double(messages - visible)
        list.show(Int(first)..<Int(first) + visible, at: seconds)
        usleep(16_000)
        level = max(level, list.clock.loadLevel)
        residence.peak = max(residence.peak, residentBytes)
      }
      let (shown, leftOut) = list.counts.take()
      let line = Second(
        number: second, shown: shown, leftOut: leftOut, level: level,
        idle: ProcessorTime.now.idle(since: before), isScrolling: isScrolling(at: Double(second) + 0.5))
      judge.add(line)
      say(line.text)
    }
    residence.held = Int(list.budget.snapshot.peakBytes)
    list.show(0..<0, at: seconds)
    usleep(1_000_000)
    (residence.hidden, residence.heldHidden) = (residentBytes, Int(list.budget.snapshot.heldBytes))
    list.budget.followsMemoryPressure = true
    MemoryPressure.simulate(.critical)
    usleep(1_000_000)
    residence.underPressure = residentBytes
    residence.heldUnderPressure = Int(list.budget.snapshot.heldBytes)
    MemoryPressure.simulate(.normal)
    return judge
  }

  /// The list rests for 4 s, scrolls for 3 s to the other end, and so on.
  private func isScrolling(at time: Double) -> Bool { time.truncatingRemainder(dividingBy: 7) >= 4 }

  /// Where the list stands, 0 - 1.
  private func place(at time: Double) -> Double {
    let way = Int(time / 7)
    let part = max(0, time - Double(way) * 7 - 4) / 3
    return way.isMultiple(of: 2) ? part : 1 - part
  }
}

/// One line of the table.
struct Second {
  let number: Int
  let shown: Int
  let leftOut: Int
  let level: Int
  /// The idle time of all processors, in processors.
  let idle: Double
  let isScrolling: Bool

  var text: String {
    let rounded = (idle * 100).rounded() / 100
    return "| \(number) | \(shown) | \(leftOut) | \(level) | \(rounded) | \(isScrolling ? "scrolls" : "") |"
  }
}

/// Finds the seconds in which frames were left out for want of nothing.
struct Judge {
  private(set) var faults: [Int] = []
  private(set) var judged = 0
  private(set) var highestLevel = 0
  private var wasIdle = false

  mutating func add(_ second: Second) {
    let isIdle = second.idle >= 1
    highestLevel = max(highestLevel, second.level)
    if isIdle, wasIdle { judged += 1 }
    // A single wake-up that comes late on a busy machine may cost a frame.
    let isFault = second.level > 0 || second.leftOut * 200 > second.shown
    if isIdle, wasIdle, isFault { faults.append(second.number) }
    wasIdle = isIdle
  }
}

/// What the processors of the machine have done since it started.
struct ProcessorTime {
  private let idleTicks: Double
  private let allTicks: Double

  static var now: ProcessorTime {
    let text = String(decoding: fileBytes("/proc/stat"), as: UTF8.self)
    let ticks = text.prefix { $0 != "\n" }.split(separator: " ").dropFirst().compactMap { Double($0) }
    return ProcessorTime(
      idleTicks: ticks.count > 3 ? ticks[3] : 0, allTicks: ticks.prefix(8).reduce(0, +))
  }

  /// How many processors were idle on average.
  func idle(since earlier: ProcessorTime) -> Double {
    let all = allTicks - earlier.allTicks
    return all > 0 ? (idleTicks - earlier.idleTicks) / all * Double(sysconf(Int32(_SC_NPROCESSORS_ONLN))) : 0
  }
}
