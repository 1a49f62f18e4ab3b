internal import CLinux
internal import GIFDecoding

/// Memory that nothing uses any more, but that the process still has.
enum ReleasedMemory {
  /// Keeps less for later pictures: a program that plays has a budget for its memory.
  static func limit() { SystemMemory.limitSpare(to: 8 << 20) }

  /// Gives it back to the system: spare pages of pictures, and what the heap keeps free. Takes some milliseconds.
  static func trim() {
    SystemMemory.trim()
    malloc_trim(0)
  }
}
