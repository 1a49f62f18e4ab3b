import Gallop
import Glibc
import Measuring
import Synchronization

/// Players of files that are cut, overwritten, deleted, replaced and appended to meanwhile.
///
/// Each must continue with the frames that its file had when it was opened, or fail because the file has
/// changed.
struct FileSoak {
  private static let playerCount = 50
  private static let fileCount = 12
  private static let patience = 60.0

  private let files: ChangingFiles
  private var random: Dice
  private let budget = FrameBudget(limit: 1 << 20)
  private let clock = PlaybackClock()
  private let pool = DecodePool(threadCount: 2)
  private var players: [FilePlayer] = []
  private var opened = 0
  private var failed = 0
  private var refused = 0
  private var shownBefore = 0

  init(_ samples: [String], seed: UInt64) throws(GIFError) {
    var contents: [FileContent] = []
    for path in samples {
      for variant: UInt8 in [0, 0x11] {
        if let content = try FileContent(sample: path, variant: variant) { contents.append(content) }
      }
    }
    guard !contents.isEmpty else { stop("soak: none of the files has frames and a global palette") }
    files = ChangingFiles(contents, count: Self.fileCount)
    random = Dice(state: seed)
  }

  mutating func run(for length: Double) {
    defer { files.remove() }
    let start = seconds
    var nextLine = start + 10
    while seconds < start + length {
      while players.count < Self.playerCount { open(.random(in: 0..<files.count, using: &random)) }
      files.change(.random(in: 0..<files.count, using: &random), using: &random)
      look()
      // Some make room, so that all states of the files come to be played.
      if Int.random(in: 0..<20, using: &random) == 0 { drop(.random(in: 0..<players.count, using: &random)) }
      usleep(2_000)
      if seconds >= nextLine {
        nextLine += 10
        say(line(after: seconds - start))
      }
    }
    let last = line(after: seconds - start)
    guard failed > 0, shown > 0 else { stop("\(last): no player failed, or none played") }
    players = []
    let limit = seconds + Self.patience
    while budget.snapshot.heldBytes > 0 || clock.nextDeadline != nil {
      if seconds > limit { stop("soak: without players \(budget.snapshot.heldBytes) bytes are held") }
      usleep(10_000)
    }
    say("\(last): passed")
  }

  private var shown: Int { shownBefore + players.reduce(0) { $0 + $1.shown } }

  private mutating func open(_ file: Int) {
    do throws(GIFLoadingError) {
      let image = try GIFImage(contentsOfFile: files.path(file))
      guard image.frameCount > 0 else { return files.restore(file) }
      let content = files.contents[files.held[file]]
      players.append(FilePlayer(image, content, budget: budget, clock: clock, pool: pool))
      opened += 1
    } catch {
      refused += 1
      files.restore(file)
    }
  }

  private mutating func drop(_ place: Int) {
    shownBefore += players[place].shown
    players.remove(at: place)
  }

  private mutating func look() {
    for place in players.indices.reversed() {
      let player = players[place]
      if player.wrong > 0 {
        stop("soak: player \(player.player.id) has shown a picture that its file never held")
      }
      if let code = player.failure {
        guard code == .fileChanged else { stop("soak: a player failed with \(code.rawValue)") }
        failed += 1
        drop(place)
      } else if seconds - player.lastNews > Self.patience, player.player.image.frameCount > 1 {
        stop("soak: player \(player.player.id) neither shows anything nor fails")
      }
    }
  }

  private func line(after time: Double) -> String {
    let counts = ProcessCounts.now
    return "\(Int(time)) s: \(files.changes) changes of \(files.count) files, \(opened) players, "
      + "\(shown) frames shown, \(failed) failed with a reason, \(refused) times not opened, \(counts.residentBytes >> 20) MiB resident, "
      + "\(counts.threads) threads, \(counts.descriptors) descriptors"
  }
}

/// A player that compares what it shows with what its file held when it was opened.
final class FilePlayer {
  let player: GIFPlayer
  private let news = News()

  private final class News: Sendable {
    let shown = Atomic<Int>(0)
    let wrong = Atomic<Int>(0)
    let lastShown = Atomic<Int>(Int(seconds * 1000))
    let failure = Mutex<GIFError.Code?>(nil)
  }

  init(
    _ image: GIFImage, _ content: FileContent, budget: FrameBudget, clock: PlaybackClock, pool: DecodePool
  ) {
    var options = GIFPlayer.Options()
    options.budget = budget
    options.size = FileContent.size
    options.loopCount = .forever
    player = GIFPlayer(image, options: options, clock: clock, pool: pool)
    player.onFrameChange { [news] change in
      news.shown.add(1, ordering: .relaxed)
      news.lastShown.store(Int(seconds * 1000), ordering: .relaxed)
      // A frame that is cut off shows what there is of it, and those that build on it nothing.
      guard change.frame.status == .complete else { return }
      if FileContent.number(of: change.frame) != content.pictures[change.currentFrameIndex] {
        news.wrong.add(1, ordering: .relaxed)
      }
    }
    player.onFailure { [news] error in news.failure.withLock { $0 = error.code } }
    player.play()
  }

  var shown: Int { news.shown.load(ordering: .relaxed) }
  var wrong: Int { news.wrong.load(ordering: .relaxed) }
  var lastNews: Double { Double(news.lastShown.load(ordering: .relaxed)) / 1000 }
  var failure: GIFError.Code? { news.failure.withLock { $0 } }
}
