internal import GIFDecoding
internal import Glibc

/// What tells a file, and one state of it, from others: where it is, how large, and when it was written to.
struct FileState: Hashable, Sendable {
  let device: UInt64
  let inode: UInt64
  let size: Int
  let seconds: Int
  let nanoseconds: Int

  init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    size = Int(status.st_size)
    seconds = status.st_mtim.tv_sec
    nanoseconds = status.st_mtim.tv_nsec
  }

  /// The state of an open file.
  init(of descriptor: Int32) throws(GIFError) {
    self.init(try Self.status(of: descriptor))
  }

  static func status(of descriptor: Int32) throws(GIFError) -> stat {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw GIFError(.unreadable, value: Int64(errno)) }
    return status
  }
}

/// A regular file that is read where it is, through a descriptor that stays open.
///
/// The descriptor keeps the file when its name is given to another one or removed.
final class OpenFile: ByteSource {
  private let descriptor: Int32
  private let state: FileState
  private let owner: OpenFiles

  /// Takes the descriptor over.
  fileprivate init(_ descriptor: Int32, _ state: FileState, owner: OpenFiles) {
    self.descriptor = descriptor
    self.state = state
    self.owner = owner
  }

  deinit {
    close(descriptor)
    owner.forget(ObjectIdentifier(self), state)
  }

  var count: Int { state.size }

  func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) throws(GIFError) {
    let length = try unsafe FileReading.read(descriptor, at: offset, into: target)
    guard length == target.count else { throw GIFError(.fileChanged, offset: offset + length) }
  }
}

/// The files that are open: each once, however often it was opened, and no more than a share of the descriptors that
/// the process may have.
@safe package final class OpenFiles: @unchecked Sendable {
  package static let shared = OpenFiles(limit: OpenFiles.standardLimit)

  private struct Entry {
    let id: ObjectIdentifier
    weak var file: OpenFile?
  }

  /// How many files may be open at once.
  private let limit: @Sendable () -> Int
  /// Guards what follows. A lock of the system's, so that ThreadSanitizer sees it.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var entries: [FileState: Entry] = [:]
  private var openCount = 0

  package init(limit: @escaping @Sendable () -> Int) {
    self.limit = limit
    unsafe mutex = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe pthread_mutex_init(mutex, nil)
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  /// A quarter of what the process may open: the rest is the program's own.
  @Sendable package static func standardLimit() -> Int {
    var limits = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0 else { return 64 }
    return Int(clamping: limits.rlim_cur) / 4
  }

  /// How many files are open.
  package var count: Int { locked { openCount } }

  /// The open file behind a descriptor, which is taken over or closed; nil, and nothing is done, where there are too
  /// many already.
  func file(takingOver descriptor: Int32, state: FileState) -> OpenFile? {
    let (file, isOther) = locked { () -> (OpenFile?, Bool) in
      if let entry = entries[state], let file = entry.file { return (file, true) }
      guard openCount < limit() else { return (nil, false) }
      let file = OpenFile(descriptor, state, owner: self)
      entries[state] = Entry(id: ObjectIdentifier(file), file: file)
      openCount += 1
      return (file, false)
    }
    if isOther { close(descriptor) }
    return file
  }

  fileprivate func forget(_ id: ObjectIdentifier, _ state: FileState) {
    locked {
      openCount -= 1
      // Another one may have come meanwhile.
      if entries[state]?.id == id { entries[state] = nil }
    }
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return body()
  }
}
