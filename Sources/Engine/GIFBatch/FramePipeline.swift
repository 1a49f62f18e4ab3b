public import GIFDecoding

/// Decodes a range of frames with several threads; the frames are those of a ``FrameRenderer``, in order.
///
/// The calling thread composes, and decodes while nothing is ready. `jobs` - 1 threads of the process's pool
/// decode ahead, and help to draw large frames. Memory: that of a renderer, and up to eight groups of palette
/// indices for each job, within ``DecodingLimits/decodedBytes``.
public struct FramePipeline: ~Copyable {
  private var renderer: FrameRenderer
  private var decoder = FrameDecoder()
  /// Nil where the calling thread works alone: then the renderer decodes as it draws, without a detour.
  private let work: PipelineWork?
  /// The frames to deliver, those that are left from `nextPlace` on.
  private let frames: FrameOrder
  private var nextPlace = 0

  /// Makes a pipeline; its threads begin to decode at once.
  ///
  /// - Parameters:
  ///   - frames: a range of the image's frames.
  ///   - size: the size of the frames; nil for that of the canvas.
  ///   - jobs: the largest number of threads, the calling one included; 1 to 1,024. Short files take one.
  /// - Throws: ``GIFError/Code/noFrames`` or ``GIFError/Code/noSuchFrame``, and what ``FrameRenderer``
  ///   throws.
  public init(
    _ image: GIFImage, frames: Range<Int>, format: PixelFormat = .rgba, size: PixelSize? = nil, jobs: Int
  ) throws(GIFError) {
    try self.init(
      image, frames: .range(frames), format: format, size: size, jobs: jobs,
      leastSharedTime: FrameGroups.leastSharedTime)
  }

  /// Makes a pipeline for frames in any order, each as often as it is named.
  ///
  /// Frames on the way to a chosen one are decoded, but not delivered. No canvases are kept for going back: a
  /// descending list takes quadratic time where there are no key frames.
  package init(
    _ image: GIFImage, list frames: [Int], format: PixelFormat = .rgba, size: PixelSize? = nil, jobs: Int
  ) throws(GIFError) {
    try self.init(
      image, frames: FrameOrder(frames), format: format, size: size, jobs: jobs,
      leastSharedTime: FrameGroups.leastSharedTime)
  }

  /// - Parameter leastSharedTime: nanoseconds of decoding below which the calling thread works alone.
  init(
    _ image: GIFImage, frames: FrameOrder, format: PixelFormat = .rgba, size: PixelSize? = nil, jobs: Int,
    leastSharedTime: Int64
  ) throws(GIFError) {
    try frames.check(in: image.frameCount)
    renderer = try FrameRenderer(image, format: format, size: size, checkpoints: .none)
    self.frames = frames
    work = PipelineWork.begin(
      image, order: frames.steps(with: renderer), jobs: jobs, leastSharedTime: leastSharedTime)
  }

  deinit { work?.stop() }

  /// Composes the next frame on the canvas; nil after the last one.
  public mutating func render() throws(GIFError) -> (index: Int, status: FrameStatus)? {
    guard nextPlace < frames.count else { return nil }
    let target = frames[nextPlace]
    guard let work else {
      let status = try renderer.render(target)
      nextPlace += 1
      return (target, status)
    }
    guard let status = try work.render(target, with: &renderer, decoder: &decoder) else { return nil }
    nextPlace += 1
    return (target, status)
  }

  /// Renders the next frame as a value that can be kept; nil after the last one.
  public mutating func next() throws(GIFError) -> Frame? {
    guard let (index, status) = try render() else { return nil }
    return try renderer.finishedFrame(at: index, status: status)
  }

  /// Bytes of one frame's pixels.
  package var frameBytes: Int { renderer.frameBytes }

  /// The pixels of the canvas, one word each, row by row from the top. Empty until a frame has been rendered.
  public var canvasPixels: Span<UInt32> {
    @_lifetime(borrow self)
    get { renderer.canvasPixels }
  }

  /// The damage found so far, one diagnostic a frame.
  public var diagnostics: [GIFDiagnostic] { renderer.diagnostics }
}
