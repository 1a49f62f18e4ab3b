internal import GIFDecoding

// The states of a machine, and what others read of them.

extension PlaybackMachine {
  /// What the commands so far ask for.
  enum Phase: Sendable, Equatable {
    /// Time stands until a command.
    case idle(Idleness)
    /// The user drags: time stands, and seeks follow each other. At the end playback may resume.
    case scrubbing(over: Idleness, resumes: Bool)
    case playing
  }

  enum Idleness: Sendable, Equatable {
    case stopped, paused, finished
  }

  /// How media time goes; it runs in the phase `playing` only.
  enum Course: Sendable, Equatable {
    case standing(Standing)
    /// Time runs. The next change is due at `nextTick`, as the last tick found; nil if nothing is due.
    case running(MediaClock, nextTick: PlaybackInstant?)
  }

  /// Where time stands, and what is to be shown there.
  struct Standing: Sendable, Equatable {
    var time: Int64 = 0
    /// The step, if media time alone would not lead there: steps may have no duration.
    var place: Timeline.Position?
    /// The frame of the present position is to be shown before time runs.
    var pending: Pending?
    /// A frame to show before anything is played.
    var poster: Int?
    /// Whether time stands at the end of what has been loaded, until enough follows.
    var awaitsSource = false
  }

  /// Why a frame is to be shown before time runs.
  package struct Pending: Sendable, Equatable {
    package var cause: ChangeCause
    /// When it was due, if time waits for a late frame.
    package var dueAt: PlaybackInstant?
    /// Frames skipped before it.
    package var skipped = 0
  }

  /// Whether a group decides when time starts.
  enum Membership: Sendable, Equatable {
    case none
    /// Time stands until the group starts it.
    case heldBack
    case started
  }

  /// The frame shown last.
  struct LastShown: Sendable, Equatable {
    /// Its place in the schedule: loop times steps plus step.
    var step: Int64
    /// While catching up: the end of its shortened time.
    var standsUntil: PlaybackInstant?
  }

  /// What the last tick found missing.
  struct Shortage: Sendable, Equatable {
    /// The frame that should be seen now.
    var isWaiting = false
    /// Whatever follows the frames loaded so far.
    var awaitsFrames = false
  }
}

extension PlaybackMachine {
  package var state: PlaybackState {
    switch phase {
    case .playing: .playing
    case .idle(.stopped), .scrubbing(over: .stopped, _): .stopped
    case .idle(.paused), .scrubbing(over: .paused, _): .paused
    case .idle(.finished), .scrubbing(over: .finished, _): .finished
    }
  }

  package var isScrubbing: Bool { if case .scrubbing = phase { true } else { false } }

  /// The state, or the one that the end of scrubbing brings.
  package var resumedState: PlaybackState {
    if case .scrubbing(_, resumes: true) = phase { .playing } else { state }
  }

  /// Where time stands; nil while it runs.
  var standing: Standing? { if case .standing(let standing) = course { standing } else { nil } }

  package var pending: Pending? { if case .standing(let standing) = course { standing.pending } else { nil } }

  package var isTimeRunning: Bool { if case .running = course { true } else { false } }

  package var isInGroup: Bool { membership != .none }

  package var isHeldBack: Bool { membership == .heldBack }

  /// The place in the schedule of the frame shown last: loop times steps plus step.
  package var shownStep: Int64? { shown?.step }

  /// Whether the frame that should be seen now is missing.
  package var isWaiting: Bool { shortage.isWaiting }

  /// Whether a frame is wanted, now or later: not of a stopped player whose poster was shown, whatever
  /// arrives.
  package var isActive: Bool { state != .stopped || standing?.pending != nil || standing?.poster != nil }

  /// Whether there is a frame to show, or may be once more has been loaded.
  package var canShow: Bool { timeline.stepCount > 0 || !timeline.isComplete }

  /// Plays that are not over; nil if they are without end or not known yet.
  package var loopsLeft: Int? {
    guard timeline.isComplete, case .plays(let count) = timeline.loopCount else { return nil }
    return state == .finished ? 0 : max(0, count - loopsReported)
  }

  /// Why playback waits; nil if it does not.
  package var bufferingReason: BufferingReason? {
    guard phase == .playing, visibility == .visible else { return nil }
    if shortage.awaitsFrames || standing?.awaitsSource == true { return .source }
    if !timeline.isComplete, timeline.stepCount == 0 { return .source }
    return pending?.dueAt != nil && isWaiting ? .decoder : nil
  }

  /// Changes what is to be shown where time stands; does nothing while it runs.
  mutating func change(_ body: (inout Standing) -> Void) {
    guard case .standing(var standing) = course else { return }
    body(&standing)
    course = .standing(standing)
  }
}
