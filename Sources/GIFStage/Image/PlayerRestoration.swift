internal import GIFDecoding
internal import GIFPlayback
internal import GIFTimeline

/// Creates players and restores playback positions in them.
///
/// Views change a player's state only through this type.
enum PlayerRestoration {
  static func makePlayer(
    _ image: GIFImage, properties: ImageProperties, size: PixelSize?, services: StageServices
  ) -> GIFPlayer {
    var options = GIFPlayer.Options()
    options.mode = properties.mode
    options.range = properties.range
    options.rate = properties.rate
    options.delayPolicy = properties.delayPolicy
    options.latePolicy = properties.latePolicy
    options.loopCount = properties.loopCount
    options.size = size
    options.cachePolicy = services.cachePolicy
    options.budget = services.budget
    let player = GIFPlayer(image, options: options, clock: services.clock, pool: services.pool)
    services.onPlayer(player, properties.source ?? "")
    return player
  }

  /// Changes a player's mode or range within the current loop.
  static func reorder(_ player: GIFPlayer, by properties: ImageProperties) {
    // Setting a value may emit an event, so only changed values are set.
    if player.mode != properties.mode { player.mode = properties.mode }
    if player.range != properties.range { player.range = properties.range }
  }

  static func snapshot(of player: GIFPlayer, isPlaying: Bool) -> PlaybackSnapshot {
    var snapshot = PlaybackSnapshot(isPlaying: isPlaying)
    snapshot.position = player.position
    snapshot.isFinished = player.state == .finished
    return snapshot
  }

  /// Restores a position in a new player with the same schedule.
  static func restore(_ snapshot: PlaybackSnapshot, to player: GIFPlayer, plays: Bool) {
    guard !snapshot.isFinished else {
      // A seek to the end would finish a second time.
      return player.restore(
        GIFPlayback.PlaybackSnapshot(
          state: .finished, mode: player.mode, range: player.range, rate: player.rate))
    }
    // A player at its start needs no seek: its first frame change has the cause `play`.
    if snapshot.position > .zero || !plays { player.seek(to: snapshot.position) }
    if plays { player.play() }
  }

  /// Seeks a new player with another schedule to a frame, or to its start if the frame is outside its range.
  static func resume(atFrame frame: Int?, with player: GIFPlayer, plays: Bool) {
    let range = player.timeline.range
    if let frame, range.contains(frame) {
      player.seek(toFrame: frame)
    } else {
      player.seek(to: .zero)
    }
    if plays { player.play() }
  }
}
