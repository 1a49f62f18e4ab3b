// C has names of its own.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CGallop
internal import EngineSupport
internal import Gallop

/// A group of players in step, as C holds it.
final class GroupObject: HandleObject {
  static let kind = HandleKind.group
  static let hasThreads = true

  let group: SyncGroup

  init(_ clock: PlaybackClock) throws(Failure) {
    try ProcessState.shared.usePlayback()
    group = SyncGroup(clock: clock)
  }

  func add(_ object: PlayerObject, offset: Int64) throws(Failure) {
    guard group.add(object.player, offset: .nanoseconds(offset)) else {
      throw .argument("the player is on another clock than the group")
    }
  }

  var info: gallop_group_info {
    gallop_group_info(
      struct_size: 0, position_ns: group.position.wholeNanoseconds, rate: group.rate,
      is_playing: group.isPlaying ? 1 : 0, player_count: Int32(clamping: group.players.count))
  }
}

/// Carries out a command to a group.
private func command(
  _ handle: OpaquePointer?, _ body: (GroupObject) throws(Failure) -> Void
) -> gallop_status {
  answer { () throws(Failure) in try unsafe body(Handles.object(handle)) }
}

@c @implementation
public func gallop_group_new(
  _ clock: OpaquePointer!, _ out: UnsafeMutablePointer<OpaquePointer?>!
) -> gallop_status {
  answer { () throws(Failure) in
    let out = try unsafe emptied(out)
    try unsafe Handles.add(GroupObject(ClockObject.clock(clock)), to: out)
  }
}

@c @implementation
public func gallop_group_add(
  _ group: OpaquePointer!, _ player: OpaquePointer!, _ offset_ns: Int64
) -> gallop_status {
  unsafe command(group) { (object) throws(Failure) in
    try unsafe object.add(Handles.object(player), offset: offset_ns)
  }
}

@c @implementation
public func gallop_group_remove(_ group: OpaquePointer!, _ player: OpaquePointer!) -> gallop_status {
  unsafe command(group) { (object) throws(Failure) in
    object.group.remove(try unsafe Handles.object(player, PlayerObject.self).player)
  }
}

@c @implementation
public func gallop_group_play(_ group: OpaquePointer!) -> gallop_status {
  unsafe command(group) { $0.group.play() }
}

@c @implementation
public func gallop_group_pause(_ group: OpaquePointer!) -> gallop_status {
  unsafe command(group) { $0.group.pause() }
}

@c @implementation
public func gallop_group_seek(_ group: OpaquePointer!, _ nanoseconds: Int64) -> gallop_status {
  unsafe command(group) { $0.group.seek(to: .nanoseconds(nanoseconds)) }
}

@c @implementation
public func gallop_group_set_rate(_ group: OpaquePointer!, _ rate: Double) -> gallop_status {
  unsafe command(group) { $0.group.rate = rate }
}

@c @implementation
public func gallop_group_set_motion(_ group: OpaquePointer!, _ motion: Int32, _ part: Double) -> gallop_status
{
  unsafe command(group) { (object) throws(Failure) in
    object.group.reduceMotion(try ReducedMotion(motion, part: part))
  }
}

@c @implementation
public func gallop_group_get_info(
  _ group: OpaquePointer!, _ info: UnsafeMutablePointer<gallop_group_info>!
) -> gallop_status {
  unsafe command(group) { (object) throws(Failure) in try unsafe write(object.info, to: info) }
}

@c @implementation
public func gallop_group_release(_ group: OpaquePointer!) -> gallop_status {
  answer { () throws(Failure) in try unsafe Handles.release(group, GroupObject.self) }
}
