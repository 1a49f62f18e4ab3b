/// The bytes of one file, or of its beginning: immutable and shared, in memory or left where they are.
///
/// All readers of memory go through ``bytes``, whose accesses are checked.
///
/// Its bound: `start` belongs to `region`, which is held and has at least `count` bytes. Nothing writes to
/// those bytes any more: see ``MemoryRegion``.
@safe package struct ByteStorage: @unchecked Sendable {
  private let start: UnsafeRawPointer
  private let region: (any MemoryRegion)?
  /// The file, where the bytes are not in memory.
  let file: StoredFile?
  package let count: Int

  /// The first bytes of a region.
  package init(_ region: any MemoryRegion, count: Int) {
    precondition(count >= 0 && count <= region.capacity)
    unsafe start = UnsafeRawPointer(region.start)
    self.region = region
    self.count = count
    file = nil
  }

  /// Copies the bytes.
  ///
  /// - Throws: ``GIFError/Code/outOfMemory``.
  init(copying bytes: Span<UInt8>) throws(GIFError) {
    let block = try HeapBlock(capacity: bytes.count)
    block.write(bytes, at: 0)
    self.init(block, count: bytes.count)
  }

  /// A file that stays where it is.
  init(_ file: StoredFile) {
    unsafe start = UnsafeRawPointer(file.head.start)
    region = file.head
    count = file.source.count
    self.file = file
  }

  /// All bytes, bounds-checked; of a file that is not in memory its ``head``.
  var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    get {
      let span = unsafe Span<UInt8>(
        _unsafeStart: start.assumingMemoryBound(to: UInt8.self), count: file?.head.capacity ?? count)
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  /// The header, the logical screen descriptor and the global palette at least.
  var head: Span<UInt8> {
    @_lifetime(borrow self)
    get { bytes }
  }

  /// The memory that holds the bytes; nil for a file that is not in memory.
  package var memory: (any MemoryRegion)? { file == nil ? region : nil }

  /// Whether the bytes in memory from `offset` on are those of a piece of a file.
  package func contains(_ piece: UnsafeRawBufferPointer, at offset: Int) -> Bool {
    guard file == nil, offset >= 0, piece.count <= count - offset else { return false }
    return unsafe UnsafeRawBufferPointer(start: start + offset, count: piece.count).hasSameBytes(as: piece)
  }

  /// The memory that holds the compressed bytes, and how many there are; nil for a file that is not in
  /// memory.
  ///
  /// The identity belongs to this memory only as long as a copy of the storage lives.
  var heldMemory: (id: ObjectIdentifier, bytes: Int)? {
    guard file == nil, let region else { return nil }
    return (region.identity, count)
  }

  /// What holds the bytes, or those at the head of a file that is not in memory.
  package var owner: (any MemoryRegion)? { region }

  /// The address range, for giflib's input function alone.
  var unsafeStart: UnsafeRawPointer { unsafe start }

  private func isSameMemory(as other: ByteStorage) -> Bool {
    guard let region, let otherRegion = other.region else { return false }
    return region === otherRegion
  }
}

// MARK: - Comparing

extension ByteStorage {
  /// Whether both hold the same bytes. Costs next to nothing for copies of one storage and for one file
  /// opened twice, otherwise a comparison of all bytes; false where a file cannot be read.
  func hasSameBytes(as other: ByteStorage) -> Bool {
    guard count == other.count else { return false }
    if isSameMemory(as: other) { return true }
    if let file, let otherFile = other.file {
      guard file.digests == otherFile.digests else { return false }
      if file.source === otherFile.source { return true }
    }
    let (left, right) = (PieceReader(self), PieceReader(other))
    for start in stride(from: 0, to: count, by: PieceReader.size) {
      let range = start..<min(start + PieceReader.size, count)
      guard let one = unsafe left.piece(range), let two = unsafe right.piece(range),
        unsafe one.hasSameBytes(as: two)
      else {
        return false
      }
    }
    return true
  }

  /// The first and the last bytes of the file, at most 64 of each.
  var edges: (first: [UInt8], last: [UInt8]) {
    if let file { return file.edges }
    let length = min(StoredFile.edgeLength, count)
    let bytes = bytes
    return ((0..<length).map { bytes[$0] }, (count - length..<count).map { bytes[$0] })
  }

  /// A copy of all bytes.
  func copy() throws(GIFError) -> [UInt8] {
    guard let file else { return unsafe bytes.withUnsafeBytes { unsafe Array($0) } }
    var copy = [UInt8](repeating: 0, count: count)
    try unsafe copy.withUnsafeMutableBufferPointer { (target) throws(GIFError) in
      try unsafe file.source.read(at: 0, into: UnsafeMutableRawBufferPointer(target))
    }
    return copy
  }
}

/// Reads a storage piece by piece, without a copy where it is in memory.
@safe private final class PieceReader {
  static let size = 1 << 16
  private let storage: ByteStorage
  private let buffer: UnsafeMutableRawBufferPointer

  init(_ storage: ByteStorage) {
    self.storage = storage
    unsafe buffer = .allocate(byteCount: storage.file == nil ? 0 : Self.size, alignment: 16)
  }

  deinit { unsafe buffer.deallocate() }

  /// The bytes in `range`, valid until the next call; nil where they cannot be read.
  func piece(_ range: Range<Int>) -> UnsafeRawBufferPointer? {
    guard let file = storage.file else {
      return unsafe UnsafeRawBufferPointer(start: storage.unsafeStart + range.lowerBound, count: range.count)
    }
    let target = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<range.count])
    guard (try? unsafe file.source.read(at: range.lowerBound, into: target)) != nil else { return nil }
    return UnsafeRawBufferPointer(target)
  }
}

extension UnsafeRawBufferPointer {
  /// Eight bytes at a time, which is what makes a comparison of megabytes cheap.
  fileprivate func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    var place = 0
    while place <= count - 8 {
      let left = unsafe loadUnaligned(fromByteOffset: place, as: UInt64.self)
      guard unsafe left == other.loadUnaligned(fromByteOffset: place, as: UInt64.self) else { return false }
      place += 8
    }
    while place < count {
      guard unsafe self[place] == other[place] else { return false }
      place += 1
    }
    return true
  }
}
