import GIFTestSupport

@testable import GIFDecoding

/// Frames reduced to what decides on their dependencies: rectangle, opacity, disposal.
struct FrameStructure {
  struct Shape: Hashable {
    var rect: PixelRect
    var isOpaque: Bool
    var disposal: UInt8
  }

  let canvas: PixelRect
  let frames: [FrameInfo]

  /// Lays out frames of these shapes as the index does.
  init(canvas: PixelRect, shapes: [Shape]) {
    self.canvas = canvas
    var frames: [FrameInfo] = []
    for shape in shapes {
      let base = frames.last { $0.disposal != .previous }
      let dependency = FrameDependency(rect: shape.rect.intersection(canvas), isOpaque: shape.isOpaque)
      frames.append(
        FrameInfo(
          index: frames.count, rect: shape.rect, delayCentiseconds: 0, storedDisposal: shape.disposal,
          transparentIndex: shape.isOpaque ? nil : 0, isInterlaced: false,
          requiredFrame: dependency.requiredFrame(onto: base, earlier: frames, canvas: canvas),
          localPalette: nil, codeSize: 2, offset: 0, data: 0..<0, isTruncated: false))
    }
    self.frames = frames
  }

  /// Some frames on a small canvas; rectangles often coincide, and may lie outside or be empty.
  static func random(using generator: inout SeededGenerator) -> FrameStructure {
    let canvas = PixelRect(x: 0, y: 0, width: 3, height: 2)
    let rects =
      [canvas, canvas]
      + (0..<3).map { _ in
        PixelRect(
          x: .random(in: 0...3, using: &generator), y: .random(in: 0...1, using: &generator),
          width: .random(in: 0...3, using: &generator), height: .random(in: 1...2, using: &generator))
      }
    let shapes = (0..<Int.random(in: 1...7, using: &generator)).map { _ in
      Shape(
        rect: rects.randomElement(using: &generator) ?? canvas, isOpaque: .random(using: &generator),
        disposal: .random(in: 1...3, using: &generator))
    }
    return FrameStructure(canvas: canvas, shapes: shapes)
  }
}

/// A canvas on which every pixel holds the list of the frames that left something there: which they are and
/// in which order. An opaque frame replaces the list, a transparent one adds to it.
struct SymbolicCanvas: Equatable {
  private var pixels: [[Int]]
  private let canvas: PixelRect

  init(_ canvas: PixelRect) {
    self.canvas = canvas
    pixels = Array(repeating: [], count: canvas.width * canvas.height)
  }

  /// Something that no frame can build on.
  static func garbage(_ canvas: PixelRect) -> SymbolicCanvas {
    var result = SymbolicCanvas(canvas)
    result.pixels = Array(repeating: [-1], count: canvas.width * canvas.height)
    return result
  }

  mutating func draw(_ frame: FrameInfo) {
    change(frame.rect) { frame.transparentIndex == nil ? [frame.index] : $0 + [frame.index] }
  }

  /// The disposals that need no memory of what was before.
  mutating func dispose(of frame: FrameInfo) {
    if frame.disposal == .background { change(frame.rect) { _ in [] } }
  }

  private mutating func change(_ rect: PixelRect, _ body: ([Int]) -> [Int]) {
    for y in 0..<canvas.height where y >= rect.y && y < rect.maxY {
      for x in 0..<canvas.width where x >= rect.x && x < rect.maxX {
        pixels[y * canvas.width + x] = body(pixels[y * canvas.width + x])
      }
    }
  }
}
