// The functions of edit.wasm: a page passes a GIF in, and takes the frames of a range as a GIF out, piece by
// piece. All run on the one thread that has the instance; inspector/range.js calls them.

/// The one edit of an instance.
private nonisolated(unsafe) var session = EditSession()

/// Makes room for the next bytes of the GIF. Returns their address; 0 if they are too many.
@_expose(wasm, "edit_room")
public func room(_ count: Int32) -> UInt32 { unsafe session.bytes.makeRoom(count) }

/// Takes bytes that were written where ``room(_:)`` said.
@_expose(wasm, "edit_append")
public func append(_ count: Int32) { unsafe session.append(count) }

/// Plans a GIF of the frames from `first` to before `end`. Returns how many there are; -1 for an error.
@_expose(wasm, "edit_begin")
public func begin(_ first: Int32, _ end: Int32) -> Int32 { unsafe session.begin(first, end) }

/// Makes the next bytes of the GIF. Returns how many there are; 0 after the end, -1 for an error.
@_expose(wasm, "edit_next")
public func next() -> Int32 { unsafe session.next() }

/// Where the bytes of the last answer are: those of the GIF, or the name of an error.
@_expose(wasm, "edit_address")
public func address() -> UInt32 { unsafe UInt32(truncatingIfNeeded: session.bytes.address) }

/// Writes the name of the last error where ``address()`` says. Returns how many bytes it has.
@_expose(wasm, "edit_error")
public func error() -> Int32 { unsafe session.writeError() }

/// The frame of the last error; -1 if it has none.
@_expose(wasm, "edit_error_frame")
public func errorFrame() -> Int32 { unsafe session.errorFrame }
