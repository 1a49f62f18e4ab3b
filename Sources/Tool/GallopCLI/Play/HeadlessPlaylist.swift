internal import ArgumentParser
internal import Gallop

extension PlayCommand {
  /// Plays the files without a display, all at once or one after another. One after another, an endless
  /// animation plays once.
  func playWithoutDisplay() throws {
    let recorder = tracing.makeRecorder()
    var outcomes = FileOutcomes()
    try tracing.saving(recorder) {
      guard isOneByOne else {
        var playback = HeadlessPlayback(self, seconds: seconds, recorder: recorder)
        outcomes = try playback.run()
        return
      }
      let start = PlaybackInstant.now
      for target in files.indices {
        let left = seconds.map { $0 - (PlaybackInstant.now - start) / .seconds(1) }
        if let left, left <= 0 { return }
        var playback = HeadlessPlayback(
          self, targets: [target], seconds: left, endsEndless: true, recorder: recorder)
        outcomes.add(try playback.run())
      }
    }
    try outcomes.check(reading.messages)
  }
}
