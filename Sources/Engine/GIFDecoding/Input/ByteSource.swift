/// The bytes of a file that is not in memory: what they are read through when a frame is decoded.
package protocol ByteSource: AnyObject, Sendable {
  /// How many bytes the file had when it was opened; waits for the last one of a file that is still written.
  var count: Int { get }

  /// Where the file ends, as far as that is known: ``count``, or `Int.max` while it is written.
  var knownEnd: Int { get }

  /// Reads as many bytes as `target` has, from `offset` on.
  ///
  /// Called from any thread.
  /// - Throws: ``GIFError/Code/fileChanged`` where the file no longer reaches so far,
  ///   ``GIFError/Code/unreadable`` where the system refuses.
  func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) throws(GIFError)
}

extension ByteSource {
  package var knownEnd: Int { count }
}

/// Bytes that a closure copies from wherever they are.
@safe final class ReadBytes: ByteSource {
  let count: Int
  private let read: @Sendable (Int, UnsafeMutableRawBufferPointer) -> Int

  init(count: Int, read: @escaping @Sendable (Int, UnsafeMutableRawBufferPointer) -> Int) {
    self.count = count
    unsafe self.read = unsafe read
  }

  func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) throws(GIFError) {
    guard unsafe !target.isEmpty else { return }
    let copied = unsafe read(offset, target)
    guard copied == target.count else { throw GIFError(.fileChanged, offset: offset + max(0, copied)) }
  }
}
