package import GIFDecoding

extension FrameRenderer {
  /// Renders frames one after the other; up to `jobs` threads decode them, and those on the way.
  ///
  /// The canvas then shows the last one, if that is not blank. Memory: that of a ``FramePipeline`` beside the
  /// renderer.
  ///
  /// - Returns: the status of each.
  package mutating func render(_ frames: [Int], jobs: Int) throws(GIFError) -> [FrameStatus] {
    try render(FrameOrder(frames), jobs: jobs, leastSharedTime: FrameGroups.leastSharedTime)
  }

  /// - Parameter leastSharedTime: nanoseconds of decoding below which the calling thread works alone.
  mutating func render(
    _ frames: FrameOrder, jobs: Int, leastSharedTime: Int64
  ) throws(GIFError) -> [FrameStatus] {
    try frames.check(in: image.frameCount)
    // What is shown already has no way.
    if frames.count == 1, needsNoDrawing(frames[0]) { return [try render(frames[0])] }
    var statuses: [FrameStatus] = []
    let order = frames.steps(with: self)
    guard
      let work = PipelineWork.begin(image, order: order, jobs: jobs, leastSharedTime: leastSharedTime)
    else {
      for place in 0..<frames.count { statuses.append(try render(frames[place])) }
      return statuses
    }
    defer { work.stop() }
    var decoder = FrameDecoder()
    for place in 0..<frames.count {
      guard let status = try work.render(frames[place], with: &self, decoder: &decoder) else {
        preconditionFailure("the order ends with the last frame")
      }
      statuses.append(status)
    }
    return statuses
  }
}
