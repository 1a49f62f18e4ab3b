import Gallop
import Glibc
import Measuring

/// A test of some minutes: players come, go and get random commands, while no wake-up may be lost, and
/// neither memory nor threads nor descriptors may grow.
///
/// Exit status 0 and a last line that ends in `passed`; 1 and a line that says what failed; 64 for wrong
/// usage. The first line names the seed, with which the commands are the same again.
///
///     Soak [--minutes M] [--seed N] [--files] FILE...
///
/// With `--files` the players play copies of the files, which change all the time: see ``FileSoak``.
@main
struct Soak {
  /// Seconds beyond a frame's time that a player may show nothing: far more than on a busy machine.
  private static let patience = 10.0
  /// Seconds that it may show nothing while frames are decoded for it and no commands are given.
  private static let longPatience = 120.0
  /// Bytes by which the median resident size of the last quarter may exceed that of the first one after the
  /// warm-up.
  private static let growthLimit = 24 << 20

  static func main() {
    guard let options = Options(CommandLine.arguments.dropFirst()) else {
      stop("usage: Soak [--minutes M] [--seed N] [--files] FILE...", status: 64)
    }
    let kind = options.changesFiles ? "files that change" : "players that come and go"
    say("soak: \(kind), \(options.minutes) min, seed \(options.seed), \(options.files.count) files")
    do {
      if options.changesFiles {
        var soak = try FileSoak(options.files, seed: options.seed)
        return soak.run(for: options.minutes * 60)
      }
      var sources: [Source] = []
      for path in options.files { sources.append(try Source(path: path)) }
      try run(Churn(sources, seed: options.seed), for: options.minutes * 60)
    } catch {
      stop("soak: a sample cannot be played: \(error)")
    }
  }

  private static func run(_ churn: Churn, for length: Double) throws(GIFError) {
    let start = seconds
    let warm = start + min(30, length / 4)
    var (nextLook, nextLine) = (start + 0.25, start + 10)
    var base: ProcessCounts?
    var sizes: [Int] = []
    while seconds < start + length {
      if !churn.isResting { try churn.step() }
      usleep(5_000)
      guard seconds >= nextLook else { continue }
      nextLook += 0.25
      let counts = ProcessCounts.now
      look(at: churn)
      if seconds >= warm {
        if let base { compare(counts, with: base) } else { base = counts }
        sizes.append(counts.residentBytes)
      }
      if seconds >= nextLine {
        nextLine += 10
        say(line(churn, counts, after: seconds - start))
      }
    }
    let growth = growth(of: sizes)
    if growth > growthLimit {
      stop("soak: resident memory grew by \(growth >> 20) MiB, more than \(growthLimit >> 20)")
    }
    let last = line(churn, .now, after: seconds - start)
    guard churn.shown > 0, churn.commands > 0 else { stop("soak: \(last): nothing was played") }
    end(churn)
    say("\(last), growth \(growth >> 10) KiB: passed")
  }

  /// Fails if a player waits forever for its next frame.
  ///
  /// When one has waited for long, the commands stop. On a machine with too much to do, frames are still
  /// decoded for it and it plays on in the end; after a lost wake-up it never does.
  private static func look(at churn: Churn) {
    var isCalm = true
    for seat in churn.seats {
      if seat.hasFailed { stop("soak: player \(seat.player.id) failed") }
      let idle = seat.idle()
      guard let overdue = seat.overdue(), overdue > patience else { continue }
      isCalm = false
      guard churn.isResting else { continue }
      let rest = seconds - churn.restsSince
      if rest > longPatience || (rest > patience && idle > patience) {
        stop(
          "soak: player \(seat.player.id) has shown nothing for \(Int(overdue)) s, and nothing was decoded for it"
            + " for \(Int(idle)) s" + (seat.isLeftAlone ? ", left alone" : "")
            + ", at frame \(seat.player.currentFrameIndex ?? -1) of \(seat.player.image.frameCount)"
            + " \(seat.player.mode), waits for \(seat.player.bufferingReason?.rawValue ?? "nothing")")
      }
    }
    churn.rest(!isCalm)
  }

  private static func compare(_ counts: ProcessCounts, with base: ProcessCounts) {
    if counts.threads > base.threads {
      stop("soak: \(counts.threads) threads, \(base.threads) after the warm-up")
    }
    if counts.descriptors > base.descriptors {
      stop("soak: \(counts.descriptors) descriptors, \(base.descriptors) after the warm-up")
    }
  }

  /// Fails unless everything is released with the last player.
  private static func end(_ churn: Churn) {
    churn.end()
    // A thread may still decode the last frame.
    let limit = seconds + patience
    while churn.budget.snapshot.heldBytes > 0 || churn.clock.nextDeadline != nil
      || churn.budget.snapshot.animationCount > 0
    {
      if seconds > limit {
        stop(
          "soak: without players \(churn.budget.snapshot.heldBytes) bytes of"
            + " \(churn.budget.snapshot.animationCount) animations are held, next deadline "
            + (churn.clock.nextDeadline.map { "\($0)" } ?? "none"))
      }
      usleep(10_000)
    }
  }

  /// The difference of the medians of the last and the first quarter.
  private static func growth(of sizes: [Int]) -> Int {
    let quarter = sizes.count / 4
    guard quarter > 0 else { return 0 }
    return median(sizes.suffix(quarter)) - median(sizes.prefix(quarter))
  }

  private static func median(_ sizes: ArraySlice<Int>) -> Int {
    let sorted = sizes.sorted()
    return sorted[sorted.count / 2]
  }

  private static func line(_ churn: Churn, _ counts: ProcessCounts, after time: Double) -> String {
    "\(Int(time)) s: \(churn.created) players, \(churn.commands) commands, \(churn.shown) frames shown, "
      + "\(churn.rests) rests, \(counts.residentBytes >> 20) MiB resident, \(counts.threads) threads, "
      + "\(counts.descriptors) descriptors"
  }
}

/// The options of the command line.
struct Options {
  var minutes = 2.0
  var seed = UInt64.random(in: 0...9_999)
  var changesFiles = false
  var files: [String] = []

  init?(_ arguments: ArraySlice<String>) {
    var rest = arguments
    while let argument = rest.popFirst() {
      switch argument {
      case "--minutes":
        guard let minutes = rest.popFirst().flatMap({ Double($0) }), minutes > 0, minutes < 1e6 else {
          return nil
        }
        self.minutes = minutes
      case "--seed":
        guard let seed = rest.popFirst().flatMap({ UInt64($0) }) else { return nil }
        self.seed = seed
      case "--files": changesFiles = true
      case _ where argument.hasPrefix("-"): return nil
      default: files.append(argument)
      }
    }
    guard !files.isEmpty else { return nil }
  }
}
