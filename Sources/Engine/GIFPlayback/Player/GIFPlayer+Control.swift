internal import EngineSupport
internal import GIFCaching
public import GIFDecoding
public import GIFTimeline

// MARK: - Control

extension GIFPlayer {
  /// Starts, goes on after a pause, or starts over after the end. Time starts with the first frame.
  public func play() { perform { $0.machine.play(at: $1) } }

  /// Holds the frame; the rest of its time is kept.
  public func pause() { perform { $0.machine.pause(at: $1) } }

  /// Goes back to the start and shows the first frame.
  public func stop() { perform { $0.machine.stop(at: $1) } }

  /// Plays from the start.
  public func restart() { perform { $0.machine.restart(at: $1) } }

  /// Goes to a frame of the present loop; playing goes on from there.
  ///
  /// - Returns: false, and nothing changes, for a frame that is not played, and if the player has failed.
  @discardableResult
  public func seek(toFrame index: Int) -> Bool {
    performIfPossible { $0.machine.seek(toFrame: index, at: $1) }
  }

  /// Goes to a media time, counted from the start of the first loop; at most to the last frame.
  public func seek(to time: Duration) { perform { $0.machine.seek(toMedia: time.wholeNanoseconds, at: $1) } }

  /// Goes to a time within the present loop, as a seek bar wants it; at most to its last frame.
  public func seek(inLoop time: Duration) {
    perform { $0.machine.seek(inLoop: time.wholeNanoseconds, at: $1) }
  }

  /// Pauses and shows the frame this many steps on, or back if negative; at most the last one or the first.
  public func step(by count: Int = 1) { perform { $0.machine.step(by: count, at: $1) } }

  /// Shows a frame without playing, if nothing has been played since the start or the last stop.
  ///
  /// - Parameter index: the frame; nil for the first one played. `GIFImage.posterIndex()` finds
  ///   one that is worth showing.
  /// - Returns: false, and nothing changes, for a frame that is not there, and if the player has failed.
  @discardableResult
  public func showPoster(_ index: Int? = nil) -> Bool {
    performIfPossible { core, _ in core.showPoster(index) }
  }

  /// Carries out a command that may be impossible. Returns whether it was possible.
  private func performIfPossible(_ command: (inout PlayerCore, PlaybackInstant) -> Bool) -> Bool {
    var isPossible = false
    perform { core, now in isPossible = command(&core, now) }
    return isPossible
  }
}

// MARK: - Settings

extension GIFPlayer {
  /// The speed, clipped to 0.05 - 20 times. A change makes no jump. What is no number changes nothing.
  public var rate: Double {
    get { contents.withLock { $0.core.machine.rate } }
    set { perform { $0.machine.setRate(newValue, at: $1) } }
  }

  /// The order of the frames. A change makes no jump: the frame, the rest of its time and the loop stay.
  public var mode: PlaybackMode {
    get { contents.withLock { $0.core.schedule.mode } }
    set { perform { $0.setMode(newValue, at: $1) } }
  }

  /// The frames that are played; nil for all. While the image loads they need not be there yet.
  public var range: Range<Int>? { contents.withLock { $0.core.schedule.range } }

  /// Plays other frames; nil for all. A change makes no jump, unless the frame shown is not among them: then
  /// the loop starts over.
  ///
  /// - Parameter range: the frames, clipped to those of the image. While that loads, frames may be named that
  ///   have not come yet; if none of them has when all are known, all are played.
  /// - Returns: false, and nothing changes, for a range without a frame of the image, and if the player has
  ///   failed.
  @discardableResult
  public func setRange(_ range: Range<Int>?) -> Bool { performIfPossible { $0.setRange(range, at: $1) } }

  /// How motion is reduced. After the first frame alone, playback goes on from the start.
  public var reducedMotion: ReducedMotion {
    get { contents.withLock { $0.core.machine.reducedMotion } }
    set { perform { $0.machine.setReducedMotion(newValue, at: $1) } }
  }

  /// Whether the user sees the frames.
  ///
  /// A hidden player keeps its schedule, but shows, decodes and reports nothing and causes no wake-up. A near
  /// one does the same, but has the frames ready that each command needs. A visible one shows what is due.
  /// Playback that has not begun begins with the first frame that is seen. Under ``LatePolicy/wait``, and
  /// where a ``FlashPolicy`` limits the motion, it goes on with the frame after the one seen last.
  ///
  /// A player that becomes visible reports the frame to be seen, with the cause ``ChangeCause/appear``, be it
  /// evicted or not: also that of a still or a finished GIF, and also if it is the frame shown last. A seek
  /// or a step made meanwhile keeps its own cause. A hidden player leaves the picture of its frame to the
  /// budget.
  public var visibility: Visibility {
    get { contents.withLock { $0.core.machine.visibility } }
    set { perform { $0.setVisibility(newValue, at: $1) } }
  }
}

