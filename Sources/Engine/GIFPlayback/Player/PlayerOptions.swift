internal import EngineSupport
public import GIFCaching
public import GIFDecoding
public import GIFFlashes
public import GIFTimeline

extension GIFPlayer {
  /// How an animation is played.
  public struct Options: Sendable {
    /// Which delays count: the file's, or those that browsers make of them.
    public var delayPolicy: DelayPolicy
    /// Total plays; nil for what the file says.
    public var loopCount: LoopCount?
    /// The order of the frames.
    public var mode: PlaybackMode
    /// The frames to play, clipped to those of the image; nil for all, which also a range without any of them
    /// means.
    public var range: Range<Int>?
    /// The speed, clipped to 0.05 - 20 times.
    public var rate: Double
    /// What becomes of late frames.
    public var latePolicy: LatePolicy
    /// What becomes of long gaps in the clock.
    public var suspensionPolicy: SuspensionPolicy
    /// How motion is reduced.
    public var reducedMotion: ReducedMotion
    /// What becomes of a GIF that flashes more than WCAG 2.2 allows.
    public var flashPolicy: FlashPolicy
    /// The size at which the frames are shown in CSS pixels, for ``flashPolicy``; nil for their own.
    public var shownSize: PixelSize?
    /// Whether GIFs of its size play beside it, as in a grid, for ``flashPolicy``.
    public var sharesField: Bool
    /// Whether other players show fewer frames first when decoding cannot keep up: see
    /// ``PlaybackClock/loadLevel``.
    public var priority: PlaybackPriority
    /// Whether the user sees the frames from the start: a hidden player begins once it is visible.
    public var visibility: Visibility
    /// Whether all frames of the image are known: see ``GIFPlayer/update(_:isComplete:)``.
    public var isComplete: Bool
    /// How much playback has to arrive before a wait for the source ends; less where the image ends. With
    /// zero each frame is shown as it comes. See ``BufferingReason/source``.
    public var resumeBuffer: Duration
    /// The size of the frames exactly; nil for that of the canvas. A wall of thumbnails then holds
    /// thumbnails.
    public var size: PixelSize?
    /// Where ``size`` is nil, bounds for the frames, which keep the canvas's shape and are never enlarged.
    /// For a GIF that loads, whose shape is not known yet.
    public var fittingSize: PixelSize?
    /// Which frames are decoded ahead, and which are kept.
    public var cachePolicy: CachePolicy
    /// The memory for the frames; one for the process unless another is given.
    public var budget: FrameBudget

    /// Makes options; what is left out is as in browsers.
    public init(
      delayPolicy: DelayPolicy = .browser, loopCount: LoopCount? = nil, mode: PlaybackMode = .forward,
      range: Range<Int>? = nil, rate: Double = 1, latePolicy: LatePolicy = .skip,
      suspensionPolicy: SuspensionPolicy = .resume, reducedMotion: ReducedMotion = .off,
      flashPolicy: FlashPolicy = .allow, shownSize: PixelSize? = nil, sharesField: Bool = false,
      priority: PlaybackPriority = .high, visibility: Visibility = .visible, isComplete: Bool = true,
      resumeBuffer: Duration = .milliseconds(500), size: PixelSize? = nil,
      fittingSize: PixelSize? = nil, cachePolicy: CachePolicy = CachePolicy(), budget: FrameBudget = .shared
    ) {
      self.delayPolicy = delayPolicy
      self.loopCount = loopCount
      self.mode = mode
      self.range = range
      self.rate = rate
      self.latePolicy = latePolicy
      self.suspensionPolicy = suspensionPolicy
      self.reducedMotion = reducedMotion
      self.flashPolicy = flashPolicy
      self.shownSize = shownSize
      self.sharesField = sharesField
      self.priority = priority
      self.visibility = visibility
      self.isComplete = isComplete
      self.resumeBuffer = resumeBuffer
      self.size = size
      self.fittingSize = fittingSize
      self.cachePolicy = cachePolicy
      self.budget = budget
    }

    var schedule: PlayerSchedule {
      PlayerSchedule(
        delayPolicy: delayPolicy, loopCount: loopCount, mode: mode, range: range, isComplete: isComplete)
    }

    var flashes: FlashGuard {
      FlashGuard(policy: flashPolicy, shownSize: shownSize, sharing: sharesField ? .full : .alone)
    }

    var rules: PlaybackRules {
      PlaybackRules(
        latePolicy: latePolicy, suspensionPolicy: suspensionPolicy,
        resumeBuffer: max(0, resumeBuffer.wholeNanoseconds))
    }
  }
}
