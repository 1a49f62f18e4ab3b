import Gallop
import Glibc
import Measuring

/// A list of 300 GIFs, 20 of them visible, that scrolls for a minute: to its end in 3 s, a rest, back in 3 s, a rest.
///
/// All players have the low priority, so that load shedding leaves out their frames first. Each file is copied, so that
/// no two messages share frames. Prints for each second how many frames were due and left out, the level of load shedding,
/// and what part of the machine's processors was idle. A frame counts once its player has been visible for a second.
/// Exit status 1 if frames were left out or the level was not 0 although, this second and the one before, at least one
/// processor was idle on the sum; 2 if the machine was never idle, so that nothing could be judged; 64 for wrong usage.
///
///     Scrolling [--messages N] [--visible N] [--budget-mib N] [--seconds N] FILE...
@main
struct Scrolling {
  private var messages = 300
  private var visible = 20
  private var budgetMiB = 48
  private var length = 60
  private var files: [String] = []

  static func main() throws {
    guard let scrolling = Scrolling(CommandLine.arguments.dropFirst()) else {
      stop("usage: Scrolling [--messages N] [--visible N] [--budget-mib N] [--seconds N] FILE...", status: 64)
    }
    try scrolling.run()
  }

  private init?(_ arguments: ArraySlice<String>) {
    var rest = arguments
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("--") else {
        files.append(argument)
        continue
      }
      guard let value = rest.popFirst().flatMap({ Int($0) }), value > 0 else { return nil }
      switch argument {
      case "--messages": messages = value
      case "--visible": visible = value
      case "--budget-mib": budgetMiB = value
      case "--seconds": length = value
      default: return nil
      }
    }
    guard !files.isEmpty, visible <= messages else { return nil }
  }

  private func run() throws {
    guard let copies = Copies(of: files, count: messages) else {
      stop("scrolling: the files cannot be copied")
    }
    defer { copies.remove() }
    let list = try List(copies.paths, budget: FrameBudget(limit: Int64(budgetMiB) << 20))
    var judge = Judge()
    say("\(messages) messages, \(visible) visible, \(budgetMiB) MiB\n")
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
      }
      let (shown, leftOut) = list.counts.take()
      let line = Second(
        number: second, shown: shown, leftOut: leftOut, level: level,
        idle: ProcessorTime.now.idle(since: before), isScrolling: isScrolling(at: Double(second) + 0.5))
      judge.add(line)
      say(line.text)
    }
    let held = list.budget.snapshot
    say("\n\(held.peakBytes >> 20) MiB held at the most, \(residentBytes >> 20) MiB resident")
    say("highest level \(judge.highestLevel); \(judge.judged) of \(length) seconds were idle enough to judge")
    copies.remove()
    guard judge.faults.isEmpty else {
      stop("scrolling: frames were left out while a processor was idle, in the seconds \(judge.faults)")
    }
    guard judge.judged > 0 else { stop("scrolling: no processor was ever idle", status: 2) }
    say("scrolling: passed")
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
