internal import ArgumentParser
internal import Gallop

/// A frame as it is written.
struct Picture: Sendable {
  let index: Int
  let status: FrameStatus
  let pixels: PixelBuffer
  /// The part that may differ from frame `index - 1`.
  let changedRect: PixelRect

  init(_ frame: Frame, over background: BackgroundColor?) {
    index = frame.index
    status = frame.status
    changedRect = frame.changedRect
    pixels = background?.under(frame.pixels) ?? frame.pixels
  }
}

/// The pictures of chosen frames, in the order in which they are chosen.
struct PictureSource: ~Copyable {
  private let task: FileTask
  let frames: [Int]
  /// The size of each picture.
  let size: PixelSize
  private var pipeline: FramePipeline
  private let jobs: Int
  private let background: BackgroundColor?

  /// The largest number of bytes that wait to be encoded or written; one picture may always wait.
  private static let waitingBytes = 1 << 28

  /// - Parameters:
  ///   - size: nil for the canvas's.
  ///   - background: the colour behind transparent pixels; nil to keep them.
  init(
    _ task: FileTask, _ image: GIFImage, frames: [Int], format: PixelFormat, size: PixelSize?,
    background: BackgroundColor?
  ) throws {
    self.task = task
    self.frames = frames
    self.size = size ?? image.size
    jobs = task.jobs
    self.background = background
    pipeline = try FramePipeline(image, list: frames, format: format, size: size, jobs: jobs)
  }

  /// Calls `body` with each picture and its place among the chosen ones; returns the damage found. Without a
  /// body frames are only composed.
  consuming func deliver(to body: ((Int, Picture) throws -> Void)?) throws -> [GIFDiagnostic] {
    var progress = task.progress(unit: "frames")
    defer { progress.end() }
    for done in 1...max(1, frames.count) {
      try Interruption.check()
      guard let body else {
        guard try pipeline.render() != nil else { break }
        continue
      }
      guard let frame = try pipeline.next() else { break }
      try body(done - 1, Picture(frame, over: background))
      progress.update(done, of: frames.count)
    }
    return pipeline.diagnostics
  }

  /// Encodes pictures in parallel and calls `body` with the place and the result of each, in order; returns
  /// the damage found.
  consuming func deliver<Encoded: Sendable>(
    encoding encode: @escaping @Sendable (Int, Picture) throws -> Encoded,
    to body: (Int, Encoded) throws -> Void
  ) throws -> [GIFDiagnostic] {
    var progress = task.progress(unit: "frames")
    defer { progress.end() }
    let background = background
    let frameBytes = max(1, pipeline.frameBytes)
    let encoding = OrderedWork<(place: Int, frame: Frame), Result<Encoded, any Error>>(
      jobs: jobs, window: jobs == 1 ? 1 : min(2 * jobs, Self.waitingBytes / frameBytes)
    ) { input in Result { try encode(input.place, Picture(input.frame, over: background)) } }
    var (begun, done) = (0, 0)
    var isExhausted = false
    while true {
      try Interruption.check()
      if !isExhausted, !encoding.isFull {
        if let frame = try pipeline.next() {
          encoding.add((begun, frame))
          begun += 1
        } else {
          isExhausted = true
        }
        continue
      }
      guard let encoded = encoding.next() else { break }
      try body(done, try encoded.get())
      done += 1
      progress.update(done, of: frames.count)
    }
    return pipeline.diagnostics
  }
}
