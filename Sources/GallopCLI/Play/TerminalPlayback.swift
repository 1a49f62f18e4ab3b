internal import GIFPlayback

struct TerminalPlayback {
  let players: [(path: String, player: GIFPlayer)]
  let seconds: Double?
  func run() throws {}
}
