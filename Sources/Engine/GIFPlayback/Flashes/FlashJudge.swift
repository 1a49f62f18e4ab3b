internal import DequeModule
package import EngineSupport
internal import GIFDecoding
internal import GIFFlashes

/// Judges images on threads of low priority, each viewing of a content once.
///
/// One thread finds verdicts, so what passes is known soon. Another one measures what fails: that takes long.
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
    /// The rules by which it is read decide what it shows.
    var damagePolicy: DamagePolicy
    var limits: DecodingLimits
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
  }

  private enum Work: Int, CaseIterable { case verdict, measurement }

  /// What one thread does.
  private struct Line {
    /// The first one is being judged.
    var jobs: Deque<Job> = []
    var isRunning = false
  }

  private struct Known {
    /// Another content may get the address of one that is gone.
    weak var content: (any MemoryRegion)?
    var report: FlashReport
  }

  private struct State {
    /// By the number of their work.
    private var lines = Work.allCases.map { _ in Line() }
    private var known: [Key: Known] = [:]
    private var newest: Deque<Key> = []

    func report(of key: Key) -> FlashReport? {
      known[key].flatMap { $0.content == nil ? nil : $0.report }
    }

    /// Adds another caller to a job that waits or is being judged; false if there is none.
    mutating func join(_ key: Key, _ asker: Asker) -> Bool {
      for line in lines.indices {
        guard let place = lines[line].jobs.firstIndex(where: { $0.key == key }) else { continue }
        lines[line].jobs[place].askers.append(asker)
        return true
      }
      return false
    }

    /// Adds a job; returns whether its thread has yet to be started.
    mutating func add(_ job: Job, to work: Work) -> Bool {
      lines[work.rawValue].jobs.append(job)
      defer { lines[work.rawValue].isRunning = true }
      return !lines[work.rawValue].isRunning
    }

    /// The job that a thread judges next; without one the thread ends.
    mutating func next(_ work: Work) -> Job? {
      lines[work.rawValue].isRunning = first(work) != nil
      return first(work)
    }

    /// The job that a thread judges.
    func first(_ work: Work) -> Job? { lines[work.rawValue].jobs.first }

    mutating func removeFirst(_ work: Work) -> Job { lines[work.rawValue].jobs.removeFirst() }

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
    let key = Key(
      content: owner?.identity, byteCount: image.metadata.byteCount, damagePolicy: image.damagePolicy,
      limits: image.limits, options: options)
    let asker = Asker(isWaiting: isWaiting, handler: handler)
    let (report, mustStart) = state.withLock { state -> (FlashReport?, Bool) in
      if let report = state.report(of: key) { return (report, false) }
      if state.join(key, asker) { return (nil, false) }
      return (nil, state.add(Job(key: key, image: image, askers: [asker]), to: .verdict))
    }
    if let report { return handler(report) }
    // Without a thread the caller's has to do.
    if mustStart, !start(.verdict) { run(.verdict) }
  }

  private func start(_ work: Work) -> Bool { startThread { [self] in run(work) } }

  private func run(_ work: Work) {
    // Where another thread cannot be started.
    var measuresLater = false
    defer { if measuresLater { run(.measurement) } }
    while let job = state.withLock({ $0.next(work) }) {
      // Where a size changes again and again, most questions are given up before their turn.
      guard isWanted(work) else {
        removeUnwanted(work)
        continue
      }
      var options = job.key.options
      if work == .verdict { options.isVerdictOnly = true }
      let report: FlashReport?
      do throws(GIFError) {
        report = try job.image.flashes(options) { [self] in !isWanted(work) }
      } catch {
        if error.code == .cancelled {
          removeUnwanted(work)
          continue
        }
        report = nil
      }
      if options != job.key.options, report?.result == .fails {
        let mustStart = state.withLock { $0.add($0.removeFirst(work), to: .measurement) }
        if mustStart, !start(.measurement) { measuresLater = true }
        continue
      }
      let done = state.withLock { state -> Job in
        if let report { state.keep(report, of: job) }
        return state.removeFirst(work)
      }
      for asker in done.askers where asker.isWaiting() { asker.handler(report) }
    }
  }

  private func askers(_ work: Work) -> [Asker] { state.withLock { $0.first(work)?.askers ?? [] } }

  private func isWanted(_ work: Work) -> Bool { askers(work).contains { $0.isWaiting() } }

  /// Removes what was being judged, unless a player asks for it that did not before.
  private func removeUnwanted(_ work: Work) {
    // A player answers outside of the lock: it may hold its own while it asks.
    let askers = askers(work)
    if askers.contains(where: { $0.isWaiting() }) { return }
    state.withLock { state in
      if state.first(work)?.askers.count == askers.count { _ = state.removeFirst(work) }
    }
  }
}
