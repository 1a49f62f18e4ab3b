internal import EngineSupport
internal import GIFDecoding
internal import Glibc

/// The identity of one state of a file: its place, its size and the time of the last write.
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

/// A regular file that is read on disk through an open descriptor.
///
/// The descriptor keeps the file when its name is removed or given to another file.
final class OpenFile: ByteSource {
  private let descriptor: Int32
  private let state: FileState
  private let owner: OpenFiles

  /// Creates a file that owns the descriptor.
  fileprivate init(_ descriptor: Int32, _ state: FileState, owner: OpenFiles) {
    self.descriptor = descriptor
    self.state = state
    self.owner = owner
  }

  deinit {
    close(descriptor)
    owner.remove(ObjectIdentifier(self), state)
  }

  var count: Int { state.size }

  func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) throws(GIFError) {
    try unsafe FileReading.fill(target, from: descriptor, at: offset)
  }
}

/// The open files, each with one descriptor for all its users, up to a share of the process's descriptors;
/// and the memory of those that were read whole. Neither is kept alive.
package final class OpenFiles: Sendable {
  package static let shared = OpenFiles(limit: OpenFiles.standardLimit)

  // Objects, because a copy of a weak reference within a dictionary's value has crashed (Swift 6.2 and 6.3)
  // while the last reference to its object was released.

  private final class Entry {
    let id: ObjectIdentifier
    weak var file: OpenFile?

    init(_ file: OpenFile) {
      id = ObjectIdentifier(file)
      self.file = file
    }
  }

  private final class Memory {
    weak var region: (any MemoryRegion)?
    let count: Int

    init(_ bytes: ByteStorage) {
      region = bytes.memory
      count = bytes.count
    }
  }

  private struct State {
    var entries: [FileState: Entry] = [:]
    var count = 0
    var memories: [FileState: Memory] = [:]
    /// The number of memories from which on those that are gone are looked for.
    var sweepThreshold = 64
  }

  /// The largest number of files open at once.
  private let limit: @Sendable () -> Int
  private let state = Lock(State())

  package init(limit: @escaping @Sendable () -> Int) { self.limit = limit }

  /// A quarter of the process's descriptors; the rest is for the program.
  @Sendable package static func standardLimit() -> Int {
    var limits = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0 else { return 64 }
    return Int(clamping: limits.rlim_cur) / 4
  }

  /// Keeps other threads out while the process forks: a child could wait for them for ever.
  package func holdForFork() { state.holdForFork() }

  /// Ends ``holdForFork()``, in the parent and in the child.
  package func releaseAfterFork() { state.releaseAfterFork() }

  /// The number of open files.
  package var count: Int { state.withLock { $0.count } }

  /// The open file of a descriptor, which is taken over or closed; nil, and the descriptor stays the
  /// caller's, if too many files are open.
  func file(takingOver descriptor: Int32, state fileState: FileState) -> OpenFile? {
    let (file, isOther) = state.withLock { state -> (OpenFile?, Bool) in
      if let entry = state.entries[fileState], let file = entry.file { return (file, true) }
      guard state.count < limit() else { return (nil, false) }
      let file = OpenFile(descriptor, fileState, owner: self)
      state.entries[fileState] = Entry(file)
      state.count += 1
      return (file, false)
    }
    if isOther { close(descriptor) }
    return file
  }

  /// The bytes of a file in one state, if they are in memory.
  func memory(of fileState: FileState) -> ByteStorage? {
    state.withLock { state in
      guard let entry = state.memories[fileState], let region = entry.region else { return nil }
      return ByteStorage(region, count: entry.count)
    }
  }

  /// Has others find bytes in memory.
  func share(_ bytes: ByteStorage, as fileState: FileState) {
    state.withLock { state in
      state.memories[fileState] = Memory(bytes)
      guard state.memories.count > state.sweepThreshold else { return }
      state.memories = state.memories.filter { $0.value.region != nil }
      state.sweepThreshold = max(64, 2 * state.memories.count)
    }
  }

  fileprivate func remove(_ id: ObjectIdentifier, _ fileState: FileState) {
    state.withLock { state in
      state.count -= 1
      // The entry may be that of a newer file.
      if state.entries[fileState]?.id == id { state.entries[fileState] = nil }
    }
  }
}
