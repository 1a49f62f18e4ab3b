internal import EngineSupport
internal import Gallop
internal import Glibc

/// What all calls share, behind locks that a fork cannot leave locked.
///
/// A lock is held for a few instructions at a time, that of the memory while the system notes that it may
/// have idle pages. `fork` waits for both, so the child has the contents whole. Its bound: the mutexes are
/// allocated once and live as long as the process.
@safe final class ProcessState: @unchecked Sendable {
  static let shared = ProcessState()

  @safe struct Contents {
    var handles = HandleTable()
    /// Texts handed out to C: each is kept for ever, and there are as many as there are kinds of messages.
    var texts: [String: UnsafePointer<CChar>] = unsafe [:]
    /// How many forks lie between this process and the one that loaded the library.
    var life = 0
    /// Threads of the engine that were started in this process, or in one that it was forked from.
    var threads = ThreadUse()
  }

  /// Which threads of the engine there are, and which stayed in a parent: those never come back.
  struct ThreadUse {
    var playback = false
    var batches = false
    var strandedPlayback = false
    var strandedBatches = false

    mutating func strand() {
      strandedPlayback = strandedPlayback || playback
      strandedBatches = strandedBatches || batches
      (playback, batches) = (false, false)
    }
  }

  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var contents = Contents()
  private let memoryMutex: UnsafeMutablePointer<pthread_mutex_t>
  /// Memory of released pictures, kept for new ones.
  private var memory = RecycledMemory.State()

  private init() {
    // First: a fork from now on waits until this object is whole, as its handlers use it.
    pthread_atfork(
      { ProcessState.shared.prepareForFork() }, { ProcessState.shared.continueAfterFork(isChild: false) },
      { ProcessState.shared.continueAfterFork(isChild: true) })
    unsafe mutex = .allocate(capacity: 2)
    unsafe memoryMutex = mutex + 1
    unsafe mutex.initialize(repeating: pthread_mutex_t(), count: 2)
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_mutex_init(memoryMutex, nil)
  }

  func withLock<Result>(_ body: (inout Contents) -> Result) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return body(&contents)
  }

  /// Has a lock of its own: an object may be released, and its memory with it, while the other one is held.
  func withMemory<Result>(_ body: (inout RecycledMemory.State) -> Result) -> Result {
    unsafe pthread_mutex_lock(memoryMutex)
    defer { unsafe pthread_mutex_unlock(memoryMutex) }
    return body(&memory)
  }

  private func prepareForFork() {
    ForkPreparation.run()
    OpenFiles.shared.holdForFork()
    unsafe pthread_mutex_lock(mutex)
    unsafe pthread_mutex_lock(memoryMutex)
  }

  private func continueAfterFork(isChild: Bool) {
    if isChild {
      contents.life += 1
      contents.threads.strand()
      // Pages shared with the parent would be copied before they are overwritten.
      for range in memory.spare.removeAll() { RecycledMemory.unmap(range) }
      (memory.hasThread, memory.mayStartThread) = (false, false)
    }
    unsafe pthread_mutex_unlock(memoryMutex)
    unsafe pthread_mutex_unlock(mutex)
    OpenFiles.shared.releaseAfterFork()
  }
}

extension ProcessState {
  /// Notes that players, clocks, groups or budgets begin to use threads of the process.
  /// - Throws: ``Status/forked`` where these threads stayed in the parent.
  func usePlayback() throws(Failure) {
    let isStranded = withLock { state in
      if !state.threads.strandedPlayback { state.threads.playback = true }
      return state.threads.strandedPlayback
    }
    if isStranded { throw Failure(.forked, "the threads of players stayed in the parent process") }
  }

  /// Notes that a batch begins; returns whether it may use threads of the process.
  func useBatches() -> Bool {
    withLock { state in
      if !state.threads.strandedBatches { state.threads.batches = true }
      return !state.threads.strandedBatches
    }
  }

  /// A C string of a text, valid for ever. Only for texts of which there are few.
  func text(_ text: String) -> UnsafePointer<CChar> {
    unsafe withLock { state in
      if let known = unsafe state.texts[text] { return unsafe known }
      let copy = unsafe UnsafePointer(strdup(text)!)
      unsafe state.texts[text] = copy
      return unsafe copy
    }
  }
}
