import Gallop
import Shapes
import Synchronization

/// The ways in which clients hold a ``FrameRenderer`` and draw all frames with it.
public enum RendererShapeList {
  public static let all: [Shape] = [
    Shape("local, early return", earlyReturn), Shape("throws on the way", throwsOnTheWay),
    Shape("inout", passedInout),
    Shape("consuming", passedConsuming), Shape("borrowing", passedBorrowing),
    Shape("closure called at once", closure),
    Shape("field of a struct", fieldOfStruct), Shape("field of a class", fieldOfClass),
    Shape("optional, taken", optionalTaken), Shape("behind a lock", behindLock),
    Shape("begun again", begunAnew),
    Shape("update while it loads", updated), Shape("result of a function", returned), Shape("try?", tried),
  ]

  private static func count(_ renderer: inout FrameRenderer) throws -> Int {
    var count = 0
    for index in renderer.image.frames.indices {
      let frame = try renderer.frame(at: index)
      if frame.status == .complete, frame.pixels.span.count == renderer.canvasPixels.count { count += 1 }
    }
    return count
  }

  private static func earlyReturn(_ file: [UInt8]) -> Int {
    func read(stop: Bool) -> Int {
      do {
        var renderer = try FrameRenderer(GIFImage(bytes: file), format: .bgra)
        try renderer.render(0)
        if stop { return -1 }
        return try count(&renderer)
      } catch {
        return 0
      }
    }
    return read(stop: true) == -1 ? read(stop: false) : 0
  }

  private static func throwsOnTheWay(_ file: [UInt8]) throws -> Int {
    var renderer = try FrameRenderer(GIFImage(bytes: file))
    var drawn = 0
    do {
      while true {
        _ = try renderer.frame(at: drawn)
        drawn += 1
      }
    } catch {
      return renderer.diagnostics.isEmpty ? drawn : 0
    }
  }

  private static func passedInout(_ file: [UInt8]) throws -> Int {
    var renderer = try FrameRenderer(GIFImage(bytes: file), size: PixelSize(width: 9, height: 7))
    var count = 0
    func draw(_ renderer: inout FrameRenderer, _ index: Int) throws {
      if try renderer.frame(at: index).pixels.width == 9 { count += 1 }
    }
    for index in renderer.image.frames.indices { try draw(&renderer, index) }
    return count
  }

  private static func passedConsuming(_ file: [UInt8]) throws -> Int {
    func end(_ renderer: consuming FrameRenderer) throws -> Int { try count(&renderer) }
    func drop(_ renderer: consuming FrameRenderer) -> Int { renderer.diagnostics.count }
    guard try drop(FrameRenderer(GIFImage(bytes: file))) == 0 else { return 0 }
    return try end(FrameRenderer(GIFImage(bytes: file)))
  }

  private static func passedBorrowing(_ file: [UInt8]) throws -> Int {
    func decoded(_ renderer: borrowing FrameRenderer) -> Int { renderer.image.frameCount }
    var renderer = try FrameRenderer(GIFImage(bytes: file))
    _ = try count(&renderer)
    return decoded(renderer)
  }

  private static func closure(_ file: [UInt8]) throws -> Int {
    func now<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }
    var renderer = try FrameRenderer(GIFImage(bytes: file))
    try now { _ = try renderer.frame(at: 0) }
    return try now { try count(&renderer) }
  }

  private struct Holder: ~Copyable {
    let path: String
    var renderer: FrameRenderer
    var stream: GIFStream?

    init(_ file: [UInt8]) throws {
      path = "file"
      renderer = try FrameRenderer(GIFImage(bytes: file), checkpoints: .none)
    }

    mutating func count() throws -> Int { try RendererShapeList.count(&renderer) }
  }

  private static func fieldOfStruct(_ file: [UInt8]) throws -> Int {
    var holder = try Holder(file)
    return try holder.path.isEmpty ? 0 : holder.count()
  }

  private final class Owner {
    var renderer: FrameRenderer

    init(_ image: GIFImage) throws { renderer = try FrameRenderer(image) }
  }

  private static func fieldOfClass(_ file: [UInt8]) throws -> Int {
    let owner = try Owner(GIFImage(bytes: file))
    return try count(&owner.renderer)
  }

  private static func optionalTaken(_ file: [UInt8]) throws -> Int {
    var kept: FrameRenderer? = try FrameRenderer(GIFImage(bytes: file))
    try kept?.render(0)
    guard var renderer = kept.take() else { return 0 }
    return kept == nil ? try count(&renderer) : 0
  }

  private static func behindLock(_ file: [UInt8]) throws -> Int {
    let lock = Mutex(try FrameRenderer(GIFImage(bytes: file)))
    return try lock.withLock { try count(&$0) }
  }

  private static func begunAnew(_ file: [UInt8]) throws -> Int {
    let image = try GIFImage(bytes: file)
    var renderer = try FrameRenderer(image)
    var counts: [Int] = []
    for _ in 0..<3 {
      counts.append(try count(&renderer))
      renderer = try FrameRenderer(image)
    }
    return Set(counts).count == 1 ? counts[0] : 0
  }

  private static func updated(_ file: [UInt8]) throws -> Int {
    var stream = GIFStream()
    var renderer: FrameRenderer?
    for start in stride(from: 0, to: file.count, by: 500) {
      try stream.append(Array(file[start..<min(file.count, start + 500)]))
      guard let image = try stream.image, image.frameCount > 0 else { continue }
      if renderer == nil { renderer = try FrameRenderer(image) } else { try renderer?.update(to: image) }
      try renderer?.render(image.frameCount - 1)
    }
    try renderer?.update(to: stream.finish())
    guard var drawn = renderer.take() else { return 0 }
    return try count(&drawn)
  }

  private static func returned(_ file: [UInt8]) throws -> Int {
    func warm() throws -> FrameRenderer {
      var renderer = try FrameRenderer(GIFImage(bytes: file))
      try renderer.render(0)
      return renderer
    }
    var renderer = try warm()
    return try count(&renderer)
  }

  private static func tried(_ file: [UInt8]) throws -> Int {
    guard let image = try? GIFImage(bytes: file), var renderer = try? FrameRenderer(image) else { return 0 }
    return try count(&renderer)
  }
}
