// C has names of its own.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CGallop
internal import Gallop

/// Carries out a command to a player.
private func command(
  _ handle: OpaquePointer?, _ body: (GIFPlayer) throws(Failure) -> Void
) -> gallop_status {
  answer { () throws(Failure) in try unsafe body(Handles.object(handle, PlayerObject.self).player) }
}

/// Why a player does not go to a frame: it does not play it, or has failed.
private func noFrame(_ index: Int64, of player: GIFPlayer) -> Failure {
  if let error = player.error { return Failure(error) }
  let count = Int64(player.image.frameCount)
  return Failure(
    .noSuchFrame, "the player does not play frame \(index); the GIF has \(count)", value: index, limit: count)
}

extension Failure {
  fileprivate static let notScrubbing = argument("scrubbing has not begun")
}

@c @implementation
public func gallop_player_new(
  _ image: OpaquePointer!, _ options: UnsafePointer<gallop_player_options>!,
  _ out: UnsafeMutablePointer<OpaquePointer?>!
) -> gallop_status {
  answer { () throws(Failure) in
    let out = try unsafe emptied(out)
    let options = try unsafe read(options, empty: gallop_player_options())
    try unsafe Handles.add(PlayerObject(Handles.object(image), options), to: out)
  }
}

@c @implementation
public func gallop_player_release(_ player: OpaquePointer!) -> gallop_status {
  answer { () throws(Failure) in try unsafe Handles.release(player, PlayerObject.self) }
}

// MARK: - Commands

@c @implementation
public func gallop_player_play(_ player: OpaquePointer!) -> gallop_status {
  unsafe command(player) { $0.play() }
}

@c @implementation
public func gallop_player_pause(_ player: OpaquePointer!) -> gallop_status {
  unsafe command(player) { $0.pause() }
}

@c @implementation
public func gallop_player_stop(_ player: OpaquePointer!) -> gallop_status {
  unsafe command(player) { $0.stop() }
}

@c @implementation
public func gallop_player_restart(_ player: OpaquePointer!) -> gallop_status {
  unsafe command(player) { $0.restart() }
}

@c @implementation
public func gallop_player_seek_frame(_ player: OpaquePointer!, _ index: Int64) -> gallop_status {
  unsafe command(player) { (player) throws(Failure) in
    guard player.seek(toFrame: Int(clamping: index)) else { throw noFrame(index, of: player) }
  }
}

@c @implementation
public func gallop_player_seek_time(_ player: OpaquePointer!, _ nanoseconds: Int64) -> gallop_status {
  unsafe command(player) { $0.seek(to: .nanoseconds(nanoseconds)) }
}

@c @implementation
public func gallop_player_seek_in_loop(_ player: OpaquePointer!, _ nanoseconds: Int64) -> gallop_status {
  unsafe command(player) { $0.seek(inLoop: .nanoseconds(nanoseconds)) }
}

@c @implementation
public func gallop_player_step(_ player: OpaquePointer!, _ count: Int64) -> gallop_status {
  unsafe command(player) { $0.step(by: Int(clamping: count)) }
}

@c @implementation
public func gallop_player_show_poster(_ player: OpaquePointer!, _ index: Int64) -> gallop_status {
  unsafe command(player) { (player) throws(Failure) in
    // There may be none while the image loads.
    guard player.showPoster(index == -1 ? nil : Int(clamping: index)) || index == -1 else {
      throw noFrame(index, of: player)
    }
  }
}

// MARK: - Settings

@c @implementation
public func gallop_player_set_rate(_ player: OpaquePointer!, _ rate: Double) -> gallop_status {
  unsafe command(player) { (player) throws(Failure) in player.rate = try numeric(rate, "the rate") }
}

@c @implementation
public func gallop_player_set_mode(_ player: OpaquePointer!, _ mode: Int32) -> gallop_status {
  unsafe command(player) { (player) throws(Failure) in player.mode = try PlaybackMode(mode) }
}