// MARK: - Scrubbing

extension GIFPlayer {
  /// Holds the time while the user drags a handle; ``scrub(toFrame:)`` and ``scrub(to:)`` follow each other
  /// until ``endScrubbing()``. Only the newest target is decoded and shown.
  ///
  /// Play and pause meanwhile say what happens at the end; stop, restart and single steps end it.
  public func beginScrubbing() { perform { $0.machine.beginScrubbing(at: $1) } }

  /// Goes to a frame of the present loop.
  ///
  /// - Returns: false, and nothing changes, for a frame that is not played, and unless scrubbing has begun.
  @discardableResult
  public func scrub(toFrame index: Int) -> Bool {
    performIfPossible { $0.machine.isScrubbing && $0.machine.seek(toFrame: index, at: $1) }
  }

  /// Goes to a media time, at most to the last frame.
  ///
  /// - Returns: false, and nothing changes, unless scrubbing has begun.
  @discardableResult
  public func scrub(to time: Duration) -> Bool {
    performIfPossible { core, now in
      guard core.machine.isScrubbing else { return false }
      core.machine.seek(toMedia: time.wholeNanoseconds, at: now)
      return true
    }
  }

  /// Goes on from the last target if it was playing before.
  public func endScrubbing() { perform { $0.machine.endScrubbing(at: $1) } }

  package var isScrubbing: Bool { contents.withLock { $0.core.machine.isScrubbing } }
}

// MARK: - Saved states

extension GIFPlayer {
  /// The state to save.
  public var snapshot: PlaybackSnapshot {
    let now = clock.now
    return contents.withLock { contents in
      let (machine, schedule) = (contents.core.machine, contents.core.schedule)
      let place = machine.position(at: max(now, contents.core.lastTick))
      let left = place.flatMap { place in place.nextChange.map { $0 - place.time } }
      return PlaybackSnapshot(
        state: machine.resumedState, frame: place?.frame ?? 0, elapsed: .nanoseconds(place?.offset ?? 0),
        remainder: .nanoseconds(left ?? 0), loop: place?.loop ?? 0,
        isReturning: place.map { machine.timeline.isReturning(atStep: $0.step) } ?? false,
        mode: schedule.mode, range: schedule.range, rate: machine.rate)
    }
  }

  /// Takes a saved state, of this image or another one. If its frame is not played, the loop starts over.
  public func restore(_ snapshot: PlaybackSnapshot) {
    perform { core, _ in
      core.restore(
        frame: snapshot.frame, isReturning: snapshot.isReturning, loop: snapshot.loop,
        offset: snapshot.elapsed.wholeNanoseconds, mode: snapshot.mode, range: snapshot.range,
        rate: snapshot.rate, state: snapshot.state)
    }
  }
}

// MARK: - Images that load

extension GIFPlayer {
  /// Takes more of the image: one with the same frames and further ones, as ``GIFStream/image`` gives it.
  ///
  /// While it loads, playback goes through what is there and then waits on the last whole frame; no loop ends
  /// before the end is known. The first frame shows as far as it has come.
  ///
  /// - Parameter isComplete: whether all frames are there.
  /// - Returns: false if the player ignores the image: it has fewer frames than before, the player's image is
  ///   complete, or the player has failed.
  @discardableResult
  public func update(_ image: GIFImage, isComplete: Bool) -> Bool {
    grow(to: image, isComplete: isComplete, isOnEngineThread: false)
  }

  @discardableResult
  func grow(to image: GIFImage, isComplete: Bool, isOnEngineThread: Bool) -> Bool {
    var isTaken = false
    // Without the lock. What others hold already has the bytes, too.
    let image = isComplete && error == nil && frames.join(image) ? frames.image : image
    carryOut(isOnEngineThread: isOnEngineThread) { contents, found in
      var newest = contents.image
      defer { contents.image = newest }
      return contents.perform(
        at: clock.now, isThere: { found.find($0, isDue: $1, in: frames) },
        command: { core, now in
          isTaken = !core.schedule.isComplete && image.frameCount >= newest.frameCount
          if isTaken { newest = image }
          if core.grow(to: image.animation, isComplete: isComplete, at: now) {
            frames.grow(to: newest, isComplete: isComplete)
          }
        })
    }
    if isComplete, isTaken { frames.tellBudget() }
    return isTaken
  }
}
