import Glibc

/// The bytes of one file, immutable and shared: mapped, or owned in memory.
///
/// This is the only place of the module that holds a pointer to input. Its bound: `start` is valid for exactly
/// `count` bytes as long as the object lives, and nobody writes through it. All readers go through ``bytes``,
/// whose accesses are checked. A mapped file that another process truncates while it is in use cannot be read
/// any further: the system ends the process (SIGBUS), as it does for every program that maps files.
@safe final class ByteStorage: @unchecked Sendable {
  private let start: UnsafeRawPointer
  let count: Int
  private let isMapped: Bool

  /// Takes over a mapping of `count` bytes, at least one.
  fileprivate init(mapping start: UnsafeRawPointer, count: Int) {
    unsafe self.start = start
    self.count = count
    isMapped = true
  }

  /// Copies the bytes.
  init(copying bytes: Span<UInt8>) {
    count = bytes.count
    isMapped = false
    let memory = UnsafeMutableRawPointer.allocate(byteCount: max(1, bytes.count), alignment: 16)
    unsafe bytes.withUnsafeBytes { source in
      if let base = source.baseAddress { unsafe memory.copyMemory(from: base, byteCount: source.count) }
    }
    unsafe start = UnsafeRawPointer(memory)
  }

  deinit {
    if isMapped {
      unsafe _ = munmap(UnsafeMutableRawPointer(mutating: start), count)
    } else {
      unsafe start.deallocate()
    }
  }

  /// All bytes, bounds-checked.
  var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    get {
      let span = unsafe Span<UInt8>(
        _unsafeStart: start.assumingMemoryBound(to: UInt8.self), count: count)
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  /// The address range, for giflib's input function alone.
  var unsafeStart: UnsafeRawPointer { unsafe start }
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
    return unsafe ByteStorage(mapping: UnsafeRawPointer(start), count: count)
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
