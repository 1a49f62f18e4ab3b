import Gallop
import Shapes

/// The ways in which clients hold a ``FramePipeline`` and take all frames from it.
public enum PipelineShapeList {
  public static let all: [Shape] = [
    Shape("local, early return", earlyReturn), Shape("inout", passedInout),
    Shape("consuming", passedConsuming),
    Shape("borrowing", passedBorrowing), Shape("closure called at once", closure),
    Shape("field of a struct", fieldOfStruct), Shape("field of a class", fieldOfClass),
    Shape("optional, taken", optionalTaken), Shape("begun again", begunAnew),
    Shape("result of a function", returned),
  ]

  private static func begin(_ file: [UInt8], jobs: Int = 2) throws(GIFError) -> FramePipeline {
    let image = try GIFImage(bytes: file)
    return try FramePipeline(image, frames: 0..<image.frameCount, jobs: jobs)
  }

  private static func count(_ pipeline: inout FramePipeline) throws -> Int {
    var count = 0
    while let frame = try pipeline.next() {
      if frame.pixels.span.count == pipeline.canvasPixels.count { count += 1 }
    }
    return count
  }

  private static func earlyReturn(_ file: [UInt8]) -> Int {
    func read(stop: Bool) -> Int {
      do {
        let image = try GIFImage(bytes: file)
        var pipeline = try FramePipeline(image, frames: 0..<image.frameCount, jobs: 1)
        if stop { return -1 }
        var count = 0
        while try pipeline.render() != nil { count += 1 }
        return count
      } catch {
        return 0
      }
    }
    return read(stop: true) == -1 ? read(stop: false) : 0
  }

  private static func passedInout(_ file: [UInt8]) throws -> Int {
    var pipeline = try begin(file)
    return try count(&pipeline)
  }

  private static func passedConsuming(_ file: [UInt8]) throws -> Int {
    func end(_ pipeline: consuming FramePipeline) throws -> Int { try count(&pipeline) }
    func drop(_ pipeline: consuming FramePipeline) {}
    drop(try begin(file))
    return try end(begin(file))
  }

  private static func passedBorrowing(_ file: [UInt8]) throws -> Int {
    func bytes(_ pipeline: borrowing FramePipeline) -> Int {
      pipeline.canvasPixels.count + pipeline.diagnostics.count
    }
    var pipeline = try begin(file)
    // Nothing has been rendered.
    guard bytes(pipeline) == 0 else { return 0 }
    return try count(&pipeline)
  }

  private static func closure(_ file: [UInt8]) throws -> Int {
    func now<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }
    var pipeline = try begin(file)
    return try now { try count(&pipeline) }
  }

  private struct Holder: ~Copyable {
    var pipeline: FramePipeline
    var file: [UInt8]
  }

  private static func fieldOfStruct(_ file: [UInt8]) throws -> Int {
    var holder = Holder(pipeline: try begin(file), file: file)
    return try holder.file.isEmpty ? 0 : count(&holder.pipeline)
  }

  private final class Owner {
    var pipeline: FramePipeline?
  }

  private static func fieldOfClass(_ file: [UInt8]) throws -> Int {
    let owner = Owner()
    owner.pipeline = try begin(file)
    var count = 0
    while try owner.pipeline?.next() != nil { count += 1 }
    owner.pipeline = nil
    return count
  }

  private static func optionalTaken(_ file: [UInt8]) throws -> Int {
    var kept: FramePipeline? = try begin(file)
    guard var taken = kept.take() else { return 0 }
    return kept == nil ? try count(&taken) : 0
  }

  private static func begunAnew(_ file: [UInt8]) throws -> Int {
    var counts: [Int] = []
    var pipeline = try begin(file, jobs: 1)
    for jobs in 1...3 {
      counts.append(try count(&pipeline))
      pipeline = try begin(file, jobs: jobs)
    }
    return Set(counts).count == 1 ? counts[0] : 0
  }

  private static func returned(_ file: [UInt8]) throws -> Int {
    func begun() throws -> FramePipeline {
      var pipeline = try begin(file)
      _ = try pipeline.next()
      return pipeline
    }
    var pipeline = try begun()
    return try count(&pipeline) + 1
  }
}
