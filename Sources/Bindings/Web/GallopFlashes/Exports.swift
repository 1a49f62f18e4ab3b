internal import GIFDecoding
internal import GIFFlashes
internal import GIFTimeline

// The functions of flashes.wasm: an instance judges one GIF, or decides for the players of a host. All run on
// the one thread that has the instance; flashes.js calls them.

/// The one state of an instance.
private nonisolated(unsafe) var session = FlashSession()

/// Begins the GIF, with the limits by which its player reads it; 0 stands for the default limit.
@_expose(wasm, "flashes_open")
public func open(
  _ streamBytes: Double, _ canvasPixels: Double, _ frames: Double, _ decodedBytes: Double,
  _ totalPixels: Double, _ secret: Double
) {
  SampleSecret.ofProcess = UInt64(clamping: Int64(clamping: secret))
  unsafe session.begin(DecodingLimits(streamBytes, canvasPixels, frames, decodedBytes, totalPixels))
}

/// Makes room for the next bytes of the GIF. Returns their address; 0 if they are too many.
@_expose(wasm, "flashes_room")
public func room(_ count: Int32) -> UInt32 { unsafe session.bytes.makeRoom(count) }

/// Takes bytes that were written where ``room(_:)`` said.
@_expose(wasm, "flashes_append")
public func append(_ count: Int32) { unsafe session.append(count) }

/// Where the numbers are: what is passed in goes there, and so do answers.
@_expose(wasm, "flashes_numbers")
public func numbers() -> UInt32 { unsafe UInt32(truncatingIfNeeded: session.numbers.address) }

/// Judges the GIF as the numbers say that it is seen. Returns how many numbers the verdict has; -1 for an
/// error.
@_expose(wasm, "flashes_judge")
public func judge() -> Int32 { unsafe session.judge() }

/// Makes the guard of a player with the number of a policy. Returns its handle; 0 if there are too many.
@_expose(wasm, "flashes_guard")
public func makeGuard(_ policy: Int32) -> Int32 { unsafe session.makeGuard(policy) }

/// Sets the policy of a guard.
@_expose(wasm, "flashes_policy")
public func setPolicy(_ handle: Int32, _ policy: Int32) { unsafe session.setPolicy(handle, policy) }

/// Follows a change of a player, whose facts are the numbers. Returns how many numbers the decision has.
@_expose(wasm, "flashes_follow")
public func follow(_ handle: Int32, _ isJumping: Int32, _ now: Double) -> Int32 {
  unsafe session.follow(handle, isJumping: isJumping != 0, at: now)
}

/// Notes that a player has shown a frame. Returns when its rest ends; infinity without one.
@_expose(wasm, "flashes_shown")
public func noteShown(_ handle: Int32, _ now: Double) -> Double { unsafe session.noteShown(handle, at: now) }

/// Takes the verdict that a guard waits for: the numbers that ``judge()`` gave, or none if it could not be
/// judged.
@_expose(wasm, "flashes_take")
public func take(_ handle: Int32, _ count: Int32) { unsafe session.take(handle, count) }

/// Releases a guard.
@_expose(wasm, "flashes_release")
public func release(_ handle: Int32) { unsafe session.release(handle) }
