internal import ArgumentParser
internal import GIFBatch
internal import GIFCaching
internal import GIFDecoding

/// A frame as it is written.
struct Picture: Sendable {
  let index: Int
  let status: FrameStatus
  let pixels: PixelBuffer

  init(_ frame: Frame, over background: BackgroundColor?) {
    index = frame.index
    status = frame.status
    pixels = background?.under(frame.pixels) ?? frame.pixels
  }
}

/// The pictures of a range of frames, in order.
struct PictureSource: ~Copyable {
  private let turn: FileTurn
  let range: Range<Int>
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
    _ turn: FileTurn, _ image: GIFImage, range: Range<Int>, format: PixelFormat, size: PixelSize?,
    background: BackgroundColor?
  ) throws {
    self.turn = turn
    self.range = range
    self.size = size ?? image.canvasSize
    jobs = turn.jobs
    self.background = background
    do throws(GIFError) {
      pipeline = try FramePipeline(image, frames: range, format: format, size: size, jobs: jobs)
    } catch {
      throw FileFailure(reason: error.description)
    }
  }

  /// Calls `body` with each picture; returns the damage found. Without a body frames are only composed.
  consuming func deliver(to body: ((Picture) throws -> Void)?) throws -> [GIFDiagnostic] {
    var progress = turn.progress(unit: "frames")
    defer { progress.end() }
    for done in 1...max(1, range.count) {
      try Interruption.check()
      guard let body else {
        guard try pipeline.render() != nil else { break }
        continue
      }
      guard let frame = try pipeline.next() else { break }
      try body(Picture(frame, over: background))
      progress.update(done, of: range.count)
    }
    return pipeline.diagnostics
  }

  /// Encodes pictures in parallel and calls `body` with each result, in order; returns the damage found.
  consuming func deliver<Encoded: Sendable>(
    encoding encode: @escaping @Sendable (Picture) throws -> Encoded, to body: (Int, Encoded) throws -> Void
  ) throws -> [GIFDiagnostic] {
    var progress = turn.progress(unit: "frames")
    defer { progress.end() }
    let background = background
    let frameBytes = max(1, pipeline.frameBytes)
    let encoding = OrderedWork<Frame, (index: Int, encoded: Result<Encoded, any Error>)>(
      jobs: jobs, window: jobs == 1 ? 1 : min(2 * jobs, Self.waitingBytes / frameBytes)
    ) { frame in (frame.index, Result { try encode(Picture(frame, over: background)) }) }
    var done = 0
    var isExhausted = false
    while true {
      try Interruption.check()
      if !isExhausted, !encoding.isFull {
        if let frame = try pipeline.next() { encoding.add(frame) } else { isExhausted = true }
        continue
      }
      guard let (index, encoded) = encoding.next() else { break }
      try body(index, try encoded.get())
      done += 1
      progress.update(done, of: range.count)
    }
    return pipeline.diagnostics
  }
}

extension GIFImage {
  /// The canvas as a size; the engine opens no image without one.
  var canvasSize: PixelSize { PixelSize(clampingWidth: width, height: height) }
}
