import GIFDecoding
import GIFDecodingTestSupport
import GIFTestSupport
import Testing

@testable import GIFBatch

/// Whatever the number of threads: the pictures, statuses and findings of a ``FrameRenderer``, in order.
@Suite("FramePipeline", .timeLimit(.minutes(20)))
struct FramePipelineTests {
  private struct Outcome: Equatable {
    var indices: [Int] = []
    var statuses: [FrameStatus] = []
    var pictures: [[UInt32]] = []
    var changedRects: [PixelRect] = []
    var diagnostics: [GIFDiagnostic] = []

    mutating func add(_ frame: Frame) {
      indices.append(frame.index)
      statuses.append(frame.status)
      pictures.append(copied(frame.pixels.span))
      changedRects.append(frame.changedRect)
    }
  }

  private static func rendered(
    _ image: GIFImage, _ frames: some Sequence<Int>, format: PixelFormat = .rgba, size: PixelSize? = nil
  ) throws(GIFError) -> Outcome {
    var renderer = try FrameRenderer(image, format: format, size: size, checkpoints: .none)
    var outcome = Outcome()
    for index in frames { outcome.add(try renderer.frame(at: index)) }
    outcome.diagnostics = renderer.diagnostics
    return outcome
  }

  private static func piped(
    _ image: GIFImage, _ range: Range<Int>, format: PixelFormat = .rgba, size: PixelSize? = nil, jobs: Int
  ) throws(GIFError) -> Outcome {
    try piped(image, .range(range), format: format, size: size, jobs: jobs)
  }

  private static func piped(
    _ image: GIFImage, _ frames: FrameOrder, format: PixelFormat = .rgba, size: PixelSize? = nil, jobs: Int
  ) throws(GIFError) -> Outcome {
    var pipeline = try FramePipeline(
      image, frames: frames, format: format, size: size, jobs: jobs, leastSharedTime: 0)
    var outcome = Outcome()
    while let frame = try pipeline.next() { outcome.add(frame) }
    outcome.diagnostics = pipeline.diagnostics
    let end = try pipeline.next()
    #expect(end == nil, "after the last frame there is none")
    return outcome
  }

