public import GIFDecoding
internal import Glibc

extension GIFImage {
  /// Opens the file at a path, in time proportional to its size; ``init(url:loader:)`` loads a URL.
  ///
  /// A regular file of up to 1 MiB is read into memory. A larger one stays open on disk, and decoding reads each frame's
  /// bytes; if another program has changed them, it throws ``GIFError/Code/fileChanged``. A pipe or a device is read to
  /// its end, within ``DecodingLimits/streamBytes``.
  /// - Throws: ``GIFLoadingError`` with the path if the file cannot be read or browsers show a broken image.
  public init(contentsOfFile path: String, limits: DecodingLimits = .default) throws(GIFLoadingError) {
    do throws(GIFError) {
      try self.init(contentsOfFile: path, limits: limits, opening: FileOpening())
    } catch {
      throw GIFLoadingError(error, source: GIFSource.withoutCredentials(path))
    }
  }

  /// Opens a file as `opening` says.
  package init(contentsOfFile path: String, limits: DecodingLimits, opening: FileOpening) throws(GIFError) {
    switch try opening.open(path, limits: limits) {
    case .memory(let bytes): try self.init(storage: bytes, limits: limits)
    case .file(let source): try self.init(source: source, limits: limits)
    }
  }
}

/// The rules of opening files: which are read into memory, and which stay on disk.
package struct FileOpening {
  enum Opened {
    case memory(ByteStorage)
    case file(any ByteSource)
  }

  let files: OpenFiles
  /// The largest size of a regular file that is read into memory, in bytes.
  private let memoryThreshold: Int
  private let reserve: MemoryReserver?
  /// The number of reads of a file that changes meanwhile.
  private static let attempts = 3
  private static let pieceSize = 1 << 16

  package init(
    files: OpenFiles = .shared, memoryThreshold: Int = 1 << 20,
    reserve: MemoryReserver? = ReservedMemory.reserver
  ) {
    self.files = files
    self.memoryThreshold = memoryThreshold
    self.reserve = reserve
  }

  func open(_ path: String, limits: DecodingLimits) throws(GIFError) -> Opened {
    let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw GIFError(.unreadable, value: Int64(errno)) }
    var isTaken = false
    defer { if !isTaken { close(descriptor) } }
    let status = try FileState.status(of: descriptor)
    let size = Int(status.st_size)
    switch status.st_mode & S_IFMT {
    case S_IFDIR: throw GIFError(.isDirectory)
    // Files of /proc report no size but have bytes.
    case S_IFREG where size > memoryThreshold:
      if let file = files.file(takingOver: descriptor, state: FileState(status)) {
        isTaken = true
        return .file(file)
      }
      guard size <= limits.streamBytes else {
        throw GIFError(.inputTooLarge, value: Int64(size), limit: Int64(limits.streamBytes))
      }
      return .memory(try readFile(descriptor))
    case S_IFREG where size > 0: return .memory(try readFile(descriptor))
    default: return .memory(try readStream(descriptor, limit: limits.streamBytes))
    }
  }

  /// Reads a regular file in one state of it; again if another program has written to it. A file that only grows is read
  /// up to its first size.
  private func readFile(_ descriptor: Int32) throws(GIFError) -> ByteStorage {
    for attempt in 1...Self.attempts {
      let before = try FileState(of: descriptor)
      var bytes = GrowingBytes(limit: before.size, expecting: before.size, reserve: reserve)
      let length = try unsafe bytes.fill(upTo: before.size) { target throws(GIFError) in
        try unsafe FileReading.read(descriptor, at: 0, into: target)
      }
      let after = try FileState(of: descriptor)
      let hasGrown = length == before.size && after.size > before.size
      guard after == before || (attempt == Self.attempts && hasGrown) else { continue }
      guard length > 0 else { throw GIFError(.emptyFile) }
      return bytes.storage
    }
    throw GIFError(.fileChanged)
  }

  /// Reads to the end, or until the bytes are clearly no GIF.
  private func readStream(_ descriptor: Int32, limit: Int) throws(GIFError) -> ByteStorage {
    // One byte more shows that there are too many.
    let most = limit < .max ? limit + 1 : limit
    var bytes = GrowingBytes(limit: most, reserve: reserve)
    while true {
      let length = try unsafe bytes.fill(upTo: min(Self.pieceSize, most - bytes.count)) {
        target throws(GIFError) in
        try unsafe FileReading.readNext(descriptor, into: target)
      }
      if length == 0 { break }
      guard bytes.count <= limit else {
        throw GIFError(.inputTooLarge, value: Int64(bytes.count), limit: Int64(limit))
      }
      try bytes.checkSignature()
    }
    guard bytes.count > 0 else { throw GIFError(.emptyFile) }
    return bytes.storage
  }
}
