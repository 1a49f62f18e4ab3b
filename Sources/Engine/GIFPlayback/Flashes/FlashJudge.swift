internal import DequeModule
package import EngineSupport
internal import GIFDecoding
internal import GIFFlashes

/// Judges images on one thread of low priority, each viewing of a content once.
///
/// What passes is known soon. What fails is measured once nothing else waits to be judged.
package final class FlashJudge: Sendable {
  /// Takes a verdict; nil if the image cannot be judged.
  typealias Handler = @Sendable (FlashReport?) -> Void

  package static let shared = FlashJudge { EngineThread.start(isBackground: true, $0) }

  /// Verdicts are kept for that many viewings, the newest.
  private static let mostVerdicts = 512

  private struct Key: Hashable {
    /// Nil for a file without bytes.
    var content: ObjectIdentifier?
    var byteCount: Int
    var options: FlashOptions
  }

  private struct Asker {
    var isWaiting: @Sendable () -> Bool
    var handler: Handler
  }

  private struct Job {
    var key: Key
    var image: GIFImage
    var askers: [Asker]
    /// Whether it is known to fail, and has yet to be measured.
    var isFailing = false
  }

  private struct Known {
    /// Another content may get the address of one that is gone.
    weak var content: (any MemoryRegion)?
    var report: FlashReport
  }

  private struct State {
    /// The first one is being judged.
    var jobs: Deque<Job> = []
    var known: [Key: Known] = [:]
    var newest: Deque<Key> = []
    var isRunning = false

    /// Moves the first job behind the others: to measure a failure takes long.
    mutating func postpone() {
      var job = jobs.removeFirst()
      job.isFailing = true
      jobs.append(job)
    }

    mutating func keep(_ report: FlashReport, of job: Job) {
      guard known.updateValue(Known(content: job.image.bytesOwner, report: report), forKey: job.key) == nil
      else { return }
      newest.append(job.key)
      if newest.count > FlashJudge.mostVerdicts { known[newest.removeFirst()] = nil }
    }
  }

  private let state = Lock(State())
  private let startThread: EngineThread.Starter

  /// - Parameter startThread: starts a thread, or returns false where the system gives none.
  package init(startThread: @escaping EngineThread.Starter) { self.startThread = startThread }

  /// Has an image judged.
  ///
  /// - Parameters:
  ///   - isWaiting: whether the verdict is still wanted.
  ///   - handler: called at once where the verdict is known, else by the thread.
  func judge(
    _ image: GIFImage, _ options: FlashOptions, isWaiting: @escaping @Sendable () -> Bool,
    handler: @escaping Handler
  ) {
    let owner = image.bytesOwner
    let key = Key(content: owner?.identity, byteCount: image.metadata.byteCount, options: options)
    let (known, mustStart) = state.withLock { state -> (FlashReport?, Bool) in
      if let known = state.known[key], known.content != nil { return (known.report, false) }
      let asker = Asker(isWaiting: isWaiting, handler: handler)
      if let job = state.jobs.firstIndex(where: { $0.key == key }) {
        state.jobs[job].askers.append(asker)
      } else {
        state.jobs.append(Job(key: key, image: image, askers: [asker]))
      }
      defer { state.isRunning = true }
      return (nil, !state.isRunning)
    }
    if let known { return handler(known) }
    // Without a thread the caller's has to do.
    if mustStart, !startThread({ [self] in run() }) { run() }
  }

  private func run() {
    while let (job, isLast) = state.withLock({ state -> (Job, Bool)? in
      state.isRunning = !state.jobs.isEmpty
      return state.jobs.first.map { ($0, state.jobs.count == 1) }
    }) {
      // Where a size changes again and again, most questions are given up before their turn.
      guard isWanted() else {
        removeUnwanted()
        continue
      }
      var options = job.key.options
      options.isVerdictOnly = !job.isFailing && !isLast
      let report: FlashReport?
      do throws(GIFError) {
        report = try job.image.flashes(options) { [self] in !isWanted() }
      } catch {
        if error.code == .cancelled {
          removeUnwanted()
          continue
        }
        report = nil
      }
      if options.isVerdictOnly, report?.result == .fails {
        state.withLock { $0.postpone() }
        continue
      }
      let done = state.withLock { state -> Job in
        if let report { state.keep(report, of: job) }
        return state.jobs.removeFirst()
      }
      for asker in done.askers where asker.isWaiting() { asker.handler(report) }
    }
  }

  /// Those who ask for what is being judged.
  private var askers: [Asker] { state.withLock { $0.jobs.first?.askers ?? [] } }

  private func isWanted() -> Bool { askers.contains { $0.isWaiting() } }

  /// Removes what was being judged, unless a player asks for it that did not before.
  private func removeUnwanted() {
    // A player answers outside of the lock: it may hold its own while it asks.
    let askers = askers
    if askers.contains(where: { $0.isWaiting() }) { return }
    state.withLock { state in
      if state.jobs.first?.askers.count == askers.count { state.jobs.removeFirst() }
    }
  }
}
