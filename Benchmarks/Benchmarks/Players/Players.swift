import Gallop
import Glibc
import Measuring

/// What hidden players cost: memory, wake-ups, decoding, and the time of a change, for different numbers of
/// them.
///
/// Each file is copied until there are as many as asked for, so that players of different files share no
/// frames. All players play. Those of the first table have never been seen; those of the second were, a few
/// at a time, and a budget of 64 MiB holds the pictures that they showed last. Exit status 1 if hidden
/// players do anything, or take more memory each, without what the budget counts, than the limit; 64 for
/// wrong usage.
///
///     Players [--players N] [--files N] [--limit-kib N] FILE...
@main
struct Players {
  private let players: Int
  private let copies: Int
  private let limitKiB: Int
  private let files: [String]

  /// How many players are seen at a time.
  private static let page = 50

  static func main() throws {
    let standard = ["players": 10_000, "files": 1000, "limit-kib": 8]
    guard let arguments = Arguments(CommandLine.arguments.dropFirst(), standard: standard) else {
      stop("usage: Players [--players N] [--files N] [--limit-kib N] FILE...", status: 64)
    }
    try Players(arguments).run()
  }

  private init(_ arguments: Arguments) {
    players = arguments["players"]
    copies = arguments["files"]
    limitKiB = arguments["limit-kib"]
    files = arguments.files
  }

  private func run() throws {
    guard let copies = Copies(of: files, count: copies) else { stop("players: the files cannot be copied") }
    defer { copies.remove() }
    let images = try copies.paths.map { try GIFImage(contentsOfFile: $0) }
    let counts = [players / 100, players / 10, players].filter { $0 > 0 }
    say("\(images.count) files. A change: one player is shown, or hidden again.\n\nNever seen:\n")
    let quiet = Hall(images)
    let unseen = table(of: counts, in: quiet, page: nil)
    say("\nSeen once:\n")
    let seen = table(of: counts, in: Hall(images), page: Self.page)
    // The first players stay, so that the second ones do not use their memory again.
    withExtendedLifetime(quiet) {}
    for row in [unseen, seen] {
      guard row.ownKiB <= Double(limitKiB) else {
        stop("players: a hidden player takes more than \(limitKiB) KiB")
      }
      guard row.waits <= 1, row.decodes == 0 else {
        stop("players: \(row.players) hidden players do something")
      }
    }
    say("players: passed")
  }

  /// Prints what this many players cost; returns the last row.
  private func table(of counts: [Int], in hall: Hall, page: Int?) -> Row {
    say(
      "| players | KiB of memory each | without the budget's | us of CPU a change | waits in 3 s | us of CPU in 3 s | frames decoded |"
    )
    say("| --: | --: | --: | --: | --: | --: | --: |")
    var last: Row?
    for count in counts {
      hall.grow(to: count, page: page)
      let row = hall.measure()
      say(row.text)
      last = row
    }
    guard let last else { stop("players: there are none") }
    return last
  }
}

/// What a number of hidden players costs.
struct Row {
  let players: Int
  let memoryKiB: Double
  /// Without what the budget counts.
  let ownKiB: Double
  let changeMicroseconds: Double
  /// The measuring thread itself waits once.
  let waits: Int
  let cpuMicroseconds: Double
  let decodes: Int

  var text: String {
    "| \(players) | \(tenths(memoryKiB)) | \(tenths(ownKiB)) | \(tenths(changeMicroseconds)) | \(waits)"
      + " | \(Int(cpuMicroseconds)) | \(decodes) |"
  }

  private func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }
}

/// Players of images in turn, on one clock, pool and budget.
final class Hall {
  private let images: [GIFImage]
  private let budget = FrameBudget(limit: 64 << 20)
  private let clock = PlaybackClock()
  private var players: [GIFPlayer] = []
  /// Bytes before the first player.
  private let base: Int

  init(_ images: [GIFImage]) {
    self.images = images
    base = anonymousBytes
  }

  /// Makes players until there are `count`. With a page, this many at a time are seen until each shows a
  /// frame.
  func grow(to count: Int, page: Int?) {
    while players.count < count {
      let first = players.count
      while players.count < min(count, first + (page ?? count)) {
        var options = GIFPlayer.Options()
        options.budget = budget
        let player = GIFPlayer(images[players.count % images.count], options: options, clock: clock)
        if page == nil { player.visibility = .hidden }
        player.play()
        players.append(player)
      }
      guard page != nil else { continue }
      let limit = seconds + 30
      while players[first...].contains(where: { $0.currentFrame == nil && $0.state != .failed }) {
        guard seconds < limit else { stop("players: a player shows nothing") }
        usleep(1000)
      }
      for player in players[first...] { player.visibility = .hidden }
    }
  }

  func measure() -> Row {
    usleep(500_000)
    let memory = anonymousBytes - base
    let own = memory - Int(budget.snapshot.heldBytes)
    let decodesBefore = decodes
    let (waitsBefore, cpuBefore) = (waits, cpuSeconds)
    usleep(3_000_000)
    let (woken, cpu) = (waits - waitsBefore, cpuSeconds - cpuBefore)
    let decoded = decodes - decodesBefore
    return Row(
      players: players.count, memoryKiB: Double(memory) / 1024 / Double(players.count),
      ownKiB: Double(own) / 1024 / Double(players.count), changeMicroseconds: change(), waits: woken,
      cpuMicroseconds: cpu * 1e6, decodes: decoded)
  }

  /// Microseconds of this thread's CPU time to show or hide one player, paused, so that nothing is decoded
  /// for it.
  private func change() -> Double {
    let some = stride(from: 0, to: players.count, by: max(1, players.count / 100)).map { players[$0] }
    for player in some { player.pause() }
    let start = threadSeconds
    for _ in 0..<20 {
      for player in some {
        player.visibility = .visible
        player.visibility = .hidden
      }
    }
    let time = threadSeconds - start
    for player in some { player.play() }
    return time * 1e6 / Double(40 * some.count)
  }

  private var decodes: Int { players.reduce(0) { $0 + $1.cacheStatistics.decodedFrames } }
}
