internal import CGallop
internal import EngineSupport
internal import Gallop

/// A player, as C holds it.
final class PlayerObject: HandleObject {
  static let kind = HandleKind.player
  static let hasThreads = true

  let player: GIFPlayer
  /// The frames of the image, for their delays.
  private let frames: Lock<[FrameInfo]>
  private let subscriptions = Subscriptions()
  /// Made when the program first asks for the descriptor.
  private let queue = Lock<EventQueue?>(nil)

  init(_ object: ImageObject, _ options: gallop_player_options) throws(Failure) {
    try ProcessState.shared.usePlayback()
    let clock = try unsafe ClockObject.clock(options.clock)
    player = try unsafe GIFPlayer(
      object.image, options: GIFPlayer.Options(options, object.image), clock: clock)
    frames = Lock(object.image.frames)
  }

  // A call on another thread may keep the player a moment longer; no event is delivered then.
  func close() {
    subscriptions.close()
    queue.withLock { $0 }?.close()
  }

  /// Takes more of the image; returns whether the player ignores it.
  func update(_ newer: ImageObject, isComplete: Bool) -> Bool {
    let isTaken = player.update(newer.image, isComplete: isComplete)
    // Released outside the lock.
    if isTaken { _ = frames.exchange(newer.image.frames) }
    return !isTaken
  }

  // MARK: Frames

  /// The frame shown last; nil before the first one.
  var currentFrame: FrameObject? { player.currentFrame.map { object(of: $0) } }

  func object(of frame: Frame) -> FrameObject { Self.object(of: frame, frames) }

  private static func object(of frame: Frame, _ frames: Lock<[FrameInfo]>) -> FrameObject {
    let delay = frames.withLock { frames in
      frames.indices.contains(frame.index) ? frames[frame.index].delayMilliseconds() : 0
    }
    return FrameObject(frame, delay: Int64(delay))
  }

  // MARK: Events

  /// Calls a function for events of some kinds; 0 for all.
  func onEvent(_ kinds: UInt32, _ function: UserFunction<gallop_event_callback>) -> UInt64 {
    let (id, frames) = (player.id, frames)
    return subscriptions.add(
      player.onEvent { event in
        guard let record = EventRecord(event, of: id) else { return }
        guard kinds == 0 || kinds & record.bit != 0 else { return }
        let handle = unsafe record.frame.flatMap { unsafe try? Handles.add(Self.object(of: $0, frames)) }
        var structure = unsafe record.structure(frame: handle)
        unsafe function.function(&structure, function.user)
        // The program may have released it already.
        if let handle = unsafe handle { unsafe _ = try? Handles.release(handle, FrameObject.self) }
      })
  }

  func remove(_ id: UInt64) throws(Failure) { try subscriptions.remove(id) }

  /// The descriptor of the events; collects them from the first call on.
  func descriptor() throws(Failure) -> Int32 {
    if let queue = queue.withLock({ $0 }) { return queue.descriptor }
    let new = try EventQueue()
    let chosen = queue.withLock { queue in
      if queue == nil { queue = new }
      return queue
    }
    if chosen === new {
      let id = player.id
      _ = subscriptions.add(player.onEvent { if let record = EventRecord($0, of: id) { new.put(record) } })
    }
    return chosen?.descriptor ?? -1
  }

  func nextEvent() -> EventRecord? { queue.withLock { $0 }?.take() }
}

extension Lock where State == [FrameInfo] {
  /// Exchanges the contents, and returns the old ones.
  fileprivate func exchange(_ new: [FrameInfo]) -> [FrameInfo] {
    withLock { frames in
      defer { frames = new }
      return frames
    }
  }
}

extension GIFPlayer.Options {
  init(_ options: gallop_player_options, _ image: GIFImage) throws(Failure) {
    self.init()
    delayPolicy = try unsafe DelayPolicy(options.delay, milliseconds: options.delay_ms)
    loopCount = try unsafe LoopCount(plays: options.plays)
    mode = try unsafe PlaybackMode(options.mode)
    range = try unsafe GallopC.range(first: options.range_first, count: options.range_count)
    if let range, unsafe options.is_loading == 0, range.lowerBound >= image.frameCount {
      let (first, count) = (Int64(range.lowerBound), Int64(image.frameCount))
      throw Failure(
        .noSuchFrame, "the range begins at frame \(first); the GIF has \(count)", value: first, limit: count)
    }
    if unsafe options.rate != 0 { rate = try unsafe numeric(options.rate, "the rate") }
    latePolicy = try unsafe LatePolicy(options.late, count: options.late_count)
    suspensionPolicy = try unsafe SuspensionPolicy(options.suspension)
    reducedMotion = try unsafe ReducedMotion(options.motion, part: options.motion_part)
    priority = try unsafe PlaybackPriority(options.priority)
    visibility = try unsafe Visibility(options.visibility)
    isComplete = unsafe options.is_loading == 0
    size = try unsafe PixelSize(of: image, width: options.width, height: options.height, fit: options.fit)
    if unsafe options.read_ahead_ms > 0 {
      unsafe cachePolicy.readAhead = .milliseconds(options.read_ahead_ms)
    }
    if unsafe options.read_ahead_frames > 0 {
      unsafe cachePolicy.readAheadFrames = Int(options.read_ahead_frames)
    }
    cachePolicy.preload = try unsafe CachePolicy.Preload(options.preload, amount: options.preload_amount)
    budget = try unsafe BudgetObject.budget(options.budget)
    flashPolicy = try unsafe FlashPolicy(options.flash_policy)
    sharesField = unsafe options.shares_field != 0
    shownSize = try unsafe PixelSize(canvas: options.shown_width, options.shown_height)
  }
}
