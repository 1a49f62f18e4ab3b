import Glibc

/// The bytes of one file, or of its beginning: immutable and shared, mapped or in memory.
///
/// All readers go through ``bytes``, whose accesses are checked.
struct ByteStorage: Sendable {
  private let block: MemoryBlock
  let count: Int

  fileprivate init(_ block: MemoryBlock, count: Int) {
    self.block = block
    self.count = count
  }

  /// Copies the bytes.
  init(copying bytes: Span<UInt8>) {
    let block = MemoryBlock(capacity: bytes.count)
    block.write(bytes, at: 0)
    self.init(block, count: bytes.count)
  }

  /// All bytes, bounds-checked.
  var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    get {
      let span = unsafe Span<UInt8>(
        _unsafeStart: block.start.assumingMemoryBound(to: UInt8.self), count: count)
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  /// Whether both hold the same bytes. Costs nothing for copies of one storage, else a comparison of memory.
  func hasSameBytes(as other: ByteStorage) -> Bool {
    guard count == other.count else { return false }
    return unsafe block === other.block || memcmp(block.start, other.block.start, count) == 0
  }

  /// The address range, for giflib's input function alone.
  var unsafeStart: UnsafeRawPointer { unsafe UnsafeRawPointer(block.start) }
}

/// Memory of a fixed size that is freed with the object.
///
/// Beside giflib's input function the only place of the module that holds a pointer to input. Its bound: `start` is
/// valid for exactly `capacity` bytes as long as the object lives. A mapping is never written to. Other memory is
/// written to by one ``GrowingBytes`` only, and only behind the bytes of every ``ByteStorage`` handed out, so that
/// readers on other threads never see a change. A mapped file that another process truncates while it is in use
/// cannot be read any further: the system ends the process (SIGBUS), as it does for every program that maps files.
@safe private final class MemoryBlock: @unchecked Sendable {
  let start: UnsafeMutableRawPointer
  let capacity: Int
  private let isMapped: Bool

  init(mapping start: UnsafeMutableRawPointer, count: Int) {
    unsafe self.start = start
    capacity = count
    isMapped = true
  }

  init(capacity: Int) {
    self.capacity = max(1, capacity)
    isMapped = false
    unsafe start = .allocate(byteCount: self.capacity, alignment: 16)
  }

  deinit {
    if isMapped { unsafe _ = munmap(start, capacity) } else { unsafe start.deallocate() }
  }

  func write(_ bytes: Span<UInt8>, at offset: Int) {
    precondition(!isMapped && offset >= 0 && bytes.count <= capacity - offset)
    unsafe bytes.withUnsafeBytes { source in
      if let base = source.baseAddress {
        unsafe (start + offset).copyMemory(from: base, byteCount: source.count)
      }
    }
  }
}

/// Bytes that arrive piece by piece. What was handed out stays as it was.
struct GrowingBytes: ~Copyable, Sendable {
  private var block = MemoryBlock(capacity: 1 << 12)
  private(set) var count = 0

  /// What has arrived so far. Costs nothing: the memory is shared.
  var storage: ByteStorage { ByteStorage(block, count: count) }

  /// Copies the bytes to the end; doubles the memory where it is full.
  mutating func append(_ bytes: Span<UInt8>) {
    if bytes.count > block.capacity - count {
      let larger = MemoryBlock(capacity: max(2 * block.capacity, count + bytes.count))
      larger.write(storage.bytes, at: 0)
      block = larger
    }
    block.write(bytes, at: count)
    count += bytes.count
  }
}

// MARK: - Opening files

extension ByteStorage {
  /// Maps a regular file; reads anything else (a pipe, a device) whole, up to `streamLimit` bytes.
  static func opening(path: String, streamLimit: Int) throws(GIFError) -> ByteStorage {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw GIFError(.unreadable, value: Int64(errno)) }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw GIFError(.unreadable, value: Int64(errno)) }
    switch status.st_mode & S_IFMT {
    case S_IFDIR:
      throw GIFError(.isDirectory)
    case S_IFREG:
      // Files of /proc and the like claim no bytes and yet have some.
      if status.st_size > 0 { return try mapping(descriptor, count: Int(status.st_size)) }
      return try reading(descriptor, limit: streamLimit)
    default:
      return try reading(descriptor, limit: streamLimit)
    }
  }

  private static func mapping(_ descriptor: Int32, count: Int) throws(GIFError) -> ByteStorage {
    guard let start = unsafe mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0),
      unsafe start != MAP_FAILED
    else { throw GIFError(.unreadable, value: Int64(errno)) }
    return unsafe ByteStorage(MemoryBlock(mapping: start, count: count), count: count)
  }

  private static func reading(_ descriptor: Int32, limit: Int) throws(GIFError) -> ByteStorage {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let size = chunk.count
      let length = unsafe chunk.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, size) }
      if length < 0 {
        if errno == EINTR { continue }
        throw GIFError(.unreadable, value: Int64(errno))
      }
      if length == 0 { break }
      guard bytes.count + length <= limit else {
        throw GIFError(.inputTooLarge, value: Int64(bytes.count + length), limit: Int64(limit))
      }
      bytes.append(contentsOf: chunk[..<length])
    }
    guard !bytes.isEmpty else { throw GIFError(.emptyFile) }
    return ByteStorage(copying: bytes.span)
  }
}

/// The system's words for an `errno`.
func systemErrorText(_ number: Int32) -> String {
  guard let text = unsafe strerror(number) else { return "error \(number)" }
  return unsafe String(cString: text)
}
