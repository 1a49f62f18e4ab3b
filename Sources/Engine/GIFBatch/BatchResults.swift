internal import EngineSupport

/// What several threads make of many values, such as files, in the order of the values: an asynchronous
/// sequence.
///
///     import Gallop
///     func showPosters(of paths: [String], _ show: (Result<Frame, any Error>) -> Void) async {
///       let posters = BatchResults(of: paths) { path, isCancelled in
///         Result {
///           var renderer = try FrameRenderer(GIFImage(contentsOfFile: path, firstFrames: 1))
///           return try renderer.frame(at: 0, isCancelled: isCancelled)
///         }
///       }
///       for await poster in posters { show(poster) }
///     }
///
/// Threads take whole values, so that they share nothing while they work. Back-pressure: a value is asked for
/// only while fewer than the window are in work or finished and not yet taken, so memory does not grow with
/// the number of values. When the task is cancelled or the iterator released, the sequence ends: no thread
/// begins another value.
public struct BatchResults<Sources: Sequence & Sendable, Output: Sendable>: AsyncSequence, Sendable
where Sources.Element: Sendable {
  private let sources: Sources
  private let jobs: Int
  private let window: Int
  private let transform: @Sendable (Sources.Element, _ isCancelled: @escaping @Sendable () -> Bool) -> Output

  /// - Parameters:
  ///   - sources: the values; the sequence is gone through while results are taken.
  ///   - jobs: threads at work, 1 to 1,024; nil for the number of processors.
  ///   - window: the largest number of values at once; nil for twice as many as threads, and one.
  ///   - transform: called with each value, on any thread, for several values at the same time. Pass
  ///     `isCancelled` on to ``FrameRenderer/frame(at:isCancelled:)``, so that a long decoding ends with the
  ///     sequence.
  public init(
    of sources: Sources, jobs: Int? = nil, window: Int? = nil,
    _ transform:
      @escaping @Sendable (Sources.Element, _ isCancelled: @escaping @Sendable () -> Bool) -> Output
  ) {
    self.sources = sources
    self.jobs = WorkerPool.clamped(jobs ?? EngineThread.processorCount)
    self.window = Swift.max(1, window ?? 2 * self.jobs + 1)
    self.transform = transform
  }

  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(sources.makeIterator(), jobs: jobs, window: window, transform)
  }

  /// Goes through the results once.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private var sources: Sources.Iterator
    private let work: OrderedWork<Sources.Element, Output>

    fileprivate init(
      _ sources: Sources.Iterator, jobs: Int, window: Int,
      _ transform:
        @escaping @Sendable (Sources.Element, _ isCancelled: @escaping @Sendable () -> Bool) -> Output
    ) {
      self.sources = sources
      work = OrderedWork(jobs: jobs, window: window, waits: true, cancellable: transform)
    }

    /// Waits for the next result; nil at the end, and when the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Output? {
      while !work.isFull, !Task.isCancelled, let source = sources.next() { work.add(source) }
      return await work.next(isolation: actor)
    }
  }
}
