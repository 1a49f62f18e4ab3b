/// Memory of a fixed size at a fixed place, released with the object.
///
/// `start` is valid for `capacity` bytes as long as the object lives. One ``GrowingBytes`` at most writes to
/// it, and only behind the bytes of every ``ByteStorage`` handed out, so that readers on other threads never
/// see a change.
package protocol MemoryRegion: AnyObject, Sendable {
  var start: UnsafeMutableRawPointer { get }
  var capacity: Int { get }
  /// Releases what lies behind the first `count` bytes, if that is possible. Only the writer calls it, and
  /// writes nothing there afterwards.
  func trim(to count: Int)
  /// Identifies a region. Asked of the region, since a boxed one cannot be turned into an identity
  /// everywhere.
  var identity: ObjectIdentifier { get }
}

extension MemoryRegion {
  package var identity: ObjectIdentifier { ObjectIdentifier(self) }
}

/// Makes a region of at least this many bytes that takes memory only where it is touched; nil where the
/// system has none.
package typealias MemoryReserver = @Sendable (_ byteCount: Int) -> (any MemoryRegion)?

/// A block of memory of a fixed size.
@safe final class HeapBlock: MemoryRegion, @unchecked Sendable {
  let start: UnsafeMutableRawPointer
  let capacity: Int
  /// Nil for a small block, which Swift allocates.
  private let memory: SystemMemory?

  /// A small block, for the beginning of a file.
  init() {
    capacity = 1 << 12
    unsafe start = .allocate(byteCount: capacity, alignment: 16)
    memory = nil
  }

  /// - Throws: ``GIFError/Code/outOfMemory``.
  init(capacity: Int) throws(GIFError) {
    guard let memory = SystemMemory(byteCount: max(1, capacity)) else {
      throw GIFError(.outOfMemory, value: Int64(capacity))
    }
    self.memory = memory
    self.capacity = memory.byteCount
    unsafe start = unsafe memory.start
  }

  deinit {
    if let memory { memory.release() } else { unsafe start.deallocate() }
  }

  func trim(to count: Int) {}
}

extension MemoryRegion {
  func write(_ bytes: Span<UInt8>, at offset: Int) {
    precondition(offset >= 0 && bytes.count <= capacity - offset)
    unsafe bytes.withUnsafeBytes { source in
      if let base = source.baseAddress {
        unsafe (start + offset).copyMemory(from: base, byteCount: source.count)
      }
    }
  }
}
