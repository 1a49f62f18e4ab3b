/// The part of a file that is in memory while its records are read: it slides over the file, so that a file
/// of any size takes no more memory than the window.
///
/// Its bound: `buffer` belongs to the window, and holds the file's bytes from `base` to `end`. Confined to
/// the one reader that slides it.
@safe final class FileWindow {
  let source: any ByteSource
  private var buffer: UnsafeMutableRawBufferPointer
  /// Offset of the first byte in the window.
  private(set) var base = 0
  /// Offset behind the last byte in the window.
  private(set) var end = 0
  /// Why the file could not be read on; it ends there for the reader.
  private(set) var failure: GIFError?
  /// The record being read.
  private var recordStart = 0
  /// What has been passed of a frame's codes, as far as `digested`.
  private var hash: XXHash64?
  private var digested = 0

  /// - Parameter size: how many bytes are read at once.
  init(_ source: any ByteSource, size: Int) {
    self.source = source
    unsafe buffer = .allocate(byteCount: max(64, size), alignment: 16)
  }

  deinit { unsafe buffer.deallocate() }

  /// The bytes from ``base`` to ``end``, valid until the window slides.
  var start: UnsafeRawPointer {
    guard let start = unsafe buffer.baseAddress else { preconditionFailure("the buffer is never empty") }
    return UnsafeRawPointer(start)
  }

  /// What the window holds.
  var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    get {
      unsafe _overrideLifetime(
        Span(_unsafeStart: start.assumingMemoryBound(to: UInt8.self), count: end - base), borrowing: self)
    }
  }

  /// A copy of bytes that are in the window.
  func copy(_ range: Range<Int>) throws(GIFError) -> HeapBlock {
    let block = try HeapBlock(capacity: range.count)
    block.write(bytes.extracting(range.lowerBound - base..<range.upperBound - base), at: 0)
    return block
  }

  private func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    precondition(range.lowerBound >= base && range.upperBound <= end)
    return unsafe UnsafeRawBufferPointer(rebasing: buffer[range.lowerBound - base..<range.upperBound - base])
  }

  /// Has the window hold what the file has of `range`, and then as much as fits. Grows only for a larger
  /// range.
  func cover(_ range: Range<Int>) {
    var fileEnd = source.knownEnd
    // A file that is still written may turn out to end while its bytes are awaited.
    while !cover(range, fileEnd: fileEnd) { fileEnd = source.knownEnd }
  }

  /// Does so for a file that ends at `fileEnd`; false where another end has become known meanwhile.
  private func cover(_ range: Range<Int>, fileEnd: Int) -> Bool {
    let range = range.clamped(to: 0..<fileEnd)
    guard range.lowerBound < base || range.upperBound > end, failure == nil, !range.isEmpty else {
      return true
    }
    let kept = range.lowerBound >= base ? max(0, end - range.lowerBound) : 0
    if unsafe range.count > buffer.count {
      let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: range.count, alignment: 16)
      if kept > 0 { unsafe larger.copyMemory(from: bytes(end - kept..<end)) }
      unsafe buffer.deallocate()
      unsafe buffer = larger
    } else if kept > 0 {
      unsafe buffer.copyMemory(from: bytes(end - kept..<end))
    }
    base = range.lowerBound
    end = base + kept
    let target = unsafe UnsafeMutableRawBufferPointer(
      rebasing: buffer[kept..<min(buffer.count, fileEnd - base)])
    do throws(GIFError) {
      try unsafe source.read(at: end, into: target)
      end += target.count
    } catch {
      guard source.knownEnd == fileEnd else { return false }
      failure = error
    }
    return true
  }

  // MARK: Reading records

  /// A record begins. What has been read of it stays in the window as long as there is room.
  func begin(at offset: Int) { recordStart = offset }

  /// Goes on to the `wanted` bytes at `offset`.
  func slide(to offset: Int, wanted: Int) {
    if hash != nil {
      digest(upTo: offset)
      cover(digested..<offset + wanted)
    } else {
      let keepsRecord = unsafe offset - recordStart <= buffer.count / 2
      cover((keepsRecord ? recordStart : offset)..<offset + wanted)
    }
  }

  // MARK: Digests

  /// The digest of some bytes that are in the window.
  func digest(of range: Range<Int>) -> UInt64 {
    unsafe XXHash64.digest(bytes(range.clamped(to: base..<end)))
  }

  /// From here on what is passed is digested.
  func beginDigest(at offset: Int) {
    hash = XXHash64()
    digested = offset
  }

  private func digest(upTo offset: Int) {
    let upper = min(offset, end)
    guard digested < upper, let taken = unsafe hash?.consume(bytes(digested..<upper)) else { return }
    digested += taken
  }

  /// The digest from where it was begun to `offset`, which has just been passed.
  func endDigest(at offset: Int) -> UInt64 {
    guard let hash = hash.take() else { return 0 }
    let upper = min(offset, end)
    return unsafe hash.finish(bytes(min(digested, upper)..<upper))
  }
}

/// A window that another object holds.
typealias UnretainedFileWindow = Unmanaged<FileWindow>