@c @implementation
public func gallop_player_set_range(
  _ player: OpaquePointer!, _ first: Int64, _ count: Int64
) -> gallop_status {
  unsafe command(player) { (player) throws(Failure) in
    guard player.setRange(try range(first: first, count: count)) else { throw noFrame(first, of: player) }
  }
}

@c @implementation
public func gallop_player_set_motion(
  _ player: OpaquePointer!, _ motion: Int32, _ part: Double
) -> gallop_status {
  unsafe command(player) { (player) throws(Failure) in
    player.reducedMotion = try ReducedMotion(motion, part: part)
  }
}

@c @implementation
public func gallop_player_set_visibility(_ player: OpaquePointer!, _ visibility: Int32) -> gallop_status {
  unsafe command(player) { (player) throws(Failure) in player.visibility = try Visibility(visibility) }
}

@c @implementation
public func gallop_player_set_priority(_ player: OpaquePointer!, _ priority: Int32) -> gallop_status {
  unsafe command(player) { (player) throws(Failure) in player.priority = try PlaybackPriority(priority) }
}

@c @implementation
public func gallop_player_set_flash_policy(_ player: OpaquePointer!, _ policy: Int32) -> gallop_status {
  unsafe command(player) { (player) throws(Failure) in player.flashPolicy = try FlashPolicy(policy) }
}

@c @implementation
public func gallop_player_set_shown_size(
  _ player: OpaquePointer!, _ width: UInt32, _ height: UInt32
) -> gallop_status {
  unsafe command(player) { (player) throws(Failure) in
    player.shownSize = try PixelSize(canvas: width, height)
  }
}

@c @implementation
public func gallop_player_set_shares_field(_ player: OpaquePointer!, _ shares: Int32) -> gallop_status {
  unsafe command(player) { $0.sharesField = shares != 0 }
}

@c @implementation
public func gallop_player_get_flashes(
  _ player: OpaquePointer!, _ flashes: UnsafeMutablePointer<gallop_player_flashes>!
) -> gallop_status {
  unsafe command(player) { (player) throws(Failure) in try unsafe write(player.flashes, to: flashes) }
}

@c @implementation
public func gallop_player_preload(
  _ player: OpaquePointer!, _ preload: Int32, _ amount: Int64
) -> gallop_status {
  unsafe command(player) { (player) throws(Failure) in
    player.preload(try CachePolicy.Preload(preload, amount: amount))
  }
}

// MARK: - Scrubbing

@c @implementation
public func gallop_player_begin_scrubbing(_ player: OpaquePointer!) -> gallop_status {
  unsafe command(player) { $0.beginScrubbing() }
}

@c @implementation
public func gallop_player_scrub_frame(_ player: OpaquePointer!, _ index: Int64) -> gallop_status {
  unsafe command(player) { (player) throws(Failure) in
    guard player.isScrubbing else { throw .notScrubbing }
    guard player.scrub(toFrame: Int(clamping: index)) else { throw noFrame(index, of: player) }
  }
}

@c @implementation
public func gallop_player_scrub_time(_ player: OpaquePointer!, _ nanoseconds: Int64) -> gallop_status {
  unsafe command(player) { (player) throws(Failure) in
    guard player.scrub(to: .nanoseconds(nanoseconds)) else { throw .notScrubbing }
  }
}

@c @implementation
public func gallop_player_end_scrubbing(_ player: OpaquePointer!) -> gallop_status {
  unsafe command(player) { $0.endScrubbing() }
}

// MARK: - State

@c @implementation
public func gallop_player_update(
  _ player: OpaquePointer!, _ image: OpaquePointer!, _ is_complete: Int32
) -> gallop_status {
  answerStatus { () throws(Failure) in
    let (object, newer): (PlayerObject, ImageObject) = try unsafe (
      Handles.object(player), Handles.object(image)
    )
    return object.update(newer, isComplete: is_complete != 0) ? .end : .ok
  }
}

