internal import EngineSupport
internal import GIFCaching
public import GIFDecoding
public import GIFTimeline
internal import Synchronization

// MARK: - Control

extension GIFPlayer {
  /// Starts, goes on after a pause, or begins anew after the end. Time begins to run with the first picture.
  public func play() { update { $0.machine.play(at: $1) } }

  /// Holds the picture; what is left of its time is kept.
  public func pause() { update { $0.machine.pause(at: $1) } }

  /// Goes back to the start and shows the first picture.
  public func stop() { update { $0.machine.stop(at: $1) } }

  /// Plays from the start, whatever went before.
  public func restart() { update { $0.machine.restart(at: $1) } }

  /// Goes to a frame of the present loop. Playing goes on from there. A frame that is not played is ignored.
  public func seek(toFrame index: Int) { update { $0.machine.seek(toFrame: index, at: $1) } }

  /// Goes to a media time, counted from the start of the first loop.
  public func seek(to time: Duration) { update { $0.machine.seek(toMedia: time.wholeNanoseconds, at: $1) } }

  /// Pauses and shows the frame so many steps on, or back where negative.
  public func step(by count: Int = 1) { update { $0.machine.step(by: count, at: $1) } }

  /// Shows a frame without playing, where nothing has been played since the start or the last stop: the one given,
  /// or that of the options, or the first one played. A frame that is not there is ignored.
  public func showPoster(_ index: Int? = nil) {
    update { core, _ in
      let chosen = index ?? core.options.poster ?? core.machine.timeline.order.first
      if let chosen, core.image.frames.indices.contains(chosen) { core.machine.showPoster(chosen) }
    }
  }
}

// MARK: - Settings

extension GIFPlayer {
  /// The speed, 0.05 - 20 times; set while playing it makes no jump.
  public var rate: Double {
    get { core.withLock { $0.machine.rate } }
    set { update { $0.machine.setRate(newValue, at: $1) } }
  }

  /// The order of the frames; set while playing it makes no jump: the picture and what is left of its time stay,
  /// and so does the number of the loop.
  public var mode: PlaybackMode {
    get { core.withLock { $0.options.mode } }
    set {
      update { core, now in
        core.options.mode = newValue
        core.machine.setTimeline(core.makeTimeline(), at: now)
      }
    }
  }

  /// The frames to play; nil for all. Set while playing it makes no jump, unless the picture is no longer among
  /// those: then the loop begins anew.
  public var range: Range<Int>? {
    get { core.withLock { $0.options.range } }
    set {
      update { core, now in
        core.options.range = newValue
        core.machine.setTimeline(core.makeTimeline(), at: now)
      }
    }
  }

  /// How motion is reduced. With the first picture alone, playing goes on where it was turned off, from the start.
  public var reducedMotion: ReducedMotion {
    get { core.withLock { $0.machine.reducedMotion } }
    set { update { $0.machine.setReducedMotion(newValue, at: $1) } }
  }

  /// Whether anybody sees the pictures. A hidden player keeps its schedule, but shows, decodes and tells nothing and
  /// wakes nobody; once it is seen again it shows what is due then.
  public var isVisible: Bool {
    get { core.withLock { $0.machine.isVisible } }
    set {
      // Seen again, it is served before it looks; hidden, after its last look.
      if newValue { source.setVisibility(.visible) }
      update { core, _ in core.machine.isVisible = newValue }
      tellVisibility()
    }
  }

  /// Has the cache know what holds in the end, also where two threads say different things at once.
  private func tellVisibility() {
    var told: Bool
    repeat {
      told = isVisible
      source.setVisibility(told ? .visible : .hidden)
    } while told != isVisible
  }
}

// MARK: - Scrubbing

extension GIFPlayer {
  /// Holds the time while somebody drags a handle: ``scrub(toFrame:)`` and ``scrub(to:)`` follow each other until
  /// ``endScrubbing()``. The newest target wins; those that it overtakes are neither shown nor decoded.
  ///
  /// Play and pause meanwhile say what is done at the end; stop, restart and single steps end it.
  public func beginScrubbing() { update { $0.machine.beginScrubbing(at: $1) } }

  /// Goes to a frame of the present loop; nothing where no scrubbing has begun.
  public func scrub(toFrame index: Int) {
    update { if $0.machine.isScrubbing { $0.machine.seek(toFrame: index, at: $1) } }
  }

  /// Goes to a media time; nothing where no scrubbing has begun.
  public func scrub(to time: Duration) {
    update { if $0.machine.isScrubbing { $0.machine.seek(toMedia: time.wholeNanoseconds, at: $1) } }
  }

  /// Goes on from the last target if it was playing before.
  public func endScrubbing() { update { $0.machine.endScrubbing(at: $1) } }

  public var isScrubbing: Bool { core.withLock { $0.machine.isScrubbing } }
}

// MARK: - Keeping the state

extension GIFPlayer {
  /// Where the player stands now, to be kept.
  public var snapshot: PlaybackSnapshot {
    let now = clock.now
    return core.withLock { core in
      let machine = core.machine
      let place = machine.position(at: max(now, core.lastLook))
      let left = place.flatMap { place in place.nextChange.map { $0 - place.time } }
      return PlaybackSnapshot(
        state: machine.resumedState, frame: place?.frame ?? 0, elapsed: .nanoseconds(place?.offset ?? 0),
        remainder: .nanoseconds(left ?? 0), loop: place?.loop ?? 0,
        isReturning: place.map { machine.timeline.isReturning(atStep: $0.step) } ?? false,
        mode: core.options.mode, range: core.options.range, rate: machine.rate)
    }
  }

  /// Takes a state that was kept, of this image or another one. What the image does not have is passed over: the
  /// player then stands at the start of the loop.
  public func restore(_ snapshot: PlaybackSnapshot) {
    update { core, _ in
      core.options.mode = snapshot.mode
      core.options.range = snapshot.range
      let timeline = core.makeTimeline()
      let step = timeline.step(showing: snapshot.frame, isReturning: snapshot.isReturning)
      let offset = step == nil ? 0 : snapshot.elapsed.wholeNanoseconds
      core.machine.restore(
        timeline, at: timeline.position(ofStep: step ?? 0, loop: snapshot.loop, offset: offset),
        rate: snapshot.rate, state: snapshot.state)
    }
  }
}

// MARK: - Images that load

extension GIFPlayer {
  /// Takes more of the image: one with the same frames and further ones, as ``GIFStream/image`` gives it.
  ///
  /// While it is loading, playback goes through what is there and then waits on the last whole frame; no loop ends
  /// before the end is known. The first frame shows as far as it has come.
  ///
  /// An image with fewer frames than before is not taken, nor any after the end.
  ///
  /// - Parameter isComplete: whether all frames are there.
  public func update(_ image: GIFImage, isComplete: Bool) {
    update { core, now in
      guard !core.options.isComplete else { return }
      let isNew = core.take(image, isComplete: isComplete)
      if isNew || isComplete { self.source.grow(to: core.image, isComplete: isComplete) }
      core.machine.grow(to: core.makeTimeline(), at: now)
      if isNew, core.completeFrameCount == 0, core.machine.isActive { core.machine.showPoster(0) }
    }
  }

  /// Whether all frames of the image are known.
  public var isComplete: Bool { core.withLock { $0.options.isComplete } }
}
