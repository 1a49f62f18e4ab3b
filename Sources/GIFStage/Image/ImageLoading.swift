internal import EngineSupport
internal import GIFCaching
public import GIFDecoding
internal import GIFLoading
internal import Synchronization

/// A loader of images for views. Implement it to load from a network, an archive or a test.
public protocol ImageLoading: Sendable {
  /// Starts to load an image.
  ///
  /// `completion` is called at most once, on any thread; not at all after ``ImageRequest/cancel()``.
  func load(
    _ source: String, completion: @escaping @Sendable (Result<GIFImage, ImageLoadingError>) -> Void
  ) -> ImageRequest
}

/// The reason that an image cannot be loaded, as a sentence.
public struct ImageLoadingError: Error, Sendable, Hashable, CustomStringConvertible {
  public let description: String

  public init(_ description: String) { self.description = description }
}

/// A running load; releasing it does not cancel it.
public final class ImageRequest: Sendable {
  private let cancelled = Atomic<Bool>(false)
  private let onCancel: @Sendable () -> Void

  public init(onCancel: @escaping @Sendable () -> Void = {}) { self.onCancel = onCancel }

  public func cancel() {
    guard !cancelled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    onCancel()
  }

  public var isCancelled: Bool { cancelled.load(ordering: .acquiring) }
}

/// Reads files by their paths, one after another on a thread of its own.
public final class FileImageLoader: ImageLoading {
  public typealias Open = @Sendable (String) throws(ImageLoadingError) -> GIFImage

  private struct Job {
    let request: ImageRequest
    let source: String
    let completion: @Sendable (Result<GIFImage, ImageLoadingError>) -> Void
  }

  private struct State {
    var jobs: [Job] = []
    var hasThread = false
    var isStopped = false
  }

  private let monitor = Monitor(State())
  private let open: Open

  /// - Parameter open: how a file becomes an image.
  public init(open: @escaping Open = FileImageLoader.openFile) { self.open = open }

  /// Opens a file with the standard limits.
  public static func openFile(_ path: String) throws(ImageLoadingError) -> GIFImage {
    do throws(GIFError) {
      return try GIFImage(contentsOf: path)
    } catch {
      throw ImageLoadingError(error.description)
    }
  }

  deinit {
    monitor.withLock { $0.isStopped = true }
    monitor.broadcast()
  }

  public func load(
    _ source: String, completion: @escaping @Sendable (Result<GIFImage, ImageLoadingError>) -> Void
  ) -> ImageRequest {
    let request = ImageRequest()
    let startsThread = monitor.withLock { state in
      state.jobs.append(Job(request: request, source: source, completion: completion))
      defer { state.hasThread = true }
      return !state.hasThread
    }
    if startsThread {
      let (monitor, open) = (monitor, open)
      let isStarted = EngineThread.start { Self.serve(monitor, open) }
      // Without a thread the image loads on the caller's thread.
      if !isStarted {
        monitor.withLock { $0.hasThread = false }
        while let job = monitor.withLock({ $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }) {
          Self.run(job, open)
        }
      }
    }
    monitor.signal()
    return request
  }

  private static func serve(_ monitor: Monitor<State>, _ open: Open) {
    while let job = monitor.waitingWithLock({ state -> MonitorStep<Job?> in
      if state.isStopped { return .done(nil) }
      guard !state.jobs.isEmpty else { return .wait(until: nil) }
      return .done(state.jobs.removeFirst())
    }) {
      run(job, open)
    }
  }

  private static func run(_ job: Job, _ open: Open) {
    // A grid that scrolls fast cancels many requests before they start.
    guard !job.request.isCancelled else { return }
    let outcome = Result { () throws(ImageLoadingError) in try open(job.source) }
    if !job.request.isCancelled { job.completion(outcome) }
  }
}
