public import GIFDecoding

/// Composes a run of frames with several threads: their code streams do not depend on each other, and a large frame is
/// drawn by several at once. The pictures are those of a ``FrameRenderer``, in order.
///
/// The calling thread composes, and decodes too while nothing is ready; `jobs` - 1 threads of a crew that the process
/// keeps decode ahead and, where that is done, help to draw. Memory: for each job four groups of palette indices,
/// within ``DecodingLimits/decodedBytes``, beside what a renderer takes.
public struct FramePipeline: ~Copyable {
  private var renderer: FrameRenderer
  private var decoder = FrameDecoder()
  private let work: PipelineWork
  private var nextFrame: Int
  private let end: Int

  /// - Parameters:
  ///   - frames: the frames wanted, in order; must be frames of the image.
  ///   - size: the size at which pictures are delivered; nil for that of the canvas.
  ///   - jobs: threads at work, the calling one included; 1 to 1,024.
  /// - Throws: ``GIFError/Code/noSuchFrame``, and what ``FrameRenderer`` throws.
  public init(
    _ image: GIFImage, frames: Range<Int>, format: PixelFormat = .rgba, size: PixelSize? = nil, jobs: Int
  ) throws(GIFError) {
    guard frames.lowerBound >= 0, frames.upperBound <= image.frameCount else {
      throw GIFError(.noSuchFrame, value: Int64(frames.upperBound - 1), limit: Int64(image.frameCount))
    }
    renderer = try FrameRenderer(image, format: format, size: size, checkpoints: .none)
    nextFrame = frames.lowerBound
    end = frames.upperBound
    let lead = frames.isEmpty ? [] : renderer.steps(to: frames.lowerBound)
    let jobs = WorkerPool.clamped(jobs)
    work = PipelineWork(image: image, order: lead + Array(frames.dropFirst()), jobs: jobs)
    WorkerPool.shared.assign(min(jobs, work.groupCount) - 1, to: work)
  }

  deinit { work.stop() }

  /// Composes the next frame in place; nil after the last one.
  public mutating func render() throws(GIFError) -> (index: Int, status: FrameStatus)? {
    guard nextFrame < end else { return nil }
    let target = nextFrame
    while let step = work.currentFrame {
      work.prepareCurrent(with: &decoder)
      let board = work.board
      let status = try work.withCurrent { decoded throws(GIFError) in
        try renderer.render(step, decoded: decoded, sharing: board)
      }
      work.advance()
      guard step == target else { continue }
      nextFrame += 1
      return (target, status)
    }
    return nil
  }

  /// The next finished picture; nil after the last one.
  public mutating func next() throws(GIFError) -> Frame? {
    guard let (index, status) = try render() else { return nil }
    return renderer.picture(of: index, status: status)
  }

  /// Bytes of one finished picture.
  public var pictureBytes: Int { renderer.pictureBytes }

  /// The canvas as it stands, one word a pixel.
  public var canvasPixels: Span<UInt32> {
    @_lifetime(borrow self)
    get { renderer.canvasPixels }
  }

  /// The damage met so far.
  public var diagnostics: [GIFDiagnostic] { renderer.diagnostics }
}
