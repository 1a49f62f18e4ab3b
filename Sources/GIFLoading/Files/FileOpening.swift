public import GIFDecoding
internal import Glibc

extension GIFImage {
  /// Opens a file.
  ///
  /// A regular file of up to 1 MiB is read into memory. A larger one stays on disk and open: each frame's bytes are read
  /// when it is decoded. Where another program has changed them by then, decoding throws
  /// ``GIFError/Code/fileChanged``. A pipe or a device is read to its end, within ``DecodingLimits/streamBytes``.
  ///
  /// Time is proportional to the size of the file.
  /// - Throws: ``GIFError`` where the file cannot be read or browsers would show a broken image.
  public init(contentsOf path: String, limits: DecodingLimits = .default) throws(GIFError) {
    try self.init(contentsOf: path, limits: limits, opening: FileOpening())
  }

  package init(contentsOf path: String, limits: DecodingLimits, opening: FileOpening) throws(GIFError) {
    switch try opening.open(path, limits: limits) {
    case .memory(let bytes): try self.init(storage: bytes, limits: limits)
    case .file(let source): try self.init(source: source, limits: limits)
    }
  }
}

/// How files are opened: which are read into memory, and which stay where they are.
package struct FileOpening {
  enum Opened {
    case memory(ByteStorage)
    case file(any ByteSource)
  }

  let files: OpenFiles
  /// Regular files of up to so many bytes are read into memory.
  private let memoryThreshold: Int
  private let reserve: MemoryReserver?
  /// How often a file that changes while it is read is read anew.
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
    // Files of /proc and the like claim no bytes and yet have some.
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

  /// Reads a regular file in one state of it; anew where it was written to meanwhile. A file that only grows is taken as
  /// it was.
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

  /// Reads to the end, unless it is clear before that this is no GIF.
  private func readStream(_ descriptor: Int32, limit: Int) throws(GIFError) -> ByteStorage {
    // One byte more tells that there are too many.
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
