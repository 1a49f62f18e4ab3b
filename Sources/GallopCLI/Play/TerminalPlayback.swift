internal import GIFDecoding
internal import GIFPlayback
internal import TerminalDisplay

/// Plays in the terminal: one picture at a time, with a status line and keys.
///
/// The loop draws the newest picture whenever it comes round to it; a slow terminal therefore sees fewer pictures,
/// each at its time, rather than all of them late.
struct TerminalPlayback {
  let players: [(path: String, player: GIFPlayer)]
  /// Real seconds to play; nil until a key ends it.
  let seconds: Double?
  let graphics: TerminalGraphics?

  func run() throws {
    guard let capabilities = TerminalCapabilities.detect(choice: graphics) else {
      throw CommandFailure(
        reason: "standard output is no terminal that pictures can be shown in; try --headless")
    }
    do {
      let session = try TerminalSession(graphics: capabilities.graphics)
      var screen = TerminalScreen(session: session, capabilities: capabilities)
      let ending = try show(on: &screen, input: TerminalInput(session: session))
      for entry in players { entry.player.pause() }
      if let ending { session.end(by: ending) }
      session.end()
    } catch let error as TerminalError {
      throw CommandFailure(reason: error.description)
    }
  }

  /// Runs until it is over; returns the signal that ended it, if it was one.
  private func show(on screen: inout TerminalScreen, input: TerminalInput) throws -> TerminalSignal? {
    let time = MonotonicTimeSource()
    let end = seconds.map { time.now() + .seconds($0) }
    var current = 0
    let waker = screen.waker
    // Whatever a player tells: the loop looks for itself what there is to draw.
    for entry in players {
      entry.player.onFrameChange { _ in waker.wake() }
      entry.player.onFinish { _ in waker.wake() }
      entry.player.onFailure { _ in waker.wake() }
    }
    players[current].player.play()
    while true {
      let (path, player) = players[current]
      try screen.draw(player, name: OutputFile.baseName(of: path), place: (current, players.count))
      if let end, time.now() >= end { return nil }
      let timeout = end.map { Int(max(1, ($0 - time.now()).milliseconds.rounded(.up))) }
      switch try input.next(timeout: timeout) {
      case .key(let key):
        switch PlayKey(key) {
        case .end: return nil
        case .other(let offset):
          player.pause()
          current = (current + offset + players.count) % players.count
          screen.forget()
          players[current].player.play()
        case let command?: command.apply(to: player)
        case nil: break
        }
      case .resize, .resumed: screen.forget()
      case .interrupt(let signal): return signal
      case .endOfInput where end == nil: return nil
      case .wake, .timeout, .endOfInput: break
      }
    }
  }
}

/// What the keys do.
enum PlayKey: Equatable {
  case toggle
  case step(Int)
  case faster, slower, normalSpeed
  case restart
  /// To the next or the last file.
  case other(Int)
  case end

  init?(_ key: Key) {
    switch key {
    case .space: self = .toggle
    case .right, .character("."): self = .step(1)
    case .left, .character(","): self = .step(-1)
    case .character("+"), .character("="): self = .faster
    case .character("-"): self = .slower
    case .character("0"): self = .normalSpeed
    case .character("r"): self = .restart
    case .tab, .character("n"): self = .other(1)
    case .backTab, .character("p"): self = .other(-1)
    case .character("q"), .character("Q"), .escape, .control("c"), .control("d"): self = .end
    default: return nil
    }
  }

  /// Speeds go up and down by a quarter: three steps double or halve it, about.
  func apply(to player: GIFPlayer) {
    switch self {
    case .toggle: if player.state == .playing { player.pause() } else { player.play() }
    case .step(let count): player.step(by: count)
    case .faster: player.rate *= 1.25
    case .slower: player.rate /= 1.25
    case .normalSpeed: player.rate = 1
    case .restart: player.restart()
    case .other, .end: break
    }
  }
}
