internal import CLinux
internal import GIFDecoding

/// Memory that nothing uses any more, but that the process still has.
enum ReleasedMemory {
  /// Gives it back to the system: spare pages of pictures, and what the heap keeps free. Takes some milliseconds.
  static func trim() {
    SystemMemory.trim()
    malloc_trim(0)
  }
}