@c @implementation
public func gallop_player_get_info(
  _ player: OpaquePointer!, _ info: UnsafeMutablePointer<gallop_player_info>!
) -> gallop_status {
  unsafe command(player) { (player) throws(Failure) in try unsafe write(player.info, to: info) }
}

@c @implementation
public func gallop_player_get_statistics(
  _ player: OpaquePointer!, _ statistics: UnsafeMutablePointer<gallop_player_statistics>!
) -> gallop_status {
  unsafe command(player) { (player) throws(Failure) in try unsafe write(player.statistics, to: statistics) }
}

@c @implementation
public func gallop_player_save(
  _ player: OpaquePointer!, _ snapshot: UnsafeMutablePointer<gallop_snapshot>!
) -> gallop_status {
  unsafe command(player) { (player) throws(Failure) in
    try unsafe write(gallop_snapshot(player.snapshot), to: snapshot)
  }
}

@c @implementation
public func gallop_player_restore(
  _ player: OpaquePointer!, _ snapshot: UnsafePointer<gallop_snapshot>!
) -> gallop_status {
  unsafe command(player) { (player) throws(Failure) in
    let saved = try unsafe read(given(snapshot, "the snapshot"), empty: gallop_snapshot())
    player.restore(try PlaybackSnapshot(saved))
  }
}

@c @implementation
public func gallop_player_frame(
  _ player: OpaquePointer!, _ out: UnsafeMutablePointer<OpaquePointer?>!,
  _ view: UnsafeMutablePointer<gallop_frame_view>!
) -> gallop_status {
  answerStatus { () throws(Failure) in
    let out = try unsafe emptied(out)
    guard let frame = try unsafe Handles.object(player, PlayerObject.self).currentFrame else { return .again }
    if let view = unsafe view { try unsafe write(frame.view, to: view) }
    try unsafe Handles.add(frame, to: out)
    return .ok
  }
}

// MARK: - Events

@c @implementation
public func gallop_player_on_event(
  _ player: OpaquePointer!, _ kinds: UInt32, _ callback: gallop_event_callback!,
  _ user: UnsafeMutableRawPointer!, _ destroy: gallop_destroy!, _ id: UnsafeMutablePointer<UInt64>!
) -> gallop_status {
  answer { () throws(Failure) in
    let object: PlayerObject = try unsafe Handles.object(player)
    let function = try unsafe UserFunction(given(callback, "the callback"), user: user, destroy: destroy)
    let number = unsafe object.onEvent(kinds, function)
    if let id = unsafe id { unsafe id.pointee = number }
  }
}

@c @implementation
public func gallop_player_remove(_ player: OpaquePointer!, _ id: UInt64) -> gallop_status {
  answer { () throws(Failure) in try unsafe Handles.object(player, PlayerObject.self).remove(id) }
}

@c @implementation
public func gallop_player_event_fd(
  _ player: OpaquePointer!, _ fd: UnsafeMutablePointer<Int32>!
) -> gallop_status {
  answer { () throws(Failure) in
    let fd = try unsafe given(fd, "the pointer for the descriptor")
    unsafe fd.pointee = -1
    unsafe fd.pointee = try Handles.object(player, PlayerObject.self).descriptor()
  }
}

@c @implementation
public func gallop_player_next_event(
  _ player: OpaquePointer!, _ event: UnsafeMutablePointer<gallop_event>!,
  _ frame: UnsafeMutablePointer<OpaquePointer?>!
) -> gallop_status {
  answerStatus { () throws(Failure) in
    // Looked at first: an event that cannot be written would be lost.
    try unsafe write(gallop_event(), to: event)
    if let frame = unsafe frame { unsafe frame.pointee = nil }
    let object: PlayerObject = try unsafe Handles.object(player)
    guard let record = object.nextEvent() else { return .again }
    if let frame = unsafe frame, let shown = record.frame {
      try unsafe Handles.add(object.object(of: shown), to: frame)
    }
    try unsafe write(record.structure(frame: frame?.pointee ?? nil), to: event)
    return .ok
  }
}
