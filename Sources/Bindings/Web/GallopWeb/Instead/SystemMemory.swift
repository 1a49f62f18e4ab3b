internal import CMemory

/// On the web memory has no pages of its own: the instance never gives memory back.
@safe package struct SystemMemory {
  let start: UnsafeMutableRawPointer
  let byteCount: Int
  var isCleared: Bool { false }

  init?(byteCount: Int, isWritten: Bool = false) {
    guard let start = unsafe malloc(max(1, byteCount)) else { return nil }
    unsafe self.start = unsafe start
    self.byteCount = byteCount
  }

  func release() { unsafe free(start) }

  static let leastPages = 1 << 16

  /// Not asked: where memory is refused the instance traps, which the page's JavaScript takes for an error.
  package static func grants(_ byteCount: Int) -> Bool { true }
}
