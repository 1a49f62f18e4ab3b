public import GIFDecoding

/// Decodes a run of frames with several workers: their code streams do not depend on each other, only composing goes
/// frame by frame. The pictures are those of a ``FrameRenderer``, in order.
///
/// Frames are taken in groups, so that tiny ones are not handed over one by one. The calling thread composes, and
/// decodes too while nothing is ready; `jobs` - 1 threads only decode. Memory: for each job two groups of palette
/// indices, beside what a renderer takes.
public struct FramePipeline: ~Copyable {
  private var renderer: FrameRenderer
  private var decoder = FrameDecoder()
  private let work: PipelineWork
  private var nextFrame: Int
  private let end: Int

  /// - Parameters:
  ///   - frames: the frames wanted, in order; must be frames of the image.
  ///   - size: the size at which pictures are delivered; nil for that of the canvas.
  ///   - jobs: threads at work, the calling one included; at least 1.
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
    let order = lead + Array(frames.dropFirst())
    work = PipelineWork(image: image, order: order, jobs: max(1, jobs))
    for _ in 1..<max(1, min(jobs, work.groupCount)) {
      let work = work
      // Without a thread the others do its share.
      _ = EngineThread.start {
        var decoder = FrameDecoder()
        while work.decodeGroup(with: &decoder, waits: true) {}
      }
    }
  }

  deinit { work.stop() }

  /// Composes the next frame in place; nil after the last one.
  public mutating func render() throws(GIFError) -> (index: Int, status: FrameStatus)? {
    guard nextFrame < end else { return nil }
    let target = nextFrame
    while true {
      guard let step = work.currentFrame else { return nil }
      while !work.isCurrentReady {
        if !work.decodeGroup(with: &decoder, waits: false) { work.waitForCurrent() }
      }
      let status = try work.withCurrent { decoded throws(GIFError) in
        try renderer.render(step, decoded: decoded)
      }
      work.advance()
      guard step == target else { continue }
      nextFrame += 1
      return (target, status)
    }
  }

  /// The next finished picture; nil after the last one.
  public mutating func next() throws(GIFError) -> Frame? {
    guard let (index, status) = try render() else { return nil }
    return renderer.picture(of: index, status: status)
  }

  /// The canvas as it stands, one word a pixel.
  public var canvasPixels: Span<UInt32> {
    @_lifetime(borrow self)
    get { renderer.canvasPixels }
  }

  /// The damage met so far.
  public var diagnostics: [GIFDiagnostic] { renderer.diagnostics }
}
