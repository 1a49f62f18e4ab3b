internal import GIFDecoding
internal import GIFPlayback

/// Makes players that go on where others stood.
///
/// All that a view does with a player's state goes through here: it is the one place to change when players can
/// be given other plays or another size while they play.
enum PlayerHandover {
  static func makePlayer(
    _ image: GIFImage, properties: ImageProperties, size: PixelSize?, services: StageServices
  ) -> GIFPlayer {
    var options = GIFPlayer.Options()
    options.mode = properties.mode
    options.range = properties.range
    options.rate = properties.rate
    options.delays = properties.delays
    options.late = properties.late
    options.loopCount = properties.loopCount
    options.size = size
    options.cache = services.cache
    options.budget = services.budget
    let player = GIFPlayer(image, options: options, clock: services.clock, pool: services.pool)
    services.onPlayer(player, properties.source ?? "")
    return player
  }

  /// Has a player go through its frames in another order, or through others of them, in the loop that it is in.
  static func reorder(_ player: GIFPlayer, by properties: ImageProperties) {
    // Each is told as an event where it changes what is shown, so only what has changed is set.
    if player.mode != properties.mode { player.mode = properties.mode }
    if player.range != properties.range { player.range = properties.range }
  }

  static func snapshot(of player: GIFPlayer, isPlaying: Bool) -> PlaybackSnapshot {
    var snapshot = PlaybackSnapshot(isPlaying: isPlaying)
    snapshot.position = player.position
    snapshot.isFinished = player.state == .finished
    return snapshot
  }

  /// Puts a new player where another with the same schedule stood.
  static func restore(_ snapshot: PlaybackSnapshot, to player: GIFPlayer, plays: Bool) {
    guard !snapshot.isFinished else {
      // A seek to the end would leave its last moment to be played, and its end to be told once more.
      return player.restore(
        PlayerState(run: .finished, mode: player.mode, range: player.range, rate: player.rate))
    }
    // A player at its start needs no seek: its first picture begins to play and was not sought.
    if snapshot.position > .zero || !plays { player.seek(to: snapshot.position) }
    if plays { player.play() }
  }

  /// Puts a new player at the frame that one with another schedule showed, or at its start where it plays others.
  static func goOn(atFrame frame: Int?, with player: GIFPlayer, plays: Bool) {
    let range = player.timeline.range
    if let frame, range.contains(frame) {
      player.seek(toFrame: frame)
    } else {
      player.seek(to: .zero)
    }
    if plays { player.play() }
  }
}
