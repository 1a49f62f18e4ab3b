public import GIFDecoding
internal import Glibc

extension GIFImage {
  /// Opens the file at a path, in time proportional to its size; ``init(url:loader:)`` loads a URL.
  ///
  /// A regular file of up to 1 MiB is read into memory, which images of the same state of the file share. A
  /// larger one stays open on disk, and decoding reads each frame's bytes; if another program has changed
  /// them, it throws ``GIFError/Code/fileChanged``. A pipe is read to its end, within
  /// ``DecodingLimits/streamBytes``; reading ends with the first bytes that are not those of a GIF, when the
  /// task is cancelled, and after 30 seconds without a writer. A device or a socket is refused.
  /// - Parameters:
  ///   - path: the file's path.
  ///   - count: the number of frames to read, at least one, such as 1 for a poster; nil for all. The time is
  ///     then that of these frames, whatever the size of the file. The image has no other frames, and
  ///     ``GIFMetadata/isComplete`` is false where the file goes on.
  ///   - limits: what the file may cost.
  /// - Throws: ``GIFLoadingError`` with the path if the file cannot be read or browsers show a broken image.
  public init(
    contentsOfFile path: String, firstFrames count: Int? = nil, limits: DecodingLimits = .default
  ) throws(GIFLoadingError) {
    do throws(GIFError) {
      try self.init(contentsOfFile: path, firstFrames: count, limits: limits, opening: FileOpening())
    } catch {
      throw GIFLoadingError(error, source: GIFSource.withoutCredentials(path))
    }
  }

  /// Opens a file as `opening` says.
  package init(
    contentsOfFile path: String, firstFrames count: Int? = nil, limits: DecodingLimits, opening: FileOpening
  ) throws(GIFError) {
    try self.init(
      contentsOfFile: Array(path.utf8CString), firstFrames: count, limits: limits, opening: opening)
  }

  /// Opens a file of any name.
  ///
  /// - Parameter path: the bytes of the path, which need not be UTF-8, and a 0.
  package init(
    contentsOfFile path: [CChar], firstFrames count: Int? = nil, limits: DecodingLimits, opening: FileOpening
  ) throws(GIFError) {
    let count = count.map { max(1, $0) }
    switch try opening.open(path, limits: limits) {
    case .memory(let bytes, let passedBytes):
      try self.init(storage: bytes, firstFrames: count, limits: limits, passedBytes: passedBytes)
    case .file(let source): try self.init(source: source, firstFrames: count, limits: limits)
    }
  }
}

/// The rules of opening files: which are read into memory, and which stay on disk.
package struct FileOpening {
  enum Opened {
    case memory(ByteStorage, passedBytes: Int = 0)
    case file(any ByteSource)
  }

  let files: OpenFiles
  /// The largest size of a regular file that is read into memory, in bytes.
  private let memoryThreshold: Int
  private let reserve: MemoryReserver?
  /// How long a named pipe may be without a writer, in milliseconds.
  private let writerTimeout: Int
  /// Whether the caller no longer wants the file.
  private let isCancelled: @Sendable () -> Bool
  /// The number of reads of a file that changes meanwhile.
  private static let attempts = 3
  private static let pieceSize = 1 << 16

  package init(
    files: OpenFiles = .shared, memoryThreshold: Int = 1 << 20,
    reserve: MemoryReserver? = ReservedMemory.reserver, writerTimeout: Int = 30_000,
    isCancelled: @escaping @Sendable () -> Bool = { Task.isCancelled }
  ) {
    self.files = files
    self.memoryThreshold = memoryThreshold
    self.reserve = reserve
    self.writerTimeout = writerTimeout
    self.isCancelled = isCancelled
  }

  func open(_ path: [CChar], limits: DecodingLimits) throws(GIFError) -> Opened {
    guard !FileReading.isDevice(path) else { throw GIFError(.notAFile) }
    // A named pipe without a writer would hold up a plain `open`.
    let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
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
    case S_IFREG:
      return try unsafe readStream(limits) { target throws(GIFError) in
        try unsafe FileReading.readNext(descriptor, into: target)
      }
    case S_IFIFO:
      let pipe = PipeReader(descriptor: descriptor, writerTimeout: writerTimeout, isCancelled: isCancelled)
      return try unsafe readStream(limits) { target throws(GIFError) in
        try unsafe pipe.readNext(into: target)
      }
    default: throw GIFError(.notAFile)
    }
  }

  /// Reads a regular file into memory, or finds the memory that another image of the same state of the file
  /// has.
  ///
  /// If another program writes to the file meanwhile, it is read again. A file that only grows is read up to
  /// its first size.
  private func readFile(_ descriptor: Int32) throws(GIFError) -> ByteStorage {
    for attempt in 1...Self.attempts {
      let before = try FileState(of: descriptor)
      // Two states may look the same, so the bytes decide.
      if let known = files.memory(of: before), try isFile(descriptor, known) { return known }
      var bytes = GrowingBytes(limit: before.size, reserve: reserve)
      let length = try unsafe bytes.fill(upTo: before.size) { target throws(GIFError) in
        try unsafe FileReading.read(descriptor, at: 0, into: target)
      }
      let after = try FileState(of: descriptor)
      let hasGrown = length == before.size && after.size > before.size
      guard after == before || (attempt == Self.attempts && hasGrown) else { continue }
      guard length > 0 else { throw GIFError(.emptyFile) }
      if after == before { files.share(bytes.storage, as: before) }
      return bytes.storage
    }
    throw GIFError(.fileChanged)
  }

  /// Whether a file has the bytes that were read before.
  private func isFile(_ descriptor: Int32, _ known: ByteStorage) throws(GIFError) -> Bool {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceSize, alignment: 16)
    defer { unsafe buffer.deallocate() }
    var place = 0
    while place < known.count {
      let length = try unsafe FileReading.read(descriptor, at: place, into: buffer)
      guard length > 0 else { return false }
      let piece = unsafe UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<length])
      guard unsafe known.contains(piece, at: place) else { return false }
      place += length
    }
    return true
  }

  /// Reads to the end, or until the bytes are clearly no GIF or too many. What follows the animation is not
  /// held.
  private func readStream(
    _ limits: DecodingLimits, _ readNext: (UnsafeMutableRawBufferPointer) throws(GIFError) -> Int
  ) throws(GIFError) -> Opened {
    // One byte more shows that there are too many.
    let most = limits.streamBytes < .max ? limits.streamBytes + 1 : .max
    var stream = GIFStream(limits: limits, reserve: reserve)
    var piece = [UInt8](repeating: 0, count: Self.pieceSize)
    while true {
      let wanted = min(Self.pieceSize, most - stream.byteCount)
      let read = unsafe piece.withUnsafeMutableBytes { buffer in
        let target = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
        return Result { () throws(GIFError) in try unsafe readNext(target) }
      }
      let length = try read.get()
      if length == 0 { break }
      try stream.append(piece.span.extracting(first: length))
    }
    guard stream.byteCount > 0 else { throw GIFError(.emptyFile) }
    return .memory(stream.storage, passedBytes: stream.passedBytes)
  }
}
