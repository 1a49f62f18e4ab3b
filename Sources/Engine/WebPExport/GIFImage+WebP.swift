public import GIFDecoding

extension GIFImage {
  /// The image as an animated WebP, by libwebp: every picture for as long as browsers show the frame, to the
  /// millisecond, as many plays, transparency. One frame gives a still.
  ///
  ///     let webp = try GIFImage(contentsOfFile: "horse.gif").webpBytes()
  ///
  /// The libraries are opened with the first one: `libwebp.so.7` and `libwebpmux.so.3`. Runs on the caller's
  /// thread; memory is that of a renderer and of the file that it makes.
  /// - Parameter isCancelled: whether the caller no longer wants the file; asked before each frame.
  /// - Throws: ``WebPError``.
  public func webpBytes(
    _ options: WebPOptions = WebPOptions(), isCancelled: (@Sendable () -> Bool)? = nil
  ) throws(WebPError) -> [UInt8] {
    try unsafe webpFile(options, isCancelled: isCancelled).withUnsafeBytes { unsafe Array($0) }
  }

  /// The same in libwebp's own memory.
  package func webpFile(
    _ options: WebPOptions, isCancelled: (@Sendable () -> Bool)?
  ) throws(WebPError) -> WebPFile {
    let chosen = options.frames ?? Array(frames.indices)
    try decoding { () throws(GIFError) in
      if chosen.isEmpty { throw GIFError(.noFrames) }
      for index in chosen where !frames.indices.contains(index) {
        throw .missingFrame(Int64(index), of: frameCount)
      }
    }
    let schedule = try WebPSchedule(self, frames: chosen, mostPerSecond: options.mostPerSecond)
    var encoder = try WebPEncoder(
      options.size ?? size, plays: schedule.plays, compression: options.compression)
    var renderer = try decoding { () throws(GIFError) in
      try FrameRenderer(self, size: options.size, checkpoints: .none)
    }
    for (frame, time) in zip(schedule.frames, schedule.times) {
      let picture: Frame
      do throws(GIFError) {
        picture = try renderer.frame(at: frame, isCancelled: isCancelled)
      } catch {
        throw WebPError(error)
      }
      try encoder.add(picture.pixels, at: time)
    }
    return try encoder.finish(at: schedule.end)
  }

  private func decoding<Result: ~Copyable>(
    _ body: () throws(GIFError) -> Result
  ) throws(WebPError) -> Result {
    do throws(GIFError) {
      return try body()
    } catch {
      throw WebPError(error)
    }
  }
}
