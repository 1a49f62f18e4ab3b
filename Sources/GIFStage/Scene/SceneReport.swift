public import GIFDecoding
public import GIFPlayback
public import GIFTimeline

/// What a ``PlayerScene`` tells of itself, for a log or a test; items are numbered from 0.
public enum SceneReport {
  case loaded(item: Int, GIFImage)
  case failed(item: Int, String)
  case frameChanged(item: Int, FrameChange)
  case loopCompleted(item: Int, LoopCompletion)
  case finished(item: Int)
  case playbackChanged(item: Int, isPlaying: Bool)
  case scrubbed(item: Int, ScrubEvent)
  case rangeChanged(item: Int, Range<Int>)
  case rateChanged(Double)
  case modeChanged(PlaybackMode)
  case resizeModeChanged(ResizeMode)
  case scrolled(visible: Range<Int>)
  case selected(item: Int)
}
