internal import ArgumentParser
internal import GIFDecoding
internal import GIFPlayback
internal import GIFTimeline

extension PlayCommand {
  /// Plays the files one after another, without a display. An endless animation plays once.
  func playOneByOne() throws {
    let time = MonotonicTimeSource()
    let start = time.now()
    let recorder = tracing.makeRecorder()
    var target = -1
    var hasFailed = false
    try tracing.saving(recorder) {
      try forEachFile(files, reading.messages) { turn in
        target += 1
        let left = seconds.map { $0 - (time.now() - start) / .seconds(1) }
        if let left, left <= 0 { return }
        let image = try open(turn)
        _ = try range?.range(in: image)
        var options = playerOptions
        if options.loopCount == nil, image.loopCount == .forever { options.loopCount = .plays(1) }
        let player = GIFPlayer(image, options: options)
        let name = SourceReading.name(of: turn.path)
        recorder?.record(player, as: name)
        let isEndless = image.frameCount > 1 && options.loopCount == .forever
        do {
          try HeadlessPlayback(
            players: [(target, name, player)], printsEvents: events, seconds: left, speed: speed,
            isEndless: isEndless
          ).run()
        } catch let status as ExitCode where status == ExitCode(1) {
          // The failure of the player is told already; the next file follows.
          hasFailed = true
        }
      }
    }
    if hasFailed { throw ExitCode(1) }
  }
}