  /// A random GIF, every second one with some bytes changed or its end cut off.
  fileprivate static func image(seed: UInt64) throws -> GIFImage {
    var bytes = RandomGIF.make(seed: seed).bytes
    var generator = SeededGenerator(seed: seed)
    let whole = try GIFImage(bytes: bytes)
    if seed % 2 == 1, let first = whole.frames.first.map({ $0.offset + 10 }) {
      for _ in 0..<3 {
        bytes[Int.random(in: min(first, bytes.count - 1)..<bytes.count, using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
      if seed % 4 == 1 { bytes.removeLast(.random(in: 0...bytes.count - first, using: &generator)) }
    }
    var image = try GIFImage(bytes: bytes)
    image.damagePolicy = seed % 3 == 0 ? .resilient : .chromium
    return image
  }

  @Test("Random and damaged files, both formats and damage policies", arguments: 0..<40, [1, 2, 3, 8])
  func pictures(seed: UInt64, jobs: Int) throws {
    let image = try Self.image(seed: seed)
    let format: PixelFormat = seed % 5 < 2 ? .bgra : .rgba
    let all = 0..<image.frameCount
    let expected = try Self.rendered(image, all, format: format)
    #expect(try Self.piped(image, all, format: format, jobs: jobs) == expected)
  }

  @Test("Ranges in the middle", arguments: 0..<40, [1, 3])
  func ranges(seed: UInt64, jobs: Int) throws {
    let image = try Self.image(seed: 400 + seed)
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<4 {
      let lower = Int.random(in: 0...image.frameCount, using: &generator)
      let range = lower..<Int.random(in: lower...image.frameCount, using: &generator)
      #expect(try Self.piped(image, range, jobs: jobs) == Self.rendered(image, range))
    }
  }

  @Test("Lists in any order, with frames named twice, and at another size", arguments: 0..<40, [1, 3])
  func lists(seed: UInt64, jobs: Int) throws {
    let image = try Self.image(seed: 1200 + seed)
    guard image.frameCount > 0 else { return }
    var generator = SeededGenerator(seed: seed)
    let size = seed % 4 == 3 ? PixelSize(width: 20, height: 15) : nil
    let lists = [
      (0..<12).map { _ in Int.random(in: 0..<image.frameCount, using: &generator) },
      Array(stride(from: 0, to: image.frameCount, by: 3)), (0..<image.frameCount).reversed(), [],
    ]
    for list in lists {
      let found = try Self.piped(image, .list(list), size: size, jobs: jobs)
      let expected = try Self.rendered(image, list, size: size)
      #expect(found.indices == list)
      #expect(found.statuses == expected.statuses)
      #expect(found.pictures == expected.pictures)
    }
  }

  @Test("A list with a frame that is not there is refused")
  func missingFrame() throws {
    let image = try Self.image(seed: 0)
    for list in [[0, -1], [image.frameCount], [-1, 0], [0, image.frameCount]] {
      #expect(throws: GIFError.self) { _ = try FramePipeline(image, list: list, jobs: 1) }
    }
  }

  @Test("Pictures at another size", arguments: 0..<20, [2, 8])
  func sizes(seed: UInt64, jobs: Int) throws {
    let image = try Self.image(seed: 800 + seed)
    var generator = SeededGenerator(seed: seed)
    let size = PixelSize(
      width: .random(in: 1...80, using: &generator), height: .random(in: 1...80, using: &generator))
    let all = 0..<image.frameCount
    #expect(try Self.piped(image, all, size: size, jobs: jobs) == Self.rendered(image, all, size: size))
  }

  /// Frames large enough to be drawn by several threads, and some that are cut off.
  private static func largeImage(frames: Int) throws -> GIFImage {
    var generator = SeededGenerator(seed: 12)
    let palette = (0..<8).map { _ in RGB(.random(in: 0...0xFF_FFFF, using: &generator)) }
    var writer = GIFWriter(width: 320, height: 240, palette: palette)
    for frame in 0..<frames {
      let width = frame % 5 == 4 ? 20 : 320 - frame
      let height = frame % 5 == 4 ? 10 : 240 - 2 * frame
      writer.graphicsControl(disposal: frame % 4, transparent: frame % 3 == 0 ? nil : 1)
      var coding = GIFWriter.ImageCoding()
      if frame % 7 == 6 { coding.pixelLimit = width * height / 2 }
      writer.image(
        x: frame, y: frame, width: width, height: height,
        indices: (0..<width * height).map { _ in UInt8.random(in: 0...7, using: &generator) },
        interlaced: frame % 2 == 1, coding: coding)
    }
    writer.trailer()
    return try GIFImage(bytes: writer.bytes)
  }

  @Test("Any number of jobs gives the same pictures", arguments: [.min, 0, .max] as [Int])
  func anyNumberOfJobs(jobs: Int) throws {
    let image = try GIFImage(bytes: RandomGIF.make(seed: 4).bytes)
    let frames = 0..<image.frameCount
    #expect(try Self.piped(image, frames, jobs: jobs) == Self.rendered(image, frames))
  }

  @Test("Large frames, drawn in bands", arguments: [1, 2, 3, 8, 256])
  func largeFrames(jobs: Int) throws {
    let image = try Self.largeImage(frames: 24)
    let expected = try Self.rendered(image, 0..<24)
    for _ in 0..<3 { #expect(try Self.piped(image, 0..<24, jobs: jobs) == expected) }
  }

  @Test("In place: the canvas after each frame is the frame's picture", arguments: [1, 2, 8])
  func inPlace(jobs: Int) throws {
    let image = try Self.largeImage(frames: 10)
    let expected = try Self.rendered(image, 0..<10)
    var pipeline = try FramePipeline(image, frames: .range(0..<10), jobs: jobs, leastSharedTime: 0)
    for index in 0..<10 {
      let (found, status) = try #require(try pipeline.render())
      #expect(found == index && status == expected.statuses[index])
      if status != .blank { #expect(copied(pipeline.canvasPixels) == expected.pictures[index]) }
    }
    let end = try pipeline.render()
    #expect(end == nil)
  }

  @Test("Dropped in the middle, again and again; the next one is not disturbed", arguments: [1, 2, 8])
  func dropped(jobs: Int) throws {
    let image = try Self.largeImage(frames: 12)
    let expected = try Self.rendered(image, 0..<12)
    for taken in 0..<12 {
      var pipeline = try FramePipeline(image, frames: .range(0..<12), jobs: jobs, leastSharedTime: 0)
      for index in 0..<taken {
        let frame = try #require(try pipeline.next())
        #expect(frame.index == index && copied(frame.pixels.span) == expected.pictures[index])
      }
    }
    #expect(try Self.piped(image, 0..<12, jobs: jobs) == expected)
  }

  @Test("Several at once, each on a thread of its own")
  func atOnce() async throws {
    let image = try Self.largeImage(frames: 8)
    let expected = try Self.rendered(image, 0..<8)
    try await withThrowingTaskGroup(of: Outcome.self) { group in
      for jobs in 1...6 { group.addTask { try Self.piped(image, 0..<8, jobs: jobs) } }
      for try await outcome in group { #expect(outcome == expected) }
    }
  }

  @Test("The smallest memory that a frame fits in suffices", arguments: [1, 2, 8])
  func littleMemory(jobs: Int) throws {
    var limits = DecodingLimits.default
    limits.decodedBytes = 320 * 240 * 5
    var writer = GIFWriter(width: 320, height: 240, palette: [0, 0xFFFFFF])
    for frame in 0..<9 {
      writer.graphicsControl(disposal: 1)
      writer.image(width: 320, height: 240, indices: Array(repeating: UInt8(frame % 2), count: 320 * 240))
    }
    writer.trailer()
    let image = try GIFImage(bytes: writer.bytes, limits: limits)
    let outcome = try Self.piped(image, 0..<9, jobs: jobs)
    #expect(outcome == (try Self.rendered(image, 0..<9)))
    #expect(outcome.statuses.allSatisfy { $0 == .complete })
  }

  @Test("No frames: nothing comes and nothing waits", arguments: [1, 4])
  func noFrames(jobs: Int) throws {
    var writer = GIFWriter(width: 3, height: 2, palette: [0, 1])
    writer.trailer()
    let empty = try GIFImage(bytes: writer.bytes)
    #expect(try Self.piped(empty, 0..<0, jobs: jobs) == Outcome())
    let image = try Self.largeImage(frames: 2)
    #expect(try Self.piped(image, 1..<1, jobs: jobs).indices.isEmpty)
  }

  @Test("Frames that are not there are refused")
  func noSuchFrames() throws {
    let image = try Self.largeImage(frames: 2)
    for range in [0..<3, -1..<1, 3..<3] {
      #expect(throws: GIFError.self) { _ = try Self.piped(image, range, jobs: 2) }
    }
  }

  @Test("The size of a frame is known beforehand")
  func frameBytes() throws {
    let image = try Self.largeImage(frames: 1)
    let whole = try FramePipeline(image, frames: 0..<1, jobs: 1).frameBytes
    #expect(whole == 320 * 240 * 4)
    let scaled = try FramePipeline(
      image, frames: 0..<1, size: PixelSize(width: 7, height: 3), jobs: 1
    ).frameBytes
    #expect(scaled == 7 * 3 * 4)
  }
}

/// A renderer that lets other threads decode shows what it would show alone, from wherever it stands.
@Suite("Rendering with several jobs", .timeLimit(.minutes(20)))
struct RenderingJobsTests {
  @Test("Random and damaged files, from any frame to any other", arguments: 0..<40, [1, 2, 5])
  func pictures(seed: UInt64, jobs: Int) throws {
    let image = try FramePipelineTests.image(seed: 2000 + seed)
    guard image.frameCount > 0 else { return }
    var generator = SeededGenerator(seed: seed)
    let checkpoints = CheckpointPolicy(interval: 2)
    var renderer = try FrameRenderer(image, checkpoints: checkpoints)
    var alone = try FrameRenderer(image, checkpoints: checkpoints)
    for _ in 0..<8 {
      let first = Int.random(in: 0..<image.frameCount, using: &generator)
      let range = first..<Int.random(in: first + 1...image.frameCount, using: &generator)
      let statuses = try renderer.render(.range(range), jobs: jobs, leastSharedTime: 0)
      var expected: [FrameStatus] = []
      for frame in range { expected.append(try alone.render(frame)) }
      #expect(statuses == expected, "frames \(range)")
      // A blank frame has no picture.
      guard expected.last != .blank else { continue }
      let shown = copied(renderer.canvasPixels)
      let isSame = shown == copied(alone.canvasPixels)
      #expect(isSame, "frames \(range)")
    }
  }

  @Test("Frames that are not there are refused")
  func missingFrame() throws {
    let image = try FramePipelineTests.image(seed: 0)
    var renderer = try FrameRenderer(image)
    for frames in [[-1], [0, image.frameCount]] {
      #expect(throws: GIFError.self) { _ = try renderer.render(frames, jobs: 2) }
    }
  }
}
