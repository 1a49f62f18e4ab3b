internal import CCurl

/// A set of transfers on one thread.
///
/// Only ``wakeUp()`` may be called from another thread. The handle lives as long as the object.
@safe final class CurlMulti: @unchecked Sendable {
  private let library: CurlLibrary
  private let handle: CurlLibrary.Handle

  /// - Returns: nil if libcurl returns no handle.
  init?(_ library: CurlLibrary) {
    guard let handle = unsafe library.multiInit() else { return nil }
    self.library = library
    unsafe self.handle = handle
  }

  deinit { unsafe _ = library.multiCleanup(handle) }

  func add(_ easy: CurlEasy) -> Bool { unsafe library.multiAdd(handle, easy.handle) == CURLM_OK }

  /// Removes a transfer; the connection of an unfinished one is closed.
  func remove(_ easy: CurlEasy) { unsafe _ = library.multiRemove(handle, easy.handle) }

  /// Performs the pending work without waiting; calls the transfers' callbacks.
  func perform() {
    var running: Int32 = 0
    unsafe _ = library.multiPerform(handle, &running)
  }

  /// A transfer that has ended, with its result; nil if there is none.
  func nextFinished() -> (id: CurlEasy.ID, code: CURLcode)? {
    var left: Int32 = 0
    while let message = unsafe library.multiInfoRead(handle, &left) {
      guard unsafe message.pointee.msg == CURLMSG_DONE, let easy = unsafe message.pointee.easy_handle else {
        continue
      }
      return unsafe (CurlEasy.ID(address: UInt(bitPattern: easy)), message.pointee.data.result)
    }
    return nil
  }

  /// Waits until a transfer can continue, a thread calls ``wakeUp()``, or the time is over.
  func wait(milliseconds: Int32) { unsafe _ = library.multiPoll(handle, nil, 0, milliseconds, nil) }

  /// Ends the current or the next ``wait(milliseconds:)``.
  func wakeUp() { unsafe _ = library.multiWakeup(handle) }
}
