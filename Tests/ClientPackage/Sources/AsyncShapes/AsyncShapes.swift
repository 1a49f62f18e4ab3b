import Gallop
import Shapes

/// The ways in which clients keep a noncopyable type while a task waits.
public enum AsyncShapeList {
  public static let all: [Shape] = [
    Shape("stream across awaits", streamAcrossAwaits), Shape("stream in an actor", streamInActor),
    Shape("renderer across awaits", rendererAcrossAwaits), Shape("renderer in an actor", rendererInActor),
    Shape("pipeline across awaits", pipelineAcrossAwaits),
  ]

  private static func streamAcrossAwaits(_ file: [UInt8]) async throws -> Int {
    let pieces = AsyncStream { pieces in
      for byte in file { pieces.yield([byte]) }
      pieces.finish()
    }
    var stream = GIFStream()
    do {
      for await piece in pieces {
        try stream.append(piece)
        if stream.byteCount > file.count { return 0 }
      }
      return try stream.finish().frameCount
    } catch {
      return -1
    }
  }

  private actor Reader {
    private var stream: GIFStream? = GIFStream()

    func take(_ piece: [UInt8]) throws { try stream?.append(piece) }

    func end() throws -> Int {
      guard let stream = stream.take() else { return 0 }
      return try stream.finish().frameCount
    }
  }

  private static func streamInActor(_ file: [UInt8]) async throws -> Int {
    let reader = Reader()
    try await reader.take(file)
    return try await reader.end()
  }

  private static func rendererAcrossAwaits(_ file: [UInt8]) async throws -> Int {
    var renderer = try FrameRenderer(GIFImage(bytes: file))
    var drawn = 0
    for index in renderer.image.frames.indices {
      await Task.yield()
      if try renderer.render(index) == .complete { drawn += 1 } else { return 0 }
    }
    return drawn
  }

  private actor Painter {
    private var renderer: FrameRenderer

    init(_ image: GIFImage) throws { renderer = try FrameRenderer(image) }

    func draw() throws -> Int {
      try renderer.image.frames.indices.filter { try renderer.render($0) == .complete }.count
    }
  }

  private static func rendererInActor(_ file: [UInt8]) async throws -> Int {
    try await Painter(GIFImage(bytes: file)).draw()
  }

  private static func pipelineAcrossAwaits(_ file: [UInt8]) async throws -> Int {
    let image = try GIFImage(bytes: file)
    var pipeline = try FramePipeline(image, frames: 0..<image.frameCount, jobs: 2)
    var count = 0
    while try pipeline.render() != nil {
      await Task.yield()
      count += 1
    }
    return count
  }
}
