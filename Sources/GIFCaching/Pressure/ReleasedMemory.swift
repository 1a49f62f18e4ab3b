internal import GIFDecoding

/// Memory that nothing uses any more, but that the process still has.
enum ReleasedMemory {
  /// Keeps less for later pictures, and not for long: a program that plays has a budget for its memory.
  static func limit() { SystemMemory.limitSpare(to: 8 << 20, for: .milliseconds(40)) }

  /// Gives it back to the system: spare pages of pictures, and what the heap keeps free. Takes some milliseconds.
  static func trim() {
    SystemMemory.trim()
    SystemMemory.trimHeap()
  }
}
