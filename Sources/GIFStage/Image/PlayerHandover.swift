internal import GIFDecoding
internal import GIFPlayback

/// Makes players that go on where others stood.
///
/// All that a view does with a player's state goes through here: it is the one place to change when players can
/// be given another schedule or size while they play.
enum PlayerHandover {
  static func makePlayer(
    _ image: GIFImage, properties: ImageProperties, size: PixelSize?, services: StageServices
  ) -> GIFPlayer {
    var options = GIFPlayer.Options()
    options.mode = properties.mode
    options.range = properties.range
    options.rate = properties.rate
    options.loopCount = properties.loopCount
    options.size = size
    options.cache = services.cache
    options.budget = services.budget
    return GIFPlayer(image, options: options, clock: services.clock, pool: services.pool)
  }

  static func snapshot(of player: GIFPlayer, isPlaying: Bool) -> PlaybackSnapshot {
    var snapshot = PlaybackSnapshot(isPlaying: isPlaying)
    snapshot.position = player.position
    snapshot.isFinished = player.state == .finished
    return snapshot
  }

  /// Puts a new player where another with the same schedule stood.
  static func restore(_ snapshot: PlaybackSnapshot, to player: GIFPlayer, plays: Bool) {
    // A player at its start needs no seek: its first picture begins to play and was not sought.
    if snapshot.position > .zero || !plays { player.seek(to: snapshot.position) }
    if plays, !snapshot.isFinished { player.play() }
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
